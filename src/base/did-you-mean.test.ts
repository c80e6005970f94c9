import { describe, expect, it } from 'vitest'
import { findNearestName } from './did-you-mean.ts'

const OPTIONS = ['url', 'formats', 'onlyMainContent', 'includeTags', 'excludeTags', 'waitFor', 'timeout', 'maxAge']

describe('the name that was meant', () => {
  it.each([
    ['format', 'formats'],
    ['fromats', 'formats'],
    ['only_main_content', 'onlyMainContent'],
    ['only-main-contnet', 'onlyMainContent'],
    ['waitfor', 'waitFor'],
    ['timout', 'timeout'],
    ['includeTag', 'includeTags'],
    ['urls', 'url'],
  ])('%s is %s', (asked, meant) => {
    expect(findNearestName(asked, OPTIONS)).toBe(meant)
  })

  it('what is near nothing has no suggestion', () => {
    for (const asked of ['dance', '', 'foo', 'x'.repeat(5000)])
      expect(findNearestName(asked, OPTIONS), asked).toBeUndefined()
  })
})

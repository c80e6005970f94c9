import { expect, it } from 'vitest'
import { openLinkTokens } from './link-tokens.ts'

it('a token of as many letters and more bytes is another one, and no error of ours', () => {
  const tokens = openLinkTokens('a secret')
  const right = tokens.of('view', 'id')
  expect(tokens.check('view', 'id', right)).toBe(true)
  expect(tokens.check('view', 'id', `é${right.slice(1)}`)).toBe(false)
  expect(tokens.isSealed('text', `é${tokens.seal('text').slice(1)}`)).toBe(false)
  expect(tokens.redeem('id', `${tokens.ticket('view', 'id', 0).slice(0, -1)}é`, 0)).toBeUndefined()
  expect(tokens.check('drive', 'id', right)).toBe(false)
})

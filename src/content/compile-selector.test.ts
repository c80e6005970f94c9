import { describe, expect, it } from 'vitest'
import { expectCost } from '../../test/cost.ts'
import { parsePage } from './parsed-page.ts'

const markdownOf = (text: string, includeTags: string[]): string => {
  const choices = { onlyMainContent: false, includeTags, excludeTags: [], removeBase64Images: true }
  const bytes = new TextEncoder().encode(text)
  return parsePage({ bytes, contentType: 'text/html; charset=utf-8', url: 'https://e.com/' }, choices).markdown
}

describe('selectors of callers', () => {
  it.each([
    ['.a > p:has(b)', 'one **two**'],
    ['p:has(b i)', ''],
    [':is(p, li):not(.x)', 'one **two**'],
    ['[data-x="a b > c"]', 'three'],
  ])('find what they say: %s', (selector, found) => {
    const page = '<div class=a><p>one <b>two</b></p></div><div data-x="a b > c">three</div>'
    expect(markdownOf(page, [selector]).trim()).toBe(found)
  })

  it.each([
    ':has(* * * * * *)',
    ':has(:has(p))',
    'p:has(a):has(b):has(i)',
    Array.from({ length: 40 }, () => '*').join(' '),
  ])('that would look at everything many times are refused: %s', (selector) => {
    expect(() => markdownOf('<p>a</p>', [selector])).toThrow(/CSS selector|too long|steps|:has/)
  })

  it('that are allowed end in time on a page made against them', () => {
    const page = `${'<b><i>'.repeat(250)}${'<u>x</u>'.repeat(30_000)}`
    const started = process.cpuUsage()
    markdownOf(page, ['b:has(i > q)'])
    const { user, system } = process.cpuUsage(started)
    expectCost((user + system) / 1000).toBeLessThan(20_000)
  })
})

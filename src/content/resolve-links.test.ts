import { expect, it } from 'vitest'
import { makeLinkResolver } from './resolve-links.ts'

const BASES = ['https://e.com/a/b?c#d', 'http://e.com:8080/', 'https://E.com/x/']
const HREFS = [
  '/x',
  '/x/../y',
  '/x/./y',
  '/a//b',
  '//o.com/p',
  '/x y',
  '/é',
  '/x?a=b&c=d',
  '/x?a=/../b',
  '/%41',
  'https://o.com/p',
  'https://O.com/p',
  'https://o.com',
  'https://1.2.3/',
  'https://0x7f.1/',
  'https://o.com:443/p',
  'https://xn--a.com/',
  'https://o.com/a/../b',
  'https://a..com/',
  'https://-a.com/x',
  '?q',
  '#f',
  '',
  'x/y',
  '\\x',
  'mailto:a@b.c',
]

it('answers exactly as the URL parser would, by the short road or the long one', () => {
  for (const base of BASES) {
    const resolve = makeLinkResolver(base)
    for (const href of HREFS) {
      const expected = URL.canParse(href, base) ? new URL(href, base).href : undefined
      expect(resolve(href), `${href} against ${base}`).toBe(expected)
      expect(resolve(href), `${href} again`).toBe(expected)
    }
  }
})

it('gives nothing for nothing', () => {
  expect(makeLinkResolver('https://e.com/')(undefined)).toBeUndefined()
  expect(makeLinkResolver('not an address')('/x')).toBeUndefined()
})

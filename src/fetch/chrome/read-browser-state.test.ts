import { describe, expect, it } from 'vitest'
import { readBrowserState } from './read-browser-state.ts'

const NOW = Date.UTC(2026, 0, 1)
const LATER = NOW / 1000 + 1000
const read = (content: string | object, domains: string[] = []) =>
  readBrowserState(typeof content === 'string' ? content : JSON.stringify(content), domains, NOW)
const cookie = (more: object) => ({ name: 'a', value: '1', domain: 'example.com', ...more })

describe('cookies.txt', () => {
  it('has cookies of hosts and domains, hidden from scripts or not, and skips expired ones', () => {
    const { cookies, skipped } = read(
      [
        '# Netscape HTTP Cookie File',
        `.example.com\tTRUE\t/\tTRUE\t${LATER}\tsession\tabc=\tdef`,
        `#HttpOnly_www.example.com\tFALSE\t/shop\tFALSE\t0\tcart\t`,
        `example.com\tTRUE\t/\tFALSE\t${NOW / 1000 - 1}\told\t1`,
        'nonsense',
      ].join('\r\n'),
    )
    expect(
      cookies.map(({ name, domain, path, httpOnly, secure, expires }) => ({
        name,
        domain,
        path,
        httpOnly,
        secure,
        expires,
      })),
    ).toEqual([{ name: 'cart', domain: 'www.example.com', path: '/shop', httpOnly: true, secure: false, expires: -1 }])
    expect(skipped).toBe(2)
  })
})

describe('JSON', () => {
  it('Playwright storage state: cookies and localStorage', () => {
    const { cookies, origins } = read({
      cookies: [cookie({ sameSite: 'None', secure: true, expires: -1 })],
      origins: [{ origin: 'https://example.com', localStorage: [{ name: 'token', value: 'x' }] }],
    })
    expect(cookies).toEqual([
      {
        name: 'a',
        value: '1',
        domain: 'example.com',
        path: '/',
        expires: -1,
        httpOnly: false,
        secure: true,
        sameSite: 'None',
      },
    ])
    expect(origins).toEqual([{ origin: 'https://example.com', localStorage: [{ name: 'token', value: 'x' }] }])
  })

  it('HAR: what was set last counts, for the host that set it', () => {
    const entry = (value: string, more: object = {}) => ({
      request: { url: 'https://www.example.com/in', cookies: [{ name: 'seen', value: '1' }] },
      response: { cookies: [{ name: 'sid', value, expires: '2099-01-01T00:00:00Z', ...more }] },
    })
    const { cookies } = read({
      log: { entries: [entry('one'), entry('two', { domain: '.example.com' }), entry('three')] },
    })
    expect(cookies.map(({ name, value, domain, secure }) => ({ name, value, domain, secure }))).toEqual([
      { name: 'seen', value: '1', domain: 'www.example.com', secure: true },
      { name: 'sid', value: 'three', domain: 'www.example.com', secure: true },
      { name: 'sid', value: 'two', domain: '.example.com', secure: true },
    ])
  })

  it('takes only the domains that are named', () => {
    const content = [cookie({}), cookie({ domain: '.bank.example' }), cookie({ domain: 'notexample.com' })]
    expect(read(content, ['example.com']).cookies.map(({ domain }) => domain)).toEqual(['example.com'])
  })
})

describe('hostile files', () => {
  it.each([
    ['{', 'not valid JSON'],
    ['', 'no usable cookie'],
    ['{"log":{"entries":[1,null,{"request":{}}]}}', 'no usable cookie'],
    ['{"cookies":{"a":1},"origins":"x"}', 'no usable cookie'],
    [
      JSON.stringify([cookie({ value: 'a; Domain=evil' }), cookie({ name: 'a\nb' }), cookie({ domain: 'a b' })]),
      'no usable cookie',
    ],
  ])('%.40s is refused, and the error holds no value', (content, because) => {
    expect(() => read(content)).toThrow(because)
    expect(() => read(content)).not.toThrow('evil')
  })

  it('are bounded', () => {
    const many = Array.from({ length: 5000 }, (_, n) => cookie({ name: `n${n}` }))
    expect(read(many)).toMatchObject({ cookies: { length: 3000 }, skipped: 2000 })
    expect(() =>
      read({ origins: [{ origin: 'https://a.example', localStorage: [{ name: 'a', value: 'x'.repeat(5_000_001) }] }] }),
    ).toThrow('storage')
  })
})

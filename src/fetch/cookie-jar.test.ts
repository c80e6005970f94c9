import { describe, expect, it } from 'vitest'
import { makeCookieJar } from './cookie-jar.ts'

const at = (address: string) => new URL(address)

describe('cookieJar', () => {
  it('brings a cookie back to its host and path only', () => {
    const jar = makeCookieJar()
    jar.keep(at('https://a.example/shop/in'), ['s=1', 'all=2; Path=/', 'deep=3; Path=/shop/cart'])
    expect(jar.header(at('https://a.example/shop/out'), undefined)).toBe('s=1; all=2')
    expect(jar.header(at('https://a.example/shopping'), undefined)).toBe('all=2')
    expect(jar.header(at('https://b.example/shop/'), undefined)).toBeUndefined()
    expect(jar.header(at('https://www.a.example/shop/'), undefined)).toBeUndefined()
  })

  it('brings a cookie for a domain to the hosts below it', () => {
    const jar = makeCookieJar()
    jar.keep(at('https://a.example/'), 'w=1; Domain=.a.example; Path=/')
    expect(jar.header(at('https://www.a.example/'), undefined)).toBe('w=1')
    expect(jar.header(at('https://nota.example/'), undefined)).toBeUndefined()
  })

  it('refuses a cookie for a foreign domain or a whole public suffix', () => {
    const jar = makeCookieJar()
    jar.keep(at('https://a.co.uk/'), ['x=1; Domain=co.uk', 'y=1; Domain=b.co.uk', 'z=1; Domain=uk'])
    expect(jar.header(at('https://b.co.uk/'), undefined)).toBeUndefined()
    expect(jar.header(at('https://a.co.uk/'), undefined)).toBeUndefined()
  })

  it('keeps a secure cookie off plain connections', () => {
    const jar = makeCookieJar()
    jar.keep(at('https://a.example/'), 'x=1; Secure')
    expect(jar.header(at('http://a.example/'), undefined)).toBeUndefined()
  })

  it("lets a fresh cookie replace the caller's of the same name, and forgets an expired one", () => {
    const jar = makeCookieJar()
    jar.keep(at('https://a.example/'), ['sid=new; Path=/', 'gone=1; Path=/'])
    jar.keep(at('https://a.example/'), 'gone=; Path=/; Max-Age=0')
    expect(jar.header(at('https://a.example/'), 'sid=old; lang=de')).toBe('lang=de; sid=new')
  })

  it('forgets what expired by its date, and keeps what has time left', () => {
    const jar = makeCookieJar()
    const here = at('https://a.example/')
    jar.keep(here, ['old=1; Expires=Thu, 01 Jan 2015 00:00:00 GMT', 'new=1; Expires=Fri, 01 Jan 2100 00:00:00 GMT'])
    expect(jar.header(here, undefined)).toBe('new=1')
    jar.keep(here, 'new=; expires=Thu, 01-Jan-1970 00:00:01 GMT')
    expect(jar.header(here, undefined)).toBeUndefined()
  })

  it('takes names that every object has for names', () => {
    const jar = makeCookieJar()
    jar.keep(at('https://a.example/'), ['constructor=1', '__proto__=2', 'toString=3'])
    expect(jar.header(at('https://a.example/'), undefined)).toBe('constructor=1; __proto__=2; toString=3')
  })

  it('stays bounded', () => {
    const jar = makeCookieJar()
    jar.keep(
      at('https://a.example/'),
      Array.from({ length: 10_000 }, (_, index) => `c${index}=${'v'.repeat(1000)}`),
    )
    jar.keep(at('https://a.example/'), [`long=${'v'.repeat(10_000)}`, 'split=a\r\nX: 1'])
    expect(jar.header(at('https://a.example/'), undefined)!.length).toBeLessThan(16_400)
    expect(jar.header(at('https://a.example/'), undefined)).not.toMatch(/long|split/)
  })
})

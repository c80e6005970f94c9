import { describe, expect, it } from 'vitest'
import { pageKeyOf, parsePageUrl } from './url-key.ts'

const rules = { ignoreQueryParameters: false, deduplicateSimilarURLs: true }
const key = (url: string, more: Partial<typeof rules> = {}) => parsePageUrl(url, { ...rules, ...more })?.key

describe('similar addresses are one page', () => {
  it.each([
    ['http and https', 'http://example.com/a', 'https://example.com/a'],
    ['www', 'https://www.example.com/a', 'https://example.com/a'],
    ['a trailing slash', 'https://example.com/a/', 'https://example.com/a'],
    ['an index page', 'https://example.com/a/index.html', 'https://example.com/a/'],
    ['another index page', 'https://example.com/Default.aspx', 'https://example.com/'],
    ['a fragment', 'https://example.com/a#part', 'https://example.com/a'],
    ['the case of the host', 'https://EXAMPLE.com/a', 'https://example.com/a'],
    ['the default port', 'https://example.com:443/a', 'https://example.com/a'],
    ['a dot after the host', 'https://example.com./a', 'https://example.com/a'],
    ['doubled slashes', 'https://example.com//a///b', 'https://example.com/a/b'],
    ['needless escapes', 'https://example.com/%61%2Db', 'https://example.com/a-b'],
    ['the case of escapes', 'https://example.com/%c3%a9', 'https://example.com/%C3%A9'],
    ['dot segments', 'https://example.com/x/../a/./', 'https://example.com/a'],
    ['tracking', 'https://example.com/a?utm_source=x&gclid=1&id=2', 'https://example.com/a?id=2'],
    ['a session in the query', 'https://example.com/a?PHPSESSID=abc', 'https://example.com/a'],
    ['a session in the path', 'https://example.com/a;jsessionid=0A1B?x=1', 'https://example.com/a?x=1'],
    ['a short session', 'https://example.com/a?sid=k3x9q2', 'https://example.com/a'],
    ['a session by its value', `https://example.com/a?sid=${'0f'.repeat(16)}`, 'https://example.com/a'],
    ['the order of parameters', 'https://example.com/a?b=2&a=1', 'https://example.com/a?a=1&b=2'],
    ['an empty query', 'https://example.com/a?', 'https://example.com/a'],
  ])('%s', (_name, one, other) => {
    expect(key(one)).toBe(key(other))
  })

  it.each([
    ['ids whose letters differ in case', 'https://example.com/dQw4w9WgXcQ', 'https://example.com/dqw4w9wgxcq'],
    ['capitals', 'https://example.com/wiki/US', 'https://example.com/wiki/us'],
    ['another port', 'https://example.com:8443/a', 'https://example.com/a'],
    ['another subdomain', 'https://blog.example.com/a', 'https://example.com/a'],
    ['values', 'https://example.com/a?id=1', 'https://example.com/a?id=2'],
    ['a short sid', 'https://example.com/a?sid=12', 'https://example.com/a'],
    ['escaped slashes', 'https://example.com/a%2Fb', 'https://example.com/a/b'],
    ['www that is the domain itself', 'https://www.com/', 'https://com/'],
  ])('%s make another one', (_name, one, other) => {
    expect(key(one)).not.toBe(key(other))
  })

  it('keeps them apart when told, all but the fragment', () => {
    const off = { deduplicateSimilarURLs: false }
    expect(key('https://www.example.com/a', off)).not.toBe(key('https://example.com/a', off))
    expect(key('https://example.com/a/', off)).not.toBe(key('https://example.com/a', off))
    expect(key('https://example.com/a?utm_source=x', off)).not.toBe(key('https://example.com/a', off))
    expect(key('https://example.com:443/a#x', off)).toBe(key('https://example.com/a', off))
  })
})

it('stores a page whose address begins words with capitals under one key', () => {
  expect(pageKeyOf('https://example.com/About-Us')).toBe(pageKeyOf('https://example.com/about-us'))
})

describe('what is visited', () => {
  const visited = (url: string, more: Partial<typeof rules> = {}) => parsePageUrl(url, { ...rules, ...more })?.url

  it('has no fragment, tracking or session, and is otherwise as it was written', () => {
    expect(visited('https://www.Example.com/A/?utm_medium=x&b=2&a=1#top')).toBe('https://www.example.com/A/?b=2&a=1')
    expect(visited('https://example.com/a;jsessionid=1/b')).toBe('https://example.com/a/b')
  })

  it('has no query when queries are ignored', () => {
    expect(visited('https://example.com/a?b=2', { ignoreQueryParameters: true })).toBe('https://example.com/a')
    expect(key('https://example.com/a?b=2', { ignoreQueryParameters: true })).toBe('example.com/a')
  })

  it.each([
    'file:///etc/passwd',
    'ftp://example.com/',
    'javascript:alert(1)',
    'data:text/html,x',
    'blob:https://a/b',
    '',
    'no',
    'https://user:pass@example.com/',
  ])('%j is nothing to visit', (url) => {
    expect(parsePageUrl(url, rules)).toBeUndefined()
  })
})

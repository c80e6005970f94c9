import { expect, it } from 'vitest'
import { mayReceiveCredentials } from './follow-redirects.ts'

const from = (...urls: string[]) => ({ urls, hosts: ['api.example.net', '*.example.org'] })

it.each([
  ['https://shop.test/a', 'https://shop.test/b', true],
  ['http://shop.test/a', 'https://shop.test/b', true],
  ['https://shop.test/a', 'http://shop.test/b', false],
  ['https://shop.test/a', 'https://shop.test:8443/b', false],
  ['https://shop.test/a', 'https://api.example.net/b', true],
  ['https://shop.test/a', 'https://sub.api.example.net/b', false],
  ['https://shop.test/a', 'https://a.b.example.org/', true],
  ['https://shop.test/a', 'https://example.org/', false],
  ['https://shop.test/a', 'https://badexample.org/', false],
  ['http://shop.test/a', 'http://api.example.net/', true],
  // Given for https, never sent in clear.
  ['https://shop.test/a', 'http://api.example.net/', false],
  ['https://shop.test/a', 'not a url', false],
])('headers for %s may go to %s: %s', (named, url, expected) => {
  expect(mayReceiveCredentials(from(named), url)).toBe(expected)
})

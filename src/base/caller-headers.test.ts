import { expect, it } from 'vitest'
import { findHeaderFault, headersOption } from './caller-headers.ts'

it.each([
  ['X-Key', 'a\tb', undefined],
  ['constructor', '1', undefined],
  ['toString', '1', undefined],
  ['Host', 'a.example', /connection/],
  ['Proxy-Authorization', 'x', /connection/],
  ['transfer-encoding', 'chunked', /connection/],
  ['X Key', '1', /not a header name/],
  ['', '1', /not a header name/],
  ['X-Key', 'a\r\nHost: b', /line break/],
  ['X-Key', 'a\0b', /control character/],
])('the header %j with %j', (name, value, fault) => {
  if (fault) expect(findHeaderFault(name, value)).toMatch(fault)
  else expect(findHeaderFault(name, value)).toBeUndefined()
})

it('an option of headers names the one that is wrong, and bounds their number and length', () => {
  const option = headersOption({ maxChars: 5, most: 2 })
  expect(option.parse({ constructor: 'a', valueOf: 'b' })).toEqual({ constructor: 'a', valueOf: 'b' })
  expect(option.safeParse({ Host: 'a' }).error?.issues).toMatchObject([{ path: ['Host'] }])
  expect(option.safeParse({ a: 'longer' }).success).toBe(false)
  expect(option.safeParse({ a: '1', b: '2', c: '3' }).error?.issues[0]?.message).toBe('are more than 2')
})

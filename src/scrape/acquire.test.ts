import { expect, it } from 'vitest'
import type { Capture, Visit } from '../base/page.ts'
import { hashOf, isUnchanged } from './acquire.ts'

it('a page is the same when its site says so or sends the same bytes', () => {
  const body = Buffer.from('<p>Same</p>')
  const check = (marks: Visit['marks'], capture: Partial<Capture>) =>
    isUnchanged({ marks } as Visit, { engine: 'http', status: 200, body, ...capture } as Capture)
  expect(check({ etag: '"1"' }, { status: 304 })).toBe(true)
  expect(check({ body: hashOf(body) }, {})).toBe(true)
  expect(check({ etag: '"1"' }, {})).toBe(false)
  expect(check({ body: hashOf(body) }, { body: Buffer.from('<p>Other</p>') })).toBe(false)
  expect(check({ body: hashOf(body) }, { engine: 'browser' })).toBe(false)
  expect(check({ body: hashOf(body) }, { status: 500 })).toBe(false)
  expect(check(undefined, { status: 304 })).toBe(false)
})

import { expect, it } from 'vitest'
import type { Capture, Visit } from '../base/visit-and-capture-types.ts'
import { hashBody, isNotModified } from './acquire-capture.ts'

it('a page is the same when its site says so or sends the same bytes', () => {
  const body = Buffer.from('<p>Same</p>')
  const check = (marks: Visit['marks'], capture: Partial<Capture>) =>
    isNotModified({ marks } as Visit, { engine: 'http', status: 200, body, ...capture } as Capture)
  expect(check({ etag: '"1"' }, { status: 304 })).toBe(true)
  expect(check({ body: hashBody(body) }, {})).toBe(true)
  expect(check({ etag: '"1"' }, {})).toBe(false)
  expect(check({ body: hashBody(body) }, { body: Buffer.from('<p>Other</p>') })).toBe(false)
  expect(check({ body: hashBody(body) }, { engine: 'browser' })).toBe(false)
  expect(check({ body: hashBody(body) }, { status: 500 })).toBe(false)
  expect(check(undefined, { status: 304 })).toBe(false)
})

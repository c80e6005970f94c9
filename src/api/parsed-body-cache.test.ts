import { expect, it } from 'vitest'
import { openParsedBodyCache } from './parsed-body-cache.ts'

const always = () => true

it('reads and validates a repeated text once for each reader', () => {
  const bodies = openParsedBodyCache(true)
  const [one, other] = [{}, {}]
  let calls = 0
  const validate = () => ({ number: ++calls })
  const first = bodies.read('{"url":"a"}', always)
  const again = bodies.read('{"url":"a"}', always)
  expect(again).toBe(first)
  expect(bodies.validated(first, one, validate)).toEqual({ number: 1 })
  expect(bodies.validated(again, one, validate)).toEqual({ number: 1 })
  expect(bodies.validated(again, other, validate)).toEqual({ number: 2 })
})

it('keeps nothing of a text that may not be kept, and no refusal', () => {
  const bodies = openParsedBodyCache(true)
  const never = (body: unknown) => (body as { secret?: boolean }).secret !== true
  expect(bodies.read('{"secret":true}', never)).not.toBe(bodies.read('{"secret":true}', never))
  const body = bodies.read('{"url":""}', always)
  const refuse = () => {
    throw new Error('refused')
  }
  expect(() => bodies.validated(body, {}, refuse)).toThrow('refused')
  expect(() => bodies.validated(body, {}, refuse)).toThrow('refused')
})

it('fails a change of a body that others share, where tests ask for it', () => {
  const bodies = openParsedBodyCache(true)
  const body = bodies.read('{"formats":["markdown"]}', always) as { formats: string[] }
  expect(() => body.formats.push('html')).toThrow(TypeError)
})

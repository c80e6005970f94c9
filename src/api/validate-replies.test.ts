import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { Problem } from '../base/problem.ts'
import { ReadyReply } from '../capabilities/route.ts'
import { makeReplyValidator } from './validate-replies.ts'

const reply = z.object({
  id: z.string(),
  parts: z.array(z.strictObject({ kind: z.enum(['a', 'b']), size: z.int().optional() })),
})
const check = makeReplyValidator({ method: 'GET', path: '/v2/things/:id', reply })

/** Why an answer is refused, as whoever reads the log sees it. */
const fault = async (answer: object): Promise<string> => {
  try {
    await check(answer)
    return 'none'
  } catch (error) {
    return ((error as Problem).cause as Error).message
  }
}

describe('an answer', () => {
  it('that is as its route declares passes; what is undefined is not sent', async () => {
    expect(await fault({ id: 'x', parts: [{ kind: 'a', size: 1 }, { kind: 'b' }] })).toBe('none')
    expect(await fault({ id: 'x', parts: [{ kind: 'a', size: undefined }] })).toBe('none')
    expect(await fault(new ReadyReply('{"id":"x","parts":[]}', 'application/json'))).toBe('none')
  })

  it('that differs is refused with the route and the place', async () => {
    expect(await fault({ parts: [] })).toMatch(/GET \/v2\/things\/:id is not as declared: .*required property 'id'/)
    expect(await fault({ id: 'x', parts: [{ kind: 'c' }] })).toMatch(/\/parts\/0\/kind must be equal to one of/)
    expect(await fault({ id: 'x', parts: [{ kind: 'a', size: 1.5 }] })).toMatch(/\/parts\/0\/size must be integer/)
    expect(await fault({ id: 'x', parts: [{ kind: 'a', more: 1 }] })).toMatch(/additional properties/)
    expect(await fault(new ReadyReply('{"id":7,"parts":[]}', 'application/json'))).toMatch(/\/id must be string/)
  })

  it('of another kind than JSON is nobody’s to check', async () => {
    expect(await fault(new ReadyReply('id,parts', 'text/csv'))).toBe('none')
  })
})

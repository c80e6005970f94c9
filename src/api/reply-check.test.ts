import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { Problem } from '../base/problem.ts'
import { ReadyReply } from '../capabilities/route.ts'
import { replyCheck } from './reply-check.ts'

const reply = z.object({
  id: z.string(),
  parts: z.array(z.strictObject({ kind: z.enum(['a', 'b']), size: z.int().optional() })),
})
const check = replyCheck({ method: 'GET', path: '/v2/things/:id', reply })

/** Why an answer is refused, as whoever reads the log sees it. */
const fault = (answer: object): string => {
  try {
    check(answer)
    return 'none'
  } catch (error) {
    return ((error as Problem).cause as Error).message
  }
}

describe('an answer', () => {
  it('that is as its route declares passes; what is undefined is not sent', () => {
    expect(fault({ id: 'x', parts: [{ kind: 'a', size: 1 }, { kind: 'b' }] })).toBe('none')
    expect(fault({ id: 'x', parts: [{ kind: 'a', size: undefined }] })).toBe('none')
    expect(fault(new ReadyReply('{"id":"x","parts":[]}', 'application/json'))).toBe('none')
  })

  it('that differs is refused with the route and the place', () => {
    expect(fault({ parts: [] })).toMatch(/GET \/v2\/things\/:id is not as declared: .*required property 'id'/)
    expect(fault({ id: 'x', parts: [{ kind: 'c' }] })).toMatch(/\/parts\/0\/kind must be equal to one of/)
    expect(fault({ id: 'x', parts: [{ kind: 'a', size: 1.5 }] })).toMatch(/\/parts\/0\/size must be integer/)
    expect(fault({ id: 'x', parts: [{ kind: 'a', more: 1 }] })).toMatch(/additional properties/)
    expect(fault(new ReadyReply('{"id":7,"parts":[]}', 'application/json'))).toMatch(/\/id must be string/)
  })

  it('of another kind than JSON is nobody’s to check', () => {
    expect(fault(new ReadyReply('id,parts', 'text/csv'))).toBe('none')
  })
})

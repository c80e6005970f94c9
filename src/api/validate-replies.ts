// Validates every reply against its route's schema (ORB_CHECK_REPLIES, for tests and developers). A mismatch is an
// internal error with its path.
import type { ValidateFunction } from 'ajv'
import { z } from 'zod'
import { Problem } from '../base/problem.ts'
import { ReadyReply, RedirectReply, type Route, StreamReply } from '../capabilities/route.ts'

type CheckReply = (answer: object) => Promise<void>

export function makeReplyValidator({ method, path, reply }: Pick<Route, 'method' | 'path' | 'reply'>): CheckReply {
  if (!reply) return async () => undefined
  return async (answer) => {
    if (answer instanceof StreamReply || answer instanceof RedirectReply) return
    const isText = answer instanceof ReadyReply
    if (isText && !answer.contentType.startsWith('application/json')) return
    const sent = JSON.parse(isText ? String(answer.content) : JSON.stringify(answer)) as unknown
    const validate = await validatorOf(reply)
    if (validate(sent)) return
    const [fault] = validate.errors ?? []
    const extra = JSON.stringify(fault?.params ?? {})
    throw new Problem('internal', {
      cause: new Error(
        `the answer of ${method} ${path} is not as declared: ${fault?.instancePath} ${fault?.message} ${extra}`,
      ),
    })
  }
}

const validators = new WeakMap<z.ZodType, Promise<ValidateFunction>>()

function validatorOf(reply: z.ZodType): Promise<ValidateFunction> {
  const known = validators.get(reply) ?? compileValidator(reply)
  validators.set(reply, known)
  return known
}

/** Compiled lazily with few checks: most processes use few routes. */
async function compileValidator(reply: z.ZodType): Promise<ValidateFunction> {
  const { Ajv } = await import('ajv')
  return new Ajv({
    strict: false,
    allErrors: false,
    validateFormats: false,
    validateSchema: false,
    meta: false,
    code: { optimize: false },
  }).compile({ ...z.toJSONSchema(reply, { io: 'output', unrepresentable: 'any' }), $schema: undefined })
}

// Exposes Playwright objects to Python inside the sandbox: a call names an object, a method and arguments; the result
// is a value or an object number.

import { createInterface } from 'node:readline'
import type { Duplex } from 'node:stream'
import { CDP_URL } from './cdp-relay.ts'
import { makeDownloadsReadable } from './readable-downloads.ts'
import { runnerEnvironment } from './runner-environment.ts'

interface Ask {
  id: number
  object: number
  method: string
  args: unknown[]
  get?: boolean
  /** Begins a wait, and answers with an object that `settle` waits for. */
  later?: boolean
}

export async function servePlaywrightCalls(socket: Duplex): Promise<void> {
  const objects: unknown[] = []
  const known = new Map<unknown, number>()
  // Loaded early, so that the first call is fast.
  const { chromium } = runnerEnvironment.require('playwright-core') as {
    chromium: { connectOverCDP(url: string): Promise<{ contexts(): Parameters<typeof makeDownloadsReadable>[0][] }> }
  }
  let browser: Promise<unknown> | undefined
  const number = (value: object): number => {
    let at = known.get(value)
    if (at === undefined) {
      at = objects.push(value)
      known.set(value, at)
    }
    return at
  }
  const packValue = (value: unknown): unknown => {
    if (Buffer.isBuffer(value)) return { bytes: value.toString('base64') }
    if (Array.isArray(value)) return { list: value.map(packValue) }
    if (isObject(value)) return { object: number(value), kind: value.constructor.name }
    return { value: value === undefined ? null : value }
  }
  const unpackValue = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(unpackValue)
    if (!value || typeof value !== 'object') return value
    const { __object, __bytes, __pattern, __flags } = value as Record<string, unknown>
    if (typeof __object === 'number') return objects[__object - 1]
    if (typeof __bytes === 'string') return Buffer.from(__bytes, 'base64')
    if (typeof __pattern === 'string') return new RegExp(__pattern, String(__flags ?? ''))
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, unpackValue(one)]))
  }
  const answer = async ({ object, method, args, get, later }: Ask): Promise<unknown> => {
    if (object === 0) {
      browser ??= chromium.connectOverCDP(CDP_URL).then((connected) => {
        connected.contexts().forEach(makeDownloadsReadable)
        return connected
      })
      return packValue(await browser)
    }
    const on = objects[object - 1] as Record<string, unknown>
    const member = on?.[method]
    if (get && typeof member !== 'function') return packValue(member)
    if (typeof member !== 'function') throw new Error(`${on?.constructor?.name ?? 'It'} has no ${method}`)
    const given = args.map(unpackValue)
    const made: unknown = member.apply(on, TAKES_FUNCTION.test(method) ? given.map(asFunction) : given)
    return packValue(later ? new Begun(made) : await made)
  }
  for await (const line of createInterface({ input: socket })) {
    const ask = JSON.parse(line) as Ask
    const said = await answer(ask).then(
      (result) => ({ id: ask.id, result }),
      (error: Error) => ({ id: ask.id, error: { name: error.name, message: error.message } }),
    )
    socket.write(`${JSON.stringify(said)}\n`)
  }
}

class Begun {
  readonly settle: () => unknown
  constructor(made: unknown) {
    this.settle = () => made
    // It may fail before anybody waits for it.
    Promise.resolve(made).catch(() => undefined)
  }
}

const TAKES_FUNCTION = /^(evaluate|evaluateAll|evaluateHandle|waitForFunction|\$eval|\$\$eval)$/
const FUNCTION_TEXT = /^\s*(async\s+)?(function\b|\([^()]*\)\s*=>|[\w$]+\s*=>|\(\s*[[{][^()]*\)\s*=>)/

/** Python sends functions as source text; Playwright needs a function. */
function asFunction(value: unknown): unknown {
  // biome-ignore lint/security/noGlobalEval: it is the caller's own code, in the caller's own sandbox.
  return typeof value === 'string' && FUNCTION_TEXT.test(value) ? globalThis.eval(`(${value})`) : value
}

/** Objects with methods stay here; plain data is copied. */
function isObject(value: unknown): value is object {
  if (!value || typeof value !== 'object') return false
  const prototype = Object.getPrototypeOf(value)
  return prototype !== Object.prototype && prototype !== null && !(value instanceof Date)
}

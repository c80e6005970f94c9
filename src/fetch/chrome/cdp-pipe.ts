// A CDP client over the browser's pipe. Playwright makes far more calls per page than pages that are only read need.
import type { Readable, Writable } from 'node:stream'
import type { CDPSession } from 'playwright-core'
import { valueOr } from '../../base/attempt.ts'

export type CdpSession = Pick<CDPSession, 'send' | 'on'>

export interface CdpPipe {
  browser: CdpSession
  session(id: string): CdpSession
  /** Sends a raw command for another client; replies keep their order. */
  ask(sessionId: string, method: string, params: object, reply: (answer: WireAnswer) => void): void
  tap(sessionId: string, onMessage: Tap | undefined): void
  ended: AbortSignal
}

interface WireAnswer {
  result?: unknown
  error?: { code?: number; message: string }
}

type Tap = (method: string, params: unknown) => void

interface Message {
  id?: number
  sessionId?: string
  method?: string
  params?: { sessionId?: string }
  result?: unknown
  error?: { code?: number; message: string }
}

interface Question {
  sessionId: string
  method: string
  answer(answer: WireAnswer): void
}

type Listener = (params: unknown) => void

/** The largest page has 20 million characters, each up to six bytes in JSON. */
const MAX_MESSAGE_BYTES = 160 * 1024 * 1024
const BROWSER = ''

export function openCdpPipe(to: Writable, from: Readable): CdpPipe {
  const ended = new AbortController()
  const questions = new Map<number, Question>()
  const listeners = new Map<string, Map<string, Listener[]>>()
  const taps = new Map<string, Tap>()
  let asked = 0
  let outbox = ''

  // Batches commands of one tick into one write, so that the browser wakes once.
  const post = (message: string) => {
    if (outbox === '')
      process.nextTick(() => {
        to.write(outbox)
        outbox = ''
      })
    outbox += `${message}\0`
  }
  const drop = (sessionId: string) => {
    listeners.delete(sessionId)
    taps.delete(sessionId)
    for (const [id, question] of questions) {
      if (question.sessionId !== sessionId) continue
      questions.delete(id)
      question.answer({ error: { message: 'Target closed' } })
    }
  }
  const end = () => {
    if (ended.signal.aborted) return
    ended.abort()
    for (const { answer } of questions.values()) answer({ error: { message: 'Target closed, with its browser' } })
    questions.clear()
    listeners.clear()
    taps.clear()
    to.destroy()
    from.destroy()
  }
  const onMessage = ({ id, sessionId = BROWSER, method, params, result, error }: Message) => {
    if (id !== undefined) {
      const question = questions.get(id)
      questions.delete(id)
      question?.answer(error ? { error } : { result })
      return
    }
    taps.get(sessionId)?.(method ?? '', params)
    if (method === 'Target.detachedFromTarget' && params?.sessionId) drop(params.sessionId)
    for (const listener of listeners.get(sessionId)?.get(method ?? '') ?? []) listener(params)
  }
  const ask: CdpPipe['ask'] = (sessionId, method, params, reply) => {
    if (ended.signal.aborted) return reply({ error: { message: 'Target closed, with its browser' } })
    const id = ++asked
    const text = textOf({ id, method, params, ...(sessionId ? { sessionId } : {}) })
    if (text === undefined) return reply({ error: { message: `${method}: the parameters are nested too deeply` } })
    questions.set(id, { sessionId, method, answer: reply })
    post(text)
  }
  const session = (sessionId: string): CdpSession => {
    const own = new Map<string, Listener[]>()
    if (!ended.signal.aborted) listeners.set(sessionId, own)
    const talk = {
      send: (method: string, params: object = {}) =>
        new Promise((resolve, reject) => {
          if (listeners.get(sessionId) !== own) return reject(new Error(`${method}: Target closed`))
          ask(sessionId, method, params, ({ result, error }) => {
            if (error) reject(new Error(`${method}: ${error.message}`))
            else resolve(result)
          })
        }),
      on: (event: string, listener: Listener) => void own.set(event, [...(own.get(event) ?? []), listener]),
    }
    return talk as unknown as CdpSession
  }
  from.on('data', messages(onMessage, end))
  for (const stream of [to, from]) stream.on('error', end)
  from.on('close', end)
  const tap: CdpPipe['tap'] = (sessionId, receive) => {
    if (receive && !ended.signal.aborted) taps.set(sessionId, receive)
    else taps.delete(sessionId)
  }
  return { browser: session(BROWSER), session, ask, tap, ended: ended.signal }
}

const textOf = (message: object): string | undefined => valueOr(undefined, () => JSON.stringify(message))

/** Splits the pipe into messages, which end in a zero byte. */
function messages(onMessage: (message: Message) => void, broken: () => void): (chunk: Buffer) => void {
  let parts: Buffer[] = []
  let bytes = 0
  return (chunk) => {
    let start = 0
    for (let at = chunk.indexOf(0); at >= 0; at = chunk.indexOf(0, start)) {
      const whole = parts.length > 0 ? Buffer.concat([...parts, chunk.subarray(start, at)]) : chunk.subarray(start, at)
      parts = []
      bytes = 0
      start = at + 1
      const message = parseMessage(whole)
      if (!message) return broken()
      onMessage(message)
    }
    if (start === chunk.length) return
    parts.push(chunk.subarray(start))
    bytes += chunk.length - start
    if (bytes > MAX_MESSAGE_BYTES) broken()
  }
}

const parseMessage = (bytes: Buffer): Message | undefined =>
  valueOr(undefined, () => JSON.parse(bytes.toString()) as Message)

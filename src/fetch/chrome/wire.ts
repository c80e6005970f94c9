// Speaks the DevTools protocol with one browser over its pipe. The library that drives browsers does this too, with far
// more questions for each page than a page that is only read needs. It knows nothing of pages.
import type { Readable, Writable } from 'node:stream'
import type { CDPSession } from 'playwright-core'

/** One conversation: with the browser, with a page, or with a worker of a page. */
export type Session = Pick<CDPSession, 'send' | 'on'>

export interface BrowserWire {
  browser: Session
  /** A conversation that the browser has begun, or was asked to begin. */
  session(id: string): Session
  /** One question in a conversation that somebody else leads; the answer is handed on as it comes, in its order. */
  ask(sessionId: string, method: string, params: object, reply: (answer: WireAnswer) => void): void
  /** Everything that is said in a conversation, to whoever passes it on. Undefined: nobody does any longer. */
  tap(sessionId: string, hear: Tap | undefined): void
  /** Aborts when the browser no longer answers. */
  ended: AbortSignal
}

export interface WireAnswer {
  result?: unknown
  error?: { code?: number; message: string }
}

export type Tap = (method: string, params: unknown) => void

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

/** The largest page comes home as 20 million characters; as JSON each may take six bytes. */
const MAX_MESSAGE_BYTES = 160 * 1024 * 1024
const BROWSER = ''

export function openWire(to: Writable, from: Readable): BrowserWire {
  const ended = new AbortController()
  const questions = new Map<number, Question>()
  const listeners = new Map<string, Map<string, Listener[]>>()
  const taps = new Map<string, Tap>()
  let asked = 0
  let outbox = ''

  // What is asked in one breath travels in one write: the browser wakes up once for it.
  const post = (message: string) => {
    if (outbox === '')
      process.nextTick(() => {
        to.write(outbox)
        outbox = ''
      })
    outbox += `${message}\0`
  }
  /** Whoever waits for an answer of this session waits in vain. */
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
  const hear = ({ id, sessionId = BROWSER, method, params, result, error }: Message) => {
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
  const ask: BrowserWire['ask'] = (sessionId, method, params, reply) => {
    if (ended.signal.aborted) return reply({ error: { message: 'Target closed, with its browser' } })
    const id = ++asked
    const text = textOf({ id, method, params, ...(sessionId ? { sessionId } : {}) })
    if (text === undefined) return reply({ error: { message: `${method}: the parameters are nested too deeply` } })
    questions.set(id, { sessionId, method, answer: reply })
    post(text)
  }
  const session = (sessionId: string): Session => {
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
    return talk as unknown as Session
  }
  from.on('data', messages(hear, end))
  for (const stream of [to, from]) stream.on('error', end)
  from.on('close', end)
  const tap: BrowserWire['tap'] = (sessionId, hear) => {
    if (hear && !ended.signal.aborted) taps.set(sessionId, hear)
    else taps.delete(sessionId)
  }
  return { browser: session(BROWSER), session, ask, tap, ended: ended.signal }
}

/** Undefined when it is nested too deeply, which only parameters of a caller are. */
function textOf(message: object): string | undefined {
  try {
    return JSON.stringify(message)
  } catch {
    return undefined
  }
}

/** Puts the chunks of a pipe together to messages, which end in a zero byte. */
function messages(hear: (message: Message) => void, broken: () => void): (chunk: Buffer) => void {
  let parts: Buffer[] = []
  let bytes = 0
  return (chunk) => {
    let start = 0
    for (let at = chunk.indexOf(0); at >= 0; at = chunk.indexOf(0, start)) {
      const whole = parts.length > 0 ? Buffer.concat([...parts, chunk.subarray(start, at)]) : chunk.subarray(start, at)
      parts = []
      bytes = 0
      start = at + 1
      const message = parsed(whole)
      if (!message) return broken()
      hear(message)
    }
    if (start === chunk.length) return
    parts.push(chunk.subarray(start))
    bytes += chunk.length - start
    if (bytes > MAX_MESSAGE_BYTES) broken()
  }
}

function parsed(bytes: Buffer): Message | undefined {
  try {
    return JSON.parse(bytes.toString()) as Message
  } catch {
    return undefined
  }
}

// One request and response over an undici dispatcher, within byte budgets. egress.ts handles redirects and address
// policy.
import type { Dispatcher } from 'undici'
import { problemOfAbort } from '../base/deadline.ts'
import type { Problem } from '../base/problem.ts'
import {
  type BodyCollector,
  type BodyEvents,
  type BodyResult,
  openBodyCollector,
  openUndecodedBodyForwarder,
} from './collect-body.ts'
import type { RedirectState } from './follow-redirects.ts'
import { problemOfSocketError } from './map-network-errors.ts'

export interface ExchangeRequest extends RedirectState {
  budget(status: number, headers: Readonly<Record<string, string>>): number
  into?: ((chunk: Uint8Array) => Promise<void>) | undefined
}

export interface ExchangeResponse {
  status: number
  headers: Readonly<Record<string, string>>
  setCookie: string | string[] | undefined
  body: Uint8Array
  truncated: boolean
  warnings: string[]
  firstByteMs: number
}

type WireHeaders = Record<string, string | string[] | undefined>

// An unwanted body is drained up to this size to reuse the connection; a new one costs more.
const DRAIN_BYTES = 65_536
const MAX_INTERIM = 20
const NOTHING = new Uint8Array(0)

/** Throws the raw socket error; the caller decides whether to retry. */
export function sendRequest(
  dispatcher: Dispatcher,
  request: ExchangeRequest,
  signal: AbortSignal,
): Promise<ExchangeResponse> {
  return new Promise((resolve, reject) => {
    const started = performance.now()
    let controller: Dispatcher.DispatchController | undefined
    let finished = false
    let answer: Omit<ExchangeResponse, 'body' | 'truncated' | 'warnings'> | undefined
    let body: BodyCollector | undefined
    let unwanted = 0
    let interim = 0

    function finishOnce(act: () => void): void {
      if (finished) return
      finished = true
      signal.removeEventListener('abort', onAbort)
      body?.destroy()
      act()
    }
    function cut(act: () => void): void {
      finishOnce(act)
      controller?.abort(new Error('no longer wanted'))
    }
    const onAbort = () => cut(() => reject(problemOfAbort(signal)))
    if (signal.aborted) return onAbort()
    signal.addEventListener('abort', onAbort, { once: true })

    const finish = (bytes: Uint8Array, truncated: boolean, warnings: string[]) =>
      resolve({ ...answer!, body: bytes, truncated, warnings })
    const finishEmpty = () => finishOnce(() => finish(NOTHING, false, []))

    const handler: Dispatcher.DispatchHandler = {
      onRequestStart(given) {
        controller = given
        if (finished) given.abort(new Error('no longer wanted'))
      },
      onResponseStart(given, status, wireHeaders) {
        if (finished) return
        if (status < 200) {
          if (++interim > MAX_INTERIM) cut(() => reject(problemOfSocketError({ code: 'UND_ERR_HEADERS_OVERFLOW' })))
          return
        }
        const headers = flatten(wireHeaders)
        answer = {
          status,
          headers,
          setCookie: wireHeaders['set-cookie'],
          firstByteMs: performance.now() - started,
        }
        const maxBytes = request.budget(status, headers)
        if (maxBytes === 0) return
        try {
          const events = {
            pause: () => given.pause(),
            drain: () => given.resume(),
            done: ({ bytes, truncated, warnings }: BodyResult) =>
              (truncated ? cut : finishOnce)(() => finish(bytes, truncated, warnings)),
            fail: (problem: Problem) => cut(() => reject(problem)),
          }
          body = bodyFor(request, status, headers, maxBytes, events)
        } catch (error) {
          cut(() => reject(error))
        }
      },
      onResponseData(_given, chunk) {
        if (finished) return
        if (body === undefined) {
          unwanted += chunk.length
          if (unwanted > DRAIN_BYTES) cut(() => finish(NOTHING, false, []))
        } else {
          body.write(chunk)
        }
      },
      onResponseEnd() {
        if (body === undefined) finishEmpty()
        else body.end(false)
      },
      onResponseError(_given, error) {
        if (finished) return
        if (answer === undefined) finishOnce(() => reject(error))
        else if (body === undefined) finishEmpty()
        else body.end(true)
      },
    }
    try {
      dispatcher.dispatch(
        {
          origin: request.url.origin,
          path: request.url.pathname + request.url.search,
          method: request.method as Dispatcher.HttpMethod,
          headers: request.headers,
          body: request.body ?? null,
        },
        handler,
      )
    } catch (error) {
      finishOnce(() => reject(error))
    }
  })
}

function bodyFor(
  { into }: ExchangeRequest,
  status: number,
  headers: Readonly<Record<string, string>>,
  maxBytes: number,
  events: BodyEvents,
): BodyCollector {
  const encoding = headers['content-encoding']
  if (into && status < 300) return openUndecodedBodyForwarder(encoding, maxBytes, into, events)
  return openBodyCollector(encoding, Number(headers['content-length']) || 0, maxBytes, events)
}

function flatten(wire: WireHeaders): Record<string, string> {
  const headers: Record<string, string> = {}
  for (const name of Object.keys(wire)) {
    const value = wire[name]
    if (value === undefined || name === '__proto__') continue
    if (typeof value === 'string') headers[name] = value
    // Two joined locations would form an address that was never sent.
    else headers[name] = name === 'location' ? value[0]! : value.join(', ')
  }
  return headers
}

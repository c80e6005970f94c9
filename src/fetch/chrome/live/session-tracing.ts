// Traces of a session's pages (`Tracing`, and `IO` for the result). Chromium records the whole browser, which sessions
// of other callers share: only events of the traced page's own processes are returned.
import { isObject } from '../../../base/values.ts'
import type { CdpPipe } from '../cdp-pipe.ts'

interface TracingRequest {
  method: string
  params: Record<string, unknown>
  sessionId: string | undefined
  /** Not a page's session. */
  isRoot: boolean
}

interface TracingPort {
  ask: CdpPipe['ask']
  send(message: object): void
  /** A session of the program with a page, for a trace that is started for the whole browser. */
  anyPage(): string | undefined
}

type Reply = (answer: object) => void

interface Recording {
  page: string
  /** The session of the program that receives the events. */
  to: string | undefined
  asStream: boolean
  /** JSON of the events by process. */
  events: Map<number, string[]>
  own: Set<number>
  bytes: number
  isLossy: boolean
}

interface TraceEvent {
  name?: unknown
  cat?: unknown
  ph?: unknown
  pid?: unknown
  args?: { data?: { processId?: unknown; frames?: { processId?: unknown }[] } }
}

const TIMELINE = 'disabled-by-default-devtools.timeline'
const MAX_BYTES = 64 * 1024 * 1024
const BUFFER_KB = 64 * 1024
const CHUNK = 1024 * 1024
const MAX_STREAMS = 2
const MAX_CATEGORIES = 100
const RECORD_MODES = new Set(['recordUntilFull', 'recordContinuously', 'recordAsMuchAsPossible'])
/** What the browser's own process records about the traced page alone. */
const OF_THE_PAGE = new Set(['TracingStartedInBrowser', 'FrameCommittedInBrowser', 'ProcessReadyInBrowser'])

export class SessionTracing {
  readonly #port: TracingPort
  readonly #streams = new Map<string, { bytes: Buffer; at: number }>()
  #recording: Recording | undefined
  #made = 0

  constructor(port: TracingPort) {
    this.#port = port
  }

  handle(request: TracingRequest, reply: Reply): void {
    if (request.method === 'Tracing.start') this.#start(request, reply)
    else if (this.#recording) this.#port.ask(this.#recording.page, 'Tracing.end', {}, reply)
    else reply(failure('Tracing is not started'))
  }

  #start({ params, sessionId, isRoot }: TracingRequest, reply: Reply): void {
    const page = isRoot ? this.#port.anyPage() : sessionId
    if (this.#recording || page === undefined) {
      reply(failure(this.#recording ? 'Tracing has already been started' : 'Tracing needs a page of the session'))
      return
    }
    const recording: Recording = {
      page,
      to: sessionId,
      asStream: params.transferMode === 'ReturnAsStream',
      events: new Map(),
      own: new Set(),
      bytes: 0,
      isLossy: false,
    }
    this.#recording = recording
    const config = { transferMode: 'ReportEvents', traceConfig: traceConfigOf(params) }
    this.#port.ask(page, 'Tracing.start', config, (answer) => {
      if (answer.error && this.#recording === recording) this.#recording = undefined
      reply(answer)
    })
  }

  /** True: the event belongs to a trace, and the program gets what is left of it at its end. */
  take(session: string, method: string, params: unknown): boolean {
    if (!method.startsWith('Tracing.')) return false
    const recording = this.#recording
    if (recording?.page !== session) return true
    if (method === 'Tracing.dataCollected') {
      for (const event of (params as { value?: unknown[] }).value ?? []) if (isObject(event)) collect(recording, event)
    } else if (method === 'Tracing.tracingComplete') {
      this.#recording = undefined
      this.#complete(recording, (params as { dataLossOccurred?: boolean }).dataLossOccurred === true)
    }
    return true
  }

  /** The page is gone, and its recording with it. */
  detach(session: string): void {
    if (this.#recording?.page === session) this.#recording = undefined
  }

  /** True: the handle is that of a trace. */
  read(method: string, { handle, size, offset }: Record<string, unknown>, reply: Reply): boolean {
    const stream = this.#streams.get(String(handle))
    if (!stream || !method.startsWith('IO.')) return false
    if (method === 'IO.read') {
      const from = Number.isSafeInteger(offset) && Number(offset) >= 0 ? Number(offset) : stream.at
      const length = Number.isSafeInteger(size) && Number(size) > 0 ? Math.min(Number(size), CHUNK) : CHUNK
      stream.at = Math.min(from + length, stream.bytes.length)
      const data = stream.bytes.subarray(from, stream.at).toString('base64')
      reply({ result: { base64Encoded: true, data, eof: stream.at === stream.bytes.length } })
    } else {
      this.#streams.delete(String(handle))
      reply({ result: {} })
    }
    return true
  }

  #complete({ to, asStream, events, own, isLossy }: Recording, hasLost: boolean): void {
    const kept = [...events].flatMap(([pid, list]) => (own.has(pid) || pid === PAGE_EVENTS ? list : []))
    const send = (method: string, params: object) =>
      this.#port.send({ method, params, ...(to === undefined ? {} : { sessionId: to }) })
    const dataLossOccurred = hasLost || isLossy
    if (!asStream) {
      send('Tracing.dataCollected', { value: kept.map((event) => JSON.parse(event)) })
      send('Tracing.tracingComplete', { dataLossOccurred })
      return
    }
    const [oldest] = this.#streams.keys()
    if (this.#streams.size >= MAX_STREAMS && oldest !== undefined) this.#streams.delete(oldest)
    const stream = `trace-${++this.#made}`
    this.#streams.set(stream, { bytes: Buffer.from(`{"traceEvents":[${kept.join(',\n')}]}`), at: 0 })
    send('Tracing.tracingComplete', { dataLossOccurred, stream, traceFormat: 'json', streamCompression: 'none' })
  }
}

/** Not a process: events of the browser about the page. */
const PAGE_EVENTS = -1

function collect(recording: Recording, event: TraceEvent): void {
  const { name, cat, ph, pid, args } = event
  if (typeof pid !== 'number') return
  const isNotice = cat === TIMELINE && OF_THE_PAGE.has(String(name))
  if (isNotice)
    for (const id of [args?.data?.processId, ...(args?.data?.frames ?? []).map(({ processId }) => processId)])
      if (typeof id === 'number') recording.own.add(id)
  const isOfPage = isNotice || (name === 'Screenshot' && ph === 'O')
  const text = JSON.stringify(event)
  recording.bytes += text.length
  if (recording.bytes > MAX_BYTES) {
    recording.isLossy = true
    return
  }
  const key = isOfPage ? PAGE_EVENTS : pid
  const list = recording.events.get(key)
  if (list) list.push(text)
  else recording.events.set(key, [text])
}

function traceConfigOf({ categories, traceConfig }: Record<string, unknown>): object {
  const given = isObject(traceConfig) ? (traceConfig as Record<string, unknown>) : {}
  const listed = typeof categories === 'string' ? categories.split(',') : []
  const included = [...textsIn(given.includedCategories), ...listed.filter((one) => !one.startsWith('-'))]
  const excluded = [
    ...textsIn(given.excludedCategories),
    ...listed.filter((one) => one.startsWith('-')).map((one) => one.slice(1)),
  ]
  return {
    recordMode: RECORD_MODES.has(String(given.recordMode)) ? given.recordMode : 'recordUntilFull',
    traceBufferSizeInKb: BUFFER_KB,
    // Names the processes of the page, without which no event can be attributed to it.
    includedCategories: [...included.slice(0, MAX_CATEGORIES), TIMELINE],
    excludedCategories: excluded.slice(0, MAX_CATEGORIES).filter((one) => one !== TIMELINE),
  }
}

const textsIn = (list: unknown): string[] =>
  Array.isArray(list) ? list.filter((one): one is string => typeof one === 'string') : []

const failure = (message: string): object => ({ error: { code: -32000, message } })

// Spans of OpenTelemetry: a tree for each request and each page of a job. Outside of a tree `inSpan` only calls the
// work.
import { randomBytes } from 'node:crypto'
import { AsyncContextValue } from './async-context-value.ts'

type SpanFacts = Readonly<Record<string, string | number | boolean>>

export interface FinishedSpan {
  traceId: string
  spanId: string
  parentId: string | undefined
  name: string
  isRoot: boolean
  startMs: number
  endMs: number
  facts: SpanFacts
  error: string | undefined
}

interface OpenSpan {
  traceId: string
  spanId: string
  end(span: FinishedSpan): void
}

export interface Spans {
  /** `traceparent` is the header of W3C Trace Context; without a valid one the tree begins here. */
  root<T>(name: string, facts: SpanFacts, traceparent: unknown, work: () => Promise<T>): Promise<T>
}

export const disabledSpans: Spans = { root: (_name, _facts, _traceparent, work) => work() }

const TRACEPARENT = /^00-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-[0-9a-f]{2}$/

const current = new AsyncContextValue<OpenSpan>()

export const openSpans = (end: (span: FinishedSpan) => void): Spans => ({
  root(name, facts, traceparent, work) {
    const [, traceId, parentId] = TRACEPARENT.exec(typeof traceparent === 'string' ? traceparent : '') ?? []
    const at = { traceId: traceId ?? randomBytes(16).toString('hex'), parentId, isRoot: true }
    return measureSpan(at, end, name, facts, work)
  },
})

export function inSpan<T>(name: string, facts: SpanFacts, work: () => Promise<T>): Promise<T> {
  const outer = current.getStore()
  if (!outer) return work()
  return measureSpan({ traceId: outer.traceId, parentId: outer.spanId, isRoot: false }, outer.end, name, facts, work)
}

/** For requests to services that belong to the same trace; undefined outside of one. */
export function currentTraceparent(): string | undefined {
  const span = current.getStore()
  return span && `00-${span.traceId}-${span.spanId}-01`
}

async function measureSpan<T>(
  at: Pick<FinishedSpan, 'traceId' | 'parentId' | 'isRoot'>,
  end: OpenSpan['end'],
  name: string,
  facts: SpanFacts,
  work: () => Promise<T>,
): Promise<T> {
  const spanId = randomBytes(8).toString('hex')
  const startMs = Date.now()
  const began = performance.now()
  let error: string | undefined
  try {
    return await current.run({ traceId: at.traceId, spanId, end }, work)
  } catch (failure) {
    // The kind of a problem, and never its sentence: that may name an address.
    error = (failure as { kind?: string }).kind ?? 'error'
    throw failure
  } finally {
    end({ ...at, spanId, name, startMs, endMs: startMs + performance.now() - began, facts, error })
  }
}

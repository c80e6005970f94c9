// The words for talking about what happened: a logger port (pino fits it) and the trace that a scrape keeps for its
// explain record.

export interface Log {
  debug(fields: object, message: string): void
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
}

export const silentLog: Log = { debug() {}, info() {}, warn() {}, error() {} }

export interface TraceStep {
  step: string
  /** Milliseconds since the trace began. */
  atMs: number
  [fact: string]: unknown
}

/** What one scrape did, in order. Bounded: a hostile page cannot make it grow without end. */
export class Trace {
  static readonly MAX_STEPS = 200
  readonly #steps: TraceStep[] = []
  readonly #started = performance.now()

  add(step: string, facts: Record<string, unknown> = {}): void {
    if (this.#steps.length >= Trace.MAX_STEPS) return
    this.#steps.push({ step, atMs: this.elapsedMs(), ...facts })
  }

  elapsedMs(): number {
    return Math.round((performance.now() - this.#started) * 100) / 100
  }

  steps(): readonly TraceStep[] {
    return this.#steps
  }
}

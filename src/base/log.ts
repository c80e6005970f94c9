// The logger port (pino fits it) and the trace of a scrape for its explain record.

export interface Log {
  debug(fields: object, message: string): void
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
}

export const silentLog: Log = { debug() {}, info() {}, warn() {}, error() {} }

interface TraceStep {
  step: string
  atMs: number
  [fact: string]: unknown
}

/** Bounded, so that a hostile page cannot grow it without end. */
export class ScrapeTrace {
  static readonly MAX_STEPS = 200
  readonly #steps: TraceStep[] = []
  readonly #started = performance.now()

  add(step: string, facts: Record<string, unknown> = {}): void {
    if (this.#steps.length >= ScrapeTrace.MAX_STEPS) return
    this.#steps.push({ step, atMs: this.elapsedMs(), ...facts })
  }

  elapsedMs(): number {
    return Math.round((performance.now() - this.#started) * 100) / 100
  }

  steps(): readonly TraceStep[] {
    return this.#steps
  }
}

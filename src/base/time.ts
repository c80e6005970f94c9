// Time as an argument: a clock that tests can wind by hand, and the one deadline each request carries.
import { Problem } from './problem.ts'

export interface Clock {
  /** Epoch milliseconds. */
  now(): number
}

export const systemClock: Clock = { now: () => Date.now() }

/** A clock for tests: stands still until it is wound. */
export class ManualClock implements Clock {
  #now: number
  constructor(start = Date.UTC(2026, 0, 1)) {
    this.#now = start
  }
  now(): number {
    return this.#now
  }
  wind(ms: number): void {
    this.#now += ms
  }
}

/** A signal that aborts with a `timeout` Problem after `ms`, or with the parent's reason; call `clear` when done. */
export function deadline(ms: number, parent: AbortSignal): { signal: AbortSignal; clear(): void } {
  const controller = new AbortController()
  const expire = () =>
    controller.abort(new Problem('timeout', { because: `the page took longer than the ${ms} ms of \`timeout\`` }))
  const follow = () => controller.abort(parent.reason)
  const timer = setTimeout(expire, ms)
  if (parent.aborted) follow()
  else parent.addEventListener('abort', follow, { once: true })
  const clear = () => {
    clearTimeout(timer)
    parent.removeEventListener('abort', follow)
  }
  return { signal: controller.signal, clear }
}

/** Why a signal was aborted, as a Problem. */
export function abortProblem(signal: AbortSignal): Problem {
  return signal.reason instanceof Problem ? signal.reason : new Problem('cancelled', { cause: signal.reason })
}

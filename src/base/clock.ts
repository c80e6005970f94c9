// A clock that tests control, and the deadline of a request.
import { AsyncContextValue } from './async-context-value.ts'
import { Problem } from './problem.ts'

export const HOUR_MS = 3_600_000
export const DAY_MS = 24 * HOUR_MS
export const startOfDay = (at: number): number => at - (at % DAY_MS)

export interface Clock {
  now(): number
}

export const systemClock: Clock = { now: () => Date.now() }

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

interface Deadline {
  signal: AbortSignal
  clear(): void
  /** `work` may pause the deadline with `pauseDeadlines`. */
  during<T>(work: () => Promise<T>): Promise<T>
}

/** Also aborts with the parent's reason; call `clear` when done. */
export function startDeadline(ms: number, parent: AbortSignal): Deadline {
  const controller = new AbortController()
  const expire = () =>
    controller.abort(new Problem('timeout', { because: `the page took longer than the ${ms} ms of \`timeout\`` }))
  const follow = () => controller.abort(parent.reason)
  let left = ms
  let startedAt = performance.now()
  let timer = setTimeout(expire, ms)
  let holds = 0
  let isClear = false
  if (parent.aborted) follow()
  else parent.addEventListener('abort', follow, { once: true })
  const clear = () => {
    isClear = true
    clearTimeout(timer)
    parent.removeEventListener('abort', follow)
  }
  const hold = () => {
    if (holds++ === 0) {
      clearTimeout(timer)
      left -= performance.now() - startedAt
    }
    let isHeld = true
    return () => {
      if (!isHeld) return
      isHeld = false
      if (--holds > 0 || isClear) return
      startedAt = performance.now()
      timer = setTimeout(expire, Math.max(0, left))
    }
  }
  return {
    signal: controller.signal,
    clear,
    during: (work) => withPausableDeadline(hold, work),
  }
}

/** `pauseDeadlines` inside `work` calls `hold` to pause this deadline, and the result of `hold` to resume it. */
export const withPausableDeadline = <T>(hold: () => () => void, work: () => Promise<T>): Promise<T> =>
  running.run([...(running.getStore() ?? []), hold], work)

const running = new AsyncContextValue<readonly (() => () => void)[]>()

/** Pauses the deadline while waiting for something other than the page; call the result to resume. */
export function pauseDeadlines(): () => void {
  const goOn = (running.getStore() ?? []).map((hold) => hold())
  return () => {
    for (const one of goOn) one()
  }
}

export function problemOfAbort(signal: AbortSignal): Problem {
  return signal.reason instanceof Problem ? signal.reason : new Problem('cancelled', { cause: signal.reason })
}

// A clock that tests control, and the deadline of a request.
import { CallValue } from './call-context.ts'
import { Problem } from './problem.ts'

export const DAY_MS = 86_400_000
export const dayOf = (at: number): number => at - (at % DAY_MS)

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
  /** `work` may pause the deadline with `holdDeadline`. */
  during<T>(work: () => Promise<T>): Promise<T>
}

/** Also aborts with the parent's reason; call `clear` when done. */
export function deadline(ms: number, parent: AbortSignal): Deadline {
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
    during: (work) => pausable(hold, work),
  }
}

/** While `work` waits for something other than the page, `hold` is in effect; its result ends that. */
export const pausable = <T>(hold: () => () => void, work: () => Promise<T>): Promise<T> =>
  running.run([...(running.getStore() ?? []), hold], work)

const running = new CallValue<readonly (() => () => void)[]>()

/** Pauses the deadline while waiting for something other than the page; call the result to resume. */
export function holdDeadline(): () => void {
  const goOn = (running.getStore() ?? []).map((hold) => hold())
  return () => {
    for (const one of goOn) one()
  }
}

export function abortProblem(signal: AbortSignal): Problem {
  return signal.reason instanceof Problem ? signal.reason : new Problem('cancelled', { cause: signal.reason })
}

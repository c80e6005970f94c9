// The time that a call has. A deadline travels with the call as its signal: each wait on the way down takes the smaller of
// its own limit and what remains, less what the answer still needs.
import { AsyncContextValue } from './async-context-value.ts'
import { Problem } from './problem.ts'

interface Deadline {
  signal: AbortSignal
  /** Milliseconds; 0 once it is over. While it is paused, its time does not pass. */
  remaining(): number
  /** A part of this call: ends after `limitMs`, and `reserveMs` before the call at the latest. */
  child(limitMs: number, reserveMs?: number): Deadline
  clear(): void
  /** `work` may pause the deadline with `pauseDeadlines`. */
  during<T>(work: () => Promise<T>): Promise<T>
}

const remainingBySignal = new WeakMap<AbortSignal, () => number>()

/** What the call behind this signal has left; Infinity where nothing limits it. */
export const remainingOf = (signal: AbortSignal): number =>
  remainingBySignal.get(signal)?.() ?? Number.POSITIVE_INFINITY

/** How long a wait may take: its own limit, or what remains of the call less what its answer still needs. */
export const limitWithin = (signal: AbortSignal, limitMs: number, reserveMs = 0): number =>
  Math.max(0, Math.min(limitMs, remainingOf(signal) - reserveMs))

/** Like `AbortSignal.any`, with the deadline that ends first. */
export function anySignal(...signals: readonly AbortSignal[]): AbortSignal {
  const joined = AbortSignal.any([...signals])
  if (signals.some((signal) => remainingBySignal.has(signal)))
    remainingBySignal.set(joined, () => Math.min(...signals.map(remainingOf)))
  return joined
}

/** Also aborts with the parent's reason; call `clear` when done. `because` completes the sentence of the error. */
export function startDeadline(
  ms: number,
  parent: AbortSignal,
  because = `the page took longer than the ${ms} ms of \`timeout\``,
): Deadline {
  const controller = new AbortController()
  const { signal } = controller
  const expire = () => controller.abort(new Problem('timeout', { because }))
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
  const remaining = () => {
    const own = holds > 0 ? left : left - (performance.now() - startedAt)
    return signal.aborted ? 0 : Math.max(0, Math.min(own, remainingOf(parent)))
  }
  remainingBySignal.set(signal, remaining)
  return {
    signal,
    remaining,
    child: (limitMs, reserveMs = 0) => startDeadline(limitWithin(signal, limitMs, reserveMs), signal, because),
    clear,
    during: (work) => withPausableDeadline(hold, work),
  }
}

/** What `work` resolves to, or after `ms` what `onLate` returns or throws. The work itself goes on. */
export async function withinTime<T, L = undefined>(
  ms: number,
  work: Promise<T>,
  onLate: () => L = () => undefined as L,
): Promise<T | L> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms)
  }).then(onLate)
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}

/** Rejects as soon as the signal aborts: `work` may not notice. */
export function rejectWhenAborted<T>(
  signal: AbortSignal,
  work: Promise<T>,
  reasonOf: (signal: AbortSignal) => unknown = problemOfAbort,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const leave = () => reject(reasonOf(signal))
    if (signal.aborted) leave()
    signal.addEventListener('abort', leave, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave))
  })
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

// A timeout as an abort signal.

/**
 * Like `AbortSignal.timeout`, but safe to combine with `AbortSignal.any`. Node 20 garbage-collects a timeout signal that is
 * only referenced through `any`, and the timeout then never fires. The listener prevents this; the process can still exit.
 */
export function abortAfter(ms: number): AbortSignal {
  const signal = AbortSignal.timeout(ms)
  signal.addEventListener('abort', () => {}, { once: true })
  return signal
}

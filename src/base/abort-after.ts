// A limit of time as a signal.

/**
 * `AbortSignal.timeout` that ends whoever waits for it by way of `AbortSignal.any`: Node 20 collects a signal to which
 * only `any` refers, and its limit never comes. A listener keeps it until then. It does not keep the process.
 */
export function abortAfter(ms: number): AbortSignal {
  const signal = AbortSignal.timeout(ms)
  signal.addEventListener('abort', () => {}, { once: true })
  return signal
}

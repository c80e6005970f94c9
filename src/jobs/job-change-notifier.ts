// Wakes live streams in this process when a job changes; otherwise they poll once a second.

export type JobChangeNotifier = ReturnType<typeof openJobChangeNotifier>

export function openJobChangeNotifier() {
  const waiting = new Map<string, Set<() => void>>()
  return {
    publish(jobId: string) {
      for (const wake of waiting.get(jobId) ?? []) wake()
    },
    /** Also resolves after `ms`, or when the signal aborts. */
    wait: (jobId: string, ms: number, signal: AbortSignal) =>
      new Promise<void>((resolve) => {
        if (signal.aborted) return resolve()
        const waiters = waiting.get(jobId) ?? new Set()
        waiting.set(jobId, waiters)
        const wake = () => {
          clearTimeout(timer)
          signal.removeEventListener('abort', wake)
          waiters.delete(wake)
          if (waiters.size === 0 && waiting.get(jobId) === waiters) waiting.delete(jobId)
          resolve()
        }
        const timer = setTimeout(wake, ms)
        signal.addEventListener('abort', wake, { once: true })
        waiters.add(wake)
      }),
  }
}

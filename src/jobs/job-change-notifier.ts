// Wakes live streams in this process when a job changes; otherwise they poll once a second.

export interface JobChangeNotifier {
  publish(jobId: string): void
  /** Also resolves after `ms`, or when the signal aborts. */
  wait(jobId: string, ms: number, signal: AbortSignal): Promise<void>
}

export function openJobChangeNotifier(): JobChangeNotifier {
  const waiting = new Map<string, Set<() => void>>()
  return {
    publish(jobId) {
      for (const wake of waiting.get(jobId) ?? []) wake()
    },
    wait: (jobId, ms, signal) =>
      new Promise((resolve) => {
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

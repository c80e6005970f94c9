// Tolerates known unhandled rejections of libraries; all others still end the process.

interface Listener {
  (reason: unknown, promise: Promise<unknown>): void
  expects?(reason: unknown): boolean
}

export function tolerateUnhandledRejections(
  expects: (error: Error) => boolean,
  note: (error: Error) => void,
): () => void {
  const isExpected = (reason: unknown): reason is Error => reason instanceof Error && expects(reason)
  const listener: Listener = (reason) => {
    if (isExpected(reason)) return note(reason)
    const others = process.listeners('unhandledRejection') as Listener[]
    if (!others.some((other) => other.expects?.(reason))) throw reason
  }
  listener.expects = isExpected
  process.on('unhandledRejection', listener)
  return () => void process.off('unhandledRejection', listener)
}

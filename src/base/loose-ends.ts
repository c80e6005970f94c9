// Promises that libraries leave to nobody. Node ends a process for one that is rejected unheard; whoever uses such a library
// says here which of its rejections are known and harmless. All others end the process, as they would without us.

interface Listener {
  (reason: unknown, promise: Promise<unknown>): void
  expects?(reason: unknown): boolean
}

/** Notes the rejections that are expected; returns what ends the listening. */
export function tolerateLooseEnds(expects: (error: Error) => boolean, note: (error: Error) => void): () => void {
  const mine = (reason: unknown): reason is Error => reason instanceof Error && expects(reason)
  const listener: Listener = (reason) => {
    if (mine(reason)) return note(reason)
    // Node tells every listener, so one must not throw what another knows.
    const others = process.listeners('unhandledRejection') as Listener[]
    if (!others.some((other) => other.expects?.(reason))) throw reason
  }
  listener.expects = mine
  process.on('unhandledRejection', listener)
  return () => void process.off('unhandledRejection', listener)
}

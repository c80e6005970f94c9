// Fair sharing of scarce slots. No owner gets all at once, and waiting owners are served in turn, one each.
import { problemOfAbort } from './deadline.ts'

interface FairSlots {
  run<T>(owner: string, work: () => Promise<T>, signal: AbortSignal): Promise<T>
  take(owner: string, signal: AbortSignal): Promise<void>
  give(owner: string): void
}

interface Waiting {
  begin(): void
}

export function openFairSlots({ atOnce, perOwner }: { atOnce: number; perOwner: number }): FairSlots {
  const waiting = new Map<string, Set<Waiting>>()
  const running = new Map<string, number>()
  let busy = 0

  function next(): void {
    for (const [owner, line] of waiting) {
      if (busy >= atOnce) return
      if ((running.get(owner) ?? 0) >= perOwner) continue
      const [first] = line
      if (!first) continue
      line.delete(first)
      // Moves the owner to the end of the round.
      waiting.delete(owner)
      if (line.size > 0) waiting.set(owner, line)
      begin(owner)
      first.begin()
    }
  }

  function begin(owner: string): void {
    busy += 1
    running.set(owner, (running.get(owner) ?? 0) + 1)
  }

  function give(owner: string): void {
    busy -= 1
    const left = (running.get(owner) ?? 1) - 1
    if (left === 0) running.delete(owner)
    else running.set(owner, left)
    next()
  }

  function take(owner: string, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const line = waiting.get(owner) ?? new Set()
      const one: Waiting = {
        begin() {
          signal.removeEventListener('abort', leave)
          resolve()
        },
      }
      const leave = () => {
        line.delete(one)
        if (line.size === 0 && waiting.get(owner) === line) waiting.delete(owner)
        reject(problemOfAbort(signal))
      }
      if (signal.aborted) return leave()
      signal.addEventListener('abort', leave, { once: true })
      line.add(one)
      waiting.set(owner, line)
      next()
    })
  }

  return {
    take,
    give,
    async run(owner, work, signal) {
      await take(owner, signal)
      try {
        return await work()
      } finally {
        give(owner)
      }
    },
  }
}

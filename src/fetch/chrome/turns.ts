// A fixed number of places, taken in the order of asking. Whoever waits can leave.
import { abortProblem } from '../../base/time.ts'

export interface Turns {
  /** Resolves when a place is free; it is given back with `give`. */
  take(signal: AbortSignal): Promise<void>
  give(): void
}

export function openTurns(places: number): Turns {
  const waiting = new Set<() => void>()
  let taken = 0
  return {
    async take(signal) {
      if (signal.aborted) throw abortProblem(signal)
      if (taken < places) {
        taken += 1
        return
      }
      await new Promise<void>((resolve, reject) => {
        const go = () => {
          signal.removeEventListener('abort', leave)
          resolve()
        }
        const leave = () => {
          waiting.delete(go)
          reject(abortProblem(signal))
        }
        waiting.add(go)
        signal.addEventListener('abort', leave, { once: true })
      })
    },
    give() {
      const [go] = waiting
      if (go === undefined) taken -= 1
      else {
        waiting.delete(go)
        go()
      }
    },
  }
}

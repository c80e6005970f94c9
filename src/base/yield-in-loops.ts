// Splits long loops on the event loop, so that other requests run in between.
import { setImmediate as nextTurn } from 'node:timers/promises'

/** A longer block would be noticeable to a waiting request. */
const TIME_SLICE_MS = 10

/** Call in every round: returns a promise to await once the time slice is used up, otherwise undefined. */
export function makeLoopYielder(stintMs: number = TIME_SLICE_MS): () => Promise<void> | undefined {
  let since = performance.now()
  const pause = async () => {
    await nextTurn()
    since = performance.now()
  }
  return () => (performance.now() - since < stintMs ? undefined : pause())
}

// Splits long work on the event loop, so that other requests run in between. For loops whose length an outside
// party chooses and that do not justify a thread.
import { setImmediate as nextTurn } from 'node:timers/promises'

/** A longer block would be noticeable to a waiting request. */
const STINT_MS = 10

/**
 * Call in every round of a loop: returns a promise to await once the time slice is used up, otherwise undefined, so
 * most rounds await nothing.
 */
export function takingTurns(stintMs: number = STINT_MS): () => Promise<void> | undefined {
  let since = performance.now()
  const pause = async () => {
    await nextTurn()
    since = performance.now()
  }
  return () => (performance.now() - since < stintMs ? undefined : pause())
}

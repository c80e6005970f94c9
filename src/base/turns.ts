// Long work on the event loop, in pieces: other requests get their turn in between. For loops whose length an outside
// party chooses and that are not worth a thread.
import { setImmediate as nextTurn } from 'node:timers/promises'

/** Longer than this and a waiting request would notice. */
const STINT_MS = 10

/**
 * Call it in every round of a loop: it answers with a promise to await when the work has had its stint, and with nothing
 * otherwise, so that most rounds wait for nothing.
 */
export function takingTurns(stintMs: number = STINT_MS): () => Promise<void> | undefined {
  let since = performance.now()
  const pause = async () => {
    await nextTurn()
    since = performance.now()
  }
  return () => (performance.now() - since < stintMs ? undefined : pause())
}

// Garbage collection at rest. V8 collects when memory is allocated, so a service without work would keep the garbage and
// the large young generation of its last work.
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

const CHECK_MS = 5000
/** Idle threads have ended by then, and V8 gives back a young generation only when little was allocated for some seconds. */
const RESTING_CHECKS = 3
/** CPU of a check's interval up to which the process rests. */
const RESTING_CPU_MS = 100
/** Less work than this since the last collection leaves little garbage. */
const WORK_CPU_MS = 1000

/**
 * Collects the young generation of this thread's heap, after which V8 shrinks it. A full collection gives back no more,
 * and drops optimised code: the next pages would take five times as long.
 */
export function collectGarbage(): void {
  setFlagsFromString('--expose-gc')
  runInNewContext("gc({ type: 'minor' })")
  setFlagsFromString('--no-expose-gc')
}

/** Collects here and in other threads once after each time of work, when the process has rested; returns how to stop. */
export function collectAtRest(collectInThreads: () => void): () => void {
  let resting = 0
  let checkedAt = 0
  let collectedAt = 0
  const timer = setInterval(() => {
    const now = cpuMs()
    resting = now - checkedAt <= RESTING_CPU_MS ? resting + 1 : 0
    checkedAt = now
    if (resting < RESTING_CHECKS || now - collectedAt < WORK_CPU_MS) return
    collectGarbage()
    collectInThreads()
    collectedAt = cpuMs()
  }, CHECK_MS)
  timer.unref()
  return () => clearInterval(timer)
}

function cpuMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

// Timeouts of the tests follow the load of the machine. Nothing in `src` reads this.
import { availableParallelism, loadavg } from 'node:os'

const MOST_PATIENCE = 5

/** How many times longer than on an idle machine things may take now: the load of a core, within bounds. */
export const loadFactor = (): number =>
  Math.max(1, Math.min(MOST_PATIENCE, (loadavg()[0] ?? 0) / availableParallelism()))

/** At least 1; set by vitest.config.ts unless the environment names it. */
const factorAtStart = Math.max(1, Number(process.env.ORB_TEST_PATIENCE) || 1)

/**
 * Milliseconds that a test may wait for something that takes this long on an idle machine at most. The suite itself loads
 * the machine, so the load of the moment counts beside that at the start.
 */
export const patient = (ms: number): number => Math.round(ms * Math.max(factorAtStart, loadFactor()))

// Timeouts of the tests follow the load that the machine had before they started. Nothing in `src` reads this.

/** At least 1; set by vitest.config.ts unless the environment names it. */
const factor = Math.max(1, Number(process.env.ORB_TEST_PATIENCE) || 1)

/** Milliseconds that a test may wait for something that takes this long on an idle machine at most. */
export const patient = (ms: number): number => Math.round(ms * factor)

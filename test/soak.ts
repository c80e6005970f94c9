// The second tier (`npm run test:soak`): large matrices, long runs and kills. `npm test` runs a cheap sample of each.
import { describe, it } from 'vitest'

/** This run is the second tier. */
export const isSoak = process.env.ORB_TEST_SOAK === 'on'

/** The rows of a matrix: all in the second tier, the first ones in `npm test`. */
export const sampleRows = <T>(rows: readonly T[], most = 1): T[] => (isSoak ? [...rows] : rows.slice(0, most))

/** The rows of a matrix: all in the second tier, the first of each kind in `npm test`. */
export const sampleOfEach = <T>(rows: readonly T[], kindOf: (row: T) => string): T[] =>
  isSoak ? [...rows] : [...new Map(rows.toReversed().map((row) => [kindOf(row), row])).values()].reverse()

const ignore = () => undefined
const ignored = Object.assign(ignore, { each: () => ignore, skipIf: () => ignore, concurrent: ignore })

/** `it` and `describe` of the second tier; `npm test` does not register them, so that they are no skipped tests. */
export const itInSoak = (isSoak ? it : ignored) as unknown as typeof it
export const describeInSoak = (isSoak ? describe : ignored) as unknown as typeof describe

// What an engine is: one way of getting the bytes of a page. The scrape floor tries them in order of cost; a new one is
// a file that makes an Engine and a line in index.ts.
import type { Capture, Give, Visit } from '../base/page.ts'

export interface Engine {
  name: string
  /** What a capture of this engine can serve; a plan asks for gives, never for names. */
  gives: readonly Give[]
  /** Relative price of trying; cheaper engines go first. */
  cost: number
  /** The page, or nothing when this engine has none to give (a cache miss); failures are Problems. */
  fetch(visit: Visit, signal: AbortSignal): Promise<Capture | undefined>
}

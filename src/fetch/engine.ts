// The interface of an engine: one way to get the bytes of a page. To add one, implement Engine and list it in index.ts.
import type { Capture, Give, Visit } from '../base/page.ts'

export interface Engine {
  name: string
  /** What a capture of this engine can serve; plans request gives, not engine names. */
  gives: readonly Give[]
  /** Relative cost; cheaper engines are tried first. */
  cost: number
  /** Undefined when the engine has no capture, such as a cache miss; failures are Problems. */
  fetch(visit: Visit, signal: AbortSignal): Promise<Capture | undefined>
}

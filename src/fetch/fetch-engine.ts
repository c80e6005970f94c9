// The interface of an engine: one way to get the bytes of a page.
import type { Capture, EngineAbility, Visit } from '../base/visit-and-capture-types.ts'

export interface FetchEngine {
  name: string
  gives: readonly EngineAbility[]
  /** Relative cost; cheaper engines are tried first. */
  cost: number
  fetch(visit: Visit, signal: AbortSignal): Promise<Capture | undefined>
}

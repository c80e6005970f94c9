// A clock that tests control.
export const HOUR_MS = 3_600_000
export const DAY_MS = 24 * HOUR_MS
export const startOfDay = (at: number): number => at - (at % DAY_MS)

export const isoTime = (at: number): string => new Date(at).toISOString()
export const isoTimeOrNull = (at: number | null): string | null => (at === null ? null : isoTime(at))

export interface Clock {
  now(): number
}

export const systemClock: Clock = { now: () => Date.now() }

export class ManualClock implements Clock {
  #now: number
  constructor(start = Date.UTC(2026, 0, 1)) {
    this.#now = start
  }
  now(): number {
    return this.#now
  }
  wind(ms: number): void {
    this.#now += ms
  }
}

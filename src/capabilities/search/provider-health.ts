// Health of each provider: its rate limit and its pause. A captcha pauses it for an hour, a block for a day, 429 for
// the stated time, repeated failures for growing times.
import type { Clock } from '../../base/clock.ts'
import { ProviderError } from './provider.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const PATIENCE = 2
const FIRST_WAIT = 30_000

export interface ProviderState {
  name: string
  state: 'ready' | 'suspended'
  until?: number
  because?: string
  asked: number
  answered: number
  failed: number
}

interface ProviderRecord {
  until: number
  because: string
  failures: number
  minute: number
  inMinute: number
  asked: number
  answered: number
  failed: number
}

export class ProviderHealth {
  readonly #clock: Clock
  readonly #books = new Map<string, ProviderRecord>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Why it must not be queried now; undefined: it may, and the request is counted. */
  claim(name: string, perMinute: number): { until: number; because: string } | undefined {
    const book = this.#book(name)
    const now = this.#clock.now()
    if (book.until > now) return { until: book.until, because: book.because }
    const minute = Math.floor(now / MINUTE)
    if (book.minute !== minute) {
      book.minute = minute
      book.inMinute = 0
    }
    if (book.inMinute >= perMinute)
      return { until: (minute + 1) * MINUTE, because: 'its budget of this minute is used up' }
    book.inMinute++
    book.asked++
    return undefined
  }

  answered(name: string): void {
    const book = this.#book(name)
    book.answered++
    book.failures = 0
  }

  failed(name: string, error: unknown): void {
    const book = this.#book(name)
    const now = this.#clock.now()
    book.failed++
    book.failures++
    book.because = error instanceof Error ? error.message : String(error)
    if (error instanceof ProviderError) {
      if (error.kind === 'captcha') book.until = now + HOUR
      else if (error.kind === 'blocked') book.until = now + DAY
      else if (error.kind === 'busy') book.until = now + Math.min(DAY, (error.retryAfterSeconds ?? 60) * 1000)
      if (book.until > now) return
    }
    if (book.failures >= PATIENCE) book.until = now + Math.min(HOUR, FIRST_WAIT * 2 ** (book.failures - PATIENCE))
  }

  states(names: readonly string[]): ProviderState[] {
    const now = this.#clock.now()
    return names.map((name) => {
      const { until, because, asked, answered, failed } = this.#book(name)
      const isSuspended = until > now
      return {
        name,
        state: isSuspended ? 'suspended' : 'ready',
        ...(isSuspended ? { until, because } : {}),
        asked,
        answered,
        failed,
      }
    })
  }

  #book(name: string): ProviderRecord {
    const known = this.#books.get(name)
    if (known) return known
    const fresh = { until: 0, because: '', failures: 0, minute: 0, inMinute: 0, asked: 0, answered: 0, failed: 0 }
    this.#books.set(name, fresh)
    return fresh
  }
}

// Token budget of a piece of work over all its model requests, reserved before and counted after each.
import { AsyncContextValue } from '../base/async-context-value.ts'
import type { ModelFault } from './model-fault.ts'

export type TokenLimits = { reads: number; writes: number; total: number }

type TokenReservation = { writes: number; settle(used: number): void }

export const currentTokenBudget = new AsyncContextValue<TokenBudget | undefined>()

/** Characters per token, a low estimate; in other scripts a character is often a token. */
const CHARS_PER_TOKEN = 3
const FEWEST_WRITTEN = 256
/** Lower than CHARS_PER_TOKEN: a third of the input is left for the schema, the question and earlier answers. */
const PAGE_CHARS_PER_TOKEN = 2

interface SharedTokenUsage {
  readonly limits: TokenLimits
  used: number
  held: number
  isSpent: boolean
  waiting: (() => void)[]
}

type CountsBefore = { used: number; cost?: number | undefined; isSpent: boolean; faults?: readonly string[] }

export class TokenBudget {
  used = 0
  cost: number | undefined
  stoodIn = 0
  answered = 0
  readonly faults = new Set<string>()
  /** The model's refusal of the task, in its words. */
  declined: string | undefined
  readonly #purse: SharedTokenUsage
  readonly #whole: TokenBudget | undefined

  private constructor(purse: SharedTokenUsage, whole: TokenBudget | undefined) {
    this.#purse = purse
    this.#whole = whole
  }

  /** `before`: usage of the same work in a process that died. */
  static open(limits: TokenLimits, before: CountsBefore = { used: 0, isSpent: false }): TokenBudget {
    const { used, cost, isSpent, faults = [] } = before
    const purse = { limits, used, held: 0, isSpent: isSpent || used >= limits.total, waiting: [] }
    const counts = new TokenBudget(purse, undefined)
    counts.cost = cost
    for (const fault of faults) counts.faults.add(fault)
    return counts
  }

  part(): TokenBudget {
    return new TokenBudget(this.#purse, this)
  }

  get limits(): TokenLimits {
    return this.#purse.limits
  }

  get total(): number {
    return this.#purse.used
  }

  /** Set once a request was refused; no further request is made. */
  get isSpent(): boolean {
    return this.#purse.isSpent
  }

  get pageChars(): number {
    return this.limits.reads * PAGE_CHARS_PER_TOKEN
  }

  /** Reserves tokens for a request; undefined: none left. Waits for other reservations that may not be used up. */
  async hold(reads: number, signal: AbortSignal): Promise<TokenReservation | undefined> {
    const purse = this.#purse
    for (;;) {
      signal.throwIfAborted()
      if (purse.isSpent) return undefined
      const left = purse.limits.total - purse.used - purse.held - reads
      if (left >= FEWEST_WRITTEN) {
        const writes = Math.min(purse.limits.writes, left)
        return this.#holding(reads + writes, writes)
      }
      if (purse.held === 0) {
        purse.isSpent = true
        return undefined
      }
      await new Promise<void>((resolve) => purse.waiting.push(resolve))
    }
  }

  #holding(held: number, writes: number): TokenReservation {
    const purse = this.#purse
    let isOpen = true
    purse.held += held
    return {
      writes,
      settle: (used) => {
        if (!isOpen) return
        isOpen = false
        purse.held -= held
        purse.used += used
        if (purse.used >= purse.limits.total) purse.isSpent = true
        this.#count(used)
        for (const wake of purse.waiting.splice(0)) wake()
      },
    }
  }

  #count(used: number): void {
    this.used += used
    if (this.#whole) this.#whole.#count(used)
  }

  charge(cost: number): void {
    this.cost = (this.cost ?? 0) + cost
    this.#whole?.charge(cost)
  }

  answers(): void {
    this.answered += 1
    this.#whole?.answers()
  }

  standIn(fault: Pick<ModelFault, 'kind' | 'message'>): void {
    this.stoodIn += 1
    if (fault.kind !== 'spent') this.faults.add(fault.message)
    if (fault.kind === 'declined') this.declined ??= fault.message
    this.#whole?.standIn(fault)
  }
}

export function estimateTokens(...texts: readonly string[]): number {
  let [plain, other] = [0, 0]
  for (const text of texts)
    for (let at = 0; at < text.length; at++) {
      if (text.charCodeAt(at) < 0x80) plain += 1
      else other += 1
    }
  return Math.ceil(plain / CHARS_PER_TOKEN) + other
}

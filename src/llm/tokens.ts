// How many tokens a piece of work may use, over all its questions to a model, whoever puts them. Held before each request and
// counted after it, by code that no model has a say in. It goes with the work by the async context, as the policy on threats
// does, so that what stands between need not pass it on.
import { AsyncLocalStorage } from 'node:async_hooks'

export interface TokenLimits {
  /** Most that one request reads. */
  reads: number
  /** Most that one request writes. */
  writes: number
  /** Most over all requests, read and written. */
  total: number
}

export interface Hold {
  /** Most that this request may write. */
  writes: number
  /** Says what it really used. */
  settle(used: number): void
}

/** The limits that hold for what is going on; undefined: none. */
export const tokenRun = new AsyncLocalStorage<TokenCounts | undefined>()

/** Letters to a token, taken low; signs of other scripts are often a token each. */
const CHARS_PER_TOKEN = 3
/** An answer that may not be longer is worth nothing. */
const FEWEST_WRITTEN = 256
/** Of what a request may read, a third is for the schema, the question and what was answered before. */
const PAGE_CHARS_PER_TOKEN = 2

/** What is left, for all who share it. */
interface Purse {
  readonly limits: TokenLimits
  used: number
  held: number
  isSpent: boolean
  waiting: (() => void)[]
}

export class TokenCounts {
  /** Used by this part of the work. */
  used = 0
  /** Questions of this part that no model answered. */
  stoodIn = 0
  readonly #purse: Purse
  readonly #whole: TokenCounts | undefined

  private constructor(purse: Purse, whole: TokenCounts | undefined) {
    this.#purse = purse
    this.#whole = whole
  }

  /** `before`: what the same work used in a process that is gone. */
  static open(limits: TokenLimits, before = { used: 0, isSpent: false }): TokenCounts {
    const { used, isSpent } = before
    return new TokenCounts({ limits, used, held: 0, isSpent: isSpent || used >= limits.total, waiting: [] }, undefined)
  }

  /** A part of the work, counted by itself as well. */
  part(): TokenCounts {
    return new TokenCounts(this.#purse, this)
  }

  get limits(): TokenLimits {
    return this.#purse.limits
  }

  /** Used by all of the work. */
  get total(): number {
    return this.#purse.used
  }

  /** Once a request found no room, none is made any more. */
  get isSpent(): boolean {
    return this.#purse.isSpent
  }

  /** Characters of a page that one request may read. */
  get pageChars(): number {
    return this.limits.reads * PAGE_CHARS_PER_TOKEN
  }

  /** Room for a request that reads so much; undefined: there is none. What others hold and may not need is waited for. */
  async hold(reads: number, signal: AbortSignal): Promise<Hold | undefined> {
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

  #holding(held: number, writes: number): Hold {
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

  standIn(): void {
    this.stoodIn += 1
    this.#whole?.standIn()
  }
}

/** How many tokens a text is, where nobody counts them. */
export function tokensIn(...texts: readonly string[]): number {
  let [plain, other] = [0, 0]
  for (const text of texts)
    for (let at = 0; at < text.length; at++) {
      if (text.charCodeAt(at) < 0x80) plain += 1
      else other += 1
    }
  return Math.ceil(plain / CHARS_PER_TOKEN) + other
}

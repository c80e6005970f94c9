// Keeps replies too long for one message: the first part is sent, the rest waits under a cursor. In memory only, for
// zero data retention.
import { randomBytes } from 'node:crypto'
import type { Clock } from '../../base/clock.ts'

export type ReplyPart = { text: string; cursor?: string; from: number; total: number }

type KeptLimits = { partChars: number; maxChars: number; keepMs: number }

/** A part is about 10,000 tokens, to leave room in an agent's context. */
export const LONG_REPLY_LIMITS: KeptLimits = { partChars: 40_000, maxChars: 16 * 1024 * 1024, keepMs: 10 * 60_000 }

const LEFT_OUT = '\n\n[The rest was too long to be kept. Ask for less at once.]'

type Kept = { teamId: string; text: string; until: number }

export function openLongReplyPager(clock: Clock, { partChars, maxChars, keepMs }: KeptLimits = LONG_REPLY_LIMITS) {
  const kept = new Map<string, Kept>()
  let chars = 0

  function drop(id: string): void {
    chars -= kept.get(id)?.text.length ?? 0
    kept.delete(id)
  }

  /** Maps keep insertion order, so the first entry is the oldest. */
  function evictOldest(): void {
    const now = clock.now()
    for (const [id, { until }] of kept) {
      if (until > now && chars <= maxChars) return
      drop(id)
    }
  }

  function part(id: string, text: string, from: number): ReplyPart {
    const to = endOf(text, from + partChars)
    return {
      text: text.slice(from, to),
      from,
      total: text.length,
      ...(to < text.length ? { cursor: `${id}.${to}` } : {}),
    }
  }

  return {
    keep(teamId: string, answer: string) {
      const text = answer.length > maxChars ? `${answer.slice(0, maxChars - LEFT_OUT.length)}${LEFT_OUT}` : answer
      const id = randomBytes(16).toString('hex')
      const first = part(id, text, 0)
      if (first.cursor === undefined) return first
      kept.set(id, { teamId, text, until: clock.now() + keepMs })
      chars += text.length
      evictOldest()
      return first
    },
    /** Undefined for an expired cursor or another team's. A cursor can be reused. */
    more(teamId: string, cursor: string) {
      evictOldest()
      const [, id = '', at = ''] = /^([0-9a-f]{32})\.(\d{1,9})$/.exec(cursor) ?? []
      const found = kept.get(id)
      if (!found || found.teamId !== teamId || Number(at) >= found.text.length) return undefined
      return part(id, found.text, Number(at))
    },
  }
}

function endOf(text: string, wanted: number): number {
  if (wanted >= text.length) return text.length
  const before = text.charCodeAt(wanted - 1)
  return before >= 0xd800 && before <= 0xdbff ? wanted - 1 : wanted
}

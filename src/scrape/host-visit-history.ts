// Remembers per host which visit worked, for an hour, with occasional retries because sites change.
import { LRUCache } from 'lru-cache'
import { type Clock, HOUR_MS } from '../base/clock.ts'

export interface HostVisitHistory {
  reasonToSkipPlainVisit(url: string): string | undefined
  reasonToUseEnhancedTier(url: string): string | undefined
  note(url: string, seen: VisitResult): void
}

/** `disguised`: only the enhanced tier got the page; `unmasked`: the enhanced tier was blocked too. */
type VisitResult = 'page' | 'shell' | 'blocked' | 'disguised' | 'unmasked'

interface Note {
  shells: number
  blocks: number
  disguised: number
  skipped: number
  until: number
}

const MAX_NOTES = 2000
const KEPT_MS = HOUR_MS
const SHELLS_IN_A_ROW = 5
const BLOCKS_IN_A_ROW = 2
const DISGUISES_IN_A_ROW = 2
/** Retry the plain visit after this many skips. */
const SKIPS_BEFORE_RETRY = 10

export function openHostVisitHistory(clock: Clock): HostVisitHistory {
  const notes = new LRUCache<string, Note>({ max: MAX_NOTES })

  function find(key: string): Note | undefined {
    const note = notes.get(key)
    return note && note.until > clock.now() ? note : undefined
  }

  const keep = (key: string, note: Note) => void notes.set(key, note)

  return {
    reasonToSkipPlainVisit(url) {
      const note = find(cornerOf(url))
      if (!note) return undefined
      const because =
        note.blocks >= BLOCKS_IN_A_ROW
          ? 'plain visits were blocked here'
          : note.shells >= SHELLS_IN_A_ROW
            ? 'the last pages here were drawn by scripts'
            : undefined
      if (because === undefined) return undefined
      note.skipped += 1
      if (note.skipped % SKIPS_BEFORE_RETRY === 0) return undefined
      return because
    },
    reasonToUseEnhancedTier(url) {
      const note = find(cornerOf(url))
      if (!note || note.disguised < DISGUISES_IN_A_ROW) return undefined
      note.skipped += 1
      if (note.skipped % SKIPS_BEFORE_RETRY === 0) return undefined
      return 'only visits of the enhanced tier were let in here'
    },
    note(url, seen) {
      const key = cornerOf(url)
      const before = find(key) ?? { shells: 0, blocks: 0, disguised: 0, skipped: 0, until: 0 }
      if (seen === 'page') {
        notes.delete(key)
        return
      }
      const after = { ...before, until: clock.now() + KEPT_MS }
      if (seen === 'disguised') after.disguised += 1
      else if (seen === 'unmasked') after.disguised = 0
      else {
        after.shells = seen === 'shell' ? before.shells + 1 : 0
        after.blocks = seen === 'blocked' ? before.blocks + 1 : 0
      }
      keep(key, after)
    },
  }
}

function cornerOf(url: string): string {
  const { host, pathname } = new URL(url)
  return `${host}${pathname.slice(0, pathname.lastIndexOf('/'))}`.slice(0, 300)
}

// Counts usage and activity in memory and writes them in batches. A killed process loses half a second of it;
// credits are in the ledger, which loses nothing.

import type { Clock } from '../base/clock.ts'
import { startOfDay } from '../base/clock.ts'
import type { Log } from '../base/log.ts'
import type { ActivityLog, ActivityRow } from './store/activity-log.ts'
import {
  type NewUsageCounts,
  USAGE_SOURCES,
  type UsageCountStore,
  type UsageSource,
} from './store/usage-count-store.ts'

export type UsageAccount = { teamId: string; keyId: string | null; endpoint: string }

export type UsageMeter = ReturnType<typeof openUsageMeter>

interface MeterParts {
  store: { activities: Pick<ActivityLog, 'add'>; usage: Pick<UsageCountStore, 'add'> }
  clock: Clock
  log: Log
  everyMs?: number
  onPage?(endpoint: string, source: string | undefined): void
}

const EVERY_MS = 500
const BATCH = 100
/** Rows kept while the store is unavailable; older ones are dropped. */
const MAX_UNWRITTEN_ROWS = 10_000
const TOO_MANY = 429

export function openUsageMeter({ store, clock, log, everyMs = EVERY_MS, onPage }: MeterParts) {
  let rows: ActivityRow[] = []
  let counts = new Map<string, NewUsageCounts>()
  let timer: NodeJS.Timeout | undefined
  let writing: Promise<void> | undefined
  let lost = 0

  function countOf({ teamId, keyId, endpoint }: UsageAccount): NewUsageCounts {
    const day = startOfDay(clock.now())
    const name = `${day} ${teamId} ${keyId} ${endpoint}`
    const known = counts.get(name)
    if (known) return known
    const fresh: NewUsageCounts = { day, teamId, keyId: keyId ?? '', endpoint, requests: 0, errors: 0, pages: {} }
    counts.set(name, fresh)
    return fresh
  }

  function countPage(use: NewUsageCounts, source: string | undefined): void {
    if (!isSource(source)) return
    onPage?.(use.endpoint, source)
    use.pages[source] = (use.pages[source] ?? 0) + 1
  }

  function soon(): void {
    timer ??= setTimeout(() => void flush(), everyMs).unref()
  }

  async function write(): Promise<void> {
    const [someRows, someCounts] = [rows, [...counts.values()]]
    rows = []
    counts = new Map()
    let written = 0
    try {
      for (; written < someRows.length; written += BATCH)
        await store.activities.add(someRows.slice(written, written + BATCH))
      for (let use = someCounts[0]; use; use = someCounts[0]) {
        await store.usage.add([use])
        someCounts.shift()
      }
    } catch (error) {
      const left = [...someRows.slice(written), ...rows]
      lost += Math.max(0, left.length - MAX_UNWRITTEN_ROWS)
      rows = left.slice(-MAX_UNWRITTEN_ROWS)
      for (const use of someCounts) merge(countOf(use), use)
      const because = error instanceof Error ? error.message : String(error)
      log.warn({ error: because, waiting: rows.length, lost }, 'activity could not be written')
      soon()
    }
  }

  function flush(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    // A second caller waits for the first and then for its own write.
    const next = (writing ?? Promise.resolve()).then(write)
    writing = next.finally(() => {
      if (writing === next) writing = undefined
    })
    return next
  }

  return {
    /** Calls beyond a rate limit are only counted, without a row. */
    call(row: ActivityRow) {
      const use = countOf(row)
      use.requests += 1
      if (row.status >= 400) use.errors += 1
      countPage(use, row.engine ?? undefined)
      if (row.status !== TOO_MANY) rows.push(row)
      soon()
    },
    /** `source` undefined: the visit failed. */
    page(who: UsageAccount, source: string | undefined) {
      const use = countOf(who)
      if (source === undefined) {
        use.errors += 1
        onPage?.(who.endpoint, undefined)
      } else countPage(use, source)
      soon()
    },
    model(who: UsageAccount, tokens: number, cost: number) {
      const use = countOf(who)
      use.modelTokens = (use.modelTokens ?? 0) + tokens
      use.modelCost = (use.modelCost ?? 0) + cost
      soon()
    },
    flush,
    stop: flush,
  }
}

const isSource = (text: string | undefined): text is UsageSource =>
  (USAGE_SOURCES as readonly (string | undefined)[]).includes(text)

function merge(into: NewUsageCounts, from: NewUsageCounts): void {
  into.requests += from.requests
  into.errors += from.errors
  into.modelTokens = (into.modelTokens ?? 0) + (from.modelTokens ?? 0)
  into.modelCost = (into.modelCost ?? 0) + (from.modelCost ?? 0)
  for (const source of USAGE_SOURCES) {
    const pages = from.pages[source]
    if (pages) into.pages[source] = (into.pages[source] ?? 0) + pages
  }
}

// A search as target: new results are judged by the goal; known ones are ignored.

import { DAY_MS, HOUR_MS } from '../../base/clock.ts'
import type { SearchHit } from '../../base/search-types.ts'
import { newId } from '../../store/id.ts'
import { judgeChange } from './judge-change.ts'
import { JUDGE_PRICE, SEARCH_PRICE } from './own-services.ts'
import { queuePageWebhook } from './queue-monitor-webhooks.ts'
import type { NewCheckPage, WatchedPage, WatchedPageKey } from './store/check-pages-and-watched-pages.ts'
import { monitorStore } from './store/index.ts'
import type { StoredTarget } from './stored-monitor.ts'
import type { TargetCheckContext, TargetCheckState } from './target-check-context.ts'

type SearchTarget = Extract<StoredTarget, { type: 'search' }>

const WINDOWS = {
  '5m': 300_000,
  '15m': 900_000,
  '1h': HOUR_MS,
  '6h': 21_600_000,
  '24h': DAY_MS,
  '7d': 604_800_000,
}

export async function checkSearchTarget(
  work: TargetCheckContext,
  target: SearchTarget,
  signal: AbortSignal,
): Promise<TargetCheckState> {
  const { parts, monitor, check, state } = work
  const { found, asked, warnings } = await gatherResults(work, target, signal)
  const searchCredits = asked
  const ended = await monitorStore(parts.store).checks.ended(check.id, target.id)
  let [matches, resultsJudged] = [0, 0]
  let degradedReason =
    parts.llm.by === 'extractive' ? 'No language model is set up: rules judged the change.' : undefined
  for (const hit of found) {
    if (ended.has(hit.url)) continue
    const place: WatchedPageKey = { monitorId: monitor.id, targetId: target.id, url: hit.url }
    const before = await monitorStore(parts.store).checks.watched(place)
    const isNew = before === undefined
    const wantsJudge = isNew && monitor.judgeEnabled && monitor.goal !== null
    const judgment = wantsJudge ? await judgeHit(work, hit, signal) : null
    if (judgment) resultsJudged++
    degradedReason ??= judgment?.degradedReason
    const alerts = isNew && (judgment === null || judgment.meaningful)
    if (alerts) matches++
    await endHit(work, place, before, hit, { alerts, isNew, judgment })
  }
  return {
    ...state,
    done: true,
    searchCompleted: true,
    resultCount: found.length,
    matches,
    summary: `${found.length} results, ${matches} of them new and relevant`,
    ...(monitor.judgeEnabled && degradedReason ? { judgeDegraded: true, degradedReason } : {}),
    ...(warnings.length > 0 ? { warning: warnings.join(' ') } : {}),
    searchCredits,
    judgeCredits: resultsJudged,
    resultsJudged,
    credits: searchCredits,
  }
}

async function gatherResults({ parts, monitor }: TargetCheckContext, target: SearchTarget, signal: AbortSignal) {
  const since = parts.clock.now() - WINDOWS[target.searchWindow]
  const found = new Map<string, SearchHit>()
  const warnings = new Set<string>()
  const each = Math.max(1, Math.ceil(target.maxResults / target.queries.length))
  let hits = 0
  for (const query of target.queries) {
    const { web, warning } = await parts.search(
      query,
      {
        teamId: monitor.teamId,
        limit: each,
        since,
        ...(target.includeDomains ? { includeDomains: target.includeDomains } : {}),
        ...(target.excludeDomains ? { excludeDomains: target.excludeDomains } : {}),
      },
      signal,
    )
    if (warning) warnings.add(warning)
    hits += web.length
    for (const hit of web) if (found.size < target.maxResults && !found.has(hit.url)) found.set(hit.url, hit)
  }
  return { found: [...found.values()], asked: SEARCH_PRICE * Math.ceil(hits / 10), warnings: [...warnings] }
}

const judgeHit = ({ parts, monitor }: TargetCheckContext, hit: SearchHit, signal: AbortSignal) => {
  const text = `${hit.title}\n${hit.description}`
  const change = { type: 'added', before: null, after: text, section: '', kind: 'text' } as const
  return judgeChange(
    parts.llm,
    { goal: monitor.goal!, changes: [change], met: [], json: undefined, diff: `+${hit.url}\n+${text}`, isHit: true },
    signal,
  )
}

async function endHit(
  { parts, monitor, check }: TargetCheckContext,
  place: WatchedPageKey,
  before: WatchedPage | undefined,
  { title, description, date }: SearchHit,
  { alerts, isNew, judgment }: { alerts: boolean; isNew: boolean; judgment: object | null },
): Promise<void> {
  const { store, clock } = parts
  const now = clock.now()
  const page: NewCheckPage = {
    id: newId(now),
    checkId: check.id,
    ...place,
    status: alerts ? 'new' : 'same',
    previousScrapeId: null,
    currentScrapeId: null,
    statusCode: null,
    credits: judgment ? JUDGE_PRICE : 0,
    error: null,
    metadata: {
      title,
      description,
      ...(date === undefined ? {} : { date: new Date(date).toISOString() }),
      searchStatus: alerts ? 'alert' : isNew ? 'ignored' : 'already_seen',
    },
    judgment,
    diff: null,
    snapshot: null,
    suppressed: null,
    texts: null,
  }
  await store.transaction(async (tx) => {
    if (!(await monitorStore(store).checks.addPage(tx, page))) return
    const seen = { state: 'here', scrapeId: null, seenAt: now, changedAt: before?.changedAt ?? now } as const
    await monitorStore(store).checks.keep(tx, place, { ...seen, marks: null, body: null, data: null, memory: null })
    if (alerts) await queuePageWebhook(parts, tx, monitor, page)
  })
}

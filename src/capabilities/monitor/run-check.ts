// Runs one check to its end. The worker skips pages that have ended, so a check whose process died is resumed; credits
// are charged once, in the transaction that ends it.

import { withCallContext } from '../../base/call-context.ts'
import { problemOfAbort } from '../../base/deadline.ts'
import { asProblem, type Problem } from '../../base/problem.ts'
import type { WorkMessageHandler } from '../../jobs/work-queue.ts'
import type { Tx } from '../../store/tables.ts'
import { checkCrawlTarget } from './check-crawl-target.ts'
import { checkSearchTarget } from './check-search-target.ts'
import { checkWatchedPage } from './check-watched-page.ts'
import { CHECK_QUEUE_NAME, type HandlerServices } from './own-services.ts'
import { queueCheckWebhook } from './queue-monitor-webhooks.ts'
import { queueNotices } from './queue-notices.ts'
import type { CheckSummary } from './store/check-pages-and-watched-pages.ts'
import type { Check } from './store/checks.ts'
import { monitorStore } from './store/index.ts'
import type { Monitor } from './store/monitors.ts'
import type { CheckStatus } from './store/tables.ts'
import type { StoredTarget } from './stored-monitor.ts'
import type { TargetCheckContext, TargetCheckState } from './target-check-context.ts'

const AT_ONCE = 4
const WAIT_MS = 2_000
const ALIVE_MS = 40_000
const MAX_NEWS = 200

export function makeCheckHandler(parts: HandlerServices): WorkMessageHandler {
  return async (checkId, signal) => {
    const check = await monitorStore(parts.store).checks.get(checkId)
    if (!check || (check.status !== 'queued' && check.status !== 'running')) return
    const monitor = await monitorStore(parts.store).monitors.get(check.monitorId)
    if (!monitor) return
    const begun = check.status === 'queued' ? await begin(parts, check, monitor) : { check, isFresh: false }
    if (!begun) return
    // A model may take minutes for one page: without progress the check would be taken for lost.
    const alive = setInterval(() => void touchCheck(parts, checkId).catch(() => undefined), ALIVE_MS)
    const run = () => parts.reach.as(monitor.keyId, () => go(parts, begun, monitor, signal))
    await withCallContext({ teamId: monitor.teamId }, run).finally(() => clearInterval(alive))
  }
}

const touchCheck = ({ store }: HandlerServices, checkId: string): Promise<void> =>
  store.transaction((tx) => monitorStore(store).checks.change(tx, checkId, {}))

type Begun = { check: Check; isFresh: boolean }

async function begin(parts: HandlerServices, { id }: Check, monitor: Monitor): Promise<Begun | undefined> {
  const { store, clock } = parts
  return store.transaction(async (tx) => {
    const check = await monitorStore(store).checks.hold(tx, id)
    if (check?.status !== 'queued') return check && { check, isFresh: false }
    const left = await store.ledger.left(tx, monitor.teamId)
    const reserved = left === null ? 0 : Math.min(check.estimatedCredits ?? 0, left)
    if (reserved > 0)
      await store.ledger.reserve({ ...owner(monitor), jobId: id, credits: reserved, endpoint: 'monitor' }, tx)
    const targets = (monitor.targets as StoredTarget[]).map(
      (target): TargetCheckState => ({
        targetId: target.id,
        type: target.type,
        ...(target.type === 'scrape' ? { expectedJobs: target.urls } : {}),
      }),
    )
    const change = {
      status: 'running',
      startedAt: clock.now(),
      reservedCredits: reserved,
      billing: reserved > 0 ? 'reserved' : 'not_applicable',
      targets,
    } as const
    await monitorStore(store).checks.change(tx, id, change)
    return { check: { ...check, ...change }, isFresh: true }
  })
}

const owner = ({ teamId, keyId }: Monitor) => ({ teamId, keyId })

async function go(parts: HandlerServices, { check, isFresh }: Begun, monitor: Monitor, signal: AbortSignal) {
  const { store, clock, queue } = parts
  const team = await store.teams.get(monitor.teamId)
  const plan = team?.plan ?? 'unlimited'
  const states = check.targets as TargetCheckState[]
  const targets = new Map((monitor.targets as StoredTarget[]).map((target) => [target.id, target]))
  let waits = false
  for (const [at, state] of states.entries()) {
    if (state.done) continue
    const target = targets.get(state.targetId)
    const work: TargetCheckContext = { parts, monitor, check, plan, state, isFresh }
    const next = target ? await step(work, target, signal) : { ...state, done: true, error: 'The target was removed' }
    states[at] = next
    waits ||= !next.done
    // Results of named pages are stored with the pages; the final transaction writes the rest.
    if (next.type === 'scrape' && next.done && at === states.length - 1 && !waits) break
    await store.transaction((tx) => monitorStore(store).checks.change(tx, check.id, { targets: states }))
  }
  if (waits) {
    await store.transaction((tx) => queue.enqueue(tx, CHECK_QUEUE_NAME, [check.id], { runAt: clock.now() + WAIT_MS }))
    return
  }
  await finish(parts, check.id, monitor, states)
}

async function step(work: TargetCheckContext, target: StoredTarget, signal: AbortSignal): Promise<TargetCheckState> {
  try {
    if (target.type === 'crawl') return await checkCrawlTarget(work, target, signal)
    if (target.type === 'search') return await checkSearchTarget(work, target, signal)
    await scrapeTarget(work, target, signal)
    return { ...work.state, done: true }
  } catch (error) {
    if (signal.aborted) throw problemOfAbort(signal)
    const problem = asProblem(error)
    if (isOurs(problem)) throw problem
    if (problem.kind === 'internal') work.parts.log.error({ err: error, monitor: work.monitor.id }, 'a target failed')
    return { ...work.state, done: true, error: problem.message }
  }
}

/** The service failed, not the page: the work message is retried. */
const isOurs = ({ kind }: Problem): boolean => kind === 'unavailable' || kind === 'too_busy'

async function scrapeTarget(
  { parts, monitor, check, plan, isFresh }: TargetCheckContext,
  target: Extract<StoredTarget, { type: 'scrape' }>,
  signal: AbortSignal,
): Promise<void> {
  const ended = isFresh ? new Set<string>() : await monitorStore(parts.store).checks.ended(check.id, target.id)
  const left = [...new Set(target.urls)].filter((url) => !ended.has(url)).values()
  const { id: targetId, quotes } = target
  const options = quotes ? { ...target.scrapeOptions, onlyMainContent: false } : target.scrapeOptions
  const lane = async () => {
    for (const url of left)
      await checkWatchedPage({ parts, monitor, check, targetId, url, options, quotes, plan, signal })
  }
  await Promise.all(Array.from({ length: AT_ONCE }, lane))
}

async function finish(parts: HandlerServices, checkId: string, monitor: Monitor, states: readonly TargetCheckState[]) {
  const { store, clock } = parts
  await store.transaction(async (tx) => {
    const check = await monitorStore(store).checks.hold(tx, checkId)
    if (check?.status !== 'running') return
    const { summary, credits: ofPages } = await monitorStore(store).checks.sums(tx, checkId)
    const news = summary.same < summary.totalPages ? await monitorStore(store).checks.news(tx, checkId, MAX_NEWS) : []
    const recipients = news.length > 0 ? await monitorStore(store).notices.recipients(monitor.id, tx) : []
    const faults = states.flatMap(({ error }) => (error === undefined ? [] : [error]))
    const beside = states.reduce((sum, state) => sum + (state.credits ?? 0), 0)
    const paid = states.reduce(
      (sum, state) => sum + (typeof state.crawlCredits === 'number' ? state.crawlCredits : 0),
      0,
    )
    const status = statusOf(summary, faults.length, states.length)
    const billing = await pay(parts, tx, monitor, check, ofPages + beside)
    const error = faults.length > 0 ? faults.join(' ') : status === 'failed' ? 'No page could be checked' : null
    const ended = { ...check, status, summary, error }
    const webhook = await queueCheckWebhook(parts, tx, monitor, ended)
    const notified = {
      ...(webhook === undefined ? {} : { webhook: { attempted: true, queued: true, deliveryId: webhook } }),
      ...(await queueNotices(parts, tx, monitor, ended, news, recipients)),
    }
    const now = clock.now()
    await monitorStore(store).checks.change(tx, checkId, {
      status,
      finishedAt: now,
      summary,
      targets: [...states],
      error,
      actualCredits: ofPages + beside + paid,
      billing,
      notified: Object.keys(notified).length > 0 ? notified : null,
    })
    const isCalm = summary.changed + summary.new + summary.removed === 0
    await monitorStore(store).monitors.change(tx, monitor.id, {
      currentCheckId: null,
      lastRunAt: now,
      lastSummary: summary,
      calm: isCalm ? monitor.calm + 1 : 0,
    })
  })
}

function statusOf({ totalPages, error }: CheckSummary, faults: number, targets: number): CheckStatus {
  if (faults === targets || (totalPages > 0 && error === totalPages)) return 'failed'
  return error > 0 || faults > 0 ? 'partial' : 'completed'
}

/** Charges the reservation. If it expired and was released meanwhile, the amount is charged anew. */
async function pay({ store }: HandlerServices, tx: Tx, monitor: Monitor, check: Check, credits: number) {
  if (check.billing === 'reserved') {
    const settled =
      credits > 0 ? await store.ledger.settle(check.id, credits, tx) : await store.ledger.release(check.id, tx)
    if (settled) return credits > 0 ? 'confirmed' : 'released'
  }
  if (credits === 0) return 'not_applicable'
  const left = await store.ledger.left(tx, monitor.teamId)
  // A team that ran out of credits meanwhile pays what it has left.
  const due = left === null ? credits : Math.min(credits, left)
  if (due > 0) await store.ledger.charge({ ...owner(monitor), jobId: check.id, credits: due, endpoint: 'monitor' }, tx)
  return due < credits ? 'failed' : 'confirmed'
}

// Notices that a site no longer gives a field. Pages that fit are counted per field: a field that was there and is
// missing several times in a row is broken and is reported.
import type { Log } from '../../base/log.ts'
import { queueWebhook } from '../../jobs/webhook-events.ts'
import type { ExtractorLookup } from '../../scrape/learnt-extractor.ts'
import type { ProgramReading } from '../../understanding/learn/program-types.ts'
import type { Services } from '../route.ts'
import { type ExtractorStats, emptyStats, type ReadPage, type StoredExtractor } from './store/index.ts'

/** Missing this often in a row, a field that is usually there is broken. */
const BROKEN_AFTER = 3
/** Fields that were missing more often than this are optional. */
const USUALLY_MISSING = 0.3

export interface Drift {
  fields: string[]
  /** The whole template is gone. */
  isMisfit: boolean
}

/** Adds one reading to the counts; returns what has newly drifted. */
function countReading(stats: ExtractorStats, reading: ProgramReading) {
  const next: ExtractorStats = { ...emptyStats(), ...stats, pages: stats.pages + 1, fields: { ...stats.fields } }
  const isMisfit = reading.value === null
  next.misfits += isMisfit ? 1 : 0
  next.misfitStreak = isMisfit ? stats.misfitStreak + 1 : 0
  if (isMisfit) {
    // Other pages of a site never fit; a template that had fitted and stops to is news.
    const isNews = next.misfitStreak === BROKEN_AFTER && next.misfits <= next.pages * 0.5 + 1
    return { stats: next, drift: isNews ? { fields: Object.keys(reading.fields), isMisfit: true } : undefined }
  }
  const broken: string[] = []
  for (const [name, { by }] of Object.entries(reading.fields)) {
    const known = next.fields[name] ?? { reads: 0, missing: 0, streak: 0 }
    const isMissing = by === null
    const usual = known.reads === 0 ? 0 : (known.missing - known.streak) / Math.max(1, known.reads - known.streak)
    const streak = isMissing ? known.streak + 1 : 0
    next.fields[name] = { reads: known.reads + 1, missing: known.missing + (isMissing ? 1 : 0), streak }
    if (streak >= BROKEN_AFTER && usual <= USUALLY_MISSING && !next.drifted.includes(name)) broken.push(name)
    if (!isMissing) next.drifted = next.drifted.filter((one) => one !== name)
  }
  next.drifted = [...next.drifted, ...broken]
  return { stats: next, drift: broken.length > 0 ? { fields: broken, isMisfit: false } : undefined }
}

/** Of the first pages, and now and then of later ones, values that were all read with confidence are stored. */
const STORED_FIRST = 4
const STORED_EVERY = 100
const MIN_STORED_CONFIDENCE = 0.6
const MAX_STORED_CHARS = 20_000

function isWorthStoring({ pages }: ExtractorStats, { value, fields }: ProgramReading): boolean {
  if (value === null || (pages > STORED_FIRST && pages % STORED_EVERY !== 0)) return false
  // The fields of records are proven together.
  const isCertain = Object.entries(fields).every(
    ([name, { by, confidence }]) =>
      by === null || !(name === '' || name in value) || confidence >= MIN_STORED_CONFIDENCE,
  )
  return isCertain && JSON.stringify(value).length <= MAX_STORED_CHARS
}

interface WatcherParts {
  log: Log
  get(teamId: string, id: string): Promise<StoredExtractor | undefined>
  setStats(extractor: StoredExtractor, stats: ExtractorStats): Promise<void>
  store(extractor: StoredExtractor, page: ReadPage): Promise<void>
  onDrift(extractor: StoredExtractor, drift: Drift, url: string): Promise<void>
}

/** Counts one page of an extractor after the other; a page never waits for it. */
export function watchDrift({ log, get, setStats, store, onDrift }: WatcherParts): Pick<ExtractorLookup, 'report'> {
  const queues = new Map<string, Promise<void>>()
  const count = async (...[teamId, { id, version }, reading, url, isKept]: Parameters<ExtractorLookup['report']>) => {
    const stored = await get(teamId, id)
    if (!stored || stored.version !== version) return
    const { stats, drift } = countReading(stored.stats, reading)
    await setStats(stored, stats)
    if (isKept && isWorthStoring(stats, reading)) await store(stored, { url, data: reading.value })
    // Later readings do not wait until the extractor is healed.
    if (drift)
      void onDrift({ ...stored, stats }, drift, url).catch((error: unknown) =>
        log.warn({ extractor: id, error }, 'a drift could not be reported'),
      )
  }
  return {
    report(teamId, extractor, reading, url, isKept) {
      const key = `${teamId} ${extractor.id}`
      const before = queues.get(key) ?? Promise.resolve()
      const next = before
        .then(() => count(teamId, extractor, reading, url, isKept))
        .catch((error: unknown) => log.warn({ extractor: extractor.id, error }, 'a reading could not be counted'))
        .finally(() => {
          if (queues.get(key) === next) queues.delete(key)
        })
      queues.set(key, next)
    },
  }
}

export async function queueDriftWebhook(
  services: Services,
  { teamId, id, webhook }: StoredExtractor,
  data: object,
): Promise<void> {
  if (!webhook) return
  const source = { id, teamId, keyId: null, kind: 'extractor', webhook: JSON.stringify(webhook) }
  const event = { name: 'drifted', success: true, dataText: JSON.stringify(data) }
  const events = { namespace: 'extractor', names: ['drifted'] }
  await services.store.transaction((tx) => queueWebhook(services, tx, source, events, event))
}

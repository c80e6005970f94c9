// Results of a check, and the last known state of each watched page. A page ends in one transaction, so a resumed
// check neither loses nor repeats one.
import type { Insertable, Selectable } from 'kysely'
import type { Clock } from '../../../base/clock.ts'
import { compileStatementOnce, compileStatementPerColumns } from '../../../store/compiled-statements.ts'
import { type Db, type Tx, toBuffer } from '../../../store/tables.ts'
import type { CheckPageStatus, MonitorCheckPageTable, MonitorPageTable } from './tables.ts'

export interface CheckSummary {
  totalPages: number
  same: number
  changed: number
  new: number
  removed: number
  error: number
}

export const EMPTY_SUMMARY: CheckSummary = { totalPages: 0, same: 0, changed: 0, new: 0, removed: 0, error: 0 }

export interface CheckPage {
  id: string
  checkId: string
  monitorId: string
  targetId: string
  url: string
  status: CheckPageStatus
  previousScrapeId: string | null
  currentScrapeId: string | null
  statusCode: number | null
  credits: number
  error: string | null
  metadata: unknown
  judgment: unknown
  diff: unknown
  snapshot: unknown
  suppressed: unknown
  createdAt: number
}

export interface NewCheckPage extends Omit<CheckPage, 'createdAt'> {
  texts: Uint8Array | null
}

export interface WatchedPage {
  state: 'here' | 'gone'
  scrapeId: string | null
  seenAt: number
  changedAt: number
  marks: unknown
  body: Uint8Array | null
  data: string | null
  memory: string | null
}

export interface WatchedPageKey {
  monitorId: string
  targetId: string
  url: string
}

export interface CheckPages {
  addPage(tx: Tx, page: NewCheckPage): Promise<boolean>
  pages(
    checkId: string,
    options: { limit: number; skip: number; status?: CheckPageStatus | undefined },
  ): Promise<CheckPage[]>
  countPages(checkId: string, status?: CheckPageStatus): Promise<number>
  news(tx: Tx, checkId: string, limit: number): Promise<CheckPage[]>
  page(id: string): Promise<(CheckPage & { texts: Uint8Array | null }) | undefined>
  ended(checkId: string, targetId: string): Promise<Set<string>>
  sums(tx: Tx, checkId: string): Promise<{ summary: CheckSummary; credits: number }>
  /** Changes on a monitor's pages (one, or all), newest first. */
  history(
    monitorId: string,
    options: { url?: string | undefined; limit: number; alsoSame: boolean },
  ): Promise<CheckPage[]>
}

export interface WatchedPages {
  watched(place: WatchedPageKey): Promise<WatchedPage | undefined>
  watchedUrls(monitorId: string, targetId: string): Promise<string[]>
  keep(tx: Tx, place: WatchedPageKey, page: WatchedPage): Promise<void>
}

const PAGE_COLUMNS = [
  'id',
  'check_id',
  'monitor_id',
  'target_id',
  'url',
  'status',
  'previous_scrape_id',
  'current_scrape_id',
  'status_code',
  'credits',
  'error',
  'metadata',
  'judgment',
  'diff',
  'snapshot',
  'suppressed',
  'created_at',
] as const

export function openCheckPages(db: Db, clock: Clock): CheckPages {
  const insert = compileStatementPerColumns((row: Insertable<MonitorCheckPageTable>) =>
    db
      .insertInto('monitor_check_pages')
      .values(row)
      .onConflict((conflict) => conflict.columns(['check_id', 'target_id', 'url']).doNothing())
      .compile(),
  )
  const touch = compileStatementOnce(({ id, now }: { id: string; now: number }) =>
    db.updateTable('monitor_checks').set({ updated_at: now }).where('id', '=', id).compile(),
  )
  const sum = compileStatementOnce(({ checkId }: { checkId: string }) =>
    db
      .selectFrom('monitor_check_pages')
      .select(['status', (from) => from.fn.countAll<number>().as('pages')])
      .select((from) => from.fn.sum<number>('credits').as('credits'))
      .where('check_id', '=', checkId)
      .groupBy('status')
      .compile(),
  )
  return {
    ...foundReads(db),
    async addPage(tx, page) {
      const now = clock.now()
      const { numAffectedRows } = await insert(tx, {
        id: page.id,
        check_id: page.checkId,
        monitor_id: page.monitorId,
        target_id: page.targetId,
        url: page.url,
        status: page.status,
        previous_scrape_id: page.previousScrapeId,
        current_scrape_id: page.currentScrapeId,
        status_code: page.statusCode,
        credits: page.credits,
        error: page.error,
        metadata: json(page.metadata),
        judgment: json(page.judgment),
        diff: json(page.diff),
        snapshot: json(page.snapshot),
        suppressed: json(page.suppressed),
        texts: page.texts,
        created_at: now,
      })
      if (numAffectedRows !== 1n) return false
      await touch(tx, { id: page.checkId, now })
      return true
    },
    async sums(tx, checkId) {
      const { rows } = await sum(tx, { checkId })
      const summary = { ...EMPTY_SUMMARY }
      let credits = 0
      for (const row of rows) {
        summary[row.status] += Number(row.pages)
        summary.totalPages += Number(row.pages)
        credits += Number(row.credits)
      }
      return { summary, credits }
    },
  }
}

function foundReads(db: Db): Omit<CheckPages, 'addPage' | 'sums'> {
  const news = compileStatementOnce(({ checkId, limit }: { checkId: string; limit: number }) =>
    db
      .selectFrom('monitor_check_pages')
      .select(PAGE_COLUMNS)
      .where('check_id', '=', checkId)
      .where('status', '!=', 'same')
      .orderBy('id')
      .limit(limit)
      .compile(),
  )
  const ended = compileStatementOnce(({ checkId, targetId }: { checkId: string; targetId: string }) =>
    db
      .selectFrom('monitor_check_pages')
      .select('url')
      .where('check_id', '=', checkId)
      .where('target_id', '=', targetId)
      .compile(),
  )
  return {
    async pages(checkId, { limit, skip, status }) {
      const rows = await db
        .selectFrom('monitor_check_pages')
        .select(PAGE_COLUMNS)
        .where('check_id', '=', checkId)
        .$if(status !== undefined, (query) => query.where('status', '=', status!))
        .orderBy('id')
        .limit(limit)
        .offset(skip)
        .execute()
      return rows.map(pageOf)
    },
    async countPages(checkId, status) {
      const row = await db
        .selectFrom('monitor_check_pages')
        .select((from) => from.fn.countAll<number>().as('pages'))
        .where('check_id', '=', checkId)
        .$if(status !== undefined, (query) => query.where('status', '=', status!))
        .executeTakeFirstOrThrow()
      return Number(row.pages)
    },
    async news(tx, checkId, limit) {
      const { rows } = await news(tx, { checkId, limit })
      return rows.map(pageOf)
    },
    async page(id) {
      const row = await db
        .selectFrom('monitor_check_pages')
        .select(PAGE_COLUMNS)
        .select('texts')
        .where('id', '=', id)
        .executeTakeFirst()
      return row && { ...pageOf(row), texts: row.texts === null ? null : toBuffer(row.texts) }
    },
    async ended(checkId, targetId) {
      const { rows } = await ended(db, { checkId, targetId })
      return new Set(rows.map(({ url }) => url))
    },
    async history(monitorId, { url, limit, alsoSame }) {
      const rows = await db
        .selectFrom('monitor_check_pages')
        .select(PAGE_COLUMNS)
        .where('monitor_id', '=', monitorId)
        .$if(url !== undefined, (query) => query.where('url', '=', url!))
        .$if(!alsoSame, (query) => query.where('status', '!=', 'same'))
        .orderBy('id', 'desc')
        .limit(limit)
        .execute()
      return rows.map(pageOf)
    },
  }
}

export function openWatchedPages(db: Db): WatchedPages {
  const find = compileStatementOnce(({ monitorId, targetId, url }: WatchedPageKey) =>
    db
      .selectFrom('monitor_pages')
      .selectAll()
      .where('monitor_id', '=', monitorId)
      .where('target_id', '=', targetId)
      .where('url', '=', url)
      .compile(),
  )
  return {
    async watched(place) {
      const {
        rows: [row],
      } = await find(db, place)
      return row && watchedOf(row)
    },
    async watchedUrls(monitorId, targetId) {
      const rows = await db
        .selectFrom('monitor_pages')
        .select('url')
        .where('monitor_id', '=', monitorId)
        .where('target_id', '=', targetId)
        .where('state', '=', 'here')
        .execute()
      return rows.map(({ url }) => url)
    },
    async keep(tx, { monitorId, targetId, url }, page) {
      const columns = {
        state: page.state,
        scrape_id: page.scrapeId,
        seen_at: page.seenAt,
        changed_at: page.changedAt,
        marks: json(page.marks),
        body: page.body,
        data: page.data,
        memory: page.memory,
      }
      await tx
        .insertInto('monitor_pages')
        .values({ monitor_id: monitorId, target_id: targetId, url, ...columns })
        .onConflict((conflict) => conflict.columns(['monitor_id', 'target_id', 'url']).doUpdateSet(columns))
        .execute()
    },
  }
}

const json = (value: unknown): string | null => (value === null || value === undefined ? null : JSON.stringify(value))
const parsed = (text: string | null): unknown => (text === null ? null : JSON.parse(text))

type PageRow = Omit<Selectable<MonitorCheckPageTable>, 'texts'>

const pageOf = (row: PageRow): CheckPage => ({
  id: row.id,
  checkId: row.check_id,
  monitorId: row.monitor_id,
  targetId: row.target_id,
  url: row.url,
  status: row.status,
  previousScrapeId: row.previous_scrape_id,
  currentScrapeId: row.current_scrape_id,
  statusCode: row.status_code,
  credits: row.credits,
  error: row.error,
  metadata: parsed(row.metadata),
  judgment: parsed(row.judgment),
  diff: parsed(row.diff),
  snapshot: parsed(row.snapshot),
  suppressed: parsed(row.suppressed),
  createdAt: row.created_at,
})

const watchedOf = (row: Selectable<MonitorPageTable>): WatchedPage => ({
  state: row.state,
  scrapeId: row.scrape_id,
  seenAt: row.seen_at,
  changedAt: row.changed_at,
  marks: parsed(row.marks),
  body: row.body === null ? null : toBuffer(row.body),
  data: row.data,
  memory: row.memory,
})

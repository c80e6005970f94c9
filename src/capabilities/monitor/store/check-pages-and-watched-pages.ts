// Results of a check, and the last known state of each watched page. A page ends in one transaction, so a resumed
// check neither loses nor repeats one.
import type { Insertable } from 'kysely'
import type { Clock } from '../../../base/clock.ts'
import { compileStatementOnce, compileStatementPerColumns } from '../../../store/compiled-statements.ts'
import { makeRowCodec, type RowFields } from '../../../store/row-codec.ts'
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

interface DecodedCheckPage {
  metadata: unknown
  judgment: unknown
  diff: unknown
  snapshot: unknown
  suppressed: unknown
}

export type CheckPage = Omit<RowFields<MonitorCheckPageTable, DecodedCheckPage>, 'texts'>

export interface NewCheckPage extends Omit<CheckPage, 'createdAt'> {
  texts: Uint8Array | null
}

const pageRows = makeRowCodec<MonitorCheckPageTable, CheckPage>({
  json: ['metadata', 'judgment', 'diff', 'snapshot', 'suppressed'],
})

type DecodedWatchedPage = { marks: unknown; body: Uint8Array | null }

export type WatchedPage = Omit<RowFields<MonitorPageTable, DecodedWatchedPage>, keyof WatchedPageKey>

const watchedRows = makeRowCodec<MonitorPageTable, WatchedPage & Partial<WatchedPageKey>>({ json: ['marks'] })

export type WatchedPageKey = { monitorId: string; targetId: string; url: string }

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

export function openCheckPages(db: Db, clock: Clock) {
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
    async addPage(tx: Tx, page: NewCheckPage) {
      const now = clock.now()
      const { texts, ...fields } = page
      const { numAffectedRows } = await insert(tx, { ...pageRows.write({ ...fields, createdAt: now }), texts })
      if (numAffectedRows !== 1n) return false
      await touch(tx, { id: page.checkId, now })
      return true
    },
    async sums(tx: Tx, checkId: string) {
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

function foundReads(db: Db) {
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
    async pages(
      checkId: string,
      { limit, skip, status }: { limit: number; skip: number; status?: CheckPageStatus | undefined },
    ) {
      const rows = await db
        .selectFrom('monitor_check_pages')
        .select(PAGE_COLUMNS)
        .where('check_id', '=', checkId)
        .$if(status !== undefined, (query) => query.where('status', '=', status!))
        .orderBy('id')
        .limit(limit)
        .offset(skip)
        .execute()
      return rows.map(pageRows.read)
    },
    async countPages(checkId: string, status?: CheckPageStatus) {
      const row = await db
        .selectFrom('monitor_check_pages')
        .select((from) => from.fn.countAll<number>().as('pages'))
        .where('check_id', '=', checkId)
        .$if(status !== undefined, (query) => query.where('status', '=', status!))
        .executeTakeFirstOrThrow()
      return Number(row.pages)
    },
    async news(tx: Tx, checkId: string, limit: number) {
      const { rows } = await news(tx, { checkId, limit })
      return rows.map(pageRows.read)
    },
    async page(id: string) {
      const row = await db
        .selectFrom('monitor_check_pages')
        .select(PAGE_COLUMNS)
        .select('texts')
        .where('id', '=', id)
        .executeTakeFirst()
      return row && { ...pageRows.read(row), texts: row.texts === null ? null : toBuffer(row.texts) }
    },
    async ended(checkId: string, targetId: string) {
      const { rows } = await ended(db, { checkId, targetId })
      return new Set(rows.map(({ url }) => url))
    },
    /** Changes on a monitor's pages (one, or all), newest first. */
    async history(
      monitorId: string,
      { url, limit, alsoSame }: { url?: string | undefined; limit: number; alsoSame: boolean },
    ) {
      const rows = await db
        .selectFrom('monitor_check_pages')
        .select(PAGE_COLUMNS)
        .where('monitor_id', '=', monitorId)
        .$if(url !== undefined, (query) => query.where('url', '=', url!))
        .$if(!alsoSame, (query) => query.where('status', '!=', 'same'))
        .orderBy('id', 'desc')
        .limit(limit)
        .execute()
      return rows.map(pageRows.read)
    },
  }
}

export function openWatchedPages(db: Db) {
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
    async watched(place: WatchedPageKey) {
      const {
        rows: [row],
      } = await find(db, place)
      if (!row) return undefined
      const { monitor_id: _, target_id: __, url: ___, ...state } = row
      return { ...watchedRows.read(state), body: row.body === null ? null : toBuffer(row.body) }
    },
    async watchedUrls(monitorId: string, targetId: string) {
      const rows = await db
        .selectFrom('monitor_pages')
        .select('url')
        .where('monitor_id', '=', monitorId)
        .where('target_id', '=', targetId)
        .where('state', '=', 'here')
        .execute()
      return rows.map(({ url }) => url)
    },
    async keep(tx: Tx, place: WatchedPageKey, page: WatchedPage) {
      const columns = watchedRows.write(page)
      await tx
        .insertInto('monitor_pages')
        .values(watchedRows.write({ ...place, ...page }))
        .onConflict((conflict) => conflict.columns(['monitor_id', 'target_id', 'url']).doUpdateSet(columns))
        .execute()
    },
  }
}

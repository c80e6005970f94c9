// What is known of the pages of a series: crawls or batches with the same options. A page's row changes in the
// transaction that ends the page, so that a crash cannot part them.
import { sql } from 'kysely'
import type { Clock } from '../../../base/clock.ts'
import type { CacheValidators } from '../../../base/page.ts'
import { kept } from '../../../store/compiled-statements.ts'
import { newId } from '../../../store/id.ts'
import { bytesOf, type Db, type Dialect, type Tables, type Tx } from '../../../store/tables.ts'
import type { PagePrints } from '../../../understanding/changes/fingerprints.ts'

/** A line must differ by itself on this many pages before a change of it counts for nothing. */
const NOISY_PAGES = 3
/** Lines looked up or noted for one page. */
const MOST_LINES = 100

interface Series {
  id: string
  jobId: string | null
  doneAt: number | null
  trust: number
}

export interface SyncedPage {
  key: string
  url: string
  depth: number
  prints: PagePrints
  marks: CacheValidators | undefined
  /** Latest time that the sitemap's `lastmod` can mean, and the job that read it. */
  listedAt: number | null
  listedBy: string | null
  readAt: number
  seenAt: number
  firstAt: number
  changedAt: number
  goneAt: number | null
  absences: number
  unread: number
}

interface SeenRow {
  seriesId: string
  key: string
  seenAt: number
  readAt: number
  marks: string | null
  unread: number
}

const COLUMNS = [
  'url_key',
  'url',
  'depth',
  'prints',
  'chars',
  'marks',
  'listed_at',
  'listed_by',
  'read_at',
  'seen_at',
  'first_at',
  'changed_at',
  'gone_at',
  'absences',
  'unread',
] as const

interface SyncedPages {
  series(teamId: string, name: string, url: string): Promise<Series>
  get(seriesId: string): Promise<Series | undefined>
  isEmpty(seriesId: string): Promise<boolean>
  find(seriesId: string, key: string): Promise<SyncedPage | undefined>
  /** Addresses in key order, without those that were gone at `after` already. */
  known(
    seriesId: string,
    after: number,
    fromKey: string,
    limit: number,
  ): Promise<Pick<SyncedPage, 'key' | 'url' | 'depth'>[]>
  keep(tx: Tx, seriesId: string, page: SyncedPage): Promise<void>
  /** For a page that did not change: writes no more than that it was seen. */
  same(
    tx: Tx,
    seriesId: string,
    page: Pick<SyncedPage, 'key' | 'seenAt' | 'readAt' | 'marks' | 'unread'>,
  ): Promise<void>
  /** Notes what a sitemap says of pages that are known. */
  listed(tx: Tx, seriesId: string, jobId: string, entries: readonly { key: string; at: number }[]): Promise<void>
  /** Hold the team's lock: every page of the series may write this row. */
  setTrust(tx: Tx, seriesId: string, announced: boolean, most: number): Promise<void>
  /** Those of the lines that are noise on several pages of the series. */
  noiseAmong(seriesId: string, prints: readonly number[]): Promise<Set<number>>
  /** Notes lines that differed between two readings of a page. */
  addNoise(seriesId: string, key: string, prints: readonly number[]): Promise<void>
  /** Forgets the lines that were noise on too few pages to be believed. */
  done(tx: Tx, seriesId: string, jobId: string, at: number): Promise<void>
}

export function openSyncedPages(db: Db, dialect: Dialect, clock: Clock): SyncedPages {
  const series = (query: { id?: string; teamId?: string; name?: string }) =>
    db
      .selectFrom('sync_series')
      .select(['id', 'job_id', 'done_at', 'trust'])
      .$if(query.id !== undefined, (from) => from.where('id', '=', query.id!))
      .$if(query.name !== undefined, (from) =>
        from.where('team_id', '=', query.teamId!).where('name', '=', query.name!),
      )
      .executeTakeFirst()
      .then((row) => row && { id: row.id, jobId: row.job_id, doneAt: numberOf(row.done_at), trust: row.trust })
  const find = kept(({ seriesId, key }: { seriesId: string; key: string }) =>
    db
      .selectFrom('synced_pages')
      .select(COLUMNS)
      .where('series_id', '=', seriesId)
      .where('url_key', '=', key)
      .compile(),
  )
  const seen = kept((page: SeenRow) =>
    db
      .updateTable('synced_pages')
      .set({ seen_at: page.seenAt, read_at: page.readAt, marks: page.marks, unread: page.unread, absences: 0 })
      .where('series_id', '=', page.seriesId)
      .where('url_key', '=', page.key)
      .compile(),
  )
  return {
    ...openNoise(db),
    async series(teamId, name, url) {
      await db
        .insertInto('sync_series')
        .values({ id: newId(clock.now()), team_id: teamId, name, url, used_at: clock.now(), trust: 0 })
        .onConflict((conflict) => conflict.columns(['team_id', 'name']).doUpdateSet({ used_at: clock.now() }))
        .execute()
      return (await series({ teamId, name }))!
    },
    get: (id) => series({ id }),
    async isEmpty(seriesId) {
      const row = await db.selectFrom('synced_pages').select('url_key').where('series_id', '=', seriesId).limit(1)
      return (await row.executeTakeFirst()) === undefined
    },
    async find(seriesId, key) {
      const { rows } = await find(db, { seriesId, key })
      return rows[0] && pageOf(rows[0])
    },
    known: (seriesId, after, fromKey, limit) =>
      db
        .selectFrom('synced_pages')
        .select(['url_key as key', 'url', 'depth'])
        .where('series_id', '=', seriesId)
        .where('url_key', '>', fromKey)
        .where((where) => where.or([where('gone_at', 'is', null), where('gone_at', '>', after)]))
        .orderBy('url_key')
        .limit(limit)
        .execute(),
    async keep(tx, seriesId, page) {
      const { key, ...row } = rowOf(page)
      await tx
        .insertInto('synced_pages')
        .values({ series_id: seriesId, url_key: key, ...row })
        .onConflict((conflict) => conflict.columns(['series_id', 'url_key']).doUpdateSet(row))
        .execute()
    },
    async same(tx, seriesId, { marks, ...page }) {
      await seen(tx, { seriesId, ...page, marks: marks ? JSON.stringify(marks) : null })
    },
    async listed(tx, seriesId, jobId, entries) {
      if (entries.length === 0) return
      const list = JSON.stringify(entries)
      const rows =
        dialect === 'sqlite'
          ? sql`select value ->> 'key' as key, value ->> 'at' as at from json_each(${list})`
          : sql`select * from jsonb_to_recordset(${list}::jsonb) as entry(key text, at bigint)`
      await sql`update synced_pages set listed_at = listed.at, listed_by = ${jobId} from (${rows}) as listed
        where series_id = ${seriesId} and url_key = listed.key`.execute(tx)
    },
    async setTrust(tx, seriesId, announced, most) {
      const trust = announced ? sql<number>`case when trust < ${most} then trust + 1 else trust end` : 0
      await tx.updateTable('sync_series').set({ trust }).where('id', '=', seriesId).execute()
    },
    async done(tx, seriesId, jobId, at) {
      await tx.deleteFrom('sync_noise').where('series_id', '=', seriesId).where('pages', '<', NOISY_PAGES).execute()
      await tx
        .updateTable('sync_series')
        .set({ job_id: jobId, done_at: at, used_at: at })
        .where('id', '=', seriesId)
        .execute()
    },
  }
}

const openNoise = (db: Db): Pick<SyncedPages, 'noiseAmong' | 'addNoise'> => ({
  async noiseAmong(seriesId, prints) {
    if (prints.length === 0) return new Set()
    const rows = await db
      .selectFrom('sync_noise')
      .select('print')
      .where('series_id', '=', seriesId)
      .where('pages', '>=', NOISY_PAGES)
      .where('print', 'in', [...new Set(prints)].slice(0, MOST_LINES))
      .execute()
    return new Set(rows.map(({ print }) => Number(print)))
  },
  async addNoise(seriesId, key, prints) {
    // In order, so that two pages cannot wait for each other's rows.
    const lines = [...new Set(prints)].sort((a, b) => a - b).slice(0, MOST_LINES)
    if (lines.length === 0) return
    await db
      .insertInto('sync_noise')
      .values(lines.map((print) => ({ series_id: seriesId, print, pages: 1, last_key: key })))
      .onConflict((conflict) =>
        conflict.columns(['series_id', 'print']).doUpdateSet({
          pages: sql<number>`case when sync_noise.last_key = ${key} then sync_noise.pages else sync_noise.pages + 1 end`,
          last_key: key,
        }),
      )
      .execute()
  },
})

const numberOf = (value: number | null): number | null => (value === null ? null : Number(value))

const rowOf = (page: SyncedPage) => ({
  key: page.key,
  url: page.url,
  depth: page.depth,
  prints: packed(page.prints),
  chars: page.prints.chars,
  marks: page.marks ? JSON.stringify(page.marks) : null,
  listed_at: page.listedAt,
  listed_by: page.listedBy,
  read_at: page.readAt,
  seen_at: page.seenAt,
  first_at: page.firstAt,
  changed_at: page.changedAt,
  gone_at: page.goneAt,
  absences: page.absences,
  unread: page.unread,
})

const pageOf = (row: Pick<Tables['synced_pages'], (typeof COLUMNS)[number]>): SyncedPage => ({
  key: row.url_key,
  url: row.url,
  depth: row.depth,
  prints: unpacked(row.prints, row.chars),
  marks: row.marks === null ? undefined : (JSON.parse(row.marks) as CacheValidators),
  listedAt: numberOf(row.listed_at),
  listedBy: row.listed_by,
  readAt: Number(row.read_at),
  seenAt: Number(row.seen_at),
  firstAt: Number(row.first_at),
  changedAt: Number(row.changed_at),
  goneAt: numberOf(row.gone_at),
  absences: row.absences,
  unread: row.unread,
})

/** The count of lines of the main content, those lines, and the lines of the whole page. */
function packed({ main, whole }: PagePrints): Uint8Array {
  const words = Uint32Array.from([main.length, ...main, ...whole])
  return new Uint8Array(words.buffer)
}

function unpacked(stored: Uint8Array, chars: number): PagePrints {
  // The stored bytes may lie at an address that is no multiple of four.
  const bytes = Uint8Array.from(bytesOf(stored))
  const [count = 0, ...prints] = new Uint32Array(bytes.buffer)
  return { main: prints.slice(0, count), whole: prints.slice(count), chars }
}

// What is known of the pages of a series: crawls or batches with the same options. A page's row changes in the
// transaction that ends the page, so that a crash cannot part them.
import { sql } from 'kysely'
import type { Clock } from '../../base/clock.ts'
import type { CacheValidators } from '../../base/visit-and-capture-types.ts'
import { compileStatementOnce } from '../../store/compiled-statements.ts'
import { newId } from '../../store/id.ts'
import { type Db, type Dialect, type Tables, type Tx, toBuffer } from '../../store/tables.ts'
import type { PageFingerprints } from '../../understanding/changes/page-fingerprints.ts'

/** A line that differs between two readings on this many pages is noise in the whole series. */
const MIN_PAGES_OF_SERIES_NOISE = 3
/** Noise lines of the series that are left out when a page is first compared. */
const MAX_NOISE_LINES = 500
/** Lines looked up or noted for one page. */
const MAX_LINES_PER_PAGE = 100

/** Tenths of the counters that remain after each job, so that old checks lose weight. */
const COUNTER_DECAY_TENTHS = 8

/** How often "unchanged" by lastmod or HTTP validators was checked against the page, and was wrong. */
export interface UnchangedClaimChecks {
  lastmodChecks: number
  lastmodMisses: number
  validatorChecks: number
  validatorMisses: number
}

export const NO_CLAIM_CHECKS: UnchangedClaimChecks = {
  lastmodChecks: 0,
  lastmodMisses: 0,
  validatorChecks: 0,
  validatorMisses: 0,
}

export interface RecrawledPage {
  key: string
  url: string
  depth: number
  prints: PageFingerprints
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
  unvisited: number
  checks: UnchangedClaimChecks
}

type SeenPage = Pick<RecrawledPage, 'key' | 'seenAt' | 'readAt' | 'marks' | 'unread' | 'unvisited' | 'checks'>

type SeenRow = Omit<SeenPage, 'marks' | 'checks'> & UnchangedClaimChecks & { seriesId: string; marks: string | null }

const CHECK_COLUMNS = ['lastmod_checks', 'lastmod_misses', 'validator_checks', 'validator_misses'] as const
type CheckColumns = Pick<Tables['sync_series'], (typeof CHECK_COLUMNS)[number]>

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
  'unvisited',
  ...CHECK_COLUMNS,
] as const

export function openRecrawledPages(db: Db, dialect: Dialect, clock: Clock) {
  const find = compileStatementOnce(({ seriesId, key }: { seriesId: string; key: string }) =>
    db
      .selectFrom('synced_pages')
      .select(COLUMNS)
      .where('series_id', '=', seriesId)
      .where('url_key', '=', key)
      .compile(),
  )
  const seen = seenUpdate(db)
  return {
    ...openNoise(db),
    async series(teamId: string, name: string, url: string) {
      await db
        .insertInto('sync_series')
        .values({
          id: newId(clock.now()),
          team_id: teamId,
          name,
          url,
          used_at: clock.now(),
          ...checkColumns(NO_CLAIM_CHECKS),
        })
        .onConflict((conflict) => conflict.columns(['team_id', 'name']).doUpdateSet({ used_at: clock.now() }))
        .execute()
      return (await findSeries(db, { teamId, name }))!
    },
    get: (id: string) => findSeries(db, { id }),
    async isEmpty(seriesId: string) {
      const row = await db.selectFrom('synced_pages').select('url_key').where('series_id', '=', seriesId).limit(1)
      return (await row.executeTakeFirst()) === undefined
    },
    async find(seriesId: string, key: string) {
      const { rows } = await find(db, { seriesId, key })
      return rows[0] && pageOf(rows[0])
    },
    /** Addresses in key order, without those that were gone at `after` already. */
    known: (seriesId: string, after: number, fromKey: string, limit: number) =>
      db
        .selectFrom('synced_pages')
        .select(['url_key as key', 'url', 'depth'])
        .where('series_id', '=', seriesId)
        .where('url_key', '>', fromKey)
        .where((where) => where.or([where('gone_at', 'is', null), where('gone_at', '>', after)]))
        .orderBy('url_key')
        .limit(limit)
        .execute(),
    async keep(tx: Tx, seriesId: string, page: RecrawledPage) {
      const { key, ...row } = rowOf(page)
      await tx
        .insertInto('synced_pages')
        .values({ series_id: seriesId, url_key: key, ...row })
        .onConflict((conflict) => conflict.columns(['series_id', 'url_key']).doUpdateSet(row))
        .execute()
    },
    /** Records only that an unchanged page was seen. */
    async same(tx: Tx, seriesId: string, { marks, checks, ...page }: SeenPage) {
      await seen(tx, { seriesId, ...page, ...checks, marks: marks ? JSON.stringify(marks) : null })
    },
    /** Notes what a sitemap says of pages that are known. */
    async listed(tx: Tx, seriesId: string, jobId: string, entries: readonly { key: string; at: number }[]) {
      if (entries.length === 0) return
      const list = JSON.stringify(entries)
      const rows =
        dialect === 'sqlite'
          ? // The limit keeps SQLite from reading the list anew for each page of the series.
            sql`select value ->> 'key' as key, value ->> 'at' as at from json_each(${list}) limit -1`
          : sql`select * from jsonb_to_recordset(${list}::jsonb) as entry(key text, at bigint)`
      await sql`update synced_pages set listed_at = listed.at, listed_by = ${jobId} from (${rows}) as listed
        where series_id = ${seriesId} and url_key = listed.key`.execute(tx)
    },
    /** Adds up the checks of a job, and forgets the lines that were noise on too few pages to be believed. */
    done: seriesDone,
  }
}

const findSeries = (db: Db, query: { id?: string; teamId?: string; name?: string }) =>
  db
    .selectFrom('sync_series')
    .select(['id', 'job_id', 'done_at', ...CHECK_COLUMNS])
    .$if(query.id !== undefined, (from) => from.where('id', '=', query.id!))
    .$if(query.name !== undefined, (from) => from.where('team_id', '=', query.teamId!).where('name', '=', query.name!))
    .executeTakeFirst()
    .then((row) => row && { id: row.id, jobId: row.job_id, doneAt: numberOf(row.done_at), ...checksOf(row) })

const seenUpdate = (db: Db) =>
  compileStatementOnce((page: SeenRow) =>
    db
      .updateTable('synced_pages')
      .set({
        ...{ seen_at: page.seenAt, read_at: page.readAt, marks: page.marks, absences: 0 },
        ...{ unread: page.unread, unvisited: page.unvisited },
        ...checkColumns(page),
      })
      .where('series_id', '=', page.seriesId)
      .where('url_key', '=', page.key)
      .compile(),
  )

const seriesDone = async (tx: Tx, seriesId: string, job: { id: string; createdAt: number }, at: number) => {
  const added = await tx
    .selectFrom('synced_pages')
    .select(CHECK_COLUMNS.map((name) => sql<number | null>`sum(${sql.ref(name)})`.as(name)))
    .where('series_id', '=', seriesId)
    .where('seen_at', '>=', job.createdAt)
    .executeTakeFirst()
  const sums = Object.fromEntries(
    CHECK_COLUMNS.map((name) => [
      name,
      sql<number>`${sql.ref(name)} * ${COUNTER_DECAY_TENTHS} / 10 + ${Number(added?.[name] ?? 0)}`,
    ]),
  )
  await tx
    .deleteFrom('sync_noise')
    .where('series_id', '=', seriesId)
    .where('pages', '<', MIN_PAGES_OF_SERIES_NOISE)
    .execute()
  await tx
    .updateTable('sync_series')
    .set({ job_id: job.id, done_at: at, used_at: at, ...sums })
    .where('id', '=', seriesId)
    .execute()
}

const openNoise = (db: Db) => ({
  /** The lines that are noise on most pages of the series. */
  async noise(seriesId: string) {
    const rows = await db
      .selectFrom('sync_noise')
      .select('print')
      .where('series_id', '=', seriesId)
      .where('pages', '>=', MIN_PAGES_OF_SERIES_NOISE)
      .orderBy('pages', 'desc')
      .limit(MAX_NOISE_LINES)
      .execute()
    return rows.map(({ print }) => Number(print))
  },
  /** Those of the lines that are noise on several pages of the series. */
  async noiseAmong(seriesId: string, prints: readonly number[]) {
    if (prints.length === 0) return new Set<number>()
    const rows = await db
      .selectFrom('sync_noise')
      .select('print')
      .where('series_id', '=', seriesId)
      .where('pages', '>=', MIN_PAGES_OF_SERIES_NOISE)
      .where('print', 'in', [...new Set(prints)].slice(0, MAX_LINES_PER_PAGE))
      .execute()
    return new Set(rows.map(({ print }) => Number(print)))
  },
  /** Notes lines that differed between two readings of a page. */
  async addNoise(seriesId: string, key: string, prints: readonly number[]) {
    // In order, so that two pages cannot wait for each other's rows.
    const lines = [...new Set(prints)].sort((a, b) => a - b).slice(0, MAX_LINES_PER_PAGE)
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

const rowOf = (page: RecrawledPage) => ({
  key: page.key,
  url: page.url,
  depth: page.depth,
  prints: packFingerprints(page.prints),
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
  unvisited: page.unvisited,
  ...checkColumns(page.checks),
})

const checkColumns = (checks: UnchangedClaimChecks): CheckColumns => ({
  lastmod_checks: checks.lastmodChecks,
  lastmod_misses: checks.lastmodMisses,
  validator_checks: checks.validatorChecks,
  validator_misses: checks.validatorMisses,
})

const checksOf = (row: CheckColumns): UnchangedClaimChecks => ({
  lastmodChecks: row.lastmod_checks,
  lastmodMisses: row.lastmod_misses,
  validatorChecks: row.validator_checks,
  validatorMisses: row.validator_misses,
})

const pageOf = (row: Pick<Tables['synced_pages'], (typeof COLUMNS)[number]>): RecrawledPage => ({
  key: row.url_key,
  url: row.url,
  depth: row.depth,
  prints: unpackFingerprints(row.prints, row.chars),
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
  unvisited: row.unvisited,
  checks: checksOf(row),
})

/** The count of lines of the main content, those lines, and the lines of the whole page. */
function packFingerprints({ main, whole }: PageFingerprints): Uint8Array {
  const words = Uint32Array.from([main.length, ...main, ...whole])
  return new Uint8Array(words.buffer)
}

function unpackFingerprints(stored: Uint8Array, chars: number): PageFingerprints {
  // The stored bytes may lie at an address that is no multiple of four.
  const bytes = Uint8Array.from(toBuffer(stored))
  const [count = 0, ...prints] = new Uint32Array(bytes.buffer)
  return { main: prints.slice(0, count), whole: prints.slice(count), chars }
}

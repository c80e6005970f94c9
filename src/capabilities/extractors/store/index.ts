// What extractors store. They are kept until they are deleted, those that a model taught, and values of read pages, for a month.
import { type Clock, DAY_MS } from '../../../base/clock.ts'
import type { WebhookSettings } from '../../../jobs/webhook-option.ts'
import { defineStorage } from '../../../store/capability-storage.ts'
import { newId } from '../../../store/id.ts'
import type { Db } from '../../../store/tables.ts'
import type { Program } from '../../../understanding/learn/program-types.ts'
import { modelTaughtMigration } from './0925-model-taught.ts'
import { extractorPagesMigration } from './0935-extractor-pages.ts'

declare module '../../../store/tables.ts' {
  interface Tables {
    extractors: {
      team_id: string
      id: string
      version: number
      name: string | null
      /** JSON: schema, program, scope, examples, webhook. */
      body: string
      /** JSON: how often each field was read and missing since this version. */
      stats: string
      created_at: number
      /** Hash of the request whose model answers taught it; null: taught by a caller. */
      learnt_for: string | null
      learnt_at: number | null
    }
    extractor_pages: {
      id: string
      team_id: string
      extractor_id: string
      url: string
      /** JSON: the values that were read. */
      body: string
      read_at: number
    }
  }
}

export interface ExtractorBody {
  schema: Record<string, unknown> | null
  program: Program
  /** Hosts and address pattern of the pages that it reads, for `auto`. */
  scope: { hosts: string[]; like: string }
  examples: { url: string; data: unknown }[]
  webhook: WebhookSettings | null
  /** Why this version was made. */
  made: 'taught' | 'edited' | 'model' | 'healed'
}

interface FieldStats {
  reads: number
  missing: number
  /** Pages without a value since the last one with it. */
  streak: number
}

export interface ExtractorStats {
  pages: number
  misfits: number
  misfitStreak: number
  fields: Record<string, FieldStats>
  /** Fields that were reported as broken. */
  drifted: string[]
}

export interface StoredExtractor extends ExtractorBody {
  teamId: string
  id: string
  name: string | null
  version: number
  stats: ExtractorStats
  createdAt: number
}

const MAX_LISTED = 1000
const MAX_VERSIONS = 50
/** Of one request of a team, whose pages may be on many hosts. */
const MAX_LEARNT = 200

export const emptyStats = (): ExtractorStats => ({ pages: 0, misfits: 0, misfitStreak: 0, fields: {}, drifted: [] })

/** A change adds a version, and the oldest go beyond a limit. */
function openExtractorTable(db: Db, clock: Clock) {
  const rows = (teamId: string) =>
    db
      .selectFrom('extractors')
      .select(['team_id', 'id', 'version', 'name', 'body', 'stats', 'created_at'])
      .where('team_id', '=', teamId)
      .orderBy('version', 'desc')
  type Row = Awaited<ReturnType<ReturnType<typeof rows>['execute']>>[number]
  const read = ({ team_id, id, version, name, body, stats, created_at }: Row): StoredExtractor => ({
    ...{ teamId: team_id, id, name, version: Number(version), createdAt: Number(created_at) },
    ...(JSON.parse(body) as ExtractorBody),
    stats: JSON.parse(stats) as ExtractorStats,
  })
  const latestOf = (all: readonly Row[]) => all.filter(({ id }, n) => all.findIndex((row) => row.id === id) === n)
  return {
    /** By id, or by name; the newest version unless one is named. */
    async get(teamId: string, reference: string, version?: number): Promise<StoredExtractor | undefined> {
      const findBy = (column: 'id' | 'name') => {
        const found = rows(teamId).where(column, '=', reference)
        return (version === undefined ? found : found.where('version', '=', version)).limit(1).executeTakeFirst()
      }
      const row = (await findBy('id')) ?? (await findBy('name'))
      return row && read(row)
    },
    async versions(teamId: string, id: string): Promise<StoredExtractor[]> {
      return (await rows(teamId).where('id', '=', id).limit(MAX_VERSIONS).execute()).map(read)
    },
    /** The newest version of each, newest first. */
    async list(teamId: string): Promise<StoredExtractor[]> {
      return latestOf(await listLatestRows(db, teamId)).map(read)
    },
    /** False: another writer took this version number. */
    async add(one: Omit<StoredExtractor, 'createdAt' | 'stats'>): Promise<boolean> {
      const { teamId, id, name, version, schema, program, scope, examples, webhook, made } = one
      const { numInsertedOrUpdatedRows } = await db
        .insertInto('extractors')
        .values({
          ...{ team_id: teamId, id, name, version, created_at: clock.now(), stats: JSON.stringify(emptyStats()) },
          body: JSON.stringify({ schema, program, scope, examples, webhook, made } satisfies ExtractorBody),
        })
        .onConflict((conflict) => conflict.columns(['team_id', 'id', 'version']).doNothing())
        .executeTakeFirst()
      await db
        .deleteFrom('extractors')
        .where('team_id', '=', teamId)
        .where('id', '=', id)
        .where('version', '<=', version - MAX_VERSIONS)
        .execute()
      return Number(numInsertedOrUpdatedRows) === 1
    },
    ...openLearntExtractors(db, clock, async (teamId, task) =>
      (await rows(teamId).where('learnt_for', '=', task).limit(MAX_LEARNT).execute()).map(read),
    ),
    async setStats({ teamId, id, version }: StoredExtractor, stats: ExtractorStats): Promise<void> {
      await db
        .updateTable('extractors')
        .set({ stats: JSON.stringify(stats) })
        .where('team_id', '=', teamId)
        .where('id', '=', id)
        .where('version', '=', version)
        .execute()
    },
    ...openReadPages(db, clock),
    async remove(teamId: string, id: string): Promise<boolean> {
      await db.deleteFrom('extractor_pages').where('team_id', '=', teamId).where('extractor_id', '=', id).execute()
      const { numDeletedRows } = await db
        .deleteFrom('extractors')
        .where('team_id', '=', teamId)
        .where('id', '=', id)
        .executeTakeFirst()
      return Number(numDeletedRows) > 0
    },
  }
}

function listLatestRows(db: Db, teamId: string) {
  const latest = db
    .selectFrom('extractors')
    .select(['id', (from) => from.fn.max('version').as('version')])
    .where('team_id', '=', teamId)
    .groupBy('id')
    .as('latest')
  return db
    .selectFrom('extractors')
    .innerJoin(latest, (join) =>
      join.onRef('latest.id', '=', 'extractors.id').onRef('latest.version', '=', 'extractors.version'),
    )
    .select(['team_id', 'extractors.id', 'extractors.version', 'name', 'body', 'stats', 'created_at'])
    .where('team_id', '=', teamId)
    .orderBy('created_at', 'desc')
    .limit(MAX_LISTED)
    .execute()
}

export type ReadPage = { url: string; data: unknown }

const MAX_READ_PAGES = 4

function openReadPages(db: Db, clock: Clock) {
  const rows = (teamId: string, id: string) =>
    db.selectFrom('extractor_pages').where('team_id', '=', teamId).where('extractor_id', '=', id)
  return {
    /** The last pages whose values were read with confidence, newest first. */
    async readPages(teamId: string, id: string): Promise<ReadPage[]> {
      const found = rows(teamId, id).select(['url', 'body']).orderBy('read_at', 'desc').limit(MAX_READ_PAGES)
      return (await found.execute()).map(({ url, body }) => ({ url, data: JSON.parse(body) as unknown }))
    },
    async rememberPage(teamId: string, id: string, { url, data }: ReadPage): Promise<void> {
      const now = clock.now()
      const place = { id: newId(now), team_id: teamId, extractor_id: id, url }
      const row = { ...place, body: JSON.stringify(data), read_at: now }
      await db
        .insertInto('extractor_pages')
        .values(row)
        .onConflict((conflict) =>
          conflict.columns(['team_id', 'extractor_id', 'url']).doUpdateSet({ body: row.body, read_at: row.read_at }),
        )
        .execute()
      const [oldest] = await rows(teamId, id)
        .select('read_at')
        .orderBy('read_at', 'desc')
        .offset(MAX_READ_PAGES)
        .limit(1)
        .execute()
      if (!oldest) return
      await db
        .deleteFrom('extractor_pages')
        .where('team_id', '=', teamId)
        .where('extractor_id', '=', id)
        .where('read_at', '<=', oldest.read_at)
        .execute()
    },
  }
}

function openLearntExtractors(
  db: Db,
  clock: Clock,
  learntFor: (teamId: string, task: string) => Promise<StoredExtractor[]>,
) {
  return {
    /** Those that a model taught for this request. */
    learntFor,
    /** Replaces the version before; the oldest of the request go beyond a limit. */
    async saveLearnt(
      { teamId, id, version, ...body }: Omit<StoredExtractor, 'createdAt' | 'stats' | 'name'>,
      task: string,
    ): Promise<void> {
      const now = clock.now()
      const row = { team_id: teamId, id, version, name: null, learnt_for: task, learnt_at: now, created_at: now }
      await db.transaction().execute(async (tx) => {
        await tx.deleteFrom('extractors').where('team_id', '=', teamId).where('id', '=', id).execute()
        await tx
          .insertInto('extractors')
          .values({ ...row, stats: JSON.stringify(emptyStats()), body: JSON.stringify(body satisfies ExtractorBody) })
          .execute()
        const oldest = await tx
          .selectFrom('extractors')
          .select('learnt_at')
          .where('team_id', '=', teamId)
          .where('learnt_for', '=', task)
          .orderBy('learnt_at', 'desc')
          .offset(MAX_LEARNT)
          .limit(1)
          .executeTakeFirst()
        if (oldest)
          await tx
            .deleteFrom('extractors')
            .where('team_id', '=', teamId)
            .where('learnt_for', '=', task)
            .where('learnt_at', '<=', oldest.learnt_at)
            .execute()
      })
    },
  }
}

export const extractorStore = defineStorage({
  migrations: [modelTaughtMigration, extractorPagesMigration],
  open: ({ db, clock }) => openExtractorTable(db, clock),
  forget: [
    { table: 'extractors', id: null, texts: ['body'] },
    { table: 'extractor_pages', urls: ['url'], texts: ['body'] },
  ],
  expiry: [
    { table: 'extractors', time: 'learnt_at', afterMs: 30 * DAY_MS },
    { table: 'extractor_pages', time: 'read_at', afterMs: 30 * DAY_MS },
  ],
  retention: [
    { setting: 'pages', table: 'extractors', time: 'learnt_at' },
    { setting: 'pages', table: 'extractor_pages', time: 'read_at' },
  ],
})

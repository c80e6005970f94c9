// The pages of jobs. Each method that moves a page updates the job's counts in the same transaction.
import { sql } from 'kysely'
import type { Clock } from '../base/clock.ts'
import { makePageActivator } from './activate-pages.ts'
import { compileStatementOnce } from './compiled-statements.ts'
import { makeFrontierPageEnds } from './end-frontier-pages.ts'
import { frontierBulkOfDialect } from './frontier-bulk.ts'
import { makeFrontierReads } from './frontier-reads.ts'
import { ALIAS_REASON, type Frontier, type NewJobPage } from './frontier-types.ts'
import { newId } from './id.ts'
import { makeUnknownPageKeyFinder } from './known-page-keys-cache.ts'
import { makeTransactionStep, runStepsInOneRoundTrip } from './pipelined-statements.ts'
import type { Db, Dialect } from './tables.ts'

/** Dropped pages stored per job; a hostile site could name millions. */
const MAX_STORED_DROPPED_PAGES = 1_000
/** Depth of a page known from before, not found through a link. */
export const DEPTH_OF_KNOWN_PAGE = -1

export function openFrontier(db: Db, dialect: Dialect, clock: Clock): Frontier {
  const lock = compileStatementOnce(({ teamId }: { teamId: string }) =>
    sql`select pg_advisory_xact_lock(hashtextextended(${teamId}, 7026))`.compile(db),
  )
  const teamLock: Frontier['teamLock'] = (teamId) =>
    dialect === 'postgres'
      ? makeTransactionStep([lock.of({ teamId })], () => undefined)
      : makeTransactionStep([], () => undefined)
  return {
    ...makeGrowMethods(db, dialect, clock),
    ...makeAliasMethods(db, clock),
    ...makeLeaseMethods(db, clock),
    ...makeFrontierPageEnds(db, clock),
    ...makeFrontierReads(db, clock),
    take: makePageActivator(db, clock),
    teamLock,
    async lockTeam(tx, teamId) {
      await runStepsInOneRoundTrip(tx, teamLock(teamId))
    },
  }
}

function makeGrowMethods(db: Db, dialect: Dialect, clock: Clock): Pick<Frontier, 'add' | 'unknown' | 'drop'> {
  const on = frontierBulkOfDialect(dialect)
  const countAdded = compileStatementOnce(({ jobId, added }: { jobId: string; added: number }) =>
    db
      .updateTable('jobs')
      .set({ total: sql`total + ${added}`, queued: sql`queued + ${added}` })
      .where('id', '=', jobId)
      .compile(),
  )
  return {
    unknown: makeUnknownPageKeyFinder((jobId, keys) => on.known(db, jobId, keys)),
    async add(tx, { jobId, total, pageLimit }, pages) {
      const remaining = pageLimit === null ? pages.length : Math.max(0, pageLimit - total)
      if (remaining === 0 || pages.length === 0) return 0
      const byKey = new Map<string, NewJobPage>()
      for (const page of pages) if (!byKey.has(page.key)) byKey.set(page.key, page)
      for (const key of await on.known(tx, jobId, [...byKey.keys()])) byKey.delete(key)
      const fresh = [...byKey.values()].slice(0, remaining)
      if (fresh.length === 0) return 0
      const now = clock.now()
      const added = await on.insert(
        tx,
        jobId,
        fresh.map((page, at) => ({ ...page, id: newId(now), n: total + at, optionsN: page.optionsN ?? 0 })),
      )
      if (added > 0) await countAdded(tx, { jobId, added })
      return added
    },
    async drop(tx, jobId, pages) {
      if (pages.length === 0) return
      const job = await tx.selectFrom('jobs').select('dropped').where('id', '=', jobId).executeTakeFirst()
      const remaining = Math.max(0, MAX_STORED_DROPPED_PAGES - (job?.dropped ?? MAX_STORED_DROPPED_PAGES))
      const rows = pages.slice(0, remaining).map(({ key, url, reason, problem }, at) => ({
        id: newId(clock.now()),
        job_id: jobId,
        url_key: key,
        url,
        depth: 0,
        n: (job?.dropped ?? 0) + at,
        state: 'dropped' as const,
        reason,
        error: problem ? JSON.stringify(problem) : null,
        at: clock.now(),
        options_n: 0,
        run_at: 0,
        attempts: 0,
      }))
      if (rows.length === 0) return
      const made = await tx
        .insertInto('frontier')
        .values(rows)
        .onConflict((conflict) => conflict.doNothing())
        .executeTakeFirst()
      await tx
        .updateTable('jobs')
        .set({ dropped: sql`dropped + ${Number(made.numInsertedOrUpdatedRows ?? 0)}` })
        .where('id', '=', jobId)
        .execute()
    },
  }
}

function makeAliasMethods(db: Db, clock: Clock): Pick<Frontier, 'alias' | 'aliases'> {
  return {
    async alias(tx, jobId, { key, url }, of) {
      const row = { id: newId(clock.now()), job_id: jobId, url_key: key, url, depth: 0, options_n: 0, run_at: 0 }
      const made = await tx
        .insertInto('frontier')
        .values({ ...row, n: 0, attempts: 0, state: 'dropped', reason: ALIAS_REASON, alias_of: of, at: clock.now() })
        .onConflict((conflict) => conflict.doNothing())
        .executeTakeFirst()
      if (made.numInsertedOrUpdatedRows === 1n) return undefined
      const known = await tx
        .selectFrom('frontier')
        .select('alias_of')
        .where('job_id', '=', jobId)
        .where('url_key', '=', key)
        .executeTakeFirst()
      return known?.alias_of ?? key
    },
    async aliases(jobId, keys) {
      if (keys.length === 0) return new Map()
      const rows = await db
        .selectFrom('frontier')
        .select(['alias_of', 'url'])
        .where('job_id', '=', jobId)
        .where('alias_of', 'is not', null)
        .where('alias_of', 'in', keys)
        .orderBy('url')
        .execute()
      const found = new Map<string, string[]>()
      for (const { alias_of: of, url } of rows) found.set(of!, [...(found.get(of!) ?? []), url])
      return found
    },
  }
}

function makeLeaseMethods(db: Db, clock: Clock): Pick<Frontier, 'begin' | 'extend' | 'lapsed'> {
  const begin = compileStatementOnce(({ id, leaseUntil }: { id: string; leaseUntil: number }) =>
    db
      .updateTable('frontier')
      .set({ lease_until: leaseUntil, attempts: sql`attempts + 1` })
      .where('id', '=', id)
      .where('state', '=', 'active')
      .where((where) =>
        where.exists(
          where
            .selectFrom('jobs')
            .select('jobs.id')
            .whereRef('jobs.id', '=', 'frontier.job_id')
            .where('jobs.state', '=', 'scraping'),
        ),
      )
      .returning(['job_id', 'url', 'url_key', 'depth', 'options_n', 'attempts'])
      .compile(),
  )
  return {
    async begin(id, leaseUntil) {
      const { rows } = await begin(db, { id, leaseUntil })
      if (!rows[0]) return undefined
      const { job_id: jobId, url_key: key, options_n: optionsN, url, depth, attempts } = rows[0]
      return { id, jobId, url, key, depth, optionsN, attempts }
    },
    async extend(ids, leaseUntil) {
      if (ids.length === 0) return
      await db
        .updateTable('frontier')
        .set({ lease_until: leaseUntil })
        .where('id', 'in', ids)
        .where('state', '=', 'active')
        .execute()
    },
    async lapsed(limit) {
      const rows = await db
        .selectFrom('frontier')
        .innerJoin('jobs', 'jobs.id', 'frontier.job_id')
        .select('frontier.id')
        .where(sql<boolean>`frontier.state = 'active'`)
        .where('frontier.lease_until', '<=', clock.now())
        .where('jobs.state', '=', 'scraping')
        .orderBy('frontier.lease_until')
        .limit(limit)
        .execute()
      return rows.map((row) => row.id)
    },
  }
}

// Reads of a job's pages: results, errors, and teams with waiting pages.
import { sql } from 'kysely'
import type { Clock } from '../base/clock.ts'
import type { SerialisedProblem } from '../base/problem.ts'
import { ALIAS_REASON, DUPLICATE_REASON, type Frontier } from './frontier-types.ts'
import { type Db, stateIs, toBuffer } from './tables.ts'

export function makeFrontierReads(
  db: Db,
  clock: Clock,
): Pick<Frontier, 'results' | 'texts' | 'troubles' | 'seen' | 'addedAfter' | 'waitingTeams'> {
  return {
    async results(jobId, skip, limit) {
      const rows = await db
        .selectFrom('frontier')
        .leftJoin('scrapes', 'scrapes.id', 'frontier.scrape_id')
        .leftJoin('documents', 'documents.id', 'scrapes.document_id')
        .select(['frontier.seq', 'documents.bytes'])
        .where('frontier.job_id', '=', jobId)
        .where('frontier.seq', '>', skip)
        .where('frontier.seq', '<=', skip + limit)
        .orderBy('frontier.seq')
        .execute()
      return rows.map(({ seq, bytes }) => ({ seq: seq!, bytes: bytes ?? 0 }))
    },
    async texts(jobId, from, to) {
      const rows = await db
        .selectFrom('frontier')
        .innerJoin('scrapes', 'scrapes.id', 'frontier.scrape_id')
        .innerJoin('documents', 'documents.id', 'scrapes.document_id')
        .select(['frontier.seq', 'frontier.url_key as key', 'documents.body', 'scrapes.overlay'])
        .where('frontier.job_id', '=', jobId)
        .where('frontier.seq', '>=', from)
        .where('frontier.seq', '<=', to)
        .orderBy('frontier.seq')
        .execute()
      return rows.map(({ seq, body, ...row }) => ({ ...row, seq: seq!, body: toBuffer(body) }))
    },
    async troubles(jobId, limit, tx) {
      const rows = await (tx ?? db)
        .selectFrom('frontier')
        .select(['id', 'url', 'state', 'reason', 'error', 'at'])
        .where('job_id', '=', jobId)
        .where(sql<boolean>`state in ('failed', 'dropped')`)
        .where((where) =>
          where.or([where('reason', 'is', null), where('reason', 'not in', [ALIAS_REASON, DUPLICATE_REASON])]),
        )
        .orderBy('n')
        .limit(limit)
        .execute()
      return rows.map(withProblem)
    },
    async seen(jobId, after, limit) {
      const rows = await db
        .selectFrom('frontier')
        .select(['url_key as key', 'url', 'depth', 'state', 'reason', 'error', 'scrape_id as scrapeId', 'at'])
        .where('job_id', '=', jobId)
        .where('url_key', '>', after)
        .where((where) => where.or([where('reason', 'is', null), where('reason', '!=', ALIAS_REASON)]))
        .orderBy('url_key')
        .limit(limit)
        .execute()
      return rows.map(withProblem)
    },
    addedAfter: (jobId, after, limit) =>
      db
        .selectFrom('frontier')
        .select(['n', 'url'])
        .where('job_id', '=', jobId)
        .where(stateIs('queued'))
        .where('run_at', '=', 0)
        .where('n', '>', after)
        .orderBy('n')
        .limit(limit)
        .execute(),
    waitingTeams: () => listWaitingTeams(db, clock.now()),
  }
}

async function listWaitingTeams(db: Db, now: number): Promise<string[]> {
  const rows = await db
    .selectFrom('jobs')
    .select('team_id')
    .distinct()
    .where(stateIs('scraping'))
    .where('paused_at', 'is', null)
    .where('queued', '>', 0)
    .where('next_at', '<=', now)
    .execute()
  return rows.map((row) => row.team_id)
}

const withProblem = <Row extends { error: string | null }>({ error, ...row }: Row) => ({
  ...row,
  problem: error === null ? undefined : (JSON.parse(error) as SerialisedProblem),
})

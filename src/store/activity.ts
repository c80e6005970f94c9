// What was asked for lately, and by whom: one row for each call that does work, kept for a day and a bit. Written in
// batches behind the requests (teams/meter.ts).
import { newId } from './id.ts'
import type { Db } from './tables.ts'

export interface ActivityRow {
  /** The scrape or job that it led to; null when it led to none. */
  jobId: string | null
  teamId: string
  keyId: string | null
  endpoint: string
  apiVersion: string
  at: number
  /** Null when nothing may be kept of the call. */
  target: string | null
  /** As the caller named it in `auditMetadata`. */
  username: string | null
  status: number
  ms: number
  engine: string | null
  error: string | null
}

export interface ActivityWish {
  /** Undefined: of all teams. */
  teamId: string | undefined
  endpoint?: string | undefined
  since: number
  /** An id from an earlier page: only rows before it. */
  before?: string | undefined
  limit: number
}

export interface Activities {
  add(rows: readonly ActivityRow[]): Promise<void>
  /** Newest first. */
  list(wish: ActivityWish): Promise<(ActivityRow & { id: string })[]>
  /** The call that led to a job of the team. */
  ofJob(teamId: string, jobId: string): Promise<Pick<ActivityRow, 'endpoint' | 'at' | 'status'> | undefined>
}

export function openActivities(db: Db): Activities {
  return {
    async add(rows) {
      if (rows.length === 0) return
      await db
        .insertInto('activity')
        .values(
          rows.map((row) => ({
            id: newId(row.at),
            team_id: row.teamId,
            key_id: row.keyId,
            job_id: row.jobId,
            endpoint: row.endpoint,
            api_version: row.apiVersion,
            at: row.at,
            target: row.target,
            username: row.username,
            status: row.status,
            ms: row.ms,
            engine: row.engine,
            error: row.error,
          })),
        )
        .execute()
    },
    list: ({ teamId, endpoint, since, before, limit }) =>
      db
        .selectFrom('activity')
        .select([
          'id',
          'team_id as teamId',
          'key_id as keyId',
          'job_id as jobId',
          'endpoint',
          'api_version as apiVersion',
          'at',
          'target',
          'username',
          'status',
          'ms',
          'engine',
          'error',
        ])
        .where('at', '>=', since)
        .$if(teamId !== undefined, (query) => query.where('team_id', '=', teamId!))
        .$if(endpoint !== undefined, (query) => query.where('endpoint', '=', endpoint!))
        .$if(before !== undefined, (query) => query.where('id', '<', before!))
        .orderBy('id', 'desc')
        .limit(limit)
        .execute(),
    ofJob: (teamId, jobId) =>
      db
        .selectFrom('activity')
        .select(['endpoint', 'at', 'status'])
        .where('job_id', '=', jobId)
        .where('team_id', '=', teamId)
        .executeTakeFirst(),
  }
}

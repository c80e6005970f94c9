// What was asked for lately, and by whom: one row for each call that does work, kept for a day and a bit. Written in
// batches behind the requests (teams/meter.ts).
import { sql } from 'kysely'
import { newId } from './id.ts'
import type { Db, Dialect } from './tables.ts'

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

export interface ActivityQuery {
  /** Undefined: of all teams. */
  teamId: string | undefined
  keyId?: string | undefined
  endpoint?: string | undefined
  since: number
  /** An id from an earlier page: only rows before it. */
  before?: string | undefined
  limit: number
}

export interface Activities {
  add(rows: readonly ActivityRow[]): Promise<void>
  /** Newest first. */
  list(wish: ActivityQuery): Promise<(ActivityRow & { id: string })[]>
  /** The call that led to a job of the team. */
  ofJob(teamId: string, jobId: string): Promise<Pick<ActivityRow, 'endpoint' | 'at' | 'status'> | undefined>
}

const COLUMNS = [
  'id',
  'team_id',
  'key_id',
  'job_id',
  'endpoint',
  'api_version',
  'target',
  'username',
  'engine',
  'error',
  'at',
  'status',
  'ms',
] as const
const WHOLE_NUMBERS = new Set<string>(['at', 'status', 'ms'])

export function openActivities(db: Db, dialect: Dialect): Activities {
  const columns = sql.join(COLUMNS.map((column) => sql.ref(column)))
  const values = sql.join(
    COLUMNS.map((column, at) => {
      const value = sql`value ->> ${sql.lit(at)}`
      return WHOLE_NUMBERS.has(column) ? sql`cast(${value} as bigint)` : value
    }),
  )
  return {
    // All rows as one text: to build a statement of a hundred rows costs each request as much as to look up its key.
    async add(rows) {
      if (rows.length === 0) return
      const text = JSON.stringify(rows.map(listed))
      const given = dialect === 'sqlite' ? sql`json_each(${text})` : sql`json_array_elements(cast(${text} as json))`
      await sql`insert into activity (${columns}) select ${values} from ${given}`.execute(db)
    },
    list: ({ teamId, keyId, endpoint, since, before, limit }) =>
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
        .$if(keyId !== undefined, (query) => query.where('key_id', '=', keyId!))
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

/** What PostgreSQL takes in no text, and in no JSON either: the others of a batch must not be lost for one. */
const REFUSED = /[\0\p{Surrogate}]/gu
const plain = (text: string | null): string | null => text?.replace(REFUSED, '') ?? null

/** In the order of COLUMNS. */
const listed = (row: ActivityRow): (string | number | null)[] => [
  newId(row.at),
  row.teamId,
  row.keyId,
  row.jobId,
  row.endpoint,
  row.apiVersion,
  plain(row.target),
  plain(row.username),
  row.engine,
  plain(row.error),
  row.at,
  row.status,
  Math.round(row.ms),
]

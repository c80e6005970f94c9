// The activity log: one row per call that does work, kept for two days and written in batches by teams/usage-meter.ts.
import { sql } from 'kysely'
import { newId } from '../../store/id.ts'
import { makeRowCodec, type RowFields } from '../../store/row-codec.ts'
import type { Db, Dialect, Tables } from '../../store/tables.ts'

export type ActivityRow = Omit<RowFields<Tables['activity']>, 'id'>

const activityRows = makeRowCodec<Tables['activity'], ActivityRow & { id: string }>()

interface ActivityQuery {
  teamId: string | undefined
  keyId?: string | undefined
  endpoint?: string | undefined
  since: number
  /** Cursor: an id from an earlier page. */
  before?: string | undefined
  limit: number
}

export type ActivityLog = ReturnType<typeof openActivityLog>

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

export function openActivityLog(db: Db, dialect: Dialect) {
  const columns = sql.join(COLUMNS.map((column) => sql.ref(column)))
  const values = sql.join(
    COLUMNS.map((column, at) => {
      const value = sql`value ->> ${sql.lit(at)}`
      return WHOLE_NUMBERS.has(column) ? sql`cast(${value} as bigint)` : value
    }),
  )
  return {
    // One JSON parameter: building a statement of a hundred rows costs as much per request as a key lookup.
    async add(rows: readonly ActivityRow[]) {
      if (rows.length === 0) return
      const text = JSON.stringify(rows.map(toRowValues))
      const given = dialect === 'sqlite' ? sql`json_each(${text})` : sql`json_array_elements(cast(${text} as json))`
      await sql`insert into activity (${columns}) select ${values} from ${given}`.execute(db)
    },
    async list({ teamId, keyId, endpoint, since, before, limit }: ActivityQuery) {
      const rows = await db
        .selectFrom('activity')
        .selectAll()
        .where('at', '>=', since)
        .$if(teamId !== undefined, (query) => query.where('team_id', '=', teamId!))
        .$if(keyId !== undefined, (query) => query.where('key_id', '=', keyId!))
        .$if(endpoint !== undefined, (query) => query.where('endpoint', '=', endpoint!))
        .$if(before !== undefined, (query) => query.where('id', '<', before!))
        .orderBy('id', 'desc')
        .limit(limit)
        .execute()
      return rows.map(activityRows.read)
    },
    ofJob: (teamId: string, jobId: string) =>
      db
        .selectFrom('activity')
        .select(['endpoint', 'at', 'status'])
        .where('job_id', '=', jobId)
        .where('team_id', '=', teamId)
        .executeTakeFirst(),
  }
}

/** PostgreSQL rejects these in text and JSON; one such row must not lose the whole batch. */
const CHARACTERS_POSTGRES_REJECTS = /[\0\p{Surrogate}]/gu
const removeRejectedCharacters = (text: string | null): string | null =>
  text?.replace(CHARACTERS_POSTGRES_REJECTS, '') ?? null

const toRowValues = (row: ActivityRow): (string | number | null)[] => [
  newId(row.at),
  row.teamId,
  row.keyId,
  row.jobId,
  row.endpoint,
  row.apiVersion,
  removeRejectedCharacters(row.target),
  removeRejectedCharacters(row.username),
  row.engine,
  removeRejectedCharacters(row.error),
  row.at,
  row.status,
  Math.round(row.ms),
]

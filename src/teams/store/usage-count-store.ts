// Usage per day, key and endpoint. The sweep moves ledger rows into these sums in one transaction, so both together are
// exact.
import { sql } from 'kysely'
import { DAY_MS, startOfDay } from '../../base/clock.ts'
import type { Db, Dialect } from '../../store/tables.ts'

export const USAGE_SOURCES = ['cache', 'http', 'browser', 'upload'] as const
export type UsageSource = (typeof USAGE_SOURCES)[number]

interface UsageCounts {
  requests: number
  errors: number
  pages: Partial<Record<UsageSource, number>>
  modelTokens?: number
  modelCost?: number
}

export interface NewUsageCounts extends UsageCounts {
  day: number
  teamId: string
  keyId: string
  endpoint: string
}

export const USAGE_DIMENSIONS = ['day', 'endpoint', 'key', 'team'] as const
type Dimension = (typeof USAGE_DIMENSIONS)[number]

interface UsageQuery {
  teamId: string | undefined
  /** Both are rounded down to their UTC day; `toMs` is exclusive. */
  fromMs: number
  toMs: number
  by: readonly Dimension[]
}

export interface UsageEntry
  extends Required<UsageCounts>,
    Partial<Pick<NewUsageCounts, 'day' | 'endpoint' | 'keyId' | 'teamId'>> {
  pages: Record<UsageSource, number>
  credits: number
}

type HostUsage = { host: string; pages: number; credits: number }

export type UsageCountStore = ReturnType<typeof openUsageCountStore>

/** Bounds the work of one request; a busy day has more scrapes. */
const SCRAPES_COUNTED_BY_HOST = 20_000

const COLUMN: Record<Dimension, string> = { day: 'day', endpoint: 'endpoint', key: 'key_id', team: 'team_id' }

export function openUsageCountStore(db: Db, dialect: Dialect) {
  const afterScheme = sql`substr(url, instr(url, '//') + 2)`
  const host =
    dialect === 'sqlite'
      ? sql`substr(${afterScheme}, 1, instr(${afterScheme} || '/', '/') - 1)`
      : sql`split_part(url, '/', 3)`
  return {
    async add(counts: readonly NewUsageCounts[]) {
      for (const { day, teamId, keyId, endpoint, requests, errors, pages, ...model } of counts) {
        const { cache = 0, http = 0, browser = 0, upload = 0 } = pages
        const { modelTokens = 0, modelCost = 0 } = model
        const ofModel = { model_tokens: modelTokens, model_cost: modelCost }
        const added = { requests, errors, by_cache: cache, by_http: http, by_browser: browser, by_upload: upload }
        await db
          .insertInto('usage_days')
          .values({ day, team_id: teamId, key_id: keyId, endpoint, ...added, ...ofModel })
          .onConflict((conflict) =>
            conflict.columns(['team_id', 'day', 'key_id', 'endpoint']).doUpdateSet({
              requests: sql`usage_days.requests + ${requests}`,
              errors: sql`usage_days.errors + ${errors}`,
              by_cache: sql`usage_days.by_cache + ${cache}`,
              by_http: sql`usage_days.by_http + ${http}`,
              by_browser: sql`usage_days.by_browser + ${browser}`,
              by_upload: sql`usage_days.by_upload + ${upload}`,
              model_tokens: sql`usage_days.model_tokens + ${modelTokens}`,
              model_cost: sql`usage_days.model_cost + ${modelCost}`,
            }),
          )
          .execute()
      }
    },
    async sums({ teamId, fromMs, toMs, by }: UsageQuery) {
      const from = startOfDay(fromMs)
      const to = startOfDay(toMs + DAY_MS - 1)
      const ofTeam = teamId === undefined ? sql`` : sql`and team_id = ${teamId}`
      const columns = by.map((dimension) => sql.ref(COLUMN[dimension]))
      const grouped = columns.length > 0 ? sql`group by ${sql.join(columns)} order by ${sql.join(columns)}` : sql``
      const chosen = columns.length > 0 ? sql`${sql.join(columns)},` : sql``
      const { rows } = await sql<Record<string, number | string | null>>`
        select ${chosen} sum(credits) as credits, sum(requests) as requests, sum(errors) as errors,
          sum(by_cache) as cache, sum(by_http) as http, sum(by_browser) as browser, sum(by_upload) as upload,
          sum(model_tokens) as model_tokens, sum(model_cost) as model_cost
        from (
          select day, team_id, key_id, endpoint, credits, requests, errors, by_cache, by_http, by_browser, by_upload,
              model_tokens, model_cost
            from usage_days where day >= ${sql.lit(from)} and day < ${sql.lit(to)} ${ofTeam}
          union all
          select at - at % ${sql.lit(DAY_MS)}, team_id, coalesce(key_id, ''), coalesce(endpoint, ''), credits,
              0, 0, 0, 0, 0, 0, 0, 0
            from ledger where kind = 'settle' and at >= ${sql.lit(from)} and at < ${sql.lit(to)} ${ofTeam}
        ) as used ${grouped}`.execute(db)
      return rows.map(useOf)
    },
    /** The hosts with most pages among the latest scrapes since `sinceMs`. */
    async hosts({ teamId, sinceMs, limit }: { teamId: string | undefined; sinceMs: number; limit: number }) {
      const ofTeam = teamId === undefined ? sql`` : sql`and team_id = ${teamId}`
      const { rows } = await sql<HostUsage>`
        select ${host} as host, count(*) as pages, sum(credits) as credits
        from (
          select url, credits from scrapes where created_at >= ${sql.lit(sinceMs)} ${ofTeam}
            order by created_at desc limit ${sql.lit(SCRAPES_COUNTED_BY_HOST)}
        ) as latest
        group by 1 order by 2 desc, 1 limit ${sql.lit(limit)}`.execute(db)
      return rows.map((row) => ({ host: row.host, pages: Number(row.pages), credits: Number(row.credits) }))
    },
  }
}

function useOf(row: Record<string, number | string | null>): UsageEntry {
  const number = (name: string) => Number(row[name] ?? 0)
  return {
    ...(row.day === undefined ? {} : { day: number('day') }),
    ...(row.endpoint === undefined ? {} : { endpoint: String(row.endpoint) }),
    ...(row.key_id === undefined ? {} : { keyId: String(row.key_id) }),
    ...(row.team_id === undefined ? {} : { teamId: String(row.team_id) }),
    credits: number('credits'),
    requests: number('requests'),
    errors: number('errors'),
    pages: { cache: number('cache'), http: number('http'), browser: number('browser'), upload: number('upload') },
    modelTokens: number('model_tokens'),
    modelCost: number('model_cost'),
  }
}

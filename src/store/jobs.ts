// Jobs: work that outlives its request. The row holds the counts of its pages, so that a status costs one point
// read.
import { sql } from 'kysely'
import { type Clock, DAY_MS, HOUR_MS } from '../base/clock.ts'
import { makeRowCodec, type RowFields } from './row-codec.ts'
import { type Db, type Dialect, type JobState, stateIs, type Tables, type Tx } from './tables.ts'

/** Pages may wait for two days (wire contract 4.1). */
export const JOB_DEADLINE_MS = 48 * HOUR_MS
/** How long a job may be paused; its time for work stands still meanwhile. */
const MAX_PAUSE_MS = 7 * DAY_MS
/** How long results stay readable after the end. */
export const JOB_LIFE_MS = DAY_MS
const JOB_LIFE_ZERO_RETENTION_MS = HOUR_MS
const IDEMPOTENCY_MS = DAY_MS

/** `slots`: pages of the team active at once; null: the capacity of all workers. */
export type NewJob = Pick<Job, 'id' | 'teamId' | 'keyId' | 'kind' | 'url' | 'pageLimit' | 'slots' | 'maxActive'> &
  Pick<Job, 'delayMs' | 'warning' | keyof JobFlags> & { settings: unknown; webhook: unknown; options: unknown }

interface JobFlags {
  zeroDataRetention: boolean
  discovering: boolean
}

export type Job = RowFields<Tables['jobs'], JobFlags>

const jobRows = makeRowCodec<Tables['jobs'], Job>({ flags: ['zeroDataRetention', 'discovering'] })

export type Jobs = ReturnType<typeof openJobs>

type JobChange = Partial<Pick<Job, 'discovering' | 'delayMs' | 'maxActive' | 'nextAt' | 'url' | 'warning'>> & {
  settings?: unknown
}

export function openJobs(db: Db, dialect: Dialect, clock: Clock) {
  return {
    ...makeStartMethods(db, clock),
    ...makeSuperviseMethods(db, clock),
    ...makeReadMethods(db, clock),
    ...makeStopMethods(clock),
    get: (id: string) => readJob(db, id, false),
    hold: (tx: Tx, id: string) => readJob(tx, id, dialect === 'postgres'),
    async change(tx: Tx, id: string, change: JobChange) {
      const { settings, ...fields } = change
      const columns = jobRows.write({
        ...fields,
        ...(settings === undefined ? {} : { settings: JSON.stringify(settings) }),
      })
      await tx.updateTable('jobs').set(columns).where('id', '=', id).execute()
    },
    finish: (tx: Tx, id: string, state: Exclude<JobState, 'scraping'>, error?: string) =>
      finishJob(tx, id, state, error ?? null, clock.now()),
    /** False when another process holds it or discovery is over. */
    async leaseDiscovery(id: string, until: number, mine: boolean) {
      const leased = await db
        .updateTable('jobs')
        .set({ lease_until: until })
        .where('id', '=', id)
        .where(stateIs('scraping'))
        .where('discovering', '=', 1)
        .$if(!mine, (query) => query.where('lease_until', '<=', clock.now()).where('paused_at', 'is', null))
        .executeTakeFirst()
      return leased.numUpdatedRows === 1n
    },
  }
}

function makeStopMethods(clock: Clock) {
  type Times = Pick<Tables['jobs'], 'deadline_at' | 'expires_at'>
  const change = async (tx: Tx, id: string, columns: Times & Partial<Tables['jobs']>) => {
    await tx.updateTable('jobs').set(columns).where('id', '=', id).execute()
    // Results expire with their job.
    const results = tx
      .selectFrom('frontier')
      .select('scrape_id')
      .where('job_id', '=', id)
      .where('scrape_id', 'is not', null)
      .$castTo<{ scrape_id: string }>()
    const until = columns.expires_at
    await tx
      .updateTable('documents')
      .set({ keep_until: until })
      .where('keep_until', '<', until)
      .where('id', 'in', tx.selectFrom('scrapes').select('document_id').where('id', 'in', results))
      .execute()
    await tx
      .updateTable('scrapes')
      .set({ expires_at: until })
      .where('expires_at', '<', until)
      .where('id', 'in', results)
      .execute()
  }
  // Nothing is kept longer for a job with zero data retention.
  const maxPauseOf = ({ zeroDataRetention }: Job) => (zeroDataRetention ? 0 : MAX_PAUSE_MS)
  return {
    pause: (tx: Tx, job: Job) =>
      change(tx, job.id, {
        paused_at: clock.now(),
        deadline_at: job.deadlineAt + maxPauseOf(job),
        expires_at: job.expiresAt + maxPauseOf(job),
      }),
    resume(tx: Tx, job: Job) {
      const unused = maxPauseOf(job) - Math.min(maxPauseOf(job), clock.now() - (job.pausedAt ?? clock.now()))
      return change(tx, job.id, {
        paused_at: null,
        deadline_at: job.deadlineAt - unused,
        expires_at: job.expiresAt - unused,
      })
    },
    /** Runs an ended job again, for as long as a new one. */
    reopen(tx: Tx, id: string, discovering: boolean) {
      const deadlineAt = clock.now() + JOB_DEADLINE_MS
      const fresh = { state: 'scraping', finished_at: null, error: null, discovering: discovering ? 1 : 0 } as const
      return change(tx, id, { ...fresh, lease_until: 0, deadline_at: deadlineAt, expires_at: deadlineAt + JOB_LIFE_MS })
    },
  }
}

function makeStartMethods(db: Db, clock: Clock) {
  return {
    async add(tx: Tx, { options, ...job }: NewJob) {
      const now = clock.now()
      const deadlineAt = now + JOB_DEADLINE_MS
      const row: Job = {
        ...job,
        state: 'scraping',
        settings: JSON.stringify(job.settings),
        webhook: job.webhook === null ? null : JSON.stringify(job.webhook),
        ...{ nextAt: 0, turn: 0, leaseUntil: 0, total: 0, queued: 0, active: 0, completed: 0, failed: 0, dropped: 0 },
        ...{ credits: 0, createdAt: now, finishedAt: null, deadlineAt, expiresAt: deadlineAt + JOB_LIFE_MS },
        ...{ error: null, pausedAt: null },
      }
      await tx.insertInto('jobs').values(jobRows.write(row)).execute()
      await tx
        .insertInto('job_options')
        .values({ job_id: job.id, n: 0, body: JSON.stringify(options) })
        .execute()
    },
    async addOptions(tx: Tx, jobId: string, body: unknown) {
      const last = await tx
        .selectFrom('job_options')
        .select((row) => row.fn.max('n').as('n'))
        .where('job_id', '=', jobId)
        .executeTakeFirst()
      const n = (last?.n ?? -1) + 1
      await tx
        .insertInto('job_options')
        .values({ job_id: jobId, n, body: JSON.stringify(body) })
        .execute()
      return n
    },
    async options(jobId: string, n: number): Promise<unknown> {
      const row = await db
        .selectFrom('job_options')
        .select('body')
        .where('job_id', '=', jobId)
        .where('n', '=', n)
        .executeTakeFirst()
      return row ? JSON.parse(row.body) : undefined
    },
    /** Idempotency: false when this team has used the key at this endpoint before. */
    async claimKey(tx: Tx, teamId: string, endpoint: string, key: string) {
      const now = clock.now()
      await tx
        .deleteFrom('idempotency')
        .where('team_id', '=', teamId)
        .where('endpoint', '=', endpoint)
        .where('key', '=', key)
        .where('at', '<=', now - IDEMPOTENCY_MS)
        .execute()
      const made = await tx
        .insertInto('idempotency')
        .values({ team_id: teamId, endpoint, key, at: now })
        .onConflict((conflict) => conflict.doNothing())
        .executeTakeFirst()
      return made.numInsertedOrUpdatedRows === 1n
    },
  }
}

function makeSuperviseMethods(db: Db, clock: Clock) {
  return {
    /** Of these, the jobs whose pages must not be worked on: ended or paused ones. */
    async stoppedOf(ids: readonly string[]) {
      if (ids.length === 0) return []
      const rows = await db
        .selectFrom('jobs')
        .select('id')
        .where('id', 'in', ids)
        .where(stateIs('scraping'))
        .where('paused_at', 'is', null)
        .execute()
      const alive = new Set(rows.map((row) => row.id))
      return ids.filter((id) => !alive.has(id))
    },
    async overdue(limit: number) {
      const rows = await db
        .selectFrom('jobs')
        .selectAll()
        .where(stateIs('scraping'))
        .where('deadline_at', '<=', clock.now())
        .limit(limit)
        .execute()
      return rows.map(jobRows.read)
    },
    async undiscovered(startedBefore: number, limit: number) {
      const rows = await db
        .selectFrom('jobs')
        .select('id')
        .where(stateIs('scraping'))
        .where('discovering', '=', 1)
        .where('paused_at', 'is', null)
        .where('created_at', '<', startedBefore)
        .where('lease_until', '<=', clock.now())
        .limit(limit)
        .execute()
      return rows.map((row) => row.id)
    },
    /** Only a crash leaves running jobs with nothing to do. */
    async idle(limit: number) {
      const rows = await db
        .selectFrom('jobs')
        .select('id')
        .where(stateIs('scraping'))
        .where('discovering', '=', 0)
        .where('queued', '=', 0)
        .where('active', '=', 0)
        .limit(limit)
        .execute()
      return rows.map((row) => row.id)
    },
  }
}

function makeReadMethods(db: Db, clock: Clock) {
  return {
    async list(
      teamId: string,
      { kind, before, limit }: { kind?: string | undefined; before?: string | undefined; limit: number },
    ) {
      const rows = await db
        .selectFrom('jobs')
        .selectAll()
        .where('team_id', '=', teamId)
        .where('expires_at', '>', clock.now())
        .$if(kind !== undefined, (query) => query.where('kind', '=', kind!))
        .$if(before !== undefined, (query) => query.where('id', '<', before!))
        .orderBy('id', 'desc')
        .limit(limit)
        .execute()
      return rows.map(jobRows.read)
    },
    async running(teamId: string, kind: string, limit: number) {
      const rows = await db
        .selectFrom('jobs')
        .selectAll()
        .where('team_id', '=', teamId)
        .where(stateIs('scraping'))
        .where('kind', '=', kind)
        .orderBy('id', 'desc')
        .limit(limit)
        .execute()
      return rows.map(jobRows.read)
    },
    async waiting(teamId: string) {
      const row = await db
        .selectFrom('jobs')
        .select((from) => from.fn.sum<number | null>('queued').as('queued'))
        .where('team_id', '=', teamId)
        .where(stateIs('scraping'))
        .executeTakeFirst()
      return Number(row?.queued ?? 0)
    },
    async load(teamId?: string) {
      const row = await db
        .selectFrom('jobs')
        .select((from) => [
          from.fn.countAll<number>().as('jobs'),
          from.fn.sum<number | null>('active').as('active'),
          from.fn.sum<number | null>('queued').as('queued'),
        ])
        .where(stateIs('scraping'))
        .where('paused_at', 'is', null)
        .$if(teamId !== undefined, (query) => query.where('team_id', '=', teamId!))
        .executeTakeFirstOrThrow()
      return { jobs: row.jobs, active: row.active ?? 0, queued: row.queued ?? 0 }
    },
  }
}

async function finishJob(tx: Tx, id: string, state: JobState, error: string | null, now: number): Promise<boolean> {
  const [short, long] = [now + JOB_LIFE_ZERO_RETENTION_MS, now + JOB_LIFE_MS]
  const life = sql<number>`case when zero_data_retention = 1 then cast(${short} as bigint) else cast(${long} as bigint) end`
  const ended = await tx
    .updateTable('jobs')
    .set({ state, error, finished_at: now, expires_at: life, discovering: 0, paused_at: null })
    .where('id', '=', id)
    .where(stateIs('scraping'))
    .executeTakeFirst()
  return ended.numUpdatedRows === 1n
}

async function readJob(on: Db | Tx, id: string, lock: boolean): Promise<Job | undefined> {
  const row = await on
    .selectFrom('jobs')
    .selectAll()
    .where('id', '=', id)
    .$if(lock, (query) => query.forUpdate())
    .executeTakeFirst()
  return row && jobRows.read(row)
}

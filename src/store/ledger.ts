// Credits. Movements are append-only rows; the balance changes in the same transaction. Work reserves its highest
// cost, then settles the true cost or releases it.
import { type Insertable, sql } from 'kysely'
import type { Clock } from '../base/clock.ts'
import { Problem } from '../base/problem.ts'
import { compileStatementOnce, pickColumns } from './compiled-statements.ts'
import { creationTimeOfId } from './id.ts'
import {
  executeInOneRoundTrip,
  makeTransactionStep,
  runStepsInOneRoundTrip,
  type TransactionStep,
} from './pipelined-statements.ts'
import { type Db, inTransaction, type LedgerKind, type Tables, type Tx } from './tables.ts'

interface Reservation {
  teamId: string
  keyId?: string | null
  jobId: string
  credits: number
  endpoint: string
}

export interface CreditBalance {
  granted: number | null
  spent: number
  reserved: number
  /** Null: no limit. Negative when work cost more than its reservation. */
  left: number | null
}

export type Ledger = ReturnType<typeof openLedger>

/** Longest time from the creation of a scrape's id to its ledger row, with clock skew between machines. */
const MAX_MS_FROM_ID_TO_LEDGER_ROW = 600_000

export function openLedger(db: Db, clock: Clock) {
  const pay = balanceUpdate(db, 'spent')
  const balances = compileStatementOnce(({ teamId }: { teamId: string }) => balanceQuery(db, teamId).compile())
  const insert = ledgerInsert(db)
  const open = compileStatementOnce((row: Insertable<Tables['reservations']>) =>
    db
      .insertInto('reservations')
      .values(pickColumns(row, 'job_id', 'team_id', 'key_id', 'credits', 'endpoint', 'at'))
      .onConflict((conflict) => conflict.column('job_id').doNothing())
      .compile(),
  )
  const take = balanceUpdate(db, 'reserved')
  const end = makeReservationCloser(db)
  const payment = (options: Reservation): TransactionStep<void> => {
    const row = rowOf(options, clock.now())
    const { team_id: teamId, credits } = row
    return makeTransactionStep(
      [pay.of({ teamId, credits }), insert.of({ ...row, kind: 'settle' })],
      async ([paid], tx) => {
        if (paid.numAffectedRows !== 1n) throw noCredit(credits, await balanceOf(tx, teamId))
      },
    )
  }
  return {
    /** Throws `no_credit`. A job with a reservation reserves nothing more. */
    reserve: (options: Reservation, tx?: Tx) =>
      inTransaction(db, tx, async (tx) => {
        const row = rowOf(options, clock.now())
        const { team_id: teamId, credits } = row
        if ((await open(tx, row)).numAffectedRows !== 1n) return
        // Thrown inside the transaction, which rolls back the reservation. A caller that passed `tx` must let the
        // error end it.
        if ((await take(tx, { teamId, credits })).numAffectedRows !== 1n)
          throw noCredit(credits, await balanceOf(tx, teamId))
        await insert(tx, { ...row, kind: 'reserve' })
      }),
    charge: (options: Reservation, tx?: Tx) =>
      inTransaction(db, tx, async (tx) => {
        await runStepsInOneRoundTrip(tx, payment(options))
      }),
    payment,
    /** False when it had ended before, so nothing is charged twice. */
    settle: (jobId: string, credits: number, tx?: Tx) =>
      inTransaction(db, tx, (tx) => end(tx, jobId, 'settle', wholeCredits(credits), clock.now())),
    release: (jobId: string, tx?: Tx) => inTransaction(db, tx, (tx) => end(tx, jobId, 'release', 0, clock.now())),
    /** The first grant gives an unlimited team a limit. */
    grant: (teamId: string, amount: number, tx?: Tx) =>
      inTransaction(db, tx, async (tx) => {
        const credits = wholeCredits(amount)
        await tx
          .updateTable('balances')
          .set({ granted: sql`coalesce(granted, 0) + ${credits}` })
          .where('team_id', '=', teamId)
          .execute()
        await tx.insertInto('ledger').values({ team_id: teamId, kind: 'grant', credits, at: clock.now() }).execute()
      }),
    limit: (teamId: string, amount: number | null, tx?: Tx) =>
      inTransaction(db, tx, async (tx) => {
        const granted = amount === null ? null : wholeCredits(amount)
        const before = await balanceOf(tx, teamId)
        await tx.updateTable('balances').set({ granted }).where('team_id', '=', teamId).execute()
        // The only movement that may be negative.
        const credits = (granted ?? 0) - (before.granted ?? 0)
        await tx.insertInto('ledger').values({ team_id: teamId, kind: 'grant', credits, at: clock.now() }).execute()
      }),
    balance: (teamId: string) => balanceOf(db, teamId),
    /** Whether the team was charged for this job, even when nothing else is kept of it. */
    knows: (teamId: string, jobId: string) => knows(db, teamId, jobId),
    /** What these jobs were charged since then; nothing of those that were charged nothing. */
    spentBy: (teamId: string, jobIds: readonly string[], since: number) => spentBy(db, teamId, jobIds, since),
    /** Null: no limit. Never below 0. */
    async left(tx: Tx, teamId: string) {
      const { rows } = await balances(tx, { teamId })
      const { left } = asBalance(rows[0])
      return left === null ? null : Math.max(0, left)
    },
  }
}

async function knows(db: Db, teamId: string, jobId: string): Promise<boolean> {
  const made = creationTimeOfId(jobId)
  if (Number.isNaN(made)) return false
  const row = await db
    .selectFrom('ledger')
    .select('id')
    .where('team_id', '=', teamId)
    .where('at', '>=', made - MAX_MS_FROM_ID_TO_LEDGER_ROW)
    .where('at', '<=', made + MAX_MS_FROM_ID_TO_LEDGER_ROW)
    .where('job_id', '=', jobId)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

async function spentBy(db: Db, teamId: string, jobIds: readonly string[], since: number): Promise<Map<string, number>> {
  if (jobIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('ledger')
    .select(['job_id', (from) => from.fn.sum<number>('credits').as('credits')])
    .where('team_id', '=', teamId)
    .where('at', '>=', since)
    .where('kind', '=', 'settle')
    .where('job_id', 'in', jobIds)
    .groupBy('job_id')
    .execute()
  return new Map(rows.map(({ job_id, credits }) => [String(job_id), Number(credits)]))
}

type CloseReservation = (
  tx: Tx,
  jobId: string,
  kind: Extract<LedgerKind, 'settle' | 'release'>,
  spent: number,
  at: number,
) => Promise<boolean>

export function makeReservationCloser(db: Db): CloseReservation {
  const close = compileStatementOnce(({ jobId }: { jobId: string }) =>
    db.deleteFrom('reservations').where('job_id', '=', jobId).returningAll().compile(),
  )
  const free = compileStatementOnce(({ teamId, credits, spent }: { teamId: string; credits: number; spent: number }) =>
    db
      .updateTable('balances')
      .set({ reserved: sql`reserved - ${credits}`, spent: sql`spent + ${spent}` })
      .where('team_id', '=', teamId)
      .compile(),
  )
  const insert = ledgerInsert(db)
  return async (tx, jobId, kind, spent, at) => {
    const [open] = (await close(tx, { jobId })).rows
    if (!open) return false
    const credits = kind === 'settle' ? spent : open.credits
    await executeInOneRoundTrip(
      tx,
      free.of({ teamId: open.team_id, credits: open.credits, spent }),
      insert.of({ ...open, kind, credits, at }),
    )
    return true
  }
}

const ledgerInsert = (db: Db) =>
  compileStatementOnce((row: Insertable<Tables['ledger']>) =>
    db
      .insertInto('ledger')
      .values(pickColumns(row, 'job_id', 'team_id', 'key_id', 'credits', 'endpoint', 'at', 'kind'))
      .compile(),
  )

const balanceQuery = (on: Db | Tx, teamId: string) =>
  on.selectFrom('balances').select(['granted', 'spent', 'reserved']).where('team_id', '=', teamId)

const balanceOf = async (on: Db | Tx, teamId: string): Promise<CreditBalance> =>
  asBalance(await balanceQuery(on, teamId).executeTakeFirst())

function asBalance(row: Omit<CreditBalance, 'left'> | undefined): CreditBalance {
  if (!row) throw new Problem('not_found', { because: 'there is no such team' })
  return { ...row, left: row.granted === null ? null : row.granted - row.spent - row.reserved }
}

const rowOf = ({ teamId, keyId = null, jobId, endpoint, credits }: Reservation, at: number) => ({
  ...{ job_id: jobId, team_id: teamId, key_id: keyId, credits: wholeCredits(credits), endpoint, at },
})

/** Changes nothing where too few credits are left. */
const balanceUpdate = (db: Db, column: 'spent' | 'reserved') =>
  compileStatementOnce(({ teamId, credits }: { teamId: string; credits: number }) =>
    db
      .updateTable('balances')
      .set({ [column]: sql`${sql.ref(column)} + ${credits}` })
      .where('team_id', '=', teamId)
      .where(enough(credits))
      .compile(),
  )

const enough = (credits: number) => sql<boolean>`(granted is null or granted - spent - reserved >= ${credits})`

const noCredit = (credits: number, { left }: CreditBalance) =>
  new Problem('no_credit', { because: `${credits} needed, ${Math.max(0, left ?? 0)} left` })

function wholeCredits(credits: number): number {
  if (!Number.isSafeInteger(credits) || credits < 0)
    throw new RangeError(`Credits are whole and not negative, not ${credits}`)
  return credits
}

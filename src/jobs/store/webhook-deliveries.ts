// The outbox of webhooks. A row is written in the transaction of its event, so none is lost or invented.
import { type Clock, DAY_MS } from '../../base/clock.ts'
import { makeRowCodec, type RowFields } from '../../store/row-codec.ts'
import { isSealedText, type Sealer, sealText, unsealText } from '../../store/sealed-documents.ts'
import { type Db, stateIs, type Tables, type Tx } from '../../store/tables.ts'

const LIFE_MS = 7 * DAY_MS
/** For zero data retention: the last retry comes after 21 minutes. */
const ZERO_RETENTION_LIFE_MS = 45 * 60_000

export interface NewWebhookDelivery {
  id: string
  teamId: string
  jobId: string
  keyId: string | null
  event: string
  url: string
  headers: Readonly<Record<string, string>>
  body: string
  /** Zero data retention: stored encrypted, and removed once delivered or given up. */
  zeroDataRetention?: boolean
}

const COLUMNS = [
  'id',
  'job_id',
  'event',
  'url',
  'state',
  'attempts',
  'next_at',
  'status',
  'error',
  'created_at',
  'ended_at',
] as const

const deliveryRows = makeRowCodec<Tables['deliveries'], RowFields<Tables['deliveries']>>()

export type WebhookDelivery = RowFields<Pick<Tables['deliveries'], (typeof COLUMNS)[number]>>

export interface WebhookDeliveryAttempt {
  at: number
  ms: number
  status: number | null
  error: string | null
  signature: string | null
}

/** Attempts kept in the row: four for each time it is sent again. */
const MAX_STORED_ATTEMPTS = 20

export interface WebhookDeliveryDetails extends WebhookDelivery {
  headers: Record<string, string>
  body: string | undefined
  tries: WebhookDeliveryAttempt[]
}

export interface DueWebhookDelivery extends WebhookDelivery {
  teamId: string
  keyId: string | null
  headers: Record<string, string>
  body: string
  tries: WebhookDeliveryAttempt[]
  zeroDataRetention: boolean
}

export type WebhookDeliveryOutcome =
  | { state: 'delivered'; status: number }
  | { state: 'pending'; status: number | null; error: string; nextAt: number }
  | { state: 'dead'; status: number | null; error: string }

export function openWebhookDeliveries(db: Db, clock: Clock, sealer: Sealer) {
  return {
    add: (tx: Tx, deliveries: readonly NewWebhookDelivery[]) => addAll(tx, deliveries, clock.now(), sealer),
    async due(id: string) {
      const row = await db
        .selectFrom('deliveries')
        .select(COLUMNS)
        .select(['team_id', 'key_id', 'headers', 'body', 'tries'])
        .where('id', '=', id)
        .where('state', '=', 'pending')
        .where('next_at', '<=', clock.now())
        .executeTakeFirst()
      if (!row) return undefined
      return {
        ...deliveryRows.read(row),
        ...listsOf(row, sealer),
        body: unsealText(row.body, sealer),
        zeroDataRetention: isSealedText(row.body),
      }
    },
    async overdue(before: number, limit: number) {
      const rows = await db
        .selectFrom('deliveries')
        .select('id')
        .where(stateIs('pending'))
        .where('next_at', '<', before)
        .orderBy('next_at')
        .limit(limit)
        .execute()
      return rows.map((row) => row.id)
    },
    async pending() {
      const row = await db
        .selectFrom('deliveries')
        .select((from) => from.fn.countAll<number>().as('pending'))
        .where(stateIs('pending'))
        .executeTakeFirstOrThrow()
      return row.pending
    },
    /** False when another attempt ended it or it was asked to be sent again meanwhile: only the attempt is noted. */
    record: (
      tx: Tx,
      parcel: Pick<DueWebhookDelivery, 'id' | 'tries' | 'nextAt'>,
      outcome: WebhookDeliveryOutcome,
      tried: WebhookDeliveryAttempt,
    ) => recordAttempt(tx, parcel, outcome, tried, clock.now()),
    async list(teamId: string, { jobId, limit }: { jobId?: string; limit: number }) {
      const rows = await db
        .selectFrom('deliveries')
        .select(COLUMNS)
        .where('team_id', '=', teamId)
        .$if(jobId !== undefined, (query) => query.where('job_id', '=', jobId!))
        .orderBy('id', 'desc')
        .limit(limit)
        .execute()
      return rows.map(deliveryRows.read)
    },
    /** Keeps its earlier tries; false when the team has no such delivery. */
    async again(tx: Tx, teamId: string, id: string) {
      const changed = await tx
        .updateTable('deliveries')
        .set({ state: 'pending', attempts: 0, next_at: clock.now(), ended_at: null })
        .where('id', '=', id)
        .where('team_id', '=', teamId)
        .where('body', '<>', '')
        .executeTakeFirst()
      return changed.numUpdatedRows === 1n
    },
    async get(teamId: string, id: string) {
      const own = db.selectFrom('deliveries').select(COLUMNS).where('id', '=', id).where('team_id', '=', teamId)
      const row = await own.executeTakeFirst()
      return row && deliveryRows.read(row)
    },
    open: (teamId: string, id: string) => opening(db, sealer, teamId, id),
  }
}

async function recordAttempt(
  tx: Tx,
  { id, tries: before, nextAt }: Pick<DueWebhookDelivery, 'id' | 'tries' | 'nextAt'>,
  outcome: WebhookDeliveryOutcome,
  tried: WebhookDeliveryAttempt,
  now: number,
): Promise<boolean> {
  const ended = outcome.state !== 'pending'
  const tries = JSON.stringify([...before, tried].slice(-MAX_STORED_ATTEMPTS))
  const { numUpdatedRows } = await tx
    .updateTable('deliveries')
    .set((row) => ({
      state: outcome.state,
      status: outcome.status,
      error: outcome.state === 'delivered' ? null : outcome.error,
      attempts: row('attempts', '+', 1),
      ended_at: ended ? now : null,
      tries,
      ...(outcome.state === 'pending' ? { next_at: outcome.nextAt } : {}),
    }))
    .where('id', '=', id)
    .where('next_at', '=', nextAt)
    .where('state', '=', 'pending')
    .executeTakeFirst()
  if (numUpdatedRows === 0n) {
    await tx.updateTable('deliveries').set({ tries }).where('id', '=', id).execute()
    return false
  }
  if (outcome.state === 'delivered')
    await tx
      .updateTable('deliveries')
      .set({ body: '' })
      .where('id', '=', id)
      .where('body', 'like', 'sealed:%')
      .execute()
  return true
}

async function opening(db: Db, sealer: Sealer, teamId: string, id: string) {
  const row = await db
    .selectFrom('deliveries')
    .select(COLUMNS)
    .select(['headers', 'body', 'tries'])
    .where('id', '=', id)
    .where('team_id', '=', teamId)
    .executeTakeFirst()
  if (!row) return undefined
  // Encrypted bodies belong to jobs with zero data retention: only the receiver may read them.
  const isOpen = row.body !== '' && !isSealedText(row.body)
  return { ...deliveryRows.read(row), ...listsOf(row, sealer), body: isOpen ? row.body : undefined }
}

const listsOf = ({ headers, tries }: { headers: string; tries: string }, sealer: Sealer) => ({
  headers: JSON.parse(unsealText(headers, sealer)) as Record<string, string>,
  tries: JSON.parse(tries) as WebhookDeliveryAttempt[],
})

async function addAll(tx: Tx, deliveries: readonly NewWebhookDelivery[], now: number, sealer: Sealer): Promise<void> {
  if (deliveries.length === 0) return
  await tx
    .insertInto('deliveries')
    .values(
      deliveries.map((delivery) => ({
        id: delivery.id,
        team_id: delivery.teamId,
        job_id: delivery.jobId,
        key_id: delivery.keyId,
        event: delivery.event,
        url: delivery.url,
        headers: sealText(JSON.stringify(delivery.headers), sealer),
        state: 'pending' as const,
        attempts: 0,
        next_at: now,
        created_at: now,
        expires_at: now + (delivery.zeroDataRetention ? ZERO_RETENTION_LIFE_MS : LIFE_MS),
        body: delivery.zeroDataRetention ? sealText(delivery.body, sealer) : delivery.body,
      })),
    )
    .execute()
}

// What browser sessions store: their repository, migrations, and how an address or a team is forgotten.

import { sql, type Updateable, type UpdateResult } from 'kysely'
import type { Clock } from '../../../base/clock.ts'
import { defineStorage } from '../../../store/capability-storage.ts'
import { makeRowCodec, type RowFields } from '../../../store/row-codec.ts'
import { type Db, inTransaction, type Tables, type Tx } from '../../../store/tables.ts'

type SessionState = 'active' | 'destroyed' | 'error'

declare module '../../../store/tables.ts' {
  interface Tables {
    sessions: {
      id: string
      team_id: string
      key_id: string | null
      /** The scrape whose page the session continues; at most one session each. */
      scrape_id: string | null
      /** The agent run that owns and pays for it. */
      run_id: string | null
      state: SessionState
      /** The process that holds the browser, and its address for other machines. */
      holder: string
      address: string | null
      created_at: number
      last_activity: number
      seen_at: number
      expires_at: number
      activity_ttl_ms: number
      ended_at: number | null
      error: string | null
      prompted: number
      billed: number
      stream: number
      /** Blob of the recording; the empty text while recording. */
      recording: string | null
      /** Blob of the video that was made of it, and a `ReplayIndex` as JSON. */
      replay: string | null
      replay_index: string | null
      profile: string | null
      saves_profile: number
    }
  }
}

type SessionFlags = { prompted: boolean; stream: boolean; savesProfile: boolean }

export type SessionRow = RowFields<Tables['sessions'], SessionFlags>

const sessionRows = makeRowCodec<Tables['sessions'], SessionRow>({ flags: ['prompted', 'stream', 'savesProfile'] })

type NewSession = Omit<
  SessionRow,
  'state' | 'createdAt' | 'lastActivity' | 'seenAt' | 'endedAt' | 'error' | 'prompted' | 'replay' | 'replayIndex'
>

export type BrowserSessions = ReturnType<typeof openBrowserSessions>

/** The process with the browser sends heartbeats; any process ends a session whose heartbeat has stopped. */
function openBrowserSessions(db: Db, clock: Clock) {
  const all = () => db.selectFrom('sessions').selectAll()
  return {
    /** `taken`: the scrape has a session already. `full`: the team is at its limit. */
    add: (session: NewSession, most: number | null, tx: Tx) => addSession(tx, session, most, clock.now()),
    async find(id: string, tx?: Tx) {
      const row = await (tx ?? db).selectFrom('sessions').selectAll().where('id', '=', id).executeTakeFirst()
      return row && sessionRows.read(row)
    },
    async findByScrape(scrapeId: string) {
      const row = await all().where('scrape_id', '=', scrapeId).executeTakeFirst()
      return row && sessionRows.read(row)
    },
    async list(teamId: string, state: SessionState | undefined, limit: number) {
      const rows = await all()
        .where('team_id', '=', teamId)
        .$if(state !== undefined, (query) => query.where('state', '=', state as SessionState))
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .limit(limit)
        .execute()
      return rows.map(sessionRows.read)
    },
    async countActive(teamId: string) {
      return activeOf(db, teamId)
    },
    async activeOfRun(runId: string) {
      return (await all().where('run_id', '=', runId).where('state', '=', 'active').execute()).map(sessionRows.read)
    },
    /** False when it is linked already, or gone. */
    async adopt(id: string, scrapeId: string) {
      const free = update(db, id, { scrape_id: scrapeId }).where('state', '=', 'active').where('scrape_id', 'is', null)
      return hasUpdatedOne(free)
    },
    /** Heartbeat of the holder, with the time of the last activity. */
    seen: (id: string, lastActivity: number) =>
      hasUpdatedOne(
        update(db, id, { seen_at: clock.now(), last_activity: lastActivity }).where('state', '=', 'active'),
      ),
    setPrompted: async (id: string) => void (await update(db, id, { prompted: 1 }).execute()),
    setRecording: async (id: string, blobId: string) => void (await update(db, id, { recording: blobId }).execute()),
    /** The video of its recording; undefined before it was made. */
    async replay(id: string) {
      const row = await db
        .selectFrom('sessions')
        .select(['replay', 'replay_index'])
        .where('id', '=', id)
        .executeTakeFirst()
      return row?.replay && row.replay_index ? { blobId: row.replay, index: row.replay_index } : undefined
    },
    setReplay: async (id: string, { blobId, index }: { blobId: string; index: string }) =>
      void (await update(db, id, { replay: blobId, replay_index: index }).execute()),
    /** Returns the increase, 0 when another process charged it first. */
    async bill(id: string, credits: number, tx: Tx) {
      const row = await tx.selectFrom('sessions').select('billed').where('id', '=', id).executeTakeFirst()
      const before = Number(row?.billed ?? credits)
      if (before >= credits) return 0
      return (await hasUpdatedOne(update(tx, id, { billed: credits }).where('billed', '=', before)))
        ? credits - before
        : 0
    },
    end: (
      id: string,
      { state, at, error }: { state: 'destroyed' | 'error'; at: number; error: string | null },
      given?: Tx,
    ) =>
      inTransaction(db, given, (tx) =>
        hasUpdatedOne(update(tx, id, { state, ended_at: at, error }).where('state', '=', 'active')),
      ),
    async orphans(silentSince: number) {
      const rows = await all().where('state', '=', 'active').where('seen_at', '<', silentSince).limit(500).execute()
      return rows.map(sessionRows.read)
    },
  }
}

const update = (db: Db, id: string, values: Updateable<Tables['sessions']>) =>
  db.updateTable('sessions').set(values).where('id', '=', id)

async function hasUpdatedOne(query: { executeTakeFirst(): Promise<UpdateResult> }): Promise<boolean> {
  const { numUpdatedRows } = await query.executeTakeFirst()
  return Number(numUpdatedRows) === 1
}

async function addSession(tx: Tx, session: NewSession, most: number | null, now: number) {
  if (most !== null && (await activeOf(tx, session.teamId)) >= most) return 'full'
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('sessions')
    .values(
      sessionRows.write({
        ...session,
        ...{ state: 'active', createdAt: now, lastActivity: now, seenAt: now, prompted: false },
      }),
    )
    .onConflict((conflict) => conflict.column('scrape_id').doNothing())
    .executeTakeFirst()
  return Number(numInsertedOrUpdatedRows) === 1 ? 'added' : 'taken'
}

async function activeOf(on: Db | Tx, teamId: string): Promise<number> {
  const { count } = await on
    .selectFrom('sessions')
    .select(sql<number>`count(*)`.as('count'))
    .where('team_id', '=', teamId)
    .where('state', '=', 'active')
    .executeTakeFirstOrThrow()
  return Number(count)
}

export const sessionStore = defineStorage({
  open: ({ db, clock }) => openBrowserSessions(db, clock),
  forget: [
    {
      table: 'sessions',
      blob: 'recording',
      readBlob: true,
      madeOfBlob: 'replay',
      scrape: 'scrape_id',
      sendsWebhooks: true,
    },
  ],
  busy: [{ table: 'sessions', column: 'state', value: 'active' }],
})

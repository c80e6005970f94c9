// The session manager: opens sessions, tracks those in this process, runs operations in them, and ends them on request,
// on timeout or when the browser dies.

import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { type Clock, DAY_MS } from '../../base/clock.ts'
import { withPausableDeadline } from '../../base/deadline.ts'
import type { Log } from '../../base/log.ts'
import { priceOfSession } from '../../base/prices.ts'
import { asProblem, Problem } from '../../base/problem.ts'
import { SecretMasker } from '../../base/secret-masker.ts'
import type { Visit } from '../../base/visit-and-capture-types.ts'
import { StepRecorder } from '../../driving/record-steps.ts'
import type { LiveSession } from '../../fetch/chrome/live/live-session.ts'
import type { LiveSessionPool } from '../../fetch/live-session-pool.ts'
import { browserProfileStore } from '../../scrape/store/index.ts'
import { newId } from '../../store/id.ts'
import type { Store } from '../../store/index.ts'
import type { Caller } from '../../teams/keys.ts'
import { planByName } from '../../teams/plans.ts'
import { chargeSessionUntil, endAndChargeSession, endOrphanedSessions } from './charge-sessions.ts'
import type { CodeSandbox, SessionSandbox } from './sandbox/sandbox.ts'
import { openSessionDownloads, type SessionDownloads } from './session-downloads.ts'
import { type SessionRecording, startRecording } from './session-recording.ts'
import { type SessionRow, sessionStore } from './store/index.ts'

export interface SessionManagerParts {
  store: Store
  live: LiveSessionPool
  sandbox: CodeSandbox
  clock: Clock
  log: Log
  /** This machine's address for peers; undefined: none. */
  address: string | undefined
}

interface OpenSessionOptions {
  caller: Pick<Caller, 'teamId' | 'plan' | 'isLimited'> & { keyId: string | null }
  scrapeId?: string
  /** The agent run that is charged for it. */
  runId?: string | undefined
  ttlMs: number
  activityTtlMs: number
  stream: boolean
  record: boolean
  profile: { name: string; saveChanges: boolean } | undefined
  webhook?: SessionWebhook | undefined
  visit: Visit
  /** True: the session repeats the visit and its actions. */
  replay: boolean
}

type SessionWebhook = { url: string; headers: Record<string, string>; metadata?: unknown }

/** A session whose browser is in this process. */
export interface LocalSession {
  row: SessionRow
  live: LiveSession
  sandbox: SessionSandbox
  /** Undefined unless recording was requested. */
  film: SessionRecording | undefined
  recorder: StepRecorder
  /** What a person must type before a prompt goes on. */
  needsInput?: 'code' | undefined
  webhook: SessionWebhook | undefined
  files: SessionDownloads
  /** Calls in flight: a session in use is not idle. */
  busy: number
  /** Time spent waiting for the model; it does not count towards the session's timeout. */
  model: { waits: number; since: number; waitedMs: number }
  seenAt: number
  billedAt: number
}

export type SessionManager = Awaited<ReturnType<typeof openSessionManager>>

const TICK_MS = 1000
const SEEN_MS = 5000
const BILL_MS = 15_000
/** A process without a heartbeat for this long is dead. */
const DEAD_PROCESS_MS = 30_000
const GRACE_MS = 60_000
const EMPTY = '{"cookies":[],"origins":[]}'
const RESTARTED = 'The service was restarted, and the browser of this session with it.'

export async function openSessionManager(parts: SessionManagerParts) {
  const { store, clock, log } = parts
  const holder = `${hostname()} ${process.pid} ${randomUUID().slice(0, 8)}`
  const holding = new Map<string, LocalSession>()
  const listeners: ((id: string) => void)[] = []
  // The lock on the data folder guarantees that no other process holds a session of this database.
  if (store.dialect === 'sqlite') await endOrphanedSessions(store, clock.now() + 1, RESTARTED)

  const end = async (held: LocalSession, state: 'destroyed' | 'error', error: string | null): Promise<void> => {
    const { row, live, sandbox } = held
    if (!holding.delete(row.id)) return
    for (const listener of listeners) listener(row.id)
    const at = clock.now()
    if (state === 'destroyed') await saveProfile(store, held).catch((cause) => warn(log, row.id, cause))
    else if (row.profile && row.savesProfile)
      await browserProfileStore(store).release({ teamId: row.teamId, name: row.profile }, row.id)
    await saveFilm(parts, held).catch((cause) => warn(log, row.id, cause))
    await sessionStore(store)
      .seen(row.id, live.lastActivity())
      .catch((cause) => warn(log, row.id, cause))
    await endAndChargeSession(store, row.id, { state, at, error }).catch((cause) => warn(log, row.id, cause))
    await sandbox.close()
    await live.close()
  }
  const tick = async () => {
    const now = clock.now()
    for (const held of [...holding.values()])
      await attend(held, now, { store, end }).catch((cause) => warn(log, held.row.id, cause))
    if (store.dialect === 'postgres')
      await endOrphanedSessions(store, now - DEAD_PROCESS_MS, RESTARTED).catch(() => undefined)
  }
  let ticking: Promise<void> | undefined
  const timer = setInterval(() => {
    ticking ??= tick().finally(() => {
      ticking = undefined
    })
  }, TICK_MS)
  timer.unref()
  return {
    holder,
    open: (options: OpenSessionOptions, signal: AbortSignal) =>
      openSession({ ...parts, holder }, options, signal, (held) => {
        holding.set(held.row.id, held)
        held.live.lost.addEventListener('abort', () => {
          const because = (held.live.lost.reason as Error | undefined)?.message ?? 'the browser ended'
          void end(held, 'error', `The browser of this session is gone: ${because}.`)
        })
      }),
    /** The session, if its browser is here. */
    held: (id: string) => holding.get(id),
    /** Runs `work` and keeps the session from being idle. */
    async during<T>(held: LocalSession, work: () => Promise<T>) {
      held.busy += 1
      held.live.touch()
      try {
        return await withPausableDeadline(() => whileModelWrites(held, clock), work)
      } finally {
        held.busy -= 1
        held.live.touch()
      }
    },
    /** Raises the price of the whole session to that of one with a prompt. */
    async raisePrice(held: LocalSession) {
      if (held.row.prompted) return
      await sessionStore(store).setPrompted(held.row.id)
      held.row = { ...held.row, prompted: true }
      held.row = { ...held.row, billed: await chargeSessionUntil(store, held.row, clock.now()) }
    },
    end,
    onEnd: (listener: (id: string) => void) => void listeners.push(listener),
    async stop() {
      clearInterval(timer)
      await ticking
      await Promise.all([...holding.values()].map((held) => end(held, 'destroyed', 'The service was stopped.')))
      await parts.sandbox.close()
    },
  }
}

/** Time in which a model writes does not count toward the session's lifetime: on a CPU it takes minutes. */
function whileModelWrites({ model }: LocalSession, clock: Clock): () => void {
  if (model.waits++ === 0) model.since = clock.now()
  return () => {
    if (--model.waits === 0) model.waitedMs += clock.now() - model.since
  }
}

const warn = (log: Log, session: string, error: unknown) =>
  log.warn({ session, because: (error as Error).message }, 'a live session could not be kept in order')

/** Ends a session when its time is up; updates its row and charges. */
async function attend(
  held: LocalSession,
  now: number,
  {
    store,
    end,
  }: { store: Store; end(held: LocalSession, state: 'destroyed' | 'error', error: string | null): Promise<void> },
): Promise<void> {
  const { row, live } = held
  if (held.model.waits === 0 && now >= row.expiresAt + held.model.waitedMs)
    return end(held, 'destroyed', 'Its time was up.')
  if (held.busy > 0) live.touch()
  if (now - live.lastActivity() >= row.activityTtlMs) return end(held, 'destroyed', 'It was idle for too long.')
  if (now - held.seenAt >= SEEN_MS) {
    held.seenAt = now
    // It may have been ended by another process.
    if (!(await sessionStore(store).seen(row.id, live.lastActivity()))) return end(held, 'destroyed', null)
  }
  if (now - held.billedAt < BILL_MS) return
  held.billedAt = now
  try {
    held.row = { ...row, billed: await chargeSessionUntil(store, row, now) }
  } catch (error) {
    if (asProblem(error).kind !== 'no_credit') throw error
    await end(held, 'destroyed', 'The credits of the team ran out.')
  }
}

type Opening = SessionManagerParts & { holder: string }

async function openSession(
  parts: Opening,
  options: OpenSessionOptions,
  signal: AbortSignal,
  hold: (held: LocalSession) => void,
): Promise<SessionRow> {
  const { store, live, clock, sandbox } = parts
  const { caller, profile } = options
  const { teamId } = caller
  const most = Math.min(planByName(caller.plan).concurrency ?? live.most, live.most)
  if ((await sessionStore(store).countActive(teamId)) >= most) throw new Problem('too_busy')
  await assertCredits(store, options)
  const id = newId(clock.now())
  const ref = profile && { teamId, name: profile.name }
  if (ref && profile.saveChanges && !(await browserProfileStore(store).claim(ref, id, options.ttlMs + GRACE_MS)))
    throw new Problem('profile_in_use')
  let session: LiveSession | undefined
  const masker = new SecretMasker()
  const recorder = new StepRecorder(masker)
  try {
    const memories = ref ? { remembered: (await browserProfileStore(store).load(ref)) ?? EMPTY } : {}
    const visit = { ...options.visit, ...memories }
    session = await live.open({ id, team: teamId, visit, ttlMs: options.ttlMs, masker, hear: recorder.hear }, signal)
    if (options.replay) await session.replay(visit, signal)
    const row = await write(parts, options, id, most)
    const now = clock.now()
    const held = {
      row,
      live: session,
      sandbox: sandbox.forSession(session, session.command),
      recorder,
      webhook: options.webhook,
      files: openSessionDownloads(parts, session, teamId),
      film: options.record ? startRecording(session.view, () => clock.now()) : undefined,
      busy: 0,
      model: { waits: 0, since: 0, waitedMs: 0 },
      seenAt: now,
      billedAt: now,
    }
    hold(held)
    return row
  } catch (error) {
    await session?.close().catch(() => undefined)
    if (ref && profile.saveChanges) await browserProfileStore(store).release(ref, id)
    throw error
  }
}

async function assertCredits(store: Store, options: OpenSessionOptions): Promise<void> {
  const { caller } = options
  if (!caller.isLimited || options.runId !== undefined) return
  const { left } = await store.ledger.balance(caller.teamId)
  const needed = priceOfSession(0, false)
  if (left !== null && left < needed)
    throw new Problem('no_credit', { because: `${needed} needed, ${Math.max(0, left)} left` })
}

/** Writes the row and charges the first minute in one transaction. */
async function write(
  { store, clock, holder, address }: Opening,
  options: OpenSessionOptions,
  id: string,
  most: number,
): Promise<SessionRow> {
  const { caller, scrapeId, profile } = options
  const { teamId, keyId } = caller
  const credits = priceOfSession(0, false)
  await store.transaction(async (tx) => {
    const added = await sessionStore(store).add(
      {
        id,
        teamId,
        keyId,
        scrapeId: scrapeId ?? null,
        runId: options.runId ?? null,
        holder,
        address: address ?? null,
        expiresAt: clock.now() + options.ttlMs,
        activityTtlMs: options.activityTtlMs,
        stream: options.stream,
        recording: options.record ? '' : null,
        profile: profile?.name ?? null,
        savesProfile: profile?.saveChanges ?? false,
        billed: credits,
      },
      most,
      tx,
    )
    if (added === 'full') throw new Problem('too_busy')
    if (added === 'taken') throw new Problem('conflict', { because: 'this scrape has a session already' })
    if (options.runId === undefined)
      await store.ledger.charge({ teamId, keyId, jobId: id, credits, endpoint: scrapeId ? 'interact' : 'browser' }, tx)
  })
  return (await sessionStore(store).find(id)) as SessionRow
}

/** How long a recording is stored, unless the team's retention of media is shorter. */
const RECORDING_LIFE_MS = 30 * DAY_MS

async function saveFilm({ store, clock }: SessionManagerParts, { row, film }: LocalSession): Promise<void> {
  const text = film?.finish()
  if (text === undefined) return
  const facts = { contentType: 'application/json', teamId: row.teamId, expiresAt: clock.now() + RECORDING_LIFE_MS }
  const { id } = await store.blobs.put(Buffer.from(text), facts)
  await sessionStore(store).setRecording(row.id, id)
}

/** Saves under another profile name, or under the session's own before it ends. */
export async function saveSessionProfile(store: Store, { row, live }: LocalSession, name: string): Promise<void> {
  const ref = { teamId: row.teamId, name }
  const isOwn = row.profile === name && row.savesProfile
  const saver = isOwn ? row.id : `${row.id} by hand`
  if (!isOwn && !(await browserProfileStore(store).claim(ref, saver, GRACE_MS))) throw new Problem('profile_in_use')
  try {
    await browserProfileStore(store).save(ref, saver, await live.exportStorageState())
  } catch (error) {
    await browserProfileStore(store).release(ref, saver)
    throw error
  }
  // The session saves to it again when it ends.
  if (isOwn) await browserProfileStore(store).claim(ref, row.id, Math.max(0, row.expiresAt - Date.now()) + GRACE_MS)
}

async function saveProfile(store: Store, { row, live }: LocalSession): Promise<void> {
  if (!row.profile || !row.savesProfile) return
  const ref = { teamId: row.teamId, name: row.profile }
  try {
    await browserProfileStore(store).save(ref, row.id, await live.exportStorageState())
  } catch (error) {
    await browserProfileStore(store).release(ref, row.id)
    throw error
  }
}

// The API of live sessions for routes, the agent and sockets: operations run here, or on the machine that holds the
// session.

import { abortAfter } from '../../base/abort-after.ts'
import { withCallContext } from '../../base/call-context.ts'
import { anySignal, rejectWhenAborted, withinTime } from '../../base/deadline.ts'
import { asProblem, Problem } from '../../base/problem.ts'
import { isUuid } from '../../base/uuid-format.ts'
import type { Flow } from '../../driving/flow-steps-and-element-descriptors.ts'
import type { PageDriver } from '../../driving/page-driver.ts'
import { signIn, type VaultAccess } from '../../driving/sign-in.ts'
import type { LiveSession } from '../../fetch/chrome/live/live-session.ts'
import { queueWebhook } from '../../jobs/webhook-events.ts'
import type { WorkQueue } from '../../jobs/work-queue.ts'
import type { TokenUsage } from '../../llm/llm.ts'
import type { Store } from '../../store/index.ts'
import type { Caller } from '../../teams/keys.ts'
import { expandBrowserCommand } from './expand-browser-command.ts'
import { type LinkTokens, makeSessionLinks, type SessionLinks } from './link-tokens.ts'
import type { PeerRequests } from './peer-requests.ts'
import type { CodeLanguage } from './sandbox/code-language.ts'
import type { RunResult } from './sandbox/runner.ts'
import type { CreateSessionBody } from './schema.ts'
import type { SessionDownloads } from './session-downloads.ts'
import {
  type LocalSession,
  openSessionManager,
  type SessionManager,
  type SessionManagerParts,
  saveSessionProfile,
} from './session-manager.ts'
import { sessionStartOfScrape, visitOfBlankSession } from './session-start-visit.ts'
import { type BrowserSessions, type SessionRow, sessionStore } from './store/index.ts'

type SessionCodeRequest = { code: string; language: CodeLanguage; timeoutMs: number }

export interface PromptRequest {
  prompt: string
  timeoutMs: number
  /** The caller's, whose right to the vault is checked. */
  keyId: string | undefined
}

export interface PromptResult {
  /** False: only partly done. */
  done: boolean
  output: string
  steps: readonly unknown[]
  snapshot: string
  /** Pictures that were asked for, as base64 of PNG files. */
  pictures?: readonly string[]
  /** Why rules were used although a model is configured. */
  warning?: string
  usage?: TokenUsage
}

interface SessionVault {
  /** Returns the reason why it could not. */
  signIn(driver: PageDriver, name: string): Promise<string | undefined>
  /** Writes dots for every value that was typed in this session. */
  mask(text: string): string
}

export type RunPromptInSession = (
  session: LiveSession,
  request: PromptRequest,
  vault: SessionVault,
  signal: AbortSignal,
) => Promise<PromptResult>

type SessionOwner = Pick<Caller, 'teamId' | 'keyId' | 'plan' | 'isLimited'>

interface RunSession {
  url: string
  /** The agent run that is charged for it. */
  runId: string
  ttlMs: number
}

export interface SessionService {
  create(
    caller: SessionOwner & Pick<Caller, 'zeroDataRetention'>,
    request: CreateSessionBody,
    signal: AbortSignal,
  ): Promise<SessionRow>
  /** Opens a session of an agent run on this machine, at its start page. */
  forRun(
    who: Pick<SessionRow, 'teamId' | 'keyId'> & Pick<Caller, 'plan'>,
    session: RunSession,
    signal: AbortSignal,
  ): Promise<LocalSession>
  /** The session of a scrape: the existing one, or a new one that repeats the scrape's visit. */
  forScrape(
    caller: SessionOwner,
    scrapeId: string,
    request: SessionScrapeRequest,
    signal: AbortSignal,
  ): Promise<SessionRow>
  ofScrape(caller: SessionOwner, scrapeId: string): Promise<SessionRow>
  find(teamId: string, id: string): Promise<SessionRow>
  run(row: SessionRow, request: SessionCodeRequest, signal: AbortSignal): Promise<RunResult & NewSessionDownloads>
  prompt(row: SessionRow, request: PromptRequest, signal: AbortSignal): Promise<PromptResult & NewSessionDownloads>
  /** `ended`: with the page that it ended on, as the last step. */
  recorded(row: SessionRow, ended: boolean, signal: AbortSignal): Promise<Flow>
  /** What the session waits for a person to type; undefined when it does not. */
  needsInput(row: SessionRow, signal: AbortSignal): Promise<'code' | undefined>
  /** Saves the browser's state as a profile. */
  keepProfile(row: SessionRow, name: string): Promise<void>
  close(row: SessionRow): Promise<SessionRow>
  /** Runs another machine's request on a session that is here. */
  here(id: string, op: string, args: unknown, signal: AbortSignal): Promise<unknown>
  linksOf(row: SessionRow, baseUrl: string): SessionLinks
  /** For the agent and for sockets, which look up sessions by their id. */
  sessions: BrowserSessions
  manager: SessionManager
  tokens: LinkTokens
  /** Origins whose pages may embed live views and recordings, besides ours. */
  frames: readonly string[]
  stop(): Promise<void>
}

type SessionScrapeRequest = { ttl: number; activityTtl: number; existingSessionId?: string | undefined }

interface InteractParts extends SessionManagerParts {
  tokens: LinkTokens
  peers: PeerRequests
  prompter: RunPromptInSession
  vaultFor(team: string, keyId: string | undefined): VaultAccess
  queue(): WorkQueue
  frames: readonly string[]
  /** Identifies the build; see Services. */
  maker: string
}

export async function openSessionService(parts: InteractParts): Promise<SessionService> {
  const { store, tokens, peers } = parts
  const sessions = await openSessionManager(parts)
  const opening = new Map<string, Promise<SessionRow>>()

  const heldHere = (id: string): LocalSession => {
    const held = sessions.held(id)
    if (!held) throw new Problem('session_gone')
    return held
  }
  const here: SessionService['here'] = async (id, op, args, signal) =>
    operateHere(parts, sessions, heldHere(id), op, args, signal)
  /** Runs here, or on the machine that holds the session. */
  const at = async (row: SessionRow, op: string, args: unknown, signal: AbortSignal): Promise<unknown> => {
    if (row.state !== 'active') throw makeGoneProblem(row)
    if (row.holder === sessions.holder) return here(row.id, op, args, signal)
    return peers.ask(row, op, args, signal)
  }
  const find: SessionService['find'] = (teamId, id) => sessionOf(store, teamId, id)
  return {
    sessions: sessionStore(store),
    manager: sessions,
    tokens,
    frames: parts.frames,
    here,
    find,
    create: (caller, request, signal) => {
      const { streamWebView: stream, recordSession: record = false, profile, webhook } = request
      if (record) assertMayRecord(caller)
      const times = { ttlMs: request.ttl * 1000, activityTtlMs: request.activityTtl * 1000 }
      const visit = visitOfBlankSession()
      return sessions.open({ caller, ...times, stream, record, profile, webhook, visit, replay: false }, signal)
    },
    async forRun(who, { url, runId, ttlMs }, signal) {
      const times = { ttlMs, activityTtlMs: ttlMs }
      const visit = { ...visitOfBlankSession(), url }
      const how = { stream: true, record: false, profile: undefined, visit, replay: true }
      const { id } = await sessions.open({ caller: { ...who, isLimited: false }, runId, ...times, ...how }, signal)
      return heldHere(id)
    },
    linksOf: (row, baseUrl) => makeSessionLinks(tokens, row, baseUrl),
    async forScrape(caller, given, request, signal) {
      if (!isUuid(given)) throw new Problem('invalid_job_id')
      const scrapeId = given.toLowerCase()
      const known = await sessionStore(store).findByScrape(scrapeId)
      if (known && known.teamId !== caller.teamId) throw new Problem('job_not_found')
      if (known?.state === 'active') return known
      if (known) throw makeGoneProblem(known)
      if (request.existingSessionId !== undefined)
        return adopt(parts, find, caller, scrapeId, request.existingSessionId)
      let begun = opening.get(scrapeId)
      if (!begun) {
        begun = openForScrape(parts, sessions, caller, scrapeId, request, signal).finally(() =>
          opening.delete(scrapeId),
        )
        opening.set(scrapeId, begun)
      }
      return begun
    },
    async ofScrape({ teamId }, given) {
      if (!isUuid(given)) throw new Problem('invalid_job_id')
      const row = await sessionStore(store).findByScrape(given.toLowerCase())
      if (!row || row.teamId !== teamId) throw new Problem('session_not_found')
      return row
    },
    run: async (row, request, signal) => (await at(row, 'run', request, signal)) as RunResult & NewSessionDownloads,
    prompt: async (row, request, signal) =>
      (await at(row, 'prompt', request, signal)) as PromptResult & NewSessionDownloads,
    recorded: async (row, ended, signal) => (await at(row, 'recorded', { ended }, signal)) as Flow,
    needsInput: async (row, signal) =>
      row.state === 'active' && (await at(row, 'needsInput', {}, signal).catch(() => null)) ? 'code' : undefined,
    keepProfile: async (row, name) => void (await at(row, 'keepProfile', { name }, abortAfter(SESSION_END_MS))),
    async close(row) {
      if (row.state === 'active') await at(row, 'close', {}, abortAfter(SESSION_END_MS)).catch(ignoreGone)
      return (await sessionStore(store).find(row.id)) ?? row
    },
    stop: () => sessions.stop(),
  }
}

async function operateHere(
  parts: InteractParts,
  sessions: SessionManager,
  held: LocalSession,
  op: string,
  args: unknown,
  signal: AbortSignal,
): Promise<unknown> {
  const { run, prompt } = { run: args as SessionCodeRequest, prompt: args as PromptRequest }
  if (op === 'run') return withFiles(held, run, () => runHere(sessions, held, run, signal))
  if (op === 'prompt') return withFiles(held, prompt, () => promptHere(sessions, held, parts, prompt, signal))
  if (op === 'recorded')
    return held.recorder.flow((args as { ended?: boolean }).ended ? await held.live.lastPage() : undefined)
  if (op === 'needsInput') return held.needsInput ?? null
  if (op === 'keepProfile') {
    await sessions.during(held, () => saveSessionProfile(parts.store, held, String((args as { name: unknown }).name)))
    return {}
  }
  if (op === 'close') return sessions.end(held, 'destroyed', null).then(() => ({}))
  throw new Problem('bad_request', { because: `there is no ${op}` })
}

async function sessionOf(store: Store, teamId: string, id: string): Promise<SessionRow> {
  const row = isUuid(id) ? await sessionStore(store).find(id.toLowerCase()) : undefined
  if (!row || row.teamId !== teamId) throw new Problem('session_not_found')
  return row
}

function assertMayRecord({ zeroDataRetention }: Pick<Caller, 'zeroDataRetention'>): void {
  if (zeroDataRetention === 'forced')
    throw new Problem('bad_request', {
      instead: 'Your team has zero data retention enabled. This is not supported with recordSession.',
    })
}

/** Files that pages of the session offered for download since the last call. */
export type NewSessionDownloads = { handedOut?: Awaited<ReturnType<SessionDownloads['take']>> }

async function withFiles<T extends object>(
  { files }: LocalSession,
  { timeoutMs }: { timeoutMs: number },
  work: () => Promise<T>,
): Promise<T & NewSessionDownloads> {
  const ends = performance.now() + timeoutMs
  const done = await work()
  const handedOut = await files.take(Math.max(0, ends - performance.now()))
  return handedOut.files.length + handedOut.failures.length > 0 ? { ...done, handedOut } : done
}

/** The reason why it ended is included: clients show it. */
const makeGoneProblem = ({ error }: SessionRow): Problem =>
  new Problem('session_gone', error ? { instead: `Browser session has been destroyed. ${error}` } : {})

function ignoreGone(error: unknown): void {
  if (asProblem(error).kind !== 'session_gone') throw error
}

async function openForScrape(
  { store, maker }: InteractParts,
  sessions: SessionManager,
  caller: SessionOwner,
  scrapeId: string,
  { ttl, activityTtl }: SessionScrapeRequest,
  signal: AbortSignal,
): Promise<SessionRow> {
  const scrape = await store.pages.getScrape(caller.teamId, scrapeId)
  if (!scrape) throw await makeMissingProblem(store, caller, scrapeId)
  const { visit, profile } = sessionStartOfScrape(scrape, maker)
  const times = { ttlMs: ttl * 1000, activityTtlMs: activityTtl * 1000 }
  const options = { caller, scrapeId, ...times, stream: true, record: false, profile, visit, replay: true }
  return sessions.open(options, signal).catch(async (error) => {
    // Another machine may have opened it at the same moment.
    const other = asProblem(error).kind === 'conflict' ? await sessionStore(store).findByScrape(scrapeId) : undefined
    if (!other) throw error
    return other
  })
}

/** A scrape that existed but is no longer stored can be repeated; an unknown id cannot. */
const makeMissingProblem = async (
  { ledger }: InteractParts['store'],
  { teamId }: SessionOwner,
  scrapeId: string,
): Promise<Problem> => new Problem((await ledger.knows(teamId, scrapeId)) ? 'no_replay' : 'job_not_found')

async function adopt(
  { store }: InteractParts,
  find: SessionService['find'],
  caller: SessionOwner,
  scrapeId: string,
  id: string,
): Promise<SessionRow> {
  if (!(await store.pages.getScrape(caller.teamId, scrapeId))) throw await makeMissingProblem(store, caller, scrapeId)
  const row = await find(caller.teamId, id)
  if (row.state !== 'active') throw makeGoneProblem(row)
  if (!(await sessionStore(store).adopt(row.id, scrapeId)))
    throw new Problem('conflict', { because: 'this session goes on with another scrape already' })
  return { ...row, scrapeId }
}

function runHere(
  sessions: SessionManager,
  held: LocalSession,
  { code, language, timeoutMs }: SessionCodeRequest,
  signal: AbortSignal,
): Promise<RunResult> {
  const began = performance.now()
  const { guard } = held.live
  if (guard.typed) throw new Problem('forbidden', { because: CODE_OFF })
  guard.hasRunCode = true
  const text = language === 'bash' ? expandBrowserCommand(code) : code
  const both = AbortSignal.any([signal, held.live.lost])
  held.film?.step(guard.masker.text(`${language}: ${code.trim()}`))
  return sessions.during(held, async () => {
    const leftMs = await afterStuckPages(held, began, timeoutMs)
    const ran = await held.sandbox.run(text, language, { leftMs, timeoutMs }, both)
    if (held.live.lost.aborted) throw new Problem('session_gone', { because: 'its browser ended while the code ran' })
    const stuck = ran.killed && !signal.aborted && (await hasStuckPage(held))
    // On the line that says why the code was ended, which is the error of the answer.
    const stderr = stuck ? `${ran.stderr}${ran.stderr && ' '}${STUCK}` : held.live.explain(ran.stderr)
    return guard.masker.deep({ ...ran, stderr })
  })
}

const CODE_OFF =
  'a sign-in of the vault was typed in this session; save a profile and run code in another one, or store the entry with `code: true`'
const STUCK =
  'A page stopped responding: loading was stopped, and if it still does not respond, an empty page replaces it. The session goes on.'
/** The answer waits this long for it; what is left is done behind it. */
const STUCK_CHECK_MS = 250

const hasStuckPage = ({ live }: LocalSession): Promise<boolean> =>
  withinTime(STUCK_CHECK_MS, live.control.endStuckPages(), () => true)

/** What is left of `timeoutMs` once pages that blocked an earlier call are gone. */
async function afterStuckPages({ live }: LocalSession, began: number, timeoutMs: number): Promise<number> {
  await live.control.ending()
  return Math.max(1, Math.round(timeoutMs - (performance.now() - began)))
}

/** To save a profile or end a browser, perhaps on another machine. */
const SESSION_END_MS = 30_000
const CODE_NEEDED = 'The page asks for a code that was sent to you. Type it there; the sign-in continues automatically.'

async function sendNeedsInput(
  { store, clock, queue }: InteractParts,
  { row: { id, teamId, keyId }, webhook, needsInput }: LocalSession,
): Promise<void> {
  if (!webhook) return
  const source = { id, teamId, keyId, kind: 'session', webhook: JSON.stringify({ ...webhook, events: [] }) }
  const events = { namespace: 'session', names: ['needsInput'] }
  const event = { name: 'needsInput', success: true, dataText: JSON.stringify({ needsInput }) }
  await store.transaction((tx) => queueWebhook({ store, clock, queue: queue() }, tx, source, events, event))
}

async function promptHere(
  sessions: SessionManager,
  held: LocalSession,
  parts: InteractParts,
  request: PromptRequest,
  signal: AbortSignal,
): Promise<PromptResult> {
  const began = performance.now()
  await sessions.raisePrice(held)
  const both = anySignal(signal, held.live.lost)
  const { prompter, vaultFor } = parts
  const { guard } = held.live
  const mask = guard.masker.text
  const signInWith = async (driver: PageDriver, name: string) => {
    const access = vaultFor(held.row.teamId, request.keyId)
    const entry = await access.vault(name)
    if (typeof entry === 'string') return entry
    const onCodeNeeded = (isWaiting: boolean) => {
      held.needsInput = isWaiting ? 'code' : undefined
      held.live.view.notice(isWaiting ? CODE_NEEDED : null)
      if (!isWaiting) return
      held.film?.step(CODE_NEEDED)
      void sendNeedsInput(parts, held).catch((error: Error) =>
        parts.log.warn({ session: held.row.id, because: error.message }, 'a webhook of a session could not be sent'),
      )
    }
    return held.recorder.login(name, () => signIn(driver, entry, { ...access, guard, onCodeNeeded }))
  }
  try {
    held.film?.step(mask(`Asked: ${request.prompt}`))
    // A session may be held by another machine than the one that has the caller's request.
    const vault = { signIn: signInWith, mask }
    const prompting = async () => {
      const timeoutMs = await afterStuckPages(held, began, request.timeoutMs)
      return withCallContext({ teamId: held.row.teamId }, () =>
        prompter(held.live, { ...request, timeoutMs }, vault, both),
      )
    }
    const prompted = await sessions.during(held, () => rejectWhenAborted(both, prompting()))
    const isTimeUp = performance.now() - began > request.timeoutMs - STUCK_CHECK_MS * 2
    const stuck = !prompted.done && isTimeUp && (await hasStuckPage(held))
    const said = held.live.explain(prompted.output)
    const masked = guard.masker.deep({ ...prompted, output: stuck ? `${said}\n${STUCK}` : said })
    held.film?.step(masked.output)
    return masked
  } catch (error) {
    if (held.live.lost.aborted) throw new Problem('session_gone', { because: 'its browser ended meanwhile' })
    const isLate = error instanceof Problem && error.kind === 'timeout'
    if (isLate && !signal.aborted && (await hasStuckPage(held)))
      throw new Problem('prompt_failed', { because: `${error.message}. ${STUCK}`, cause: error })
    if (error instanceof Problem) throw error
    const because = (error as Error).message.split('\n', 1)[0]?.slice(0, 300) ?? ''
    throw new Problem('prompt_failed', { because, cause: error })
  }
}

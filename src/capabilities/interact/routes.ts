// The HTTP routes of live sessions: of a scrape, and standalone. Both prefixes of the latter are equivalent.

import { randomUUID } from 'node:crypto'
import { DAY_MS, isoTime } from '../../base/clock.ts'
import { prices } from '../../base/prices.ts'
import { Problem } from '../../base/problem.ts'
import { readBrowserState } from '../../fetch/chrome/read-browser-state.ts'
import { browserProfileStore } from '../../scrape/store/index.ts'
import { defineCapability } from '../capability.ts'
import type { Route, RouteCall } from '../route.ts'
import { successReply } from '../schema-parts.ts'
import { linkTokenRoutes } from './link-token-routes.ts'
import { makeSessionLinks } from './link-tokens.ts'
import { mcp } from './mcp.ts'
import { openInteractServices } from './open-services.ts'
import { defineRoute, type HandlerServices } from './own-services.ts'
import { parseDownloads } from './parse-downloads.ts'
import { recordingRoutes } from './recording-routes.ts'
import { requestForms } from './request-forms.ts'
import type { RunResult } from './sandbox/runner.ts'
import {
  createSessionBody,
  createSessionReply,
  type DownloadOptions,
  deleteSessionReply,
  executeCodeBody,
  executeCodeReply,
  type InteractBody,
  importProfileBody,
  importProfileReply,
  interactBody,
  interactReply,
  listSessionsQuery,
  listSessionsReply,
  profileNameSchema,
  profilesReply,
  saveProfileBody,
  sessionPromptBody,
  sessionReply,
} from './schema.ts'
import type { NewSessionDownloads, PromptResult } from './session-service.ts'
import { type SessionRow, sessionStore } from './store/index.ts'

const PREFIX = '/v2/interact'
const MAX_LISTED = 200

const linksFor = ({ browserSessions }: HandlerServices, row: SessionRow, { baseUrl }: RouteCall) =>
  makeSessionLinks(browserSessions.tokens, row, baseUrl)

/** Null instead of an empty text, which some clients would show. */
const textOrNull = (text: string): string | null => (text === '' ? null : text)

function ranFields({ result, stdout, stderr, exitCode, killed, truncated }: RunResult) {
  const failed = killed || exitCode !== 0
  return {
    stdout,
    result,
    stderr,
    exitCode,
    killed,
    ...(truncated ? { truncated } : {}),
    // The kill reason is the last line.
    ...(failed ? { error: (killed ? stderr.split('\n').at(-1) : stderr.trim()) || 'Execution failed' } : {}),
  }
}

const promptFields = ({ done, output, snapshot, pictures = [], warning, usage }: PromptResult) => ({
  output: textOrNull(output) ?? 'Nothing was done.',
  result: textOrNull(snapshot),
  stdout: null,
  stderr: null,
  exitCode: done ? 0 : 1,
  killed: false,
  ...(done ? {} : { error: output || 'It could not be done.' }),
  ...(pictures.length > 0 ? { screenshots: pictures.map((png) => `data:image/png;base64,${png}`) } : {}),
  ...(warning ? { warning } : {}),
  ...(usage ? { modelTokens: usage.inputTokens + usage.outputTokens } : {}),
  ...(usage?.cost === undefined ? {} : { modelCost: usage.cost }),
})

async function fileFields(
  services: HandlerServices,
  { handedOut }: NewSessionDownloads,
  options: DownloadOptions | undefined,
  call: RouteCall,
): Promise<object> {
  if (!handedOut) return {}
  const { files, failures } = handedOut
  const parsed = options?.parse ? await parseDownloads(services, files, call) : []
  const downloads = files.map(({ blobId, data, expiresAt, ...file }, at) => ({
    id: blobId ?? file.sha256,
    ...file,
    url: blobId ? `${call.baseUrl}/v2/media/${services.store.blobs.sign(blobId, expiresAt)}` : data,
    ...(parsed[at]?.markdown === undefined ? {} : { markdown: parsed[at].markdown }),
  }))
  const warnings = [
    ...(failures.length > 0 ? [`Downloads: ${failures.join('; ')}.`] : []),
    ...parsed.flatMap(({ warning }) => warning ?? []),
  ]
  return {
    ...(downloads.length > 0 ? { downloads } : {}),
    ...(warnings.length > 0 ? { warning: warnings.join(' ') } : {}),
  }
}

const interactWithScrape = defineRoute({
  method: 'POST',
  path: '/v2/scrape/:jobId/interact',
  activity: 'interact',
  summary: 'Continue in the page of a scrape, by prompt or code',
  command: 'interact',
  bucket: 'sessionRun',
  body: interactBody,
  example: { prompt: 'Click Sign in, then tell me which fields the form has' },
  reply: interactReply,
  async handle(services, { body, params }, call) {
    const { browserSessions } = services
    const row = await browserSessions.forScrape(call.caller, params.jobId ?? '', body, call.signal)
    call.note({ jobId: row.id })
    const links = linksFor(services, row, call)
    const done = await act(services, row, body, call)
    return {
      ...done,
      sessionId: row.id,
      ...links,
      ...(links.liveViewUrl ? { liveUrl: links.liveViewUrl, sessionUrl: links.interactiveLiveViewUrl } : {}),
    }
  },
})

async function act(services: HandlerServices, row: SessionRow, body: InteractBody, call: RouteCall): Promise<object> {
  const { browserSessions } = services
  const { code, prompt = '', language } = body
  const timeoutMs = body.timeout * 1000
  if (code === undefined) {
    const prompted = await browserSessions.prompt(row, { prompt, timeoutMs, keyId: call.caller.keyId }, call.signal)
    return {
      success: prompted.done,
      ...promptFields(prompted),
      ...(await fileFields(services, prompted, body.downloads, call)),
    }
  }
  const ran = await browserSessions.run(row, { code, language, timeoutMs }, call.signal)
  return {
    success: !ran.killed && ran.exitCode === 0,
    ...ranFields(ran),
    ...(await fileFields(services, ran, body.downloads, call)),
  }
}

function toEndedReply(row: SessionRow, first: boolean): object {
  const sessionDurationMs = Math.max(0, (row.endedAt ?? row.lastActivity) - row.createdAt)
  return { success: true, status: row.state, sessionDurationMs, ...(first ? { creditsBilled: row.billed } : {}) }
}

const stopInteraction = defineRoute({
  method: 'DELETE',
  path: '/v2/scrape/:jobId/interact',
  summary: 'Stop the session of a scrape',
  command: 'interact stop',
  reply: deleteSessionReply,
  async handle({ browserSessions }, { params }, { caller }) {
    const row = await browserSessions.ofScrape(caller, params.jobId ?? '')
    return toEndedReply(await browserSessions.close(row), row.state === 'active')
  },
})

/** The same route under its other prefix too; commands and tools use the documented one. */
const withAlias = (route: Route<HandlerServices>): Route<HandlerServices>[] => [
  route,
  { ...route, path: route.path.replace(PREFIX, '/v2/browser'), command: null },
]

const create = defineRoute({
  method: 'POST',
  path: PREFIX,
  activity: 'browser',
  summary: 'Open a browser session',
  command: 'session open',
  bucket: 'sessionCreate',
  body: createSessionBody,
  example: { ttl: 600, profile: { name: 'shop', saveChanges: true } },
  reply: createSessionReply,
  async handle(services, { body }, call) {
    const row = await services.browserSessions.create(call.caller, body, call.signal)
    call.note({ jobId: row.id })
    return { success: true, id: row.id, ...linksFor(services, row, call), expiresAt: isoTime(row.expiresAt) }
  },
})

const facts = (row: SessionRow) => ({
  id: row.id,
  status: row.state,
  streamWebView: row.stream,
  createdAt: isoTime(row.createdAt),
  lastActivity: isoTime(row.lastActivity),
})

const list = defineRoute({
  method: 'GET',
  path: PREFIX,
  summary: 'List browser sessions, newest first',
  command: 'session list',
  bucket: 'jobStatus',
  query: listSessionsQuery,
  reply: listSessionsReply,
  async handle(services, { query }, call) {
    const rows = await sessionStore(services.store).list(call.caller.teamId, query.status, MAX_LISTED)
    return { success: true, sessions: rows.map((row) => ({ ...facts(row), ...linksFor(services, row, call) })) }
  },
})

const get = defineRoute({
  method: 'GET',
  path: `${PREFIX}/:sessionId`,
  summary: 'Read a browser session',
  command: 'session get',
  bucket: 'jobStatus',
  reply: sessionReply,
  async handle(services, { params }, call) {
    const row = await services.browserSessions.find(call.caller.teamId, params.sessionId ?? '')
    const needsInput = await services.browserSessions.needsInput(row, call.signal)
    const { scrapeId, profile, savesProfile, endedAt, billed, error, recording } = row
    return {
      success: true,
      ...facts(row),
      ...linksFor(services, row, call),
      expiresAt: isoTime(row.expiresAt),
      ...(scrapeId ? { scrapeId } : {}),
      ...(profile ? { profile: { name: profile, saveChanges: savesProfile } } : {}),
      ...(recording ? { recordingUrl: recordingUrl(services, row.id, call) } : {}),
      ...(needsInput ? { needsInput } : {}),
      creditsBilled: billed,
      ...(endedAt === null ? {} : { sessionDurationMs: endedAt - row.createdAt }),
      ...(error ? { error } : {}),
    }
  },
})

const recordingUrl = ({ browserSessions, clock }: HandlerServices, id: string, { baseUrl }: RouteCall): string => {
  const until = clock.now() + DAY_MS
  return `${baseUrl}/live/${id}/film/${until}.${browserSessions.tokens.of('film', `${id} ${until}`)}`
}

const execute = defineRoute({
  method: 'POST',
  path: `${PREFIX}/:sessionId/execute`,
  summary: 'Run code in a browser session',
  command: 'session run',
  bucket: 'sessionRun',
  body: executeCodeBody,
  example: { code: 'await page.goto("https://example.com"); await page.title()' },
  reply: executeCodeReply,
  async handle(services, { body, params }, call) {
    const { browserSessions } = services
    const row = await browserSessions.find(call.caller.teamId, params.sessionId ?? '')
    const { code, language, timeout } = body
    const ran = await browserSessions.run(row, { code, language, timeoutMs: timeout * 1000 }, call.signal)
    return { success: true, ...ranFields(ran), ...(await fileFields(services, ran, body.downloads, call)) }
  },
})

const promptSession = defineRoute({
  method: 'POST',
  path: `${PREFIX}/:sessionId/prompt`,
  summary: 'Run a prompt in a browser session',
  command: 'session prompt',
  bucket: 'sessionRun',
  body: sessionPromptBody,
  example: { prompt: 'accept cookies, then click Next until there is none' },
  reply: executeCodeReply,
  async handle(services, { body, params }, call) {
    const { browserSessions } = services
    const row = await browserSessions.find(call.caller.teamId, params.sessionId ?? '')
    const { prompt, timeout } = body
    const prompted = await browserSessions.prompt(
      row,
      { prompt, timeoutMs: timeout * 1000, keyId: call.caller.keyId },
      call.signal,
    )
    return {
      success: prompted.done,
      ...promptFields(prompted),
      ...(await fileFields(services, prompted, body.downloads, call)),
    }
  },
})

const remove = defineRoute({
  method: 'DELETE',
  path: `${PREFIX}/:sessionId`,
  summary: 'Stop a browser session',
  command: 'session stop',
  reply: deleteSessionReply,
  async handle({ browserSessions }, { params }, { caller }) {
    const row = await browserSessions.find(caller.teamId, params.sessionId ?? '')
    return toEndedReply(await browserSessions.close(row), true)
  },
})

const listProfiles = defineRoute({
  method: 'GET',
  path: `${PREFIX}/profiles`,
  summary: 'List browser profiles',
  command: 'session profiles',
  bucket: 'account',
  reply: profilesReply,
  async handle({ store }, _input, { caller }) {
    const profiles = await browserProfileStore(store).list(caller.teamId)
    return {
      success: true,
      profiles: profiles.map(({ name, updatedAt, inUse, bytes }) => ({
        name,
        updatedAt: isoTime(updatedAt),
        inUse,
        bytes,
      })),
    }
  },
})

const importProfile = defineRoute({
  method: 'PUT',
  path: `${PREFIX}/profiles/:name`,
  summary: 'Create or replace a browser profile with cookies and storage of another browser',
  command: 'session import',
  bucket: 'account',
  body: importProfileBody,
  example: { content: [{ name: 'sid', value: '…', domain: 'example.com' }], domains: ['example.com'] },
  reply: importProfileReply,
  async handle({ store, clock }, { body: { content, domains }, params }, { caller }) {
    const name = profileNameSchema.parse(params.name)
    const text = typeof content === 'string' ? content : JSON.stringify(content)
    const { skipped, ...state } = readBrowserState(text, domains ?? [], clock.now())
    const profiles = browserProfileStore(store)
    const [ref, saver] = [{ teamId: caller.teamId, name }, randomUUID()]
    if (!(await profiles.claim(ref, saver, IMPORT_MS))) throw new Problem('profile_in_use')
    if (!(await profiles.save(ref, saver, JSON.stringify(state)))) throw new Problem('profile_in_use')
    const counts = { cookies: state.cookies.length, origins: state.origins.length, skipped }
    return { success: true, data: { name, ...counts } }
  },
})

/** Lock of a profile while it is written. */
const IMPORT_MS = 30_000

const removeProfile = defineRoute({
  method: 'DELETE',
  path: `${PREFIX}/profiles/:name`,
  summary: 'Delete a browser profile',
  command: 'session forget',
  bucket: 'account',
  reply: successReply(),
  async handle({ store }, { params }, { caller }) {
    const removed = await browserProfileStore(store).remove({ teamId: caller.teamId, name: params.name ?? '' })
    if (removed === 'in use') throw new Problem('profile_in_use')
    if (removed === 'unknown') throw new Problem('not_found', { instead: 'Profile not found.' })
    return { success: true }
  },
})

const keepProfile = defineRoute({
  method: 'POST',
  path: `${PREFIX}/:sessionId/profile`,
  summary: 'Save cookies and storage of a session as a profile',
  command: 'session keep',
  bucket: 'account',
  body: saveProfileBody,
  example: { name: 'shop' },
  reply: successReply(),
  async handle({ browserSessions }, { body, params }, { caller }) {
    const row = await browserSessions.find(caller.teamId, params.sessionId ?? '')
    await browserSessions.keepProfile(row, body.name)
    return { success: true }
  },
})

const { perMinute, promptedPerMinute } = prices.session

export const interactCapability = defineCapability({
  name: 'interact',
  tag: 'Interact',
  needs: ['browserSessions'],
  right: 'use',
  cliGroup: 'Work with pages',
  mcp,
  requestForms,
  storage: sessionStore,
  group: 'browser',
  // Code and prompts return anything of a page, and the sockets of a session are handed out by most calls.
  formats: () => ['browser session'],
  prices: [
    { what: 'A minute of a browser session, by the second and at least one', credits: perMinute },
    { what: 'The same, for a whole session that received a prompt', credits: promptedPerMinute },
  ],
  open: openInteractServices,
  routes: [
    interactWithScrape,
    stopInteraction,
    ...[create, list, listProfiles, importProfile, removeProfile, get].flatMap(withAlias),
    ...[execute, promptSession, remove, keepProfile].flatMap(withAlias),
    ...recordingRoutes,
    ...linkTokenRoutes,
  ],
})

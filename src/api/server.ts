// The Fastify server: routes of all capabilities with shared conventions (keys, request ids, CORS, body limits,
// errors). Only api/ imports Fastify.

import { randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest, LogController } from 'fastify'
import type { Logger } from 'pino'
import { assertNoNulCharacter, parseJsonBody } from '../base/parse-json-body.ts'
import { asProblem, Problem, type ProblemName } from '../base/problem.ts'
import type { Spans } from '../base/spans.ts'
import { validateInput } from '../base/validate-input.ts'
import { hostOf } from '../base/values.ts'
import type { Capability } from '../capabilities/capability.ts'
import type { UpgradeHandler } from '../capabilities/capability-context.ts'
import {
  type AllServices,
  deprecationHeaders,
  ReadyReply,
  RedirectReply,
  type Route,
  StreamReply,
} from '../capabilities/route.ts'
import type { ThreatPolicy } from '../fetch/threats/threat-policy.ts'
import { findFormat } from '../scrape/formats/index.ts'
import { newId } from '../store/id.ts'
import { actForTeam } from '../teams/act-for-team.ts'
import { assertAddressAllowed } from '../teams/ip-allowlist.ts'
import { assertEndpointAllowed, assertFormatsAllowed, UNRESTRICTED_GROUP } from '../teams/key-restrictions.ts'
import { assertRight, type NeededRight } from '../teams/key-rights.ts'
import type { Caller } from '../teams/keys.ts'
import type { OidcSignIn } from '../teams/oidc-sign-in.ts'
import type { RateLimitStatus } from '../teams/rate-limits.ts'
import type { ActivityRow } from '../teams/store/activity-log.ts'
import { teamStore } from '../teams/store/index.ts'
import {
  hasZeroDataRetention,
  loggedEndpointOfRoute,
  newActivityRow,
  readTargetAndUsername,
} from './activity-log-fields.ts'
import {
  type Authenticators,
  authenticateRequest,
  type FindApiKeyOfSession,
  type FindCallerByKey,
  type FindKeyForKeylessCaller,
  type IsOpenRoute,
  makeIsOpenRoute,
} from './auth.ts'
import { withCdpSocket } from './cdp-websocket.ts'
import { readClientAddress } from './client-address.ts'
import { EXAMPLE_BASE_URL } from './code-samples.ts'
import { makeOtherApiRoutes, type OtherApi } from './compat/other-apis.ts'
import { translateOldOptionNames } from './compat/translate-old-option-names.ts'
import { makeV1Routes } from './compat/v1.ts'
import { isCrawlPreviewByGet, makePathCorrector } from './correct-request-paths.ts'
import { allowCrossOrigin } from './cross-origin.ts'
import { addDashboardRoutes } from './dashboard.ts'
import { type DashboardSessions, openDashboardSessions, readSessionCookie } from './dashboard-session.ts'
import { addDocsRoutes, sendNotFoundPage, wantsPage } from './docs-pages.ts'
import type { HealthReport } from './health-reporter.ts'
import { addJobWebSocket } from './job-websocket.ts'
import { writeLlmsTxt } from './llms-txt.ts'
import { addMcpRoute } from './mcp/mcp.ts'
import type { Metrics } from './metrics.ts'
import { addOidcRoutes } from './oidc-routes.ts'
import { readOpenApiDocument } from './openapi-file.ts'
import { openParsedBodyCache, type ParsedBodyCache } from './parsed-body-cache.ts'
import { makePublicPaths } from './public-paths.ts'
import { limitConnectionsAndLateBodies, MAX_BODY_BYTES_WITHOUT_KEY, receiveTimeouts } from './request-limits.ts'
import { type CallParts, openSignals, RequestCall } from './route-call.ts'
import { answerMalformedHttp, sendProblem } from './send-problem.ts'
import { fileBodyOf, isMultipart, registerFileBodyParser } from './upload-bodies.ts'
import { makeReplyValidator } from './validate-replies.ts'
import { addZooRoutes, type Zoo } from './zoo/zoo.ts'

const MAX_BODY_BYTES = 10 * 1024 * 1024
const REQUEST_ID = /^[A-Za-z0-9._:-]{1,128}$/

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller | undefined
    /** Its last facts are known with the response. */
    work: ActivityRow | undefined
    problem: ProblemName | undefined
  }
}

interface ServerParts {
  capabilities: readonly Capability[]
  services: AllServices
  authenticate: FindCallerByKey
  metrics: Metrics
  spans: Spans
  health(): Promise<HealthReport>
  log: Logger
  publicUrl: string | undefined
  local: { key: string; code: string } | undefined
  /** Undefined: off. */
  oidc: OidcSignIn | undefined
  zoo: Zoo | undefined
  /** Called with each port we listen on: never fetch our own listener (SSRF). */
  blockOwnPort(port: number): void
  upgrades: readonly UpgradeHandler[]
  /** Proxies whose X-Forwarded-For we trust. */
  trustedProxies: readonly string[]
  keylessKey: FindKeyForKeylessCaller
  strictBodies: boolean
  checkReplies: boolean
  otherApis: readonly OtherApi[]
  /** Aborts when shutdown stops waiting for open requests. */
  stopping: AbortSignal
}

export async function buildServer(parts: ServerParts): Promise<FastifyInstance> {
  const paths = parts.capabilities.flatMap(({ routes }) => routes.map(({ path }) => path))
  const routes = [
    ...parts.capabilities.flatMap((capability) => capability.routes),
    ...makeV1Routes(parts.capabilities),
    ...makeOtherApiRoutes(parts.capabilities, parts.otherApis),
  ]
  const isOpen = makeIsOpenRoute(routes)
  const server = openServer(parts.log, makePathCorrector(paths), isOpen, routes)
  server.addHook('onListen', async () => {
    for (const at of server.addresses()) if (typeof at === 'object') parts.blockOwnPort(at.port)
  })
  const baseUrl = (request: FastifyRequest) => parts.publicUrl ?? originOf(request)
  const publicPaths = makePublicPaths(parts.publicUrl)
  const { clock, store, version } = parts.services
  const secret = await store.settings.ensure('session_secret', () => randomBytes(32).toString('hex'))
  const sessions = openDashboardSessions(secret)
  const sessionKey = keyOfSession(sessions, parts.services)
  const keyVerifier: Authenticators = {
    authenticate: parts.authenticate,
    sessionKey,
    keylessKey: parts.keylessKey,
    actFor: (caller, teamId) => actForTeam(store, caller, teamId),
  }
  const access = accessOf(routes)
  server.addHook('onRoute', ({ method, url }) => {
    for (const one of [method].flat())
      if (!isOpen(one, url) && !access.has(nameOf(one, url)))
        throw new Error(`${one} ${url} declares no right that a caller needs`)
  })
  server.decorateRequest('caller', undefined)
  server.decorateRequest('work', undefined)
  server.decorateRequest('problem', undefined)
  const repeated = acceptJson(server, routes, parts.checkReplies)
  allowCrossOrigin(server)
  server.addHook('onRequest', async (request, reply) => {
    // Replies contain keys, secrets and pages; cacheable ones override this.
    reply.headers({ 'x-request-id': request.id, 'x-content-type-options': 'nosniff', 'cache-control': 'no-store' })
    const path = request.routeOptions.url
    // An unknown path is 404 for everyone and reveals nothing.
    if (path === undefined || isOpen(request.method, path)) return
    request.caller = await authenticateRequest(request, keyVerifier)
    assertMayCall(request.caller, access.get(nameOf(request.method, path)) ?? CLOSED, request, parts.trustedProxies)
  })
  closeConnections(server)
  server.addHook('onResponse', responseNote(parts))
  server.setErrorHandler((error, request, reply) => sendProblem(error, request, reply, baseUrl(request)))
  server.setNotFoundHandler((request, reply) =>
    wantsPage(request)
      ? sendNotFoundPage(reply, publicPaths)
      : sendProblem(new Problem('not_found'), request, reply, baseUrl(request)),
  )
  addSystemRoutes(server, parts, baseUrl)
  const innerCalls = new Map<string, AbortSignal>()
  addMcpRoute(server, { ...parts, ...parts.services, innerCalls, clientGone })
  addDashboardRoutes(server, {
    ...parts,
    sessions,
    endSession: sessionEnder(sessions, parts.services),
    ...{ store, clock, version },
    callerOf: (request) => authenticateRequest(request, keyVerifier).catch(ignoreUnauthorized),
  })
  addOidcRoutes(server, { ...parts, rates: parts.services.rates, sessions, clock })
  const routeParts = { ...parts, signalOf: openSignals(parts.stopping, innerCalls), baseUrl, repeated }
  for (const route of routes) {
    const add = (where: FastifyInstance) => addRoute(where, route, routeParts)
    // Separate Fastify scope, so that the body parser stays local.
    if (route.takes === 'json') add(server)
    else
      await server.register(async (scope) =>
        registerFileBodyParser(scope as never, route).then(() => add(scope as never)),
      )
  }
  const live = addJobWebSocket(server.server, {
    ...parts,
    ...parts.services,
    ...keyVerifier,
    ...withCdpSocket(server, parts),
  })
  server.addHook('preClose', async () => live.close())
  addDocsRoutes(server, publicPaths)
  addZooRoutes(server, parts.zoo, clock, publicPaths)
  return server
}

function assertMayCall(
  caller: Caller,
  { group, right }: Access,
  { raw }: FastifyRequest,
  trustedProxies: readonly string[],
): void {
  if (caller.ipAllow.length > 0) assertAddressAllowed(caller, readClientAddress(raw, trustedProxies))
  assertEndpointAllowed(caller, group)
  assertRight(caller, right)
}

function ignoreUnauthorized(error: unknown): undefined {
  if (asProblem(error).kind !== 'unauthorized') throw error
}

function closeConnections(server: FastifyInstance): void {
  let closing = false
  server.addHook('preClose', async () => {
    closing = true
  })
  // Without a promise, like `responseNote`: it runs for every response.
  server.addHook('onSend', (_request, reply, _payload, done) => {
    if (closing) reply.header('connection', 'close')
    done()
  })
}

type Access = { group: string | undefined; right: NeededRight }

const CLOSED: Access = { group: undefined, right: 'operator' }

const nameOf = (method: string, path: string): string => `${method === 'HEAD' ? 'GET' : method} ${path}`

/** Group and right of each keyed route; a route without a right fails at startup. */
function accessOf(routes: readonly Route[]): ReadonlyMap<string, Access> {
  const access = new Map<string, Access>(Object.entries(OWN_ACCESS))
  for (const { method, path, group, right } of routes) {
    if (right === undefined) throw new Error(`${method} ${path} declares no right that a caller needs`)
    if (right !== 'none') access.set(nameOf(method, path), { group, right })
  }
  return access
}

const OWN_ACCESS: Readonly<Record<string, Access>> = {
  'POST /mcp': { group: UNRESTRICTED_GROUP, right: 'use' },
  'GET /mcp': { group: UNRESTRICTED_GROUP, right: 'use' },
  'DELETE /mcp': { group: UNRESTRICTED_GROUP, right: 'use' },
  'POST /api/session/code': { group: undefined, right: 'use' },
  'GET /metrics': { group: undefined, right: 'use' },
}

function openServer(log: Logger, rewritePath: (url: string) => string, isOpen: IsOpenRoute, routes: readonly Route[]) {
  const bodyBytes = new Map(routes.map(({ path, bodyBytes }) => [path, bodyBytes]))
  const server = Fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: MAX_BODY_BYTES,
    rewriteUrl: (raw) => {
      const url = rewritePath(raw.url ?? '/')
      if (isCrawlPreviewByGet(raw, url)) raw.method = 'POST'
      return url
    },
    genReqId: (raw) => {
      const given = raw.headers['x-request-id']
      return typeof given === 'string' && REQUEST_ID.test(given) ? given : newId(Date.now())
    },
    routerOptions: { maxParamLength: 1000 },
    // Routes are validated by `validateInput`. Without these, Fastify loads its JSON Schema compilers at start.
    schemaController: { compilersFactory: { buildValidator: noSchemas, buildSerializer: noSchemas } },
    forceCloseConnections: 'idle',
    http: receiveTimeouts,
    frameworkErrors: (error, request, reply) => void sendProblem(error, request as never, reply as never, ''),
    clientErrorHandler: answerMalformedHttp,
  }) as unknown as FastifyInstance
  limitConnectionsAndLateBodies(server, (path, method) =>
    path !== undefined && isOpen(method, path) ? (bodyBytes.get(path) ?? MAX_BODY_BYTES_WITHOUT_KEY) : MAX_BODY_BYTES,
  )
  return server
}

function noSchemas(): never {
  throw new Error('declare the schema in the capability, not in Fastify')
}

const keyOfSession =
  (sessions: DashboardSessions, { store, clock }: AllServices): FindApiKeyOfSession =>
  async (request, proof) => {
    const key = sessions.keyOf(readSessionCookie(request), proof, clock.now())
    const known = key === undefined ? undefined : sessions.nameOf(readSessionCookie(request), clock.now())
    return known && (await teamStore(store).onboarding.isUsed(known.name)) ? undefined : key
  }

/** Cookie and proof may have been copied, so a signed-out session is recorded until it would expire. */
const sessionEnder =
  (sessions: DashboardSessions, { store, clock }: AllServices) =>
  async (request: IncomingMessage): Promise<void> => {
    const known = sessions.nameOf(readSessionCookie(request), clock.now())
    if (known) await teamStore(store).onboarding.useAssertion(known.name, known.until)
  }

function addRoute(
  server: FastifyInstance,
  route: Route,
  parts: ServerParts & CallParts & { repeated: ParsedBodyCache },
): void {
  const { rates } = parts.services
  const work = loggedEndpointOfRoute(route)
  const checkReply = parts.checkReplies ? makeReplyValidator(route) : undefined
  const bodyIn = (request: FastifyRequest) => {
    const given = bodyOf(request, route)
    const { body, notes } =
      parts.strictBodies || !route.body ? { body: given, notes: [] } : translateOldOptionNames(route.path, given)
    return { body: route.body && !isMultipart(request) ? validateInput(route.body, body) : undefined, notes }
  }
  server.route({
    method: route.method,
    url: route.path,
    ...(route.right === 'none' && route.takes === 'json'
      ? { bodyLimit: route.bodyBytes ?? MAX_BODY_BYTES_WITHOUT_KEY }
      : {}),
    // Before the body is read: a caller over its limit does not get to send 10 MiB first.
    onRequest: async (request, reply) => {
      if (work) request.work = newActivityRow(work)
      if (!route.bucket || !request.caller) return
      const rate = await rates.take(request.caller, route.bucket).catch((error: unknown) => {
        const { kind, details } = asProblem(error)
        if (kind === 'rate_limited') reply.headers(rateHeaders(details as RateLimitStatus))
        throw error
      })
      if (rate) reply.headers(rateHeaders(rate))
    },
    handler: async (request, reply) => {
      route.screen?.(request.body)
      const { body, notes } = route.repeats
        ? parts.repeated.validated(request.body, route, () => bodyIn(request))
        : bodyIn(request)
      const input = {
        body,
        asked: request.body,
        query: route.query ? validateInput(route.query, queryOf(request)) : undefined,
        params: paramsOf(request, route.path),
        ...fileBodyOf(request, route),
      }
      const caller = request.caller as Caller
      if (request.work) Object.assign(request.work, readTargetAndUsername(input.body, caller))
      const holdFormats = (body: unknown): readonly string[] => {
        const formats = route.formats?.(body) ?? []
        if (caller) assertFormatsAllowed(caller, formats)
        return formats
      }
      const formats = holdFormats(input.body)
      if (formats.some((name) => findFormat(name)?.isDeprecated)) reply.headers(deprecationHeaders(route.path))
      if (caller && parts.services.llm.by === 'model' && formats.some((name) => findFormat(name)?.isOfModel))
        await parts.services.modelBudget.assertNotSpent(caller)
      const call = new RequestCall(request, reply, parts, {
        warnings: notes,
        assertFormats: holdFormats,
        note: ({ target, ...facts }) => {
          const kept = target === undefined || hasZeroDataRetention(input.body, caller) ? facts : { ...facts, target }
          if (request.work) Object.assign(request.work, kept)
        },
      })
      const facts = { 'http.request.method': route.method, 'http.route': route.path, 'orb.request.id': request.id }
      const answer = await parts.spans.root(`${route.method} ${route.path}`, facts, request.headers.traceparent, () =>
        parts.services.reach.by(caller, () =>
          underPolicy(parts.services, input.body, caller, () => route.handle(parts.services, input, call)),
        ),
      )
      await checkReply?.(answer)
      return sendAsItself(answer, reply) ?? (notes.length > 0 ? withWarnings(answer, notes) : answer)
    },
  })
}

/** Replies that are not JSON. */
function sendAsItself(answer: object, reply: FastifyReply): FastifyReply | undefined {
  if (answer instanceof ReadyReply) return reply.headers(answer.headers).type(answer.contentType).send(answer.content)
  if (answer instanceof RedirectReply)
    return reply.header('cache-control', 'private, no-store').redirect(answer.location, 302)
  if (!(answer instanceof StreamReply)) return undefined
  const { isPart, headers, contentType, stream } = answer
  return reply
    .code(isPart ? 206 : 200)
    .headers(headers)
    .type(contentType)
    .send(stream)
}

const withWarnings = (answer: object, notes: readonly string[]): object => {
  const { warning } = answer as { warning?: string }
  return { ...answer, warning: [warning, ...notes].filter(Boolean).join(' ') }
}

const responseNote =
  (parts: ServerParts) =>
  (request: FastifyRequest, reply: FastifyReply, done: () => void): void => {
    const route = request.routeOptions.url ?? 'unknown'
    parts.metrics.request(request.method, route, reply.statusCode, reply.elapsedTime / 1000)
    const fields = { method: request.method, route, status: reply.statusCode, ms: Math.round(reply.elapsedTime) }
    const { problem, caller, work } = request
    if (problem === undefined) request.log.info({ ...fields, team: caller?.teamName }, 'request')
    else {
      // The host only: the path may be private.
      const failed = { ...fields, problem, code: work?.error ?? problem, host: hostOf(work?.target ?? '') }
      request.log[reply.statusCode >= 500 ? 'warn' : 'info'](
        { ...failed, team: caller?.teamName, key: caller?.keyName },
        'request failed',
      )
    }
    if (work) parts.metrics.work(work.endpoint, problem ?? 'ok')
    if (work && caller) {
      work.teamId = caller.teamId
      work.keyId = caller.keyId
      work.at = Date.now() - fields.ms
      work.status = fields.status
      work.ms = fields.ms
      parts.services.meter.call(work)
    }
    done()
  }

const rateHeaders = ({ limit, remaining, resetSeconds }: RateLimitStatus) => ({
  'x-ratelimit-limit': limit,
  'x-ratelimit-remaining': remaining,
  'x-ratelimit-reset': resetSeconds,
})

function addSystemRoutes(
  server: FastifyInstance,
  { health, metrics, capabilities, services }: ServerParts,
  baseUrl: (request: FastifyRequest) => string,
): void {
  server.get('/health', async (_request, reply) => {
    const report = await health()
    return reply.code(report.ready ? 200 : 503).send(report)
  })
  server.get('/v2/health/liveness', async () => ({ status: 'ok' }))
  server.get('/v2/health/readiness', async (_request, reply) => {
    const { ready } = await health()
    return reply.code(ready ? 200 : 503).send({ status: ready ? 'ok' : 'unavailable' })
  })
  server.get('/metrics', async (_request, reply) => reply.type(metrics.contentType).send(await metrics.text()))
  server.get('/llms.txt', async (request, reply) =>
    reply.type('text/plain; charset=utf-8').send(writeLlmsTxt(capabilities, baseUrl(request))),
  )
  let document: string | undefined
  server.get('/openapi.json', async (request, reply) => {
    document ??= readOpenApiDocument(capabilities, services.version)
    const text = document.replaceAll(EXAMPLE_BASE_URL, JSON.stringify(baseUrl(request)).slice(1, -1))
    return reply.type('application/json; charset=utf-8').send(text)
  })
}

/** Accepts JSON only; an empty body counts as none whatever its type, because CLI clients send that on GET and POST. */
function acceptJson(server: FastifyInstance, routes: readonly Route[], isFrozen: boolean): ParsedBodyCache {
  const repeated = openParsedBodyCache(isFrozen)
  const repeating = new Set(routes.filter(({ repeats }) => repeats).map(({ path }) => path))
  server.removeAllContentTypeParsers()
  server.addContentTypeParser(
    /^application\/(?:[\w.-]+\+)?json\b/,
    { parseAs: 'string' },
    async ({ routeOptions, caller }: FastifyRequest, text: string) =>
      caller && repeating.has(routeOptions.url ?? '')
        ? repeated.read(text, (body) => !hasZeroDataRetention(body, caller))
        : parseJsonBody(text),
  )
  return repeated
}

async function underPolicy<T>(
  { threats }: AllServices,
  body: unknown,
  caller: Caller | undefined,
  work: () => Promise<T>,
): Promise<T> {
  if (!caller) return work()
  const { threatProtection, scrapeOptions } = (body ?? {}) as Asked
  const asked = threatProtection ?? scrapeOptions?.threatProtection
  return threats.under(caller.teamId, { asked, keeps: !hasZeroDataRetention(body, caller) }, work)
}

interface Asked {
  threatProtection?: Partial<ThreatPolicy>
  scrapeOptions?: { threatProtection?: Partial<ThreatPolicy> }
}

function bodyOf({ body }: FastifyRequest, { translate }: Route): unknown {
  return translate ? translate(body ?? {}) : (body ?? {})
}

function clientGone(reply: FastifyReply): AbortSignal {
  const controller = new AbortController()
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) controller.abort(new Problem('cancelled'))
  })
  return controller.signal
}

function queryOf({ query }: FastifyRequest): unknown {
  for (const value of Object.values(query as object).flat()) assertNoNulCharacter(String(value))
  return query
}

/** Takes a wildcard from the raw request line: a URL in the path must not be decoded or lose its query. */
function paramsOf(request: FastifyRequest, path: string): Record<string, string> {
  const params = { ...(request.params as Record<string, string>) }
  if (Object.values(params).some((value) => value.includes('\0'))) throw new Problem('not_found')
  if (path.endsWith('*')) params['*'] = (request.raw.url ?? '').slice(path.length - 1)
  return params
}

function originOf(request: FastifyRequest): string {
  const forwarded = request.headers['x-forwarded-proto']
  const scheme =
    (typeof forwarded === 'string' ? forwarded.split(',')[0]?.trim() : undefined) === 'https' ? 'https' : 'http'
  const host = request.headers.host ?? ''
  return `${scheme}://${/^[\w.:[\]-]+$/.test(host) ? host : 'localhost'}`
}

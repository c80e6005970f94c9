// Authentication. Every route needs a key unless it is declared open, which a test enforces.
import type { IncomingMessage } from 'node:http'
import type { FastifyRequest } from 'fastify'
import { Problem } from '../base/problem.ts'
import type { Route } from '../capabilities/route.ts'
import type { Caller } from '../teams/keys.ts'
import { ACT_FOR_TEAM_HEADER, SESSION_PROOF_HEADER } from './dashboard-session.ts'

const OWN_OPEN_ROUTES = [
  'GET /', // service description; to a browser: the dashboard
  'GET /assets/:file',
  'GET /oauth-authorize', // dashboard: signs in, then asks for consent
  'GET /cli-auth', // dashboard: signs in, then passes a key to the waiting CLI
  'GET /api/session',
  'POST /api/session', // sign-in: the key is in the body
  'DELETE /api/session',
  'GET /api/session/oidc', // sign-in at the operator's provider
  'GET /api/session/oidc/callback',
  'GET /health', // for load balancers
  'GET /v2/health/liveness',
  'GET /v2/health/readiness',
  'GET /openapi.json',
  'GET /docs',
  'GET /llms.txt',
  'GET /docs/',
  'GET /docs/:file',
  'GET /zoo', // fixed sample pages
  'GET /zoo/index.json',
  'GET /zoo/*',
]

export type IsOpenRoute = (method: string, path: string) => boolean

export function makeIsOpenRoute(routes: readonly Pick<Route, 'method' | 'path' | 'right'>[]): IsOpenRoute {
  const declared = routes.flatMap(({ method, path, right }) => (right === 'none' ? [`${method} ${path}`] : []))
  const open = new Set([...OWN_OPEN_ROUTES, ...declared])
  return (method, path) => method === 'OPTIONS' || open.has(`${method === 'HEAD' ? 'GET' : method} ${path}`)
}

/** A bearer token, or the password of Basic authentication (for `GET /r/` in browsers and feed readers). */
export function readApiKey(authorization: string | undefined): string | undefined {
  const [, scheme = '', value = ''] = /^(\S+)\s+(.+)$/.exec((authorization ?? '').trim()) ?? []
  if (/^bearer$/i.test(scheme)) return value
  if (!/^basic$/i.test(scheme)) return undefined
  const credentials = Buffer.from(value, 'base64').toString('utf8')
  const colon = credentials.indexOf(':')
  return colon === -1 ? undefined : credentials.slice(colon + 1) || undefined
}

export type FindCallerByKey = (key: string) => Promise<Caller | undefined>

export type FindApiKeyOfSession = (request: IncomingMessage, proof: string | undefined) => Promise<string | undefined>

export type ActForTeam = (caller: Caller, teamId: string) => Promise<Caller>

/** The key of callers without one, for programs in the networks of ORB_KEYLESS. */
export type FindKeyForKeylessCaller = (request: IncomingMessage) => string | undefined

export interface Authenticators {
  authenticate: FindCallerByKey
  sessionKey: FindApiKeyOfSession
  keylessKey: FindKeyForKeylessCaller
  actFor: ActForTeam
}

export async function authenticateRequest(
  request: FastifyRequest,
  { authenticate, sessionKey, keylessKey, actFor }: Authenticators,
): Promise<Caller> {
  const { authorization, [SESSION_PROOF_HEADER]: proof, [ACT_FOR_TEAM_HEADER]: team } = request.headers
  const key = readApiKey(authorization)
  const presented = key ?? (await sessionKey(request.raw, typeof proof === 'string' ? proof : undefined))
  // Clients with an empty field for the key send `Bearer` alone.
  const isKeyless = presented === undefined && /^(?:bearer)?$/i.test((authorization ?? '').trim())
  const caller = await authenticate(presented ?? (isKeyless ? keylessKey(request.raw) : undefined) ?? '')
  if (!caller) throw new Problem('unauthorized', { also: { hint: keyHint(authorization) } })
  // Only a dashboard session may act for another team: a key belongs to its team.
  return key === undefined && typeof team === 'string' ? actFor(caller, team) : caller
}

function keyHint(authorization: string | undefined): string {
  const given = (authorization ?? '').trim()
  if (given === '') return 'No key was sent. Send the header `Authorization: Bearer fc-…`.'
  if (/^fc-/.test(given)) return 'The word `Bearer` is missing. Send the header `Authorization: Bearer fc-…`.'
  if (/^bearer$/i.test(given)) return 'There is no key after `Bearer`. Send the header `Authorization: Bearer fc-…`.'
  if (!/^(?:bearer|basic)\s/i.test(given))
    return 'This kind of authorization is not supported. Send the header `Authorization: Bearer fc-…`.'
  return 'This key does not exist or was revoked. `npx orbweaver keys` beside the service lists the keys.'
}

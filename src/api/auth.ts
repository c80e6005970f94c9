// Authentication. Every route needs a key unless it is in the list of open routes, which a test enforces.
import type { IncomingMessage } from 'node:http'
import type { FastifyRequest } from 'fastify'
import { Problem } from '../base/problem.ts'
import type { Caller } from '../teams/keys.ts'
import { PROOF_HEADER, TEAM_HEADER } from './session.ts'

/** Routes without a key; everything else is denied by default. */
export const openRoutes: ReadonlySet<string> = new Set([
  'GET /', // service description; to a browser: the dashboard
  'GET /assets/:file',
  'GET /cli-auth', // dashboard: signs in, then passes a key to the waiting CLI
  'GET /api/session',
  'POST /api/session', // sign-in: the key is in the body
  'DELETE /api/session',
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
  'PUT /v2/parse/upload/:uploadId', // the reference in its query is the credential, and it expires
  'POST /api/auth/cli/status', // the caller has no key yet; the verifier is the credential
  'GET /.well-known/oauth-protected-resource', // how to obtain keys
  'GET /.well-known/oauth-authorization-server',
  'GET /auth.md',
  'GET /agent-onboarding/SKILL.md',
  'POST /agent/auth', // the assertion is the credential
  'GET /live/:sessionId/view/:token', // live session view; the token is the credential
  'GET /live/:sessionId/drive/:token',
  'POST /live/:sessionId/drive/:token', // saves a profile
  'GET /live/:sessionId/film/:token', // the link is the credential, and it expires
  'POST /live/peer', // another machine of this service; its seal is the credential, and it expires
  'POST /v2/monitor/email/confirm', // the token is the credential, as in the next five
  'POST /v2/monitor/email/unsubscribe',
  'GET /v2/monitor/email/confirm/:token',
  'GET /v2/monitor/email/unsubscribe/:token',
  'POST /v2/monitor/email/confirm/:token',
  'POST /v2/monitor/email/unsubscribe/:token',
  'GET /v2/monitor/feeds/:token', // the URL is secret; feed readers send no keys
  'GET /v2/monitor/feeds/team/:token',
  'GET /v2/media/:token', // the link is the credential, and it expires
])

/** HEAD and OPTIONS follow GET. */
export const isOpen = (method: string, path: string): boolean =>
  method === 'OPTIONS' || openRoutes.has(`${method === 'HEAD' ? 'GET' : method} ${path}`)

/** A bearer token, or the password of Basic authentication (for `GET /r/` in browsers and feed readers). */
export function presentedKey(authorization: string | undefined): string | undefined {
  const [scheme = '', value = ''] = (authorization ?? '').trim().split(/\s+/, 2)
  if (/^bearer$/i.test(scheme)) return value || undefined
  if (!/^basic$/i.test(scheme)) return undefined
  const credentials = Buffer.from(value, 'base64').toString('utf8')
  const colon = credentials.indexOf(':')
  return colon === -1 ? undefined : credentials.slice(colon + 1) || undefined
}

/** Undefined for an unknown key; `''` is not a key. */
export type Authenticate = (key: string) => Promise<Caller | undefined>

/** The key of a dashboard session; requires cookie and proof. */
export type SessionKey = (request: IncomingMessage, proof: string | undefined) => Promise<string | undefined>

/** Returns the caller as a member of another team, or throws (teams/acting.ts). */
export type ActFor = (caller: Caller, teamId: string) => Promise<Caller>

export interface KeyDoor {
  authenticate: Authenticate
  sessionKey: SessionKey
  actFor: ActFor
}

export async function callerOf(
  request: FastifyRequest,
  { authenticate, sessionKey, actFor }: KeyDoor,
): Promise<Caller> {
  const { authorization, [PROOF_HEADER]: proof, [TEAM_HEADER]: team } = request.headers
  const key = presentedKey(authorization)
  const presented = key ?? (await sessionKey(request.raw, typeof proof === 'string' ? proof : undefined))
  const caller = await authenticate(presented ?? '')
  if (!caller) throw new Problem('unauthorized', { also: { hint: keyHint(authorization) } })
  // Only a dashboard session may act for another team: a key belongs to its team.
  return key === undefined && typeof team === 'string' ? actFor(caller, team) : caller
}

/** The contract has one message for all cases; the hint has the specific reason. */
function keyHint(authorization: string | undefined): string {
  const given = (authorization ?? '').trim()
  if (given === '') return 'No key was sent. Send the header `Authorization: Bearer fc-…`.'
  if (/^fc-/.test(given)) return 'The word `Bearer` is missing. Send the header `Authorization: Bearer fc-…`.'
  if (/^bearer$/i.test(given)) return 'There is no key after `Bearer`. Send the header `Authorization: Bearer fc-…`.'
  if (!/^(?:bearer|basic)\s/i.test(given))
    return 'This kind of authorization is not known. Send the header `Authorization: Bearer fc-…`.'
  return 'Nobody has this key, or it was revoked. `npx orbweaver keys` beside the service lists the keys.'
}

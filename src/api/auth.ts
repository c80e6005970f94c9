// Who is calling. Every route needs a key unless it stands in the one list of open routes; a test fails on any other.
import type { IncomingMessage } from 'node:http'
import type { FastifyRequest } from 'fastify'
import { Problem } from '../base/problem.ts'
import type { Caller } from '../teams/keys.ts'
import { PROOF_HEADER, TEAM_HEADER } from './session.ts'

/** The routes that answer without a key, and why. Everything else is denied by default. */
export const openRoutes: ReadonlySet<string> = new Set([
  'GET /', // says what this is; to a browser: the dashboard
  'GET /assets/:file', // what its page is made of
  'GET /cli-auth', // the same page: signs in, then hands a key to a command line that waits
  'GET /api/session', // whether somebody is signed in
  'POST /api/session', // signing in: the key is in the body
  'DELETE /api/session',
  'GET /health', // for load balancers
  'GET /v2/health/liveness',
  'GET /v2/health/readiness',
  'GET /openapi.json', // the contract
  'GET /docs', // the same, to read
  'GET /llms.txt', // the same, for language models
  'GET /docs/',
  'GET /docs/:file',
  'GET /zoo', // fixed pages to try things on
  'GET /zoo/index.json',
  'GET /zoo/*',
  'PUT /v2/parse/upload/:uploadId', // the reference in its query is the credential, and it expires
  'POST /api/auth/cli/status', // who asks has no key yet; the verifier is the credential
  'GET /.well-known/oauth-protected-resource', // where keys come from
  'GET /.well-known/oauth-authorization-server',
  'GET /auth.md',
  'GET /agent-onboarding/SKILL.md',
  'POST /agent/auth', // the assertion is the credential
  'GET /live/:sessionId/view/:token', // shows a live session; the token in it is the credential
  'GET /live/:sessionId/drive/:token',
  'POST /live/:sessionId/drive/:token', // saves a profile by hand
  'GET /live/:sessionId/film/:token', // the link itself is the credential, and it expires
  'POST /live/peer', // another machine of this service; its seal is the credential, and it expires
  'POST /v2/monitor/email/confirm', // the token is the credential, as in the next five
  'POST /v2/monitor/email/unsubscribe',
  'GET /v2/monitor/email/confirm/:token',
  'GET /v2/monitor/email/unsubscribe/:token',
  'POST /v2/monitor/email/confirm/:token',
  'POST /v2/monitor/email/unsubscribe/:token',
  'GET /v2/monitor/feeds/:token', // the address is secret; feed readers send no keys
  'GET /v2/monitor/feeds/team/:token',
  'GET /v2/media/:token', // the link itself is the credential, and it expires
])

/** HEAD and OPTIONS follow GET and carry nothing more. */
export const isOpen = (method: string, path: string): boolean =>
  method === 'OPTIONS' || openRoutes.has(`${method === 'HEAD' ? 'GET' : method} ${path}`)

/** The key as bearer token, or as the password of Basic authentication (for `GET /r/` in browsers and feed readers). */
export function presentedKey(authorization: string | undefined): string | undefined {
  const [scheme = '', value = ''] = (authorization ?? '').trim().split(/\s+/, 2)
  if (/^bearer$/i.test(scheme)) return value || undefined
  if (!/^basic$/i.test(scheme)) return undefined
  const credentials = Buffer.from(value, 'base64').toString('utf8')
  const colon = credentials.indexOf(':')
  return colon === -1 ? undefined : credentials.slice(colon + 1) || undefined
}

/** Undefined when nobody has this key; `''` is no key. */
export type Authenticate = (key: string) => Promise<Caller | undefined>

/** The key of whoever is signed in to the dashboard, from a request that came with both halves of the session. */
export type SessionKey = (request: IncomingMessage, proof: string | undefined) => Promise<string | undefined>

/** The caller as a member of another team, or a refusal: teams/acting.ts, bound to the store. */
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
  // Only who is signed in to the dashboard can change sides: a key speaks for its team.
  return key === undefined && typeof team === 'string' ? actFor(caller, team) : caller
}

/** The contract has one sentence for every such case; what is wrong with this one stands beside it. */
function keyHint(authorization: string | undefined): string {
  const given = (authorization ?? '').trim()
  if (given === '') return 'No key was sent. Send the header `Authorization: Bearer fc-…`.'
  if (/^fc-/.test(given)) return 'The word `Bearer` is missing. Send the header `Authorization: Bearer fc-…`.'
  if (/^bearer$/i.test(given)) return 'There is no key after `Bearer`. Send the header `Authorization: Bearer fc-…`.'
  if (!/^(?:bearer|basic)\s/i.test(given))
    return 'This kind of authorization is not known. Send the header `Authorization: Bearer fc-…`.'
  return 'Nobody has this key, or it was revoked. `npx orbweaver keys` beside the service lists the keys.'
}

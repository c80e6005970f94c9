// Sign-in to the dashboard at the operator's OpenID Connect provider. The session is that of any key: a cookie, and a
// proof that reaches the page in the fragment of its address, which no server receives.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Clock } from '../base/clock.ts'
import { OIDC_TICKET_MS, type OidcSignIn } from '../teams/oidc-sign-in.ts'
import type { RateLimiter } from '../teams/rate-limits.ts'
import { readClientAddress } from './client-address.ts'
import { type DashboardSessions, makeSetCookieHeader } from './dashboard-session.ts'

/** A sign-in takes two. */
const CALLS_A_MINUTE = 60
const COOKIE = 'orb-oidc'
/** A page left by these headers tells no other site about the code in its address. */
const PRIVATE = { 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' }

interface OidcParts {
  /** Undefined: off. */
  oidc: OidcSignIn | undefined
  sessions: DashboardSessions
  rates: RateLimiter
  clock: Clock
  trustedProxies: readonly string[]
}

export function addOidcRoutes(server: FastifyInstance, parts: OidcParts): void {
  const { oidc, sessions, rates, clock, trustedProxies } = parts
  if (!oidc) return
  const addressOf = ({ raw }: FastifyRequest) => readClientAddress(raw, trustedProxies)
  const home = oidc.redirectUri.replace(/\/api\/session\/oidc\/callback$/, '/')
  const isSecure = home.startsWith('https:')
  // Lax: the provider's redirect back is a navigation from another site.
  const ticketCookie = (ticket: string) =>
    `${COOKIE}=${ticket}; Path=/; Max-Age=${ticket === '' ? 0 : OIDC_TICKET_MS / 1000}; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`

  server.get('/api/session/oidc', async (request, reply) => {
    await rates.takeOpen(addressOf(request), 'oidc', CALLS_A_MINUTE)
    const { location, ticket } = await oidc.begin(request.signal)
    return reply.headers({ ...PRIVATE, 'set-cookie': ticketCookie(ticket) }).redirect(location, 302)
  })
  server.get('/api/session/oidc/callback', async (request, reply) => {
    await rates.takeOpen(addressOf(request), 'oidc', CALLS_A_MINUTE)
    const pair = (request.headers.cookie ?? '').split(';').find((part) => part.trim().startsWith(`${COOKIE}=`))
    const query = new URL(request.url, 'http://localhost').searchParams
    const key = await oidc.complete(pair?.trim().slice(COOKIE.length + 1), query, request.signal)
    const { cookie, proof } = sessions.begin(key, clock.now())
    const cookies = [ticketCookie(''), makeSetCookieHeader(request.raw, cookie, isSecure)]
    return reply.headers({ ...PRIVATE, 'set-cookie': cookies }).redirect(`${home}#session=${proof}`, 302)
  })
}

// Sign-in to the dashboard at an OpenID Connect provider: authorization code with PKCE, state and nonce.
import { createHash, randomBytes } from 'node:crypto'
import type { Clock } from '../base/clock.ts'
import { HOUR_MS } from '../base/clock.ts'
import { isSecretEqual } from '../base/constant-time-equal.ts'
import { Problem } from '../base/problem.ts'
import type { Store } from '../store/index.ts'
import type { VerifyJwt } from './identity-assertions.ts'
import { issueKey } from './keys.ts'
import { makeSeal } from './sealed-values.ts'
import { teamStore } from './store/index.ts'

interface OidcOptions {
  issuer: string
  clientId: string
  clientSecret: string
  /** Ends in our callback's path. */
  redirectUri: string
  domains: readonly string[]
  groups: readonly string[]
  adminGroups: readonly string[]
}

type Pending = { state: string; nonce: string; verifier: string; until: number }

export type OidcSignIn = ReturnType<typeof openOidcSignIn>

interface Parts {
  options: OidcOptions
  store: Store
  clock: Clock
  fetchJson(
    url: string,
    signal: AbortSignal,
    form?: { fields: Record<string, string>; authorization: string },
  ): Promise<unknown>
  verifyJwt: VerifyJwt
}

export const OIDC_TICKET_MS = 10 * 60_000
const KEY_MS = 12 * HOUR_MS
/** Sign-ins of one person at the same time; one more ends the oldest. */
const MAX_KEYS = 5

const random = (): string => randomBytes(32).toString('base64url')
const refuse = (because: string) => new Problem('forbidden', { because })

export function openOidcSignIn({ options, store, clock, fetchJson, verifyJwt }: Parts) {
  const { issuer, clientId, clientSecret, redirectUri } = options
  const seal = makeSeal(store)
  const endpoints = async (signal: AbortSignal) => {
    const url = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`
    const about = (await fetchJson(url, signal)) as Record<string, unknown>
    const removeLastSlash = (text: unknown) => String(text).replace(/\/$/, '')
    const of = (name: string): URL => {
      const address = about[name]
      const isSafe =
        typeof address === 'string' && URL.canParse(address) && new URL(address).protocol === new URL(issuer).protocol
      if (removeLastSlash(about.issuer) !== removeLastSlash(issuer) || !isSafe)
        throw new Problem('unavailable', { because: `the sign-in provider states no ${name}` })
      return new URL(address)
    }
    return { authorization: of('authorization_endpoint'), token: of('token_endpoint'), issuer: String(about.issuer) }
  }
  return {
    redirectUri,
    /** `ticket` stays with the browser, in a cookie. */
    async begin(signal: AbortSignal) {
      const { authorization } = await endpoints(signal)
      const pending: Pending = {
        state: random(),
        nonce: random(),
        verifier: random(),
        until: clock.now() + OIDC_TICKET_MS,
      }
      const query = {
        response_type: 'code',
        client_id: clientId,
        redirect_uri: redirectUri,
        scope: 'openid email profile',
        state: pending.state,
        nonce: pending.nonce,
        code_challenge: createHash('sha256').update(pending.verifier).digest('base64url'),
        code_challenge_method: 'S256',
      }
      for (const [name, value] of Object.entries(query)) authorization.searchParams.set(name, value)
      return { location: authorization.href, ticket: await seal.close('oidc', pending) }
    },
    /** A key for the session of the person, which ends with it. */
    async complete(ticket: string | undefined, query: URLSearchParams, signal: AbortSignal) {
      const pending = await seal.open<Pending>('oidc', ticket ?? '')
      if (!pending || pending.until <= clock.now() || !isSecretEqual(query.get('state') ?? '', pending.state))
        throw refuse('this sign-in was not started in this browser, or has expired: start again')
      const once = createHash('sha256').update(pending.state).digest('base64url')
      if (!(await teamStore(store).onboarding.useAssertion(`oidc ${once}`, pending.until)))
        throw refuse('this sign-in is already complete: start again')
      const provider = await endpoints(signal)
      // A mixed-up provider names another issuer (RFC 9207).
      if (query.has('iss') && query.get('iss') !== provider.issuer) throw refuse('another provider answered')
      const code = query.get('code')
      if (!code) throw refuse('the sign-in provider did not allow it')
      const basic = [clientId, clientSecret].map(encodeURIComponent).join(':')
      const answer = (await fetchJson(provider.token.href, signal, {
        fields: { grant_type: 'authorization_code', code, redirect_uri: redirectUri, code_verifier: pending.verifier },
        authorization: `Basic ${Buffer.from(basic).toString('base64')}`,
      })) as { id_token?: unknown }
      const claims = await verifyJwt(
        String(answer.id_token ?? ''),
        provider.issuer,
        { audience: clientId, requiredClaims: ['sub', 'exp', 'iat', 'nonce'] },
        signal,
      ).catch((error: unknown) => {
        throw error instanceof Problem
          ? error
          : refuse(`the identity could not be verified: ${(error as Error).message}`)
      })
      if (!isSecretEqual(String(claims.nonce), pending.nonce)) throw refuse('the identity is of another sign-in')
      if (Array.isArray(claims.aud) && claims.aud.length > 1 && claims.azp !== clientId)
        throw refuse('the identity is for another client')
      return issueSessionKey(store, clock, issuer, personIn(claims, options))
    },
  }
}

type Person = { subject: string; name: string; isAdmin: boolean }

function personIn(claims: Readonly<Record<string, unknown>>, { domains, groups, adminGroups }: OidcOptions): Person {
  const email = typeof claims.email === 'string' && claims.email_verified === true ? claims.email.toLowerCase() : ''
  const own = Array.isArray(claims.groups) ? claims.groups : []
  const isIn = (list: readonly string[]) => list.some((group) => own.includes(group))
  const isOfDomain = domains.some((domain) => email.endsWith(`@${domain.toLowerCase()}`))
  const isAdmin = isIn(adminGroups)
  if (!isAdmin && !isOfDomain && !isIn(groups))
    throw refuse('this account is in no group or e-mail domain that may sign in here')
  const subject = String(claims.sub)
  return { subject, name: `dashboard of ${email || subject}`.slice(0, 200), isAdmin }
}

async function issueSessionKey(store: Store, clock: Clock, issuer: string, person: Person): Promise<string> {
  const team = await store.teams.operator()
  if (!team) throw new Problem('unavailable', { because: 'there is no team yet' })
  const { subject, name, isAdmin } = person
  const now = clock.now()
  const earlier = (await store.keys.list(team.id)).filter(
    (key) => key.name === name && key.revokedAt === null && key.expiresAt !== null && key.expiresAt > now,
  )
  return store.transaction(async (tx) => {
    for (const { id } of earlier.slice(0, Math.max(0, earlier.length - MAX_KEYS + 1))) await store.keys.revoke(id, tx)
    const rules = { rights: isAdmin ? ['admin'] : [], expiresAt: now + KEY_MS }
    const { key, row } = await issueKey(store, team.id, name, rules, tx)
    const entry = { teamId: team.id, actor: `${issuer} ${subject}`, action: 'login' as const, subject: row.id }
    await teamStore(store).audit.add({ ...entry, details: { name, by: 'OpenID Connect' } }, tx)
    return key
  })
}

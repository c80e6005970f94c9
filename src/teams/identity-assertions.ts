// Verifies identity assertions (ID-JAG), signed by issuers that the operator trusts.
import { createHash } from 'node:crypto'
import type { JSONWebKeySet, JWTPayload, JWTVerifyOptions } from 'jose'
import type { Clock } from '../base/clock.ts'
import { Problem, type ProblemName } from '../base/problem.ts'

export const ASSERTION_TYPE = 'urn:ietf:params:oauth:token-type:id-jag'
const TYP = 'oauth-id-jag+jwt'
/** Asymmetric only: with a shared secret the verifier could also sign. */
const SIGNATURE_ALGORITHMS = 'RS256 RS384 RS512 PS256 PS384 PS512 ES256 ES384 ES512 EdDSA Ed25519'.split(' ')
const MAX_AHEAD_S = 300
const SKEW_S = 60
const MAX_CHARS = 16_384
const KEYS_FRESH_MS = 10 * 60_000
/** An unknown key may be new: fetch the set again, but at most this often. */
const KEY_SET_REFETCH_MS = 60_000

export interface VerifiedIdentity {
  issuer: string
  subject: string
  email: string
  hash: string
  expiresAt: number
}

export type AssertionVerifier = ReturnType<typeof openAssertionVerifier>

interface AssertionParts {
  issuers: readonly string[]
  domains: readonly string[]
  fetchJson(url: string, signal: AbortSignal): Promise<unknown>
  clock: Clock
}

export const makeOauthProblem = (kind: ProblemName, error: string, description: string): Problem =>
  new Problem(kind, { instead: error, also: { error_description: description } })

const refuse = (error: string, description: string) => makeOauthProblem('bad_request', error, description)

export type VerifyJwt = (
  jwt: string,
  issuer: string,
  options: Pick<JWTVerifyOptions, 'audience' | 'typ' | 'requiredClaims'>,
  signal: AbortSignal,
) => Promise<JWTPayload>

/** Verifies a JWT with the keys that its issuer publishes. */
export function openJwtVerifier({ fetchJson, clock }: Pick<AssertionParts, 'fetchJson' | 'clock'>): VerifyJwt {
  const keys = new Map<string, { set: JSONWebKeySet; at: number }>()

  async function keysOf(issuer: string, isStale: (at: number) => boolean, signal: AbortSignal): Promise<JSONWebKeySet> {
    const known = keys.get(issuer)
    if (known && !isStale(known.at)) return known.set
    const set = await fetchKeys(issuer, fetchJson, signal)
    keys.set(issuer, { set, at: clock.now() })
    return set
  }

  return async (jwt, issuer, options, signal) => {
    const jose = await import('jose')
    const age = (at: number) => clock.now() - at
    const all = {
      ...options,
      issuer,
      algorithms: SIGNATURE_ALGORITHMS,
      clockTolerance: SKEW_S,
      currentDate: new Date(clock.now()),
    }
    const verify = async (set: JSONWebKeySet) => (await jose.jwtVerify(jwt, jose.createLocalJWKSet(set), all)).payload
    const set = await keysOf(issuer, (at) => age(at) > KEYS_FRESH_MS, signal)
    return verify(set).catch(async (error: unknown) => {
      if (!(error instanceof jose.errors.JWKSNoMatchingKey)) throw error
      return verify(await keysOf(issuer, (at) => age(at) > KEY_SET_REFETCH_MS, signal))
    })
  }
}

export function openAssertionVerifier({ issuers, domains, fetchJson, clock }: AssertionParts) {
  const verify = openJwtVerifier({ fetchJson, clock })
  return {
    isOn: issuers.length > 0,
    async check(assertion: string, audience: string, signal: AbortSignal) {
      if (assertion.length > MAX_CHARS) throw refuse('invalid_assertion', `longer than ${MAX_CHARS} characters`)
      const issuer = await issuerOf(assertion)
      if (!issuers.includes(issuer))
        throw makeOauthProblem('unauthorized', 'invalid_issuer', 'this issuer is not trusted here')
      const options = {
        audience: [audience, audience.replace(/\/$/, '')],
        typ: TYP,
        requiredClaims: ['sub', 'exp', 'iat', 'jti'],
      }
      const payload = await verify(assertion, issuer, options, signal).catch(async (error: unknown) => {
        throw toNamedError(error, (await import('jose')).errors)
      })
      const { sub = '', exp = 0, iat = 0, jti = '' } = payload
      const now = clock.now() / 1000
      if (exp > now + MAX_AHEAD_S + SKEW_S)
        throw refuse('invalid_assertion', `\`exp\` lies over ${MAX_AHEAD_S} s ahead`)
      if (iat > now + SKEW_S) throw refuse('invalid_assertion', '`iat` lies in the future')
      if (sub === '' || jti === '') throw refuse('invalid_assertion', '`sub` and `jti` must not be empty')
      return {
        issuer,
        subject: sub,
        email: emailIn(payload, domains),
        hash: createHash('sha256').update(`${issuer}\n${jti}`).digest('hex'),
        expiresAt: (exp + SKEW_S) * 1000,
      }
    },
  }
}

/** Unverified; only selects the keys for verification. */
async function issuerOf(assertion: string): Promise<string> {
  const { decodeJwt } = await import('jose')
  try {
    return String(decodeJwt(assertion).iss ?? '')
  } catch {
    throw refuse('invalid_assertion', 'it is not a signed JWT')
  }
}

function emailIn({ email, email_verified: isVerified }: JWTPayload, domains: readonly string[]): string {
  if (typeof email !== 'string' || !/^[^\s@]{1,64}@[^\s@]{1,253}$/.test(email) || isVerified !== true)
    throw makeOauthProblem('forbidden', 'access_denied', 'a verified e-mail address is needed')
  const domain = email.slice(email.indexOf('@') + 1).toLowerCase()
  if (domains.length > 0 && !domains.some((allowed) => allowed.toLowerCase() === domain))
    throw makeOauthProblem('forbidden', 'access_denied', 'addresses of this domain may not register here')
  return email.toLowerCase()
}

const WELL_KNOWN = ['/.well-known/openid-configuration', '/.well-known/oauth-authorization-server']

async function fetchKeys(
  issuer: string,
  fetchJson: AssertionParts['fetchJson'],
  signal: AbortSignal,
): Promise<JSONWebKeySet> {
  const base = issuer.replace(/\/$/, '')
  for (const path of WELL_KNOWN) {
    const about = (await fetchJson(base + path, signal).catch(() => undefined)) as { jwks_uri?: unknown } | undefined
    if (typeof about?.jwks_uri !== 'string') continue
    // An issuer reached over TLS must not redirect us to keys without it.
    if (base.startsWith('https:') && !about.jwks_uri.startsWith('https:')) continue
    const set = (await fetchJson(about.jwks_uri, signal)) as JSONWebKeySet
    if (Array.isArray(set?.keys)) return set
  }
  throw new Problem('unavailable', { because: 'the keys of the issuer could not be fetched' })
}

function toNamedError(error: unknown, errors: typeof import('jose').errors): unknown {
  if (error instanceof errors.JWTExpired) return refuse('expired_assertion', 'its time is over')
  if (error instanceof errors.JWTClaimValidationFailed) {
    const because = `\`${error.claim}\`: ${error.message}`
    return refuse(error.claim === 'aud' ? 'audience_mismatch' : 'invalid_assertion', because)
  }
  if (error instanceof errors.JWSSignatureVerificationFailed || error instanceof errors.JWKSNoMatchingKey)
    return makeOauthProblem('unauthorized', 'invalid_signature', 'no key of the issuer signed it')
  if (error instanceof errors.JOSEError) return refuse('invalid_assertion', error.message)
  return error
}

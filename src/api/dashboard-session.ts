// Dashboard sessions have two halves: an HttpOnly cookie with the sealed key, and a proof in the page's storage, sent
// as a header. The cookie alone is useless: other ports and origins can make a browser send it, but cannot read the
// proof.

import { createHash, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { HOUR_MS } from '../base/clock.ts'
import { openJson, sealJson } from '../teams/sealed-values.ts'

const SESSION_MS = 12 * HOUR_MS
export const SESSION_PROOF_HEADER = 'x-orb-session'
export const ACT_FOR_TEAM_HEADER = 'x-orb-team'
const PROOF = /^[A-Za-z0-9_-]{43}$/
const LABEL = 'orbweaver dashboard session'
const MAX_COOKIE_CHARS = 2048

type Claim = { key: string; proof: string; until: number }

export type DashboardSessions = ReturnType<typeof openDashboardSessions>

/** The session key is derived from `secret` and used only here. */
export function openDashboardSessions(secret: string) {
  const seal = Buffer.from(hkdfSync('sha256', secret, '', LABEL, 32))
  return {
    begin(key: string, now: number) {
      const proof = randomBytes(32).toString('base64url')
      const claim: Claim = { key, proof: digest(proof).toString('base64url'), until: now + SESSION_MS }
      return { cookie: sealJson(seal, LABEL, claim), proof }
    },
    nameOf(cookie: string | undefined, now: number) {
      const claim = cookie && cookie.length <= MAX_COOKIE_CHARS ? openJson<Claim>(seal, LABEL, cookie) : undefined
      return claim && claim.until > now ? { name: `session ${claim.proof}`, until: claim.until } : undefined
    },
    keyOf(cookie: string | undefined, proof: string | undefined, now: number) {
      if (!cookie || cookie.length > MAX_COOKIE_CHARS || !proof || !PROOF.test(proof)) return undefined
      const claim = openJson<Claim>(seal, LABEL, cookie)
      if (!claim || claim.until <= now) return undefined
      return timingSafeEqual(Buffer.from(claim.proof, 'base64url'), digest(proof)) ? claim.key : undefined
    },
  }
}

export const newSignInCode = (): string => randomBytes(15).toString('base64url')

const digest = (proof: string): Buffer => createHash('sha256').update(proof).digest()

/** Cookies ignore ports, so two services on one host would overwrite each other's. */
function cookieName({ headers }: Pick<IncomingMessage, 'headers'>): string {
  const port = /:(\d{1,5})$/.exec(headers.host ?? '')?.[1]
  return port ? `orb-session-${port}` : 'orb-session'
}

export function readSessionCookie(request: Pick<IncomingMessage, 'headers'>): string | undefined {
  const name = `${cookieName(request)}=`
  const pair = (request.headers.cookie ?? '').split(';').find((part) => part.trim().startsWith(name))
  return pair?.trim().slice(name.length)
}

export function makeSetCookieHeader(
  request: Pick<IncomingMessage, 'headers'>,
  cookie: string,
  isSecure: boolean,
): string {
  const seconds = cookie === '' ? 0 : SESSION_MS / 1000
  return `${cookieName(request)}=${cookie}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Strict${isSecure ? '; Secure' : ''}`
}

const FORWARDED = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip']
const LOCAL_HOST = /^(localhost|127\.0\.0\.1|\[::1\])(:\d{1,5})?$/

/**
 * True for a local client. `Host` is checked against DNS rebinding, proxy headers because behind a proxy every peer is
 * local.
 */
export function isFromThisMachine({ headers, socket }: IncomingMessage): boolean {
  const peer = (socket.remoteAddress ?? '').replace(/^::ffff:/, '')
  if (peer !== '::1' && !/^127\./.test(peer)) return false
  if (FORWARDED.some((name) => headers[name] !== undefined)) return false
  return LOCAL_HOST.test(headers.host ?? '')
}

/**
 * Browsers send an unforgeable `Origin` with every POST. Behind a proxy it is the public URL's origin, whatever `Host`
 * says.
 */
export function isOwnOrigin({ headers: { origin, host } }: IncomingMessage, publicUrl: string | undefined): boolean {
  const known = publicUrl === undefined ? [`http://${host}`, `https://${host}`] : [new URL(publicUrl).origin]
  return origin !== undefined && known.includes(origin)
}

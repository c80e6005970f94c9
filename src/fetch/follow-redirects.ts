// Computes the next request of a redirect chain. Pure; the address policy checks the new host afterwards.
import { matchesHost } from '../base/host-pattern.ts'
import { Problem } from '../base/problem.ts'

export interface RedirectState {
  url: URL
  method: string
  headers: Readonly<Record<string, string>>
  body: Uint8Array | undefined
}

const REDIRECTS = new Set([301, 302, 303, 307, 308])
// Headers a browser sends everywhere. All others are the caller's and may be secrets, so they go only to `CredentialRecipients`.
const BROWSER_HEADER_NAME =
  /^(?:accept|accept-encoding|accept-language|user-agent|priority|upgrade-insecure-requests|dnt|sec-gpc|sec-(?:ch|fetch)-[a-z-]+)$/
const BODY_HEADERS = /^content-/

export interface CredentialRecipients {
  urls: readonly string[]
  hosts?: readonly string[] | undefined
}

export function mayReceiveCredentials({ urls, hosts = [] }: CredentialRecipients, url: string): boolean {
  if (!URL.canParse(url)) return false
  const to = new URL(url)
  if (urls.some((one) => sameOwner(new URL(one), to))) return true
  // What was given for https never travels in clear.
  if (to.protocol === 'http:' && urls.some((one) => one.startsWith('https:'))) return false
  return hosts.some((pattern) => matchesHost(pattern, to.hostname))
}

export function headersAllowedAt(
  url: string,
  recipients: CredentialRecipients,
  headers: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  if (mayReceiveCredentials(recipients, url)) return headers
  return Object.fromEntries(Object.entries(headers).filter(([name]) => BROWSER_HEADER_NAME.test(name.toLowerCase())))
}

export const hasCredentialHeaders = (headers: Readonly<Record<string, string>> = {}): boolean =>
  Object.keys(headers).some((name) => !BROWSER_HEADER_NAME.test(name.toLowerCase()))

export function isRedirectStatus(status: number): boolean {
  return REDIRECTS.has(status)
}

export function makeRedirectedRequest(
  journey: RedirectState,
  status: number,
  location: string,
  recipients: CredentialRecipients,
): RedirectState {
  const url = target(location, journey.url)
  const toGet = status === 303 ? journey.method !== 'HEAD' : status < 303 && journey.method === 'POST'
  const stays = sameOwner(journey.url, url)
  const kept = Object.entries(headersAllowedAt(url.href, recipients, journey.headers)).filter(
    ([name]) => !(toGet && BODY_HEADERS.test(name)),
  )
  return {
    url,
    method: toGet ? 'GET' : journey.method,
    headers: Object.fromEntries(kept),
    // A body may be as secret as a header.
    body: toGet || !stays ? undefined : journey.body,
  }
}

function target(location: string, base: URL): URL {
  let url: URL
  try {
    url = new URL(asUtf8(location), base)
  } catch (cause) {
    throw new Problem('site_failed', { because: 'it redirects to an address that is not valid', cause })
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new Problem('site_failed', { because: `it redirects to a \`${url.protocol.slice(0, 20)}\` URL` })
  }
  url.username = ''
  url.password = ''
  url.hash = ''
  return url
}

/** Same origin, or the same host upgraded from http to https on default ports. */
function sameOwner(from: URL, to: URL): boolean {
  if (from.origin === to.origin) return true
  const upgraded = from.protocol === 'http:' && to.protocol === 'https:' && from.port === '' && to.port === ''
  return upgraded && from.hostname === to.hostname
}

// Header bytes arrive as Latin-1, but servers write UTF-8 into Location and browsers read it so.
function asUtf8(text: string): string {
  if (!/[\u0080-\u00ff]/.test(text)) return text
  const read = Buffer.from(text, 'latin1').toString('utf8')
  return read.includes('\ufffd') ? text : read
}

// Checks and normalises the URLs of targets and links. fetch/address-policy.ts decides which hosts are allowed.
import { readPresses } from './page-state.ts'
import { Problem } from './problem.ts'
import { isRoute } from './url-key.ts'

// Servers refuse request lines beyond 8 to 16 kB, so nothing longer can be fetched.
const MAX_URL_LENGTH = 16_384

const SCHEME = /^([a-z][a-z0-9+.-]*):/i
// `example.com:8080/x` parses as a scheme; the port shows that it is a host.
const HOST_WITH_PORT = /^[^/?#:@]+:\d{1,5}(?:[/?#\\]|$)/
const TOP_LEVEL = /^(?:[a-z]{2,63}|xn--[a-z0-9-]{2,59})$/
const LABEL = /^(?!-)[a-z0-9_-]{1,63}(?<!-)$/
const IPV4 = /^\d{1,3}(?:\.\d{1,3}){3}$/

/**
 * Throws `invalid_url`. Single-label hosts are refused unless in `plainHosts`; the address policy decides on
 * `localhost`.
 */
export function normalizeTargetUrl(text: string, plainHosts: readonly string[] = []): string {
  // Before the scheme is read, so that a tab cannot hide one.
  const trimmed = trimControls(text).replace(/[\t\n\r]/g, '')
  if (trimmed === '') throw makeInvalidUrlProblem('it is empty')
  if (trimmed.length > MAX_URL_LENGTH) throw makeInvalidUrlProblem(`it is longer than ${MAX_URL_LENGTH} characters`)
  const url = parse(withScheme(trimmed))
  if (url.username !== '' || url.password !== '') {
    throw makeInvalidUrlProblem('it contains a user name or password; send an `Authorization` header instead')
  }
  const host = url.hostname.toLowerCase()
  if (!isHost(host, plainHosts)) {
    throw makeInvalidUrlProblem('its host is neither a full domain name nor an IP address')
  }
  if (!isRoute(url.hash)) url.hash = ''
  if (!readPresses(url.hash)) throw makeInvalidUrlProblem('the buttons after `:~:` are too many, or not valid')
  return url.href
}

function withScheme(text: string): string {
  if (text.startsWith('//')) return `http:${text}`
  const scheme = SCHEME.exec(text)?.[1]?.toLowerCase()
  if (scheme === 'http' || scheme === 'https') return text
  if (scheme === undefined || HOST_WITH_PORT.test(text)) return `http://${text}`
  throw makeInvalidUrlProblem(`only http and https URLs can be visited, not \`${scheme.slice(0, 20)}:\``)
}

function parse(text: string): URL {
  try {
    return new URL(text)
  } catch (cause) {
    throw new Problem('invalid_url', { cause })
  }
}

function isHost(host: string, plainHosts: readonly string[]): boolean {
  if (host.startsWith('[') || IPV4.test(host)) return true
  // One trailing dot is the DNS root; two are a mistake.
  const name = host.endsWith('.') ? host.slice(0, -1) : host
  if (name.length > 253) return false
  const labels = name.split('.')
  if (!labels.every((label) => LABEL.test(label))) return false
  const last = labels.at(-1)!
  if (last === 'localhost') return true
  return labels.length > 1 ? TOP_LEVEL.test(last) : plainHosts.includes(name)
}

// A loop: `/[\0- ]+$/` is quadratic on a long run of spaces.
function trimControls(text: string): string {
  let start = 0
  let end = text.length
  while (start < end && text.charCodeAt(start) <= 0x20) start++
  while (end > start && text.charCodeAt(end - 1) <= 0x20) end--
  return text.slice(start, end)
}

function makeInvalidUrlProblem(because: string): Problem {
  return new Problem('invalid_url', { because })
}

// Navigates a tab and maps navigation errors to Problems.

import { withinTime } from '../../base/deadline.ts'
import { Problem } from '../../base/problem.ts'
import type { Visit } from '../../base/visit-and-capture-types.ts'
import type { ProxyLogin } from '../browser-proxy.ts'
import { type BrowserLease, LostBrowserError, ProxyLoginError } from './browser-pool.ts'
import { openCdpTab } from './cdp-tab.ts'
import { mayBeDownload, netErrorOf } from './playwright-errors.ts'
import { openPlaywrightTab } from './playwright-tab.ts'
import type { PageResponse, Tab } from './tab-interface.ts'

/** The event of a download follows the navigation error; without a response, as for status 204, there is hardly one. */
const FILE_MS = { afterResponse: 5000, withoutResponse: 1000 }

export function openTab(lease: BrowserLease, options: { visit: Visit; pass: ProxyLogin; watch: string }): Promise<Tab> {
  const { context } = lease
  if (context.undrawn === 'live') throw new Problem('internal', { because: 'a live session was asked to be read' })
  return context.undrawn ? openCdpTab(context, lease, options) : openPlaywrightTab(context, lease, options)
}

/** Returns the first response; undefined for a file that the browser would download. */
export async function navigateTab(tab: Tab, visit: Visit, pass: ProxyLogin): Promise<PageResponse | undefined> {
  try {
    const answer = await Promise.race([tab.go(visit.url), tab.crashed])
    if (answer) throwProxyProblem(answer, pass)
    return answer
  } catch (error) {
    if (error instanceof Problem || error instanceof LostBrowserError) throw error
    if (mayBeDownload(error) && (await meetsFile(tab))) return undefined
    throw navigationProblem(error as Error, tab, visit, pass)
  }
}

export function throwProxyProblem({ headers, url }: PageResponse, pass: ProxyLogin): void {
  const said = headers['x-orb-proxy']
  if (said === 'failed') throw proxyProblem(url, pass)
  if (said === 'login') throw new ProxyLoginError('the browser did not say to the proxy who it is')
}

async function meetsFile(tab: Tab): Promise<boolean> {
  await withinTime(tab.answer() ? FILE_MS.afterResponse : FILE_MS.withoutResponse, tab.fileMet)
  return tab.file() !== undefined
}

const UNADMITTED = /^ERR_(INVALID_AUTH_CREDENTIALS|UNEXPECTED_PROXY_AUTH|PROXY_AUTH_\w+|TUNNEL_CONNECTION_FAILED)$/

function navigationProblem(error: Error, tab: Tab, visit: Visit, pass: ProxyLogin): Problem | Error {
  const failed = netErrorOf(error)
  if (!failed) return error
  const { code } = failed
  const reached = [tab.answer()?.headers.location, tab.answer()?.url, failed.url, visit.url]
  for (const url of reached) {
    const failure = url ? knownFailure(url, pass, visit.url) : undefined
    if (failure) return failure
  }
  if (UNADMITTED.test(code)) return new ProxyLoginError(`the proxy did not authenticate the browser (${sayCode(code)})`)
  if (/^ERR_(CERT|SSL|BAD_SSL)/.test(code))
    return new Problem('tls_failed', {
      because: `${sayCode(code)}. \`skipTlsVerification\` would accept a bad certificate`,
      cause: error,
    })
  if (code === 'ERR_ABORTED') return new Problem('site_failed', { because: 'it sent no page to show', cause: error })
  if (code === 'ERR_TOO_MANY_REDIRECTS') return new Problem('redirect_loop', { cause: error })
  if (code === 'ERR_UNSAFE_PORT' || code === 'ERR_UNKNOWN_URL_SCHEME' || code === 'ERR_BLOCKED_BY_CLIENT')
    return new Problem('site_failed', { because: `the browser does not go there (${sayCode(code)})`, cause: error })
  return new Problem('site_failed', { because: sayCode(code), cause: error })
}

const sayCode = (code: string): string => code.replace(/^ERR_/, '').replaceAll('_', ' ').toLowerCase()

const knownFailure = (url: string, pass: ProxyLogin, base: string): Problem | undefined =>
  URL.canParse(url, base) ? pass.failure(new URL(url, base)) : undefined

const proxyProblem = (url: string, pass: ProxyLogin): Problem =>
  knownFailure(url, pass, url) ?? new Problem('site_failed', { because: 'the connection failed' })

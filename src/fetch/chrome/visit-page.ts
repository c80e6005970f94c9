// One visit in one browser context: navigate, wait, run actions, read. A file that is not a web page is fetched as
// bytes.

import { setTimeout as sleep } from 'node:timers/promises'
import type { ActionResults, ScrollOptions } from '../../base/browser-action-types.ts'
import type { ComputedStyle } from '../../base/computed-style.ts'
import { isSameSite } from '../../base/crawl-scope.ts'
import type { NetworkRecord } from '../../base/network-responses.ts'
import { copyPageState, isPageState, withoutPageState } from '../../base/page-state.ts'
import { Problem } from '../../base/problem.ts'
import type { Capture, Visit } from '../../base/visit-and-capture-types.ts'
import type { ProxyLogin } from '../browser-proxy.ts'
import type { Egress, EgressResponse } from '../egress.ts'
import { headersAllowedAt } from '../follow-redirects.ts'
import { type BrowserLease, LostBrowserError } from './browser-pool.ts'
import { collectDownloads, DELAY_BLOB_REVOKE_SCRIPT, MAX_DOWNLOAD_BYTES } from './collect-page-downloads.ts'
import { hasRenderingLostText, makeShowServerHtmlScript, textLengthOfHtml } from './compare-with-server-html.ts'
import type { MakeCookieOptOutScript } from './cookie-opt-out-script.ts'
import { EAST_ASIAN_TEXT, NO_EAST_ASIAN_FONT } from './fonts.ts'
import { navigateTab, openTab, throwProxyProblem } from './navigate-tab.ts'
import {
  makeActivityWatchScript,
  makeComputedStyleScript,
  makeRefuseConsentScript,
  makeScrollScript,
  makeSerializeHtmlScript,
} from './page-scripts.ts'
import { hasLeftDocument } from './playwright-errors.ts'
import { type RunFlow, runActions } from './run-actions.ts'
import { takeScreenshot } from './screenshots.ts'
import { scrollLists } from './scroll-lists.ts'
import { SignInGuard } from './sign-in-guard.ts'
import { getPlaywrightPage, type PageResponse, type Tab } from './tab-interface.ts'
import { evaluateWithTimeout, type IdleWaitResult, waitForIdle } from './wait-for-idle.ts'

interface VisitContext {
  lease: BrowserLease
  visit: Visit
  pass: ProxyLogin
  watchName: string
  egress: Egress
  refuseByRules: MakeCookieOptOutScript
  runFlow: RunFlow
  hasEastAsianFonts(): Promise<boolean>
  signal: AbortSignal
}

type VisitedPageRead = Omit<Capture, 'engine' | 'fetchedAt' | 'proxyUsed'>

const SETTLE_MS = 8000
const RESETTLE_MS = 2000
/** A slow site, or a busy machine, gets this many times what its first byte took. */
const IDLE_WAIT_PER_FIRST_BYTE = 6
/** Shares of the remaining time, for the first wait and the later ones. */
const IDLE_WAIT_SHARE = 0.4
const RESETTLE_SHARE = 0.2
const SCROLL_SHARE = 0.7
/** More time for a page without text whose scripts or data are still on their way. */
const EXTRA_WAIT_MS = 20_000
const LATE_SHARE = 0.6
/** Less sent text leaves nothing to show in place of the rendered page. */
const MIN_SENT_TEXT_CHARS = 200
/** How often pending blocking resources are abandoned; those requested next may not arrive either. */
const MAX_ABANDONMENTS = 2
const WALK_MS = 2000
const FLOW_MS = 120_000
const WALK_GROWS = 5
const HTML = /html|^$/i
const CUT_SHORT =
  'The browser showed less text than the server had sent, so the page is shown as it was sent, without its scripts.'
const UNDRAWN = 'The browser was too busy to draw the page in time; what appears only once it is drawn may be missing.'
const UNFINISHED =
  'The page had hardly any text and was still loading or changing when the time for it ended; give it more with `timeout` or `waitFor`.'

export async function visitAndReadPage(context: VisitContext): Promise<VisitedPageRead> {
  const { lease, visit, pass } = context
  const started = performance.now()
  const tab = await openTab(lease, { visit, pass, watch: watchScriptOf(context) })
  const first = await navigateTab(tab, { ...visit, url: withoutPageState(visit.url) }, pass)
  const firstByteMs = Math.round(performance.now() - started)
  if (!first || !isPage(first)) return readFile(tab, context, first?.url ?? tab.file() ?? visit.url)
  const warnings: string[] = []
  const prepared = await prepare(tab, context, firstByteMs, warnings)
  const file = tab.file() ?? shownFile(tab)
  if (file?.startsWith('http')) return readFile(tab, context, file)
  const guard = new SignInGuard(pass)
  const { masker } = guard
  const address = tab.url()
  assertStateOfSite(visit.url, address)
  const actions = visit.actions.length > 0 ? await act(tab, context, guard, warnings) : undefined
  // Read at once: collected rows stay only until the page draws its list again.
  if (visit.scroll) warnings.push(...(await scrollToEnd(tab, context, visit.scroll)))
  const html = actions || visit.scroll ? masker.text(await readHtml(tab)) : (prepared.html ?? (await readHtml(tab)))
  const appearance = await readAppearance(tab, context, html, warnings)
  const network = await endNetwork(tab, warnings)
  // A button that leads to another address has no state of the page as its result.
  const url = tab.url() === address ? copyPageState(visit.url, address) : tab.url()
  if (!/^https?:/.test(url)) throw lostPage(tab, pass)
  const answer = tab.answer() ?? first
  // After a script or meta redirect the response may be the proxy's too.
  throwProxyProblem(answer, pass)
  const read = {
    url,
    status: answer.status,
    headers: { ...answer.headers, 'content-type': 'text/html; charset=utf-8' },
    body: Buffer.from(html),
    truncated: false,
    hops: await answer.hops(),
    timings: { firstByteMs, totalMs: 0 },
    warnings,
    ...(prepared.asSent ? { asSent: true } : {}),
    ...appearance,
    ...(visit.media ? { requests: await mediaRequests(tab) } : {}),
    ...(network ? { network } : {}),
    ...(actions ? { actions } : {}),
  }
  // A profile is stored encrypted, and what it remembers has to stay as it is.
  return { ...masker.deep(read), ...(visit.remembered === undefined ? {} : { remembers: await memories(tab) }) }
}

const watchScriptOf = ({ visit, watchName }: VisitContext): string =>
  makeActivityWatchScript(watchName, hasFlow(visit)) + (visit.downloads ? DELAY_BLOB_REVOKE_SCRIPT : '')

async function readAppearance(
  tab: Tab,
  { visit, hasEastAsianFonts }: VisitContext,
  html: string,
  warnings: string[],
): Promise<Pick<VisitedPageRead, 'screenshot' | 'computedStyle'>> {
  const shot = visit.screenshot ? await takeScreenshot(getPlaywrightPage(tab), visit.screenshot) : undefined
  if (shot?.warning) warnings.push(shot.warning)
  const { computedStyle, warning: unmeasured } = visit.computedStyle ? await readComputedStyle(tab) : {}
  if (unmeasured) warnings.push(unmeasured)
  if (shot && EAST_ASIAN_TEXT.test(html) && !(await hasEastAsianFonts())) warnings.push(NO_EAST_ASIAN_FONT)
  return { ...(shot ? { screenshot: shot.shot } : {}), ...(computedStyle ? { computedStyle } : {}) }
}

/** What is pressed was chosen for this site: a redirect to another one must not have it pressed there. */
function assertStateOfSite(wanted: string, arrived: string): void {
  if (isPageState(wanted) && !isSameSite(wanted, arrived))
    throw new Problem('action_failed', { instead: 'The page led to another site, where nothing was pressed' })
}

/** A flow may answer the cookie notice itself, so it is refused for it only afterwards. */
const hasFlow = ({ actions }: Visit): boolean => actions.some(({ type }) => type === 'flow')

/** A full Chromium shows a PDF in a viewer of its own instead of downloading it. */
function shownFile(tab: Tab): string | undefined {
  const answer = tab.answer()
  return answer && !isPage(answer) ? answer.url : undefined
}

interface Prepared {
  html?: string
  asSent: boolean
}

async function prepare(tab: Tab, context: VisitContext, slowMs: number, warnings: string[]): Promise<Prepared> {
  const { visit, watchName } = context
  const settleMs = Math.max(SETTLE_MS, slowMs * IDLE_WAIT_PER_FIRST_BYTE)
  let state = await waitForIdle(tab, watchName, share(visit, IDLE_WAIT_SHARE, settleMs), slowMs)
  if (state.thin && tab.busy() > 0 && (await isShell(tab)))
    state = await waitForIdle(tab, watchName, share(visit, LATE_SHARE, EXTRA_WAIT_MS), slowMs)
  state = await helpOn(tab, context, state, warnings)
  if (visit.waitForMs > 0) {
    await sleep(visit.waitForMs, undefined, { signal: context.signal })
    state = await waitForIdle(tab, watchName, RESETTLE_MS)
  }
  if (tab.file() !== undefined) return { asSent: false }
  // Before banners are refused and actions run, which rightly remove text.
  const { html, asSent } = await readWhole(tab, context)
  if (asSent) {
    warnings.push(CUT_SHORT)
    await waitForIdle(tab, watchName, RESETTLE_MS)
    return { html, asSent }
  }
  const refused = visit.blockAds && !hasFlow(visit) && state.consent && (await refuse(tab, context))
  if (refused) state = await waitForIdle(tab, watchName, RESETTLE_MS)
  const walks = (state.lazy && !visit.scroll) || visit.screenshot?.fullPage
  if (walks) {
    tab.draw()
    await evaluateWithTimeout<number>(tab, makeScrollScript(WALK_MS, WALK_GROWS))
    state = await waitForIdle(tab, watchName, RESETTLE_MS)
  }
  if (state.undrawn) warnings.push(UNDRAWN)
  if (state.thin && (tab.busy() > 0 || !state.quiet)) warnings.push(UNFINISHED)
  return refused || walks ? { asSent: false } : { html, asSent: false }
}

async function isShell(tab: Tab): Promise<boolean> {
  const sent = await tab.answer()?.sent()
  return sent === undefined || textLengthOfHtml(sent) < MIN_SENT_TEXT_CHARS
}

/** Waits once more for a page whose scripts left less text than was sent, and then shows it as it was sent. */
async function readWhole(tab: Tab, { visit, watchName }: VisitContext): Promise<{ html: string; asSent: boolean }> {
  const first = await readBesideSent(tab)
  if (first.sentMore === undefined) return { html: first.html, asSent: false }
  await waitForIdle(tab, watchName, share(visit, RESETTLE_SHARE, SETTLE_MS))
  const { html, sentMore } = await readBesideSent(tab)
  if (sentMore === undefined) return { html, asSent: false }
  // Screenshots and actions get the same page as the text; where the page forbids it, the text alone is whole.
  const shown = await evaluateWithTimeout(tab, makeShowServerHtmlScript(sentMore), { apart: true })
    .then(() => readHtml(tab))
    .catch(() => sentMore)
  return { html: hasRenderingLostText(shown, sentMore) ? sentMore : shown, asSent: true }
}

/** `sentMore`: the document as it was sent, if it has more text. A script that went on to another address shows another page. */
async function readBesideSent(tab: Tab): Promise<{ html: string; sentMore?: string }> {
  const answer = tab.answer()
  const isSame = answer && isSamePage(answer.url, tab.url())
  const [html, sent] = await Promise.all([readHtml(tab), isSame ? answer.sent() : undefined])
  return sent !== undefined && hasRenderingLostText(html, sent) ? { html, sentMore: sent } : { html }
}

const isSamePage = (a: string, b: string): boolean => a.split(/[?#]/, 1)[0] === b.split(/[?#]/, 1)[0]

const share = ({ endsAt = Number.POSITIVE_INFINITY }: Visit, part: number, mostMs: number): number =>
  Math.max(100, Math.min(mostMs, (endsAt - performance.now()) * part))

/** Gives up scripts and style sheets that never arrive, because they block parsing and rendering. */
async function helpOn(
  tab: Tab,
  context: VisitContext,
  idlePage: IdleWaitResult,
  warnings: string[],
): Promise<IdleWaitResult> {
  const { visit, watchName, pass } = context
  let state = idlePage
  const missing = new Set<string>()
  for (let helps = 0; helps < MAX_ABANDONMENTS; helps++) {
    const awaited = tab
      .awaited()
      .filter(({ kind }) => state.reading || (tab.drawn() && kind === 'stylesheet'))
      .flatMap(({ url }) => (/^https?:/.test(url) ? [url] : []))
    if (awaited.length === 0) break
    for (const address of awaited) missing.add(address)
    pass.abandonRequestsTo(awaited)
    state = await waitForIdle(tab, watchName, share(visit, RESETTLE_SHARE, RESETTLE_MS))
  }
  const [one] = missing
  if (one !== undefined)
    warnings.push(
      `The page waited for ${missing.size === 1 ? 'a script or style sheet that' : `${missing.size} scripts and style sheets, which`} did not come (${one.slice(0, 200)}); it is shown without.`,
    )
  return state
}

/** By a reject button, else by the provider's rules, else by removing the banner. */
async function refuse(tab: Tab, { refuseByRules, watchName }: VisitContext): Promise<boolean> {
  const found = await evaluateWithTimeout<string>(tab, makeRefuseConsentScript('leave'))
  if (found !== 'open') return found === 'refused'
  await evaluateWithTimeout<boolean>(tab, await refuseByRules(tab.url()))
  await waitForIdle(tab, watchName, RESETTLE_MS)
  await evaluateWithTimeout<string>(tab, makeRefuseConsentScript('remove'))
  return true
}

async function act(tab: Tab, context: VisitContext, guard: SignInGuard, warnings: string[]): Promise<ActionResults> {
  const { visit, watchName, runFlow, signal } = context
  const isFlow = hasFlow(visit)
  const downloads =
    visit.downloads || !isFlow
      ? collectDownloads(getPlaywrightPage(tab), {
          keep: visit.downloads === true,
          fetch: (url) => fetchFile(tab, context, url, MAX_DOWNLOAD_BYTES),
          mask: (bytes, contentType) => guard.masker.file(bytes, contentType),
          warn: (warning) => warnings.push(warning),
        })
      : undefined
  const results = await Promise.race([
    runActions(visit.actions, {
      page: getPlaywrightPage(tab),
      run: tab.run,
      waitForIdle: async (budgetMs) => void (await waitForIdle(tab, watchName, budgetMs)),
      html: () => readHtml(tab),
      warn: (warning) => warnings.push(warning),
      guard,
      flow: (action) => {
        const owner = { team: visit.team, endsAt: visit.endsAt ?? performance.now() + FLOW_MS, guard }
        return runFlow(getPlaywrightPage(tab), action, owner, signal)
      },
    }),
    tab.crashed,
  ])
  const { consent } = await waitForIdle(tab, watchName, RESETTLE_MS)
  if (isFlow && visit.blockAds && consent && (await refuse(tab, context)))
    await waitForIdle(tab, watchName, RESETTLE_MS)
  if (downloads) results.downloads.push(...(await Promise.race([downloads.end(), tab.crashed])))
  return results
}

async function scrollToEnd(tab: Tab, { visit, watchName }: VisitContext, scroll: ScrollOptions): Promise<string[]> {
  try {
    const warning = await scrollLists(tab, watchName, scroll, share(visit, SCROLL_SHARE, Number.POSITIVE_INFINITY))
    return warning ? [warning] : []
  } catch (error) {
    if (!hasLeftDocument(error)) throw error
    await waitForIdle(tab, watchName, RESETTLE_MS)
    return ['The page went to another document while it was scrolled, which is shown as it came.']
  }
}

/** A page can break built-ins in its main world; retry in the isolated one. */
async function readHtml(tab: Tab): Promise<string> {
  const html = await evaluateWithTimeout<unknown>(tab, makeSerializeHtmlScript()).catch((error) => {
    if (error instanceof Problem || error instanceof LostBrowserError) throw error
  })
  return typeof html === 'string' ? html : evaluateWithTimeout<string>(tab, makeSerializeHtmlScript(), { apart: true })
}

const isPage = ({ headers }: PageResponse): boolean => HTML.test(headers['content-type'] ?? '')

async function readFile(tab: Tab, context: VisitContext, url: string): Promise<VisitedPageRead> {
  const { visit } = context
  if (visit.actions.length > 0) throw new Problem('actions_impossible')
  const response = await fetchFile(tab, context, url)
  const warning = 'A screenshot needs a web page, and this URL is another kind of file.'
  return { ...response, warnings: [...response.warnings, ...(visit.screenshot ? [warning] : [])] }
}

async function fetchFile(
  tab: Tab,
  { visit, egress, signal }: VisitContext,
  url: string,
  maxBytes?: number,
): Promise<EgressResponse> {
  const cookies = await tab.cookies(url)
  const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join('; ')
  const recipients = { urls: [visit.url], hosts: visit.credentialHosts }
  return egress.fetch(
    {
      url,
      ...(maxBytes === undefined ? {} : { maxBytes }),
      headers: { ...headersAllowedAt(url, recipients, visit.headers), ...(cookie ? { cookie } : {}) },
      credentialHosts: visit.credentialHosts,
      skipTlsVerification: visit.skipTlsVerification,
      proxy: visit.proxy === 'enhanced' ? 'enhanced' : 'basic',
      country: visit.country,
    },
    signal,
  )
}

function lostPage(tab: Tab, pass: ProxyLogin): Problem {
  const location = tab.answer()?.url
  const known = location ? pass.failure(new URL(location)) : undefined
  return known ?? new Problem('site_failed', { because: 'it led to an address that could not be opened' })
}

async function endNetwork(tab: Tab, warnings: string[]): Promise<NetworkRecord | undefined> {
  const network = await (tab.network && Promise.race([tab.network.end(), tab.crashed]))
  if (network && network.left > 0)
    warnings.push(`The page fetched ${network.left} more responses than \`limit\` of the network format allows.`)
  return network
}

async function mediaRequests(tab: Tab): Promise<string[]> {
  const found = await evaluateWithTimeout<unknown>(tab, MEDIA_SCRIPT, { apart: true }).catch(() => [])
  return Array.isArray(found) ? found.filter((one) => typeof one === 'string').slice(0, MAX_REQUESTS) : []
}

const MAX_REQUESTS = 50
const MEDIA_SCRIPT = `(() => {
  const media = /\\.(?:m3u8|mpd|mp4|m4v|webm|mov|mp3|m4a|ogg|oga|ogv|opus|flac|wav|aac)(?:[?#]|$)/i
  const asked = performance.getEntriesByType('resource')
    .filter((one) => media.test(one.name) || one.initiatorType === 'video' || one.initiatorType === 'audio')
    .map((one) => one.name)
  const playing = [...document.querySelectorAll('video, audio')].map((one) => one.currentSrc)
  return [...new Set([...playing, ...asked])].filter((one) => /^https?:/.test(one)).slice(0, ${MAX_REQUESTS})
})()`

async function memories(tab: Tab): Promise<string> {
  return JSON.stringify(await getPlaywrightPage(tab).context().storageState({ indexedDB: true }))
}

async function readComputedStyle(tab: Tab): Promise<{ computedStyle?: ComputedStyle; warning?: string }> {
  try {
    return { computedStyle: await evaluateWithTimeout<ComputedStyle>(tab, makeComputedStyleScript(), { apart: true }) }
  } catch (error) {
    const [because] = (error as Error).message.split('\n', 1)
    return { warning: `The design of the page could not be measured: ${because?.slice(0, 200)}.` }
  }
}

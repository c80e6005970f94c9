// Knows when a page has asked for another one to replace it, and waits until that has come.
import { setTimeout as sleep } from 'node:timers/promises'
import type { CDPSession, Page, Request } from 'playwright-core'
import { valueOr } from '../../../base/attempt.ts'
import { limitWithin, withinTime } from '../../../base/deadline.ts'
import { Problem } from '../../../base/problem.ts'

/**
 * How long the next page is awaited where the call has more time: a report may take 20 s to make. Then loading is
 * stopped, as a person would do.
 */
const NEXT_PAGE_MS = 30_000
/** Left of the call for its answer, which names the page that did not come or could not be read. */
export const ANSWER_RESERVE_MS = 400
/** Of that reserve: a busy browser stops loading later, and the answer need not wait for it. */
const STOP_MS = 100
/** What was asked for and is not requested by then will not be: it was refused, or is no page. */
const REQUEST_MS = 2000
const LISTEN_MS = 2000

export class NextPageWatch {
  private readonly page: Page
  private readonly session: Promise<CDPSession | undefined>
  /** What is asked for before is not heard. A page that is being replaced already lets nobody listen. */
  readonly listening: Promise<unknown>
  private askedAt: number | undefined
  private request: Request | undefined

  constructor(page: Page) {
    this.page = page
    page.on('request', (request) => {
      if (request.isNavigationRequest() && isOfMainFrame(request, page)) this.request = request
    })
    const forget = () => {
      this.askedAt = undefined
      this.request = undefined
    }
    page.on('framenavigated', (frame) => {
      if (frame === page.mainFrame()) forget()
    })
    page.on('requestfailed', (request) => {
      if (request === this.request) forget()
    })
    // On a busy machine the whole document can be here before the browser shows it: reading now would read the old page.
    page.on('requestfinished', (request) => {
      if (request !== this.request) return
      forget()
      const finishedAt = performance.now()
      this.askedAt = finishedAt
      void request.response().then(
        (response) => {
          const hasDocument = response && response.status() !== 204 && response.status() !== 205
          if (!hasDocument && this.askedAt === finishedAt) this.askedAt = undefined
        },
        () => undefined,
      )
    })
    // A page that has closed needs no watch.
    this.session = this.listen().catch(() => undefined)
    this.listening = Promise.race([this.session, sleep(LISTEN_MS, undefined, { ref: false })])
  }

  /** On a busy machine the request comes much later than the page's wish for it, which the page's own channel tells in order. */
  private async listen(): Promise<CDPSession> {
    const session = await this.page.context().newCDPSession(this.page)
    const { targetInfo } = await session.send('Target.getTargetInfo')
    session.on('Page.frameRequestedNavigation', ({ frameId, url, disposition }) => {
      const isNext = frameId === targetInfo.targetId && disposition === 'currentTab' && /^https?:/.test(url)
      if (isNext) this.askedAt = performance.now()
    })
    await session.send('Page.enable')
    return session
  }

  isExpected(): boolean {
    const isRecent = this.askedAt !== undefined && performance.now() - this.askedAt < REQUEST_MS
    return isRecent || this.request !== undefined
  }

  /** Fails when the page does not respond. */
  async arrival(signal: AbortSignal): Promise<void> {
    const limitMs = limitWithin(signal, NEXT_PAGE_MS, ANSWER_RESERVE_MS)
    const ends = performance.now() + limitMs
    const isOver = () => signal.aborted || this.page.isClosed()
    while (this.isExpected() && performance.now() < ends && !isOver()) await sleep(20)
    const url = this.request?.url()
    this.askedAt = undefined
    this.request = undefined
    if (url === undefined || isOver()) return
    const stopping = this.session.then((session) => session?.send('Page.stopLoading')).catch(() => {})
    await withinTime(STOP_MS, stopping)
    const which = limitMs < NEXT_PAGE_MS ? 'that were left of `timeout`' : 'that a next page is awaited'
    const because = `${url.slice(0, 200)} did not respond within the ${(limitMs / 1000).toFixed(1)} s ${which}, and loading it was stopped`
    throw new Problem('site_failed', { because })
  }
}

/** The frame of a window's first request is not known yet. */
const isOfMainFrame = (request: Request, page: Page): boolean =>
  valueOr(false, () => request.frame() === page.mainFrame())

// Browser contexts with one empty page, driven by Playwright and always drawn.
import type { Browser, BrowserContext, CDPSession, Page } from 'playwright-core'
import type { BrowserContextOpener } from './browser-context-opener-type.ts'
import type { UnpaintedContext } from './cdp-contexts.ts'
import type { LiveContext } from './live-contexts.ts'

export interface PlaywrightContext {
  undrawn: false
  context: BrowserContext
  page: Page
  close(): Promise<void>
}

export type LeasedContext = PlaywrightContext | UnpaintedContext | LiveContext

export const makePlaywrightContextOpener =
  (browser: Browser): BrowserContextOpener<PlaywrightContext> =>
  async (options) => {
    const context = await browser.newContext(options)
    return { undrawn: false, context, page: await context.newPage(), close: () => context.close() }
  }

const NOWHERE = 'orb://nowhere'

/** Patchright answers proxy authentication with nothing; adding and removing a route makes it drop its listener. */
export function makePatchrightContextOpener(
  browser: Browser,
  headful: boolean,
): BrowserContextOpener<PlaywrightContext> {
  const open = makePlaywrightContextOpener(browser)
  // The permissions that a session sets end with it.
  let permissions: Promise<CDPSession> | undefined
  return async (options) => {
    const drawn = await open(options)
    await drawn.page.route(NOWHERE, (route) => route.fallback())
    await drawn.page.unroute(NOWHERE)
    if (headful) return drawn
    permissions ??= browser.newBrowserCDPSession()
    await denyNotifications(await permissions, drawn)
    return drawn
  }
}

/** A headless browser reports notifications as denied and, elsewhere, as not yet asked for. */
async function denyNotifications(session: CDPSession, { context, page }: PlaywrightContext): Promise<void> {
  const own = await context.newCDPSession(page)
  const { browserContextId } = (await own.send('Target.getTargetInfo')).targetInfo
  await own.detach()
  const permission = { name: 'notifications' }
  await session.send('Browser.setPermission', {
    permission,
    setting: 'denied',
    ...(browserContextId ? { browserContextId } : {}),
  })
}

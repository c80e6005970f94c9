// Browser contexts with one empty page, driven by Playwright and always drawn.
import type { Browser, BrowserContext, Page } from 'playwright-core'
import type { UndrawnContext } from './cdp-contexts.ts'
import type { LiveContext } from './live-contexts.ts'
import type { OpenContext } from './open-context.ts'

export interface DrawnContext {
  undrawn: false
  context: BrowserContext
  page: Page
  close(): Promise<void>
}

export type LeasedContext = DrawnContext | UndrawnContext | LiveContext

export const drawnContexts =
  (browser: Browser): OpenContext<DrawnContext> =>
  async (options) => {
    const context = await browser.newContext(options)
    return { undrawn: false, context, page: await context.newPage(), close: () => context.close() }
  }

const NOWHERE = 'orb://nowhere'

/** Patchright answers proxy authentication with nothing; adding and removing a route makes it drop its listener. */
export const unroutedContexts =
  (open: OpenContext<DrawnContext>): OpenContext<DrawnContext> =>
  async (options) => {
    const context = await open(options)
    await context.page.route(NOWHERE, (route) => route.fallback())
    await context.page.unroute(NOWHERE)
    return context
  }

// Browser contexts with one empty page, driven by Playwright and always drawn.
import type { Browser, BrowserContext, Page } from 'playwright-core'
import type { LiveRoom } from './live-rooms.ts'
import type { OpenRoom } from './open-room.ts'
import type { StillRoom } from './still-rooms.ts'

export interface DrawnRoom {
  still: false
  context: BrowserContext
  page: Page
  close(): Promise<void>
}

export type BrowserRoom = DrawnRoom | StillRoom | LiveRoom

export const drawnRooms =
  (browser: Browser): OpenRoom<DrawnRoom> =>
  async (options) => {
    const context = await browser.newContext(options)
    return { still: false, context, page: await context.newPage(), close: () => context.close() }
  }

/** Matches no URL that a page could request. */
const NOWHERE = 'orb://nowhere'

/**
 * Patchright intercepts every request and answers proxy authentication with nothing. Which of two listeners wins
 * depends on the Chromium version, so adding and removing a route makes Patchright drop its own.
 */
export const quietRooms =
  (open: OpenRoom<DrawnRoom>): OpenRoom<DrawnRoom> =>
  async (options) => {
    const room = await open(options)
    await room.page.route(NOWHERE, (route) => route.fallback())
    await room.page.unroute(NOWHERE)
    return room
  }

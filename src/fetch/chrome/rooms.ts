// A room is a context with one empty page, driven by the library. It is drawn all the time, as for a person.
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

/** Matches no address that a page could ask for. */
const NOWHERE = 'orb://nowhere'

/**
 * The enhanced library listens to every request of its pages and answers the proxy's question for a login, with nothing.
 * Which of two listeners is heard depends on the version of Chromium, so ours must be the only one: a route that comes
 * and goes makes the library find out that it has nothing to listen for.
 */
export const quietRooms =
  (open: OpenRoom<DrawnRoom>): OpenRoom<DrawnRoom> =>
  async (options) => {
    const room = await open(options)
    await room.page.route(NOWHERE, (route) => route.fallback())
    await room.page.unroute(NOWHERE)
    return room
  }

// A room is a context with one empty page, driven by the library. It is drawn all the time, as for a person.
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import type { LiveRoom } from './live/live-rooms.ts'
import type { StillRoom } from './still-rooms.ts'

export interface DrawnRoom {
  still: false
  context: BrowserContext
  page: Page
  close(): Promise<void>
}

export type Room = DrawnRoom | StillRoom | LiveRoom

export type OpenRoom<R extends Room = Room> = (options: BrowserContextOptions) => Promise<R>

export const drawnRooms =
  (browser: Browser): OpenRoom<DrawnRoom> =>
  async (options) => {
    const context = await browser.newContext(options)
    return { still: false, context, page: await context.newPage(), close: () => context.close() }
  }

// How a browser is asked for a room: the same for every kind of room.
import type { BrowserContextOptions } from 'playwright-core'

export type OpenRoom<R> = (options: BrowserContextOptions) => Promise<R>

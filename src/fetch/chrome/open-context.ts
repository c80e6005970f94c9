// The function type that opens a browser context.
import type { BrowserContextOptions } from 'playwright-core'

export type OpenContext<R> = (options: BrowserContextOptions) => Promise<R>

// The function type that opens a browser context.
import type { BrowserContextOptions } from 'playwright-core'

export type OpenRoom<R> = (options: BrowserContextOptions) => Promise<R>

// The function type that opens a browser context.
import type { BrowserContextOptions } from 'playwright-core'

export type BrowserContextOpener<R> = (options: BrowserContextOptions) => Promise<R>

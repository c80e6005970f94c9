// A session driven by Playwright through its CDP address, with more patience than a client's usual 30 seconds: the suite keeps
// the machine busy.
import { type Browser, chromium, type Page } from 'playwright-core'

const PATIENCE_MS = 110_000

export async function connectToSession(cdpUrl: string): Promise<{ browser: Browser; page: Page }> {
  const browser = await chromium.connectOverCDP(cdpUrl, { timeout: PATIENCE_MS })
  const [context] = browser.contexts()
  const [page] = context?.pages() ?? []
  if (!context || !page) throw new Error('the session has no page')
  context.setDefaultTimeout(PATIENCE_MS)
  return { browser, page }
}

// A real Chromium for the tests of words: started once for a file, a fresh page for each task, pages given as text.
import { homedir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { findChromium } from '../../src/fetch/chrome/find-chromium.ts'
import { browserTypeFor } from '../../src/fetch/chrome/launch-browser.ts'

export async function startBrowser(): Promise<Browser> {
  const cache = join(homedir(), '.cache', 'orbweaver')
  const binary = await findChromium({ given: process.env.ORB_CHROMIUM, cacheDirs: [cache] })
  const chromium = await browserTypeFor('drawn')
  return chromium.launch({
    executablePath: binary.path,
    env: { ...binary.env, HOME: '/nonexistent' },
    args: ['--no-sandbox', '--disable-gpu'],
  })
}

/** A page of its own that shows this, closed when the work is done. */
export async function onPage<T>(browser: Browser, html: string, work: (page: Page) => Promise<T>): Promise<T> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
  try {
    const page = await context.newPage()
    await page.setContent(html)
    return await work(page)
  } finally {
    await context.close()
  }
}

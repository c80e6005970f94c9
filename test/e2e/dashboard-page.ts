// The dashboard in a real Chromium: opening it, what it complained about, whether axe finds it accessible.
import { mkdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { findBinary } from '../../src/fetch/chrome/binary.ts'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
/** Set to a folder, every screen that is looked at is also saved there as a picture. */
const SHOTS = process.env.ORB_TEST_SHOTS

export interface Window {
  page: Page
  context: BrowserContext
  /** What the page complained about, and what it asked of other origins. */
  complaints: string[]
}

export async function openChromium(): Promise<Browser> {
  const { path, env } = await findBinary({
    given: process.env.ORB_CHROMIUM,
    cacheDirs: [join(tmpdir(), 'orb-chromium')],
  })
  return chromium.launch({
    executablePath: path,
    args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'],
    env: { ...process.env, ...env } as Record<string, string>,
  })
}

export async function openWindow(browser: Browser, origin: string, options: object = {}): Promise<Window> {
  const context = await browser.newContext({ viewport: { width: 1360, height: 900 }, ...options })
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(String(error)))
  page.on('dialog', (dialog) => {
    complaints.push(`a dialog: ${dialog.message()}`)
    void dialog.dismiss()
  })
  page.on('request', (request) => {
    const url = request.url()
    if (!url.startsWith(origin) && !/^(data|blob):/.test(url)) complaints.push(`asked another origin: ${url}`)
  })
  return { page, context, complaints }
}

/** What axe finds serious or worse, one line each. */
async function violations(page: Page): Promise<string[]> {
  await page.evaluate(AXE)
  return page.evaluate(async () => {
    const axe = (globalThis as unknown as { axe: { run(): Promise<{ violations: AxeViolation[] }> } }).axe
    const { violations: found } = await axe.run()
    return found
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .map(({ id, help, nodes }) => `${id}: ${help} (${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')})`)
  })
}

interface AxeViolation {
  id: string
  help: string
  impact: string | null
  nodes: { html: string }[]
}

/** The screen in both themes, and narrow: nothing serious, nothing wider than the window. */
export async function lookAt(page: Page, name: string): Promise<string[]> {
  const wrong: string[] = []
  for (const theme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: theme })
    await page.locator(`html[data-theme=${theme}]`).waitFor()
    wrong.push(...(await violations(page)).map((text) => `${name}, ${theme}: ${text}`))
    await shoot(page, `${name}-${theme}`)
  }
  await page.emulateMedia({ colorScheme: 'light' })
  const size = page.viewportSize()!
  await page.setViewportSize({ width: 390, height: 844 })
  const wide = await page.evaluate<number>('document.documentElement.scrollWidth')
  if (wide > 390) wrong.push(`${name}: at 390 px it is ${wide} px wide`)
  await shoot(page, `${name}-narrow`)
  if (SHOTS) {
    await page.emulateMedia({ colorScheme: 'dark' })
    await page.locator('html[data-theme=dark]').waitFor()
    await shoot(page, `${name}-narrow-dark`)
    await page.emulateMedia({ colorScheme: 'light' })
  }
  await page.setViewportSize(size)
  return wrong
}

export async function shoot(page: Page, name: string, fullPage = true): Promise<void> {
  if (!SHOTS) return
  mkdirSync(SHOTS, { recursive: true })
  await page.screenshot({ path: join(SHOTS, `${name}.png`), fullPage })
}

// The dashboard in a real Chromium: what its tests stand on, what it complained about, whether axe finds it accessible.
import { mkdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest'
import { findBrowserBinary } from '../../src/fetch/open-browser-services.ts'
import { patient } from '../patience.ts'
import { type Pages, type Site, startSite } from '../site/site.ts'
import { isSoak } from '../soak.ts'
import { keyboardFaults } from './keyboard.ts'
import { type Service, startService } from './service.ts'
import { type SharedService, shared } from './shared.ts'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
/** Set to a folder, every screen that is looked at is also saved there as a picture. */
const SHOTS = process.env.ORB_TEST_SHOTS

interface Window {
  page: Page
  context: BrowserContext
  /** What the page complained about, and what it asked of other origins. */
  complaints: string[]
}

/** For what is waited for on the page. */
const PATIENCE_MS = patient(45_000)

export interface DashboardOptions {
  pages?: Pages
  /** Settings of a service of its own, asked for when it is started; the shared one without. */
  env?: () => Record<string, string>
  /** What the tests expect of a service that has just begun. */
  prepare?: (service: SharedService, site: Site) => Promise<void>
  /** Options of the window, such as its size. */
  contextOptions?: object
  /** Where a browser reaches the service; its own URL without. */
  origin?: () => string
  /** Complaints that the tests of a file bring about on purpose. */
  expected?: Pick<RegExp, 'test'>
}

/**
 * A site, a service that may visit it and a Chromium for the tests of a file, and a new window for each test. A test fails
 * when the page complained of anything. All are filled before they are used, and empty while the file is read.
 */
export function dashboardContext({
  pages = {},
  env,
  prepare,
  contextOptions = {},
  origin,
  expected,
}: DashboardOptions = {}) {
  const window = {} as Window
  const { site, service } = env ? ownContext(pages, env) : shared(pages)
  beforeAll(() => prepare?.(service, site))
  beforeEach(async () => {
    Object.assign(window, await openWindow(await openChromium(), origin?.() ?? service.url, contextOptions))
  })
  afterEach(async ({ task }) => {
    const { complaints, context, page } = window
    if (task.result?.state === 'fail') await shoot(page, `failed-${task.name.replaceAll(/\W+/g, '-')}`)
    await context.close()
    expect(complaints.filter((text) => !expected?.test(text))).toEqual([])
  })
  /** The window, signed in, on the screen. */
  const at = async (screen: string): Promise<Page> => {
    const { page } = window
    await page.goto(`${service.url}/#/${screen}`)
    await signIn(page, service.key)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.getByRole('navigation').waitFor()
    return page
  }
  return { site, service, window, at }
}

export async function signIn(page: Page, key: string): Promise<void> {
  await page.getByLabel('API key').fill(key)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}

function ownContext(pages: Pages, env: () => Record<string, string>) {
  const site = {} as Site
  const service = {} as Service
  beforeAll(async () => {
    Object.assign(site, await startSite(pages))
    const allowed = { ORB_ALLOW_PRIVATE: `127.0.0.1:${site.port}`, ORB_API_KEY: '' }
    Object.assign(service, await startService({ env: { ...allowed, ...env() } }))
  })
  afterAll(async () => {
    await service.stop?.()
    await site.close?.()
  })
  return { site, service }
}

/** As for services (NODE_FLAGS): to optimise the code of a screen that is shown once takes an eighth of its CPU. */
const SCRIPT_FLAGS = isSoak ? [] : ['--js-flags=--no-opt --no-maglev']

let opening: Promise<Browser> | undefined

/** One for all files of a worker, with which it ends. */
function openChromium(): Promise<Browser> {
  opening ??= (async () => {
    // The one that services use, which is unpacked already.
    const { path, env } = await findBrowserBinary(process.env.ORB_CHROMIUM, tmpdir())
    return chromium.launch({
      executablePath: path,
      args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', ...SCRIPT_FLAGS],
      env: { ...process.env, ...env } as Record<string, string>,
    })
  })()
  return opening
}

async function openWindow(browser: Browser, origin: string, options: object = {}): Promise<Window> {
  const context = await browser.newContext({
    viewport: { width: 1440, height: 900 },
    reducedMotion: 'reduce',
    ...options,
  })
  context.setDefaultTimeout(PATIENCE_MS)
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

/** What axe finds serious or worse, one line each; of all its rules, or of those on colours. */
async function violations(page: Page, coloursOnly: boolean): Promise<string[]> {
  if (!(await page.evaluate<boolean>("'axe' in globalThis"))) await page.evaluate(AXE)
  const options = {
    resultTypes: ['violations'],
    ...(coloursOnly ? { runOnly: COLOUR_RULES } : {}),
    ...(isSoak ? {} : { rules: Object.fromEntries(COLOUR_RULES.map((rule) => [rule, { enabled: false }])) }),
  }
  return page.evaluate(async (given) => {
    const axe = (globalThis as unknown as { axe: { run(o: object): Promise<{ violations: AxeViolation[] }> } }).axe
    const { violations: found } = await axe.run(given)
    return found
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .map(({ id, help, nodes }) => `${id}: ${help} (${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')})`)
  }, options)
}

interface AxeViolation {
  id: string
  help: string
  impact: string | null
  nodes: { html: string }[]
}

/** The rules of axe on colours, which cost more than all others together. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block']

/**
 * Whether axe finds anything serious, and anything is wider than a narrow window. The second tier also looks at the colours
 * of both themes, and walks through the screen by keyboard.
 */
export async function lookAt(page: Page, name: string): Promise<string[]> {
  const wrong: string[] = []
  for (const theme of isSoak || SHOTS ? (['light', 'dark'] as const) : (['light'] as const)) {
    await page.emulateMedia({ colorScheme: theme })
    await page.locator(`html[data-theme=${theme}]`).waitFor()
    // The other theme has the same elements in other colours.
    wrong.push(...(await violations(page, theme === 'dark')).map((text) => `${name}, ${theme}: ${text}`))
    await shoot(page, `${name}-${theme}`)
  }
  await page.emulateMedia({ colorScheme: 'light' })
  if (isSoak) wrong.push(...(await keyboardFaults(page)).map((text) => `${name}: ${text}`))
  const size = page.viewportSize()!
  await page.setViewportSize({ width: 390, height: 844 })
  await drawn(page)
  const wide = await page.evaluate<number>('document.documentElement.scrollWidth')
  if (wide > 390) wrong.push(`${name}: at 390 px it is ${wide} px wide`)
  await shoot(page, `${name}-narrow`)
  if (SHOTS) {
    await page.emulateMedia({ colorScheme: 'dark' })
    await page.locator('html[data-theme=dark]').waitFor()
    await shoot(page, `${name}-narrow-dark`)
    await page.emulateMedia({ colorScheme: 'light' })
    await page.setViewportSize({ width: 820, height: 1180 })
    await shoot(page, `${name}-tablet`)
  }
  await page.setViewportSize(size)
  await drawn(page)
  return wrong
}

/** `lookAt` for another state of a screen that is looked at already: in the second tier. */
export const lookAtState = async (page: Page, name: string): Promise<string[]> =>
  isSoak || SHOTS ? lookAt(page, name) : []

/** Of two sizes at once Chromium may draw neither, and nothing after them. A frame is drawn when the next one begins. */
const drawn = (page: Page) =>
  page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done())))')

export async function shoot(page: Page, name: string, fullPage = true): Promise<void> {
  if (!SHOTS) return
  mkdirSync(SHOTS, { recursive: true })
  // A live picture comes again after a change of theme.
  for (const frame of page.frames().slice(1))
    if (await frame.locator('#picture').count()) await frame.locator('body[data-seen]').waitFor()
  await page.screenshot({ path: join(SHOTS, `${name}.png`), fullPage })
}

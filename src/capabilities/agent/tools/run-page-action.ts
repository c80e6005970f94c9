// Browser actions of a run: show more, click a button, search.
import type { LiveSession } from '../../../fetch/chrome/live/live-session.ts'
import { wasPressed } from '../../../fetch/chrome/playwright-errors.ts'
import { type InteractStep, SHOW_MORE_BUTTON } from '../steps.ts'

type Page = Awaited<ReturnType<LiveSession['page']>>
type Control = ReturnType<Page['locator']>

const MOST_PRESSES = 12
/** Checks of a page without open requests until it counts as unchanged: about 4 s. */
const MAX_QUIET_CHECKS = 25
const LOOK_MS = 150
/** While a request of the page is open, such as the search of a slow site, its effect is awaited this long. */
const CHANGE_MS = 10_000
/** A control that is covered or moving for longer is not pressed. */
const CLICK_MS = 3000
const SEARCH_BOX =
  'input[type="search"], [role="searchbox"], input[name="q"], input[name="query"], input[name="search"], input[name="s"], input[placeholder*="search" i], input[aria-label*="search" i]'

export async function runPageAction(
  page: Page,
  step: InteractStep,
  mayVisit: (url: string, from: string) => boolean,
): Promise<{ url: string; html: string }> {
  await page.context().route('**/*', async (route) => {
    const request = route.request()
    const isPage = request.isNavigationRequest() && request.frame().parentFrame() === null
    const stays = !isPage || (request.method() === 'GET' && mayVisit(request.url(), page.url()))
    await (stays ? route.continue() : route.abort('blockedbyclient')).catch(() => undefined)
  })
  openRequests(page)
  if (step.do === 'more') await pressMore(page)
  else if (step.do === 'press') {
    const before = await sizeOf(page)
    await press(findByName(page, step.name))
    await waitForChange(page, before)
  } else await search(page, step.words)
  return { url: page.url(), html: await page.content() }
}

async function pressMore(page: Page): Promise<void> {
  for (let n = 0; n < MOST_PRESSES; n++) {
    const control = page
      .getByRole('button', { name: SHOW_MORE_BUTTON })
      .or(page.getByRole('link', { name: SHOW_MORE_BUTTON }))
      .first()
    const isThere = await control.isVisible().catch(() => false)
    if (!isThere || !(await control.isEnabled().catch(() => false))) return
    const before = await sizeOf(page)
    await press(control)
    if (!(await waitForChange(page, before))) return
  }
}

async function search(page: Page, words: string): Promise<void> {
  const box = page.locator(SEARCH_BOX).filter({ visible: true }).first()
  const before = await sizeOf(page)
  await box.fill(words, { timeout: CLICK_MS })
  await box.press('Enter', { timeout: CLICK_MS })
  if (await waitForChange(page, before)) return
  await press(page.getByRole('button', { name: /search|find|go|suchen?|rechercher|buscar/i }).first())
  await waitForChange(page, before)
}

const press = (control: Control): Promise<void> =>
  control.click({ timeout: CLICK_MS }).catch((error: unknown) => {
    if (!wasPressed(error)) throw error
  })

const findByName = (page: Page, name: string) =>
  page
    .getByRole('button', { name, exact: true })
    .or(page.locator('summary', { hasText: name }))
    .filter({ visible: true })
    .first()

const sizeOf = (page: Page): Promise<string> =>
  page
    .evaluate<string>('[document.URL, document.body?.innerText.length, document.body?.childElementCount].join(" ")')
    .catch(() => '')

/** Waits until the page's content changes and is stable; false: it did not change. */
async function waitForChange(page: Page, before: string): Promise<boolean> {
  const ends = performance.now() + CHANGE_MS
  let last = before
  for (let looks = 0; looks < MAX_QUIET_CHECKS && performance.now() < ends; ) {
    await page.waitForTimeout(LOOK_MS)
    const now = await sizeOf(page)
    if (now !== '' && now !== before && now === last) return true
    last = now
    if (openRequests(page).size === 0) looks += 1
  }
  return last !== before
}

const requestsOf = new WeakMap<Page, Set<unknown>>()

/** Requests of the page that have not ended, counted from the first call on. */
function openRequests(page: Page): ReadonlySet<unknown> {
  const known = requestsOf.get(page)
  if (known) return known
  const open = new Set<unknown>()
  page.on('request', (request) => open.add(request))
  page.on('requestfinished', (request) => open.delete(request))
  page.on('requestfailed', (request) => open.delete(request))
  requestsOf.set(page, open)
  return open
}

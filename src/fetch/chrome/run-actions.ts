// Runs the caller's actions in order on the page. A failed action reports its index and reason.
import { Script } from 'node:vm'
import type { Locator, Page } from 'playwright-core'
import type { ActionResults, BrowserAction, FlowAction, FlowRun } from '../../base/browser-action-types.ts'
import { Problem } from '../../base/problem.ts'
import { timeoutOf, wasPressed } from './playwright-errors.ts'
import { printPageToPdf, takeScreenshot } from './screenshots.ts'
import type { SignInGuard } from './sign-in-guard.ts'

interface ActionContext {
  page: Page
  run<T>(script: string): Promise<T>
  waitForIdle(budgetMs: number): Promise<void>
  html(): Promise<string>
  warn(warning: string): void
  flow(action: FlowAction): Promise<FlowRun>
  guard?: SignInGuard
}

/** Runs a stored flow on a page. Passed in, because flows are implemented in a higher layer (driving/). */
export type RunFlow = (
  page: Page,
  action: FlowAction,
  owner: { team: string | undefined; endsAt: number; guard: SignInGuard },
  signal: AbortSignal,
) => Promise<FlowRun>

const ELEMENT_MS = 10_000
/** A click falls back to a synthetic one after this. */
const CLICK_MS = 3000
/** For an element that an earlier click has removed. */
const REMOVED_MS = 2000
const MAX_CLICKS = 100
const MAX_RETURN_CHARS = 5_000_000
const AFTER_STEP_MS = 3000
const MAX_RESULT_BYTES = 100 * 1024 * 1024

export async function runActions(actions: readonly BrowserAction[], context: ActionContext): Promise<ActionResults> {
  const results: ActionResults = {
    screenshots: [],
    scrapes: [],
    javascriptReturns: [],
    pdfs: [],
    flows: [],
    downloads: [],
  }
  for (const [index, action] of actions.entries()) {
    try {
      await runAction(action, context, results)
      if (sizeOf(results) > MAX_RESULT_BYTES) throw new Error('the actions produced more than 100 MB in total')
    } catch (error) {
      if (error instanceof Problem || context.page.isClosed()) throw error
      throw new Problem('action_failed', {
        instead: `Action ${index} (${action.type}) failed: ${reason(error, selectorOf(action))}`,
        details: {
          index,
          type: action.type,
          ...(selectorOf(action) === undefined ? {} : { selector: selectorOf(action) }),
        },
        cause: error,
      })
    }
  }
  return results
}

const selectorOf = (action: BrowserAction): string | undefined => ('selector' in action ? action.selector : undefined)

function sizeOf({ screenshots, scrapes, pdfs, flows }: ActionResults): number {
  const ofFlows = flows.flatMap(({ steps, downloads }) => [
    ...steps.flatMap(({ picture }) => picture ?? []),
    ...downloads,
  ])
  const shots = [...screenshots, ...pdfs, ...ofFlows].reduce((sum, { bytes }) => sum + bytes.byteLength, 0)
  return scrapes.reduce((sum, { html }) => sum + html.length, shots)
}

async function runAction(action: BrowserAction, context: ActionContext, results: ActionResults): Promise<void> {
  const { page } = context
  switch (action.type) {
    case 'wait':
      if (action.selector === undefined) await page.waitForTimeout(action.milliseconds ?? 0)
      else await page.locator(action.selector).first().waitFor({ state: 'visible', timeout: ELEMENT_MS })
      return
    case 'click':
      await click(page, action.selector, action.all)
      return context.waitForIdle(AFTER_STEP_MS)
    case 'write':
      if (!(await page.evaluate<boolean>(TAKES_TEXT))) throw new Error('no input has the focus; click one first')
      return page.keyboard.type(action.text)
    case 'press':
      await page.keyboard.press(keyName(action.key))
      return context.waitForIdle(AFTER_STEP_MS)
    case 'scroll':
      await scroll(page, action.direction, action.selector)
      return context.waitForIdle(AFTER_STEP_MS)
    case 'screenshot': {
      const { shot, warning } = await takeScreenshot(page, action)
      if (warning) context.warn(warning)
      results.screenshots.push(shot)
      return
    }
    case 'scrape':
      results.scrapes.push({ url: page.url(), html: await context.html() })
      return
    case 'executeJavascript':
      results.javascriptReturns.push(await run(context, action.script))
      return context.waitForIdle(AFTER_STEP_MS)
    case 'pdf':
      results.pdfs.push(await printPageToPdf(page, action))
      return
    case 'flow': {
      const run = await context.flow(action)
      results.flows.push(run)
      results.screenshots.push(...run.screenshots)
    }
  }
}

const TAKES_TEXT = `(() => {
  let at = document.activeElement
  while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement
  while (at?.localName === 'iframe') { try { at = at.contentDocument.activeElement } catch { return true } }
  return !!at && (at.isContentEditable || at.localName === 'textarea' || at.localName === 'input' || at.localName === 'select')
})()`

async function click(page: Page, selector: string, all: boolean): Promise<void> {
  const found = page.locator(selector)
  if (!all) return clickOne(found.first(), ELEMENT_MS)
  const count = Math.min(await found.count(), MAX_CLICKS)
  for (let at = 0; at < count; at++) {
    // Earlier clicks may have removed later matches; this is not an error.
    const isThere = at < (await found.count())
    await clickOne(found.nth(at), isThere ? ELEMENT_MS : REMOVED_MS).catch(() => {})
  }
}

/** Falls back to a synthetic click when another element covers the target, or no frame is drawn in time. */
async function clickOne(element: Locator, timeout: number): Promise<void> {
  await element.waitFor({ state: 'attached', timeout })
  try {
    await element.click({ timeout: Math.min(timeout, CLICK_MS), noWaitAfter: true })
  } catch (error) {
    if (wasPressed(error)) return
    if (!(await element.isVisible().catch(() => false))) throw error
    await element.dispatchEvent('click', undefined, { timeout })
  }
}

async function scroll(page: Page, direction: 'up' | 'down', selector: string | undefined): Promise<void> {
  const sign = direction === 'up' ? -1 : 1
  if (selector === undefined) {
    await page.evaluate(`(document.scrollingElement ?? document.documentElement).scrollBy(0, ${sign} * innerHeight)`)
    return
  }
  const element = page.locator(selector).first()
  await element.waitFor({ state: 'attached', timeout: ELEMENT_MS })
  await element.evaluate(
    (one, way) => {
      const box = one as unknown as {
        clientHeight: number
        scrollHeight: number
        scrollBy(x: number, y: number): void
        scrollIntoView(): void
      }
      if (box.scrollHeight > box.clientHeight) box.scrollBy(0, way * box.clientHeight)
      else box.scrollIntoView()
    },
    sign,
    { timeout: ELEMENT_MS },
  )
}

function keyName(key: string): string {
  const names: Record<string, string> = { enter: 'Enter', return: 'Enter', tab: 'Tab', escape: 'Escape', esc: 'Escape' }
  const more: Record<string, string> = { space: 'Space', backspace: 'Backspace', delete: 'Delete', ctrl: 'Control' }
  return key
    .split(/(?<=.)\+(?=.)/)
    .map((part) => ({ ...names, ...more })[part.toLowerCase()] ?? part)
    .join('+')
}

async function run(context: ActionContext, script: string): Promise<{ type: string; value: unknown }> {
  const { guard, page } = context
  const refusal = await guard?.codeRefusal(page)
  if (refusal) throw new Error(refusal)
  if (guard) guard.hasRunCode = true
  const answer = await context.run<string>(runScript(script))
  if (answer.length > MAX_RETURN_CHARS) throw new Error('the script returned more than 5 MB')
  return JSON.parse(answer) as { type: string; value: unknown }
}

/** Parsed here to tell expression from body: in the page, CSP may forbid code from strings. */
function runScript(script: string): string {
  const expression = `(async () => (${script}\n))()`
  const work = parses(expression) ? expression : `(async () => {${script}\n})()`
  return `(async () => {
    let value = await ${work}
    if (typeof value === 'function') value = await value()
    const type = value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value
    if (type === 'bigint' || type === 'symbol') value = String(value)
    if (value instanceof Node) value = value.outerHTML ?? value.textContent
    if (type === 'undefined') value = null
    try { return JSON.stringify({ type, value }) } catch { return JSON.stringify({ type, value: String(value) }) }
  })()`
}

function parses(code: string): boolean {
  try {
    new Script(code)
    return true
  } catch {
    return false
  }
}

function reason(error: unknown, selector: string | undefined): string {
  const message = (error as Error).message.split('\n', 1)[0] ?? ''
  const timeoutMs = timeoutOf(error)
  const what = selector === undefined ? '' : ` "${selector.slice(0, 200)}"`
  if (timeoutMs !== undefined) return `nothing matched${what} within ${timeoutMs} ms`
  const said = message.replace(/^[\w.]+: /, '').slice(0, 500)
  return what && !said.includes(selector ?? '') ? `${said} (selector${what})` : said
}

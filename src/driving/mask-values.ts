// Paints over values of the vault where pages of their site show them, so that no picture, recording or viewer has them.
// Text keeps its place in the document; what cannot be painted over is made invisible as an element.
import { randomBytes } from 'node:crypto'
import type { BrowserContext, Page } from 'playwright-core'
import { makePageScript } from '../base/page-script.ts'
import { MIN_MASKED_CHARS } from '../base/secret-masker.ts'

/** Runs in a world of its own, which scripts of the page cannot read. */
const makeMaskingScript = makePageScript<[host: string, values: readonly string[], drawn: string]>(
  new URL('./page-scripts/mask-values.js', import.meta.url),
)

/** Runs in the world of the page and has no values: it reports what is drawn, before the picture is shown. */
const makeCanvasScript = makePageScript<[drawn: string]>(
  new URL('./page-scripts/report-drawn-text.js', import.meta.url),
)

const masked = new WeakMap<BrowserContext, Set<string>>()

/** Masks the values on this and every later page of the context that is of `host` or below it. */
export async function maskValues(context: BrowserContext, host: string, values: readonly string[]): Promise<void> {
  const known = masked.get(context) ?? new Set()
  masked.set(context, known)
  const fresh = values.filter((value) => value.length >= MIN_MASKED_CHARS && !known.has(`${host} ${value}`))
  if (fresh.length === 0) return
  for (const value of fresh) known.add(`${host} ${value}`)
  const drawn = `orb-${randomBytes(6).toString('hex')}`
  const source = makeMaskingScript(host, fresh, drawn)
  const mask = async (page: Page) => {
    const session = await context.newCDPSession(page)
    await session.send('Page.enable')
    const add = 'Page.addScriptToEvaluateOnNewDocument'
    await session.send(add, { source, worldName: 'orb-mask', runImmediately: true })
    await session.send(add, { source: makeCanvasScript(drawn), runImmediately: true })
  }
  context.on('page', (page) => void mask(page).catch(() => {}))
  await Promise.all(context.pages().map(mask))
}

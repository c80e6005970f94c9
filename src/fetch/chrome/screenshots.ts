// Screenshots and PDFs of a page, within size limits.
import type { Page, PageScreenshotOptions } from 'playwright-core'
import type { PaperFormat, ScreenshotOptions, ScreenshotOrPdf } from '../../base/browser-action-types.ts'
import { isScreenshotFailure } from './playwright-errors.ts'

/** Taller pages are cut: 1280 × 16,384 pixels already take 84 MB in the browser. */
const MAX_HEIGHT = 16_384
const MAX_WIDTH = 7680
const SHOT_MS = 30_000
const MAX_TRIES = 4
const AGAIN_MS = 250

interface TakenShot {
  shot: ScreenshotOrPdf
  warning?: string
}

export async function takeScreenshot(page: Page, request: ScreenshotOptions): Promise<TakenShot> {
  const before = page.viewportSize()
  const { viewport } = request
  const resized = viewport && (viewport.width !== before?.width || viewport.height !== before?.height)
  if (resized) await page.setViewportSize(viewport)
  const type = request.quality === undefined ? 'png' : 'jpeg'
  const options = {
    type,
    ...(request.quality === undefined ? {} : { quality: request.quality }),
    animations: 'disabled',
    caret: 'hide',
    timeout: SHOT_MS,
  } as const
  const contentType = type === 'png' ? 'image/png' : 'image/jpeg'
  try {
    if (!request.fullPage) return { shot: { bytes: await capture(page, options), contentType } }
    const size = await pageSize(page)
    const clip = { x: 0, y: 0, width: Math.min(size.width, MAX_WIDTH), height: Math.min(size.height, MAX_HEIGHT) }
    const bytes = await capture(page, { ...options, fullPage: true, clip })
    const cut = size.height > MAX_HEIGHT || size.width > MAX_WIDTH
    const warning = `The page is ${size.width} by ${size.height} pixels: the screenshot shows its first ${clip.height} only.`
    return { shot: { bytes, contentType }, ...(cut ? { warning } : {}) }
  } finally {
    if (resized && before) await page.setViewportSize(before).catch(() => {})
  }
}

/** A very large screenshot can crash the GPU process of the browser. */
async function capture(page: Page, options: PageScreenshotOptions): Promise<Buffer> {
  for (let tries = 1; ; tries++) {
    try {
      return await page.screenshot(options)
    } catch (error) {
      if (tries === MAX_TRIES || !isScreenshotFailure(error)) throw error
      await page.waitForTimeout(AGAIN_MS)
    }
  }
}

const pageSize = (page: Page): Promise<{ width: number; height: number }> =>
  page.evaluate(`({
    width: Math.max(innerWidth, document.documentElement.scrollWidth, 1),
    height: Math.max(innerHeight, document.documentElement.scrollHeight, document.body?.scrollHeight ?? 0, 1),
  })`)

export async function printPageToPdf(
  page: Page,
  { format, landscape, scale }: { format: PaperFormat; landscape: boolean; scale: number },
): Promise<ScreenshotOrPdf> {
  const bytes = await page.pdf({ format, landscape, scale: Math.min(2, Math.max(0.1, scale)), printBackground: true })
  return { bytes, contentType: 'application/pdf' }
}

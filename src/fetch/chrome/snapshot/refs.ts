// The accessibility snapshot of a page with refs, and the way back from a ref to its element.
import type { ElementHandle, Page } from 'playwright-core'
import { pageReader } from './page-reader.ts'
import { snapshotText } from './snapshot-text.ts'

interface PageSnapshot {
  text: string
  /** Refs in the text (`e12`), usable with `elementOf` while the element stands. */
  refs: string[]
}

const STILL_MS = 120
const MOST_MS = 2500

/** `interactive`: only what can be acted on; `rests`: when the page no longer changes. */
export async function snapshotOf(
  page: Page,
  { interactive, rests = false }: { interactive: boolean; rests?: boolean },
  signal: AbortSignal,
): Promise<PageSnapshot> {
  if (rests) await pageReader(page).quiet(STILL_MS, MOST_MS, signal)
  return snapshotText(await pageReader(page).read(signal), interactive)
}

export const elementOf = (page: Page, ref: string): Promise<ElementHandle | undefined> => pageReader(page).find(ref)

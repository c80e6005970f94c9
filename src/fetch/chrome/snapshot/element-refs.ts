// The accessibility snapshot of a page with refs, and the way back from a ref to its element.
import type { ElementHandle, Page } from 'playwright-core'
import { getDomSnapshotReader } from './dom-snapshot-reader.ts'
import { writeSnapshotText } from './snapshot-text.ts'

interface PageSnapshot {
  text: string
  /** Refs in the text (`e12`), usable with `findElementByRef` while the element exists. */
  refs: string[]
}

const STILL_MS = 120
const MOST_MS = 2500

/** `interactive`: only elements that can be acted on. `waitUntilStill`: waits until the page no longer changes. */
export async function takeSnapshotText(
  page: Page,
  { interactive, waitUntilStill = false }: { interactive: boolean; waitUntilStill?: boolean },
  signal: AbortSignal,
): Promise<PageSnapshot> {
  if (waitUntilStill) await getDomSnapshotReader(page).quiet(STILL_MS, MOST_MS, signal)
  return writeSnapshotText(await getDomSnapshotReader(page).read(signal), interactive)
}

export const findElementByRef = (page: Page, ref: string): Promise<ElementHandle | undefined> =>
  getDomSnapshotReader(page).find(ref)

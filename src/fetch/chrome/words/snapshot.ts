// The accessibility snapshot of a page with refs, and the way back from a ref to its element.
import type { ElementHandle, Page } from 'playwright-core'
import { eyesOf } from './eyes.ts'
import { snapshotText } from './snapshot-text.ts'

export interface PageSnapshot {
  text: string
  /** Refs in the text (`e12`), usable with `elementOf` while the element stands. */
  refs: string[]
}

/** `interactive`: only what can be acted on. */
export async function snapshotOf(
  page: Page,
  { interactive }: { interactive: boolean },
  signal: AbortSignal,
): Promise<PageSnapshot> {
  return snapshotText(await eyesOf(page).look(signal), interactive)
}

/** The element behind `@e12` or `e12`; nothing when it has left the page. */
export const elementOf = (page: Page, ref: string): Promise<ElementHandle | undefined> => eyesOf(page).find(ref)

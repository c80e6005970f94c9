// Opens an address, scrolls, and goes back: by the control that a page has for it, else by the browser's history.

import { serializeVisibleState } from './compare-page-states.ts'
import type { PageDriver } from './page-driver.ts'
import { failedOutcome, okOutcome, type StepOutcome } from './step-outcome.ts'

/** The page before is in the browser's memory, or its site is asked once more. */
const HISTORY_MS = 10_000

export async function goBackOrForwardInHistory(
  driver: PageDriver,
  direction: 'goBack' | 'goForward',
): Promise<StepOutcome> {
  const before = serializeVisibleState(driver.snapshot)
  await driver.page[direction]({ waitUntil: 'domcontentloaded', timeout: driver.within(HISTORY_MS) }).catch(() => null)
  await driver.waitForIdle()
  return serializeVisibleState(driver.snapshot) !== before
    ? okOutcome(`Went to ${driver.page.url()}.`)
    : failedOutcome(`Could not go ${direction === 'goBack' ? 'back' : 'forward'}: there is no such page.`)
}

export async function openAddress(driver: PageDriver, address: string): Promise<StepOutcome> {
  await driver.page.goto(address, { waitUntil: 'domcontentloaded', timeout: driver.within(driver.timeLeft()) })
  await driver.waitForIdle()
  return okOutcome(`Opened ${driver.page.url()}.`)
}

/** "to the bottom", "up": a part of a page, or all the way. */
export async function scrollPage(driver: PageDriver, words: string): Promise<StepOutcome> {
  const way = /\b(top|up)\b/.test(words) ? -1 : 1
  const far = /\b(bottom|end|top)\b/.test(words)
  await driver.page.evaluate(
    `(document.scrollingElement ?? document.documentElement).scrollBy(0, ${way * (far ? 1e7 : 600)})`,
  )
  await driver.waitForIdle()
  return okOutcome(`Scrolled ${way > 0 ? 'down' : 'up'}.`)
}

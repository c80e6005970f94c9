// Opens an address, scrolls, searches and goes back: by the control that a page has for it, else by the browser's history.

import { type DomSnapshot, isShown, textOfElement } from '../fetch/chrome/snapshot/dom-snapshot.ts'
import { serializeVisibleState } from './compare-page-states.ts'
import { type FormField, listPageControls } from './page-controls.ts'
import type { PageDriver } from './page-driver.ts'
import { applyControlSetting } from './set-control.ts'
import { failedOutcome, okOutcome, quoteShort, type StepOutcome } from './step-outcome.ts'

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

const RESULTS_MS = 5000

export const searchFields = (snapshot: DomSnapshot): FormField[] =>
  listPageControls(snapshot).fields.filter(
    ({ element, labels }) =>
      isShown(element) &&
      (element.role === 'searchbox' ||
        element.type === 'search' ||
        (element.role === 'textbox' && labels.some((label) => /search|find|keyword/i.test(label)))),
  )

export async function searchByField(driver: PageDriver, field: FormField, query: string): Promise<StepOutcome> {
  // Some lists are filtered while one types.
  const before = textOfElement(driver.snapshot, driver.snapshot.elements[0]!, 20_000) + driver.page.url()
  const isChanged = (snapshot: DomSnapshot) =>
    textOfElement(snapshot, snapshot.elements[0]!, 20_000) + driver.page.url() !== before
  const outcome = await applyControlSetting(driver, { type: 'field', field, value: query }, true)
  if (!outcome.ok) return outcome
  await (await driver.handle(driver.again(field.element) ?? field.element)).press('Enter').catch(() => {})
  await driver.waitForIdle()
  if (!(await driver.until(isChanged, 1000))) {
    const button = listPageControls(driver.snapshot).buttons.find(
      ({ element, label }) => isShown(element) && element.role === 'button' && /^(search|find|go|🔍)\b/i.test(label),
    )
    if (button) await driver.press(button.element)
  }
  return (await driver.until(isChanged, RESULTS_MS))
    ? okOutcome(`Searched for ${quoteShort(query)}.`)
    : failedOutcome(`Searched for ${quoteShort(query)}, but could not see any results.`)
}

// Searches by a field of the page, and checks that the page changed.

import { type DomSnapshot, isShown, textOfElement } from '../fetch/chrome/snapshot/dom-snapshot.ts'
import { type FormField, listPageControls } from './page-controls.ts'
import type { PageDriver } from './page-driver.ts'
import { applyControlSetting } from './set-control.ts'
import { failedOutcome, okOutcome, quoteShort, type StepOutcome } from './step-outcome.ts'

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

// Opens an address, scrolls, and goes back: by the control that a page has for it, else by the browser's history.

import { isShown, type SnapshotElement } from '../fetch/chrome/snapshot/dom-snapshot.ts'
import { serializeVisibleState } from './compare-page-states.ts'
import { labelWordsOf } from './match-label-words.ts'
import { listPageControls } from './page-controls.ts'
import type { PageDriver } from './page-driver.ts'
import { parseNumberWord } from './parse-numbers-and-dates.ts'
import { failedOutcome, okOutcome, quoteShort, type StepOutcome } from './step-outcome.ts'

export async function goBackOrForwardInHistory(
  driver: PageDriver,
  direction: 'goBack' | 'goForward',
): Promise<StepOutcome> {
  const before = serializeVisibleState(driver.snapshot)
  await driver.page[direction]({ waitUntil: 'domcontentloaded', timeout: 10_000 }).catch(() => null)
  await driver.waitForIdle()
  return serializeVisibleState(driver.snapshot) !== before
    ? okOutcome(`Went to ${driver.page.url()}.`)
    : failedOutcome(`Could not go ${direction === 'goBack' ? 'back' : 'forward'}: there is no such page.`)
}

const BACK = /^[‹«<←◀\s]*(back|previous|prev)\b(?! to (the )?top)|^\s*[‹«←◀]/i
const STEP_WORDS = /^(back|page|step|previous|one|list|screen|again|once|time)s?$/

/** Goes back by the page's own control, else by the history; as often as is said, or until a named step is shown. */
export async function goBack(driver: PageDriver, words: readonly string[]): Promise<StepOutcome> {
  const count = words.map((word) => parseNumberWord(word)).find((number) => number !== undefined)
  const isStep = words.includes('step')
  const target = words.filter((word) => !STEP_WORDS.test(word) && (isStep || parseNumberWord(word) === undefined))
  const times = words.includes('steps') || words.includes('pages') ? (count ?? 1) : 1
  const isNamed = target.length > 0 && driver.snapshot.elements.some((one) => isShown(one) && isStepOf(one, target))
  for (let turn = 0; turn < (isNamed ? 6 : times); turn++) {
    const control = listPageControls(driver.snapshot).buttons.find(
      ({ element, label }) => isShown(element) && BACK.test(label),
    )
    const outcome = control
      ? (await driver.press(control.element))
        ? okOutcome(`Pressed ${quoteShort(control.label)}.`)
        : failedOutcome(`Pressed ${quoteShort(control.label)}, but the page did not change.`)
      : await goBackOrForwardInHistory(driver, 'goBack')
    if (!outcome.ok) return outcome
    if (isNamed && driver.snapshot.elements.some((one) => isCurrentStep(one, target))) break
    if (isNamed && turn === 5) return failedOutcome(`Could not go back to ${quoteShort(target.join(' '))}.`)
  }
  return okOutcome(`Went back${target.length > 0 ? ` to ${target.join(' ')}` : ''}.`)
}

const isStepOf = ({ text, name }: SnapshotElement, words: readonly string[]): boolean => {
  const own = labelWordsOf(name ?? text ?? '')
  return own.length < words.length + 3 && words.every((word) => own.includes(word))
}

/** The step that a page marks as the current one, by an attribute, its style, or its heading. */
const isCurrentStep = (one: SnapshotElement, words: readonly string[]): boolean =>
  isShown(one) &&
  isStepOf(one, words) &&
  (one.current !== undefined ||
    one.selected === true ||
    one.role === 'heading' ||
    one.bold === true ||
    /\b(on|active|current|selected)\b/i.test(one.cls ?? ''))

export async function openAddress(driver: PageDriver, address: string): Promise<StepOutcome> {
  await driver.page.goto(address, { waitUntil: 'domcontentloaded', timeout: Math.max(1000, driver.timeLeft()) })
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

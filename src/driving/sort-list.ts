// Sorts a list by what the page offers for it, and checks that it is sorted.

import { findSuperlative, isSuperlative, removeSuperlatives } from '../base/superlatives-and-bounds.ts'
import {
  type DomSnapshot,
  descendantsOf,
  isShown,
  labelOfElement,
  type SnapshotElement,
  textOfElement,
} from '../fetch/chrome/snapshot/dom-snapshot.ts'
import { foldText, isWeakWord, labelWordsOf, scoreLabelCoverage } from './match-label-words.ts'
import { listPageControls, readTables } from './page-controls.ts'
import type { PageDriver } from './page-driver.ts'
import { parseDay, parseNumberWord } from './parse-numbers-and-dates.ts'
import { applyControlSetting } from './set-control.ts'
import { failedOutcome, okOutcome, quoteShort, type StepOutcome } from './step-outcome.ts'

const UP = /\b(?:ascending|low to high|a to z)\b/
const DOWN = /\b(?:descending|high to low|z to a)\b/

/** -1: ascending, 1: descending, 0: no order is named. */
const orderIn = (text: string): -1 | 0 | 1 =>
  UP.test(text) ? -1 : DOWN.test(text) ? 1 : (findSuperlative(text)?.way ?? 0)

/** Sorts as the words say: by an entry of a sort list, else by the header of a column. */
export async function sortList(driver: PageDriver, words: string): Promise<StepOutcome> {
  const text = foldText(words)
  const order = orderIn(text)
  const down = order > 0
  const bare = (part: string) => removeSuperlatives(part.replace(UP, ' ').replace(DOWN, ' '))
  // "Order the hotels by price": only what follows "by" names the column.
  const key = labelWordsOf(bare(text.replace(/^.*\bby\b/, ''))).filter(
    (word) => !isWeakWord(word) && !/^(first|order|top|starting|beginning)$/.test(word),
  )
  if (/cheap|expensive/.test(text) && key.length === 0) key.push('price')
  const choice = sortChoice(driver.snapshot, labelWordsOf(text), key, order === 0 ? undefined : down)
  if (choice) return applyControlSetting(driver, choice, true)
  const header = driver.snapshot.elements.find(
    (one) =>
      isShown(one) &&
      one.role === 'columnheader' &&
      key.length > 0 &&
      scoreLabelCoverage(key, labelOfElement(one).replace(/[▲▼↑↓]/g, '')) > 0.3,
  )
  const target =
    header &&
    (header.does || header.sort !== undefined
      ? header
      : descendantsOf(driver.snapshot, header).find(({ does }) => does))
  if (!header || !target)
    return failedOutcome(`Could not sort by ${quoteShort(key.join(' ') || text)}: the page offers no such order.`)
  for (let turn = 0; turn < 3; turn++) {
    if (isSorted(driver, header, down))
      return okOutcome(`Sorted by ${quoteShort(labelOfElement(header))}, ${down ? 'descending' : 'ascending'}.`)
    await driver.press(driver.again(target) ?? target)
  }
  return isSorted(driver, header, down)
    ? okOutcome(`Sorted by ${quoteShort(labelOfElement(header))}.`)
    : failedOutcome(`Could not see that the list is sorted by ${quoteShort(labelOfElement(header))}.`)
}

/** An entry of a sort list: "Amount: high to low", "Newest first". */
function sortChoice(
  snapshot: DomSnapshot,
  words: readonly string[],
  key: readonly string[],
  down: boolean | undefined,
) {
  const isKey = (text: string) => key.length === 0 || key.every((word) => scoreLabelCoverage([word], text) > 0)
  const fits = (text: string) => down === undefined || orderIn(foldText(text)) === (down ? 1 : -1)
  const isOther = (text: string) => down !== undefined && orderIn(foldText(text)) === (down ? -1 : 1)
  const isOrder = (text: string) => orderIn(foldText(text)) !== 0
  const choices = listPageControls(snapshot).choices.filter(
    ({ text, group, kind }) => kind !== 'cell' && (/sort|order/i.test(group) || isOrder(text)),
  )
  const found = choices.filter(({ text }) => isKey(text) && fits(text) && !isOther(text))
  // "Newest first" is meant before another order that goes down.
  const named = found.filter(({ text }) =>
    words.some((word) => isSuperlative(word) && labelWordsOf(text).includes(word)),
  )
  const [choice] = named.length === 1 ? named : found
  if (!choice || (key.length === 0 && found.length > 1 && named.length !== 1)) return undefined
  return { type: 'choice' as const, choice, on: true, from: 0 }
}

/** A day as a number that later days exceed. */
function daysOf(text: string): number | undefined {
  const { year, month, day } = parseDay(text) ?? {}
  return year === undefined || month === undefined || day === undefined ? undefined : (year * 12 + month) * 31 + day
}

/** By what the header says, else by the numbers or words of its column. */
function isSorted(driver: PageDriver, header: SnapshotElement, down: boolean): boolean {
  const now = driver.again(header)
  if (now?.sort === 'ascending' || now?.sort === 'descending') return (now.sort === 'descending') === down
  if (now?.sort === 'none') return false
  for (const { head, rows } of readTables(driver.snapshot)) {
    const column = head.findIndex((label) => now && label.startsWith(labelOfElement(now).replace(/\s*[▲▼↑↓]\s*$/, '')))
    if (column < 0 || rows.length < 2) continue
    const values = rows.map(({ cells }) => textOfElement(driver.snapshot, cells[column]!, 100))
    const numbers = values.map((value) => daysOf(value) ?? parseNumberWord((/-?[\d.,]*\d/.exec(value) ?? [''])[0]!))
    const order = (a: number) =>
      numbers.every((number) => number !== undefined)
        ? numbers[a + 1]! - numbers[a]!
        : values[a + 1]!.localeCompare(values[a]!)
    return values.slice(1).every((_, at) => (down ? order(at) <= 0 : order(at) >= 0))
  }
  return false
}

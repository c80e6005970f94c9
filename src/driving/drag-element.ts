// Drags an element to an end of its list, or to the part of the page under a heading, and checks that it is there.

import {
  type DomSnapshot,
  isShown,
  labelOfElement,
  type SnapshotElement,
  textOfElement,
} from '../fetch/chrome/snapshot/dom-snapshot.ts'
import { foldText, isWeakWord, labelWordsOf, scoreLabelCoverage } from './match-label-words.ts'
import type { PageDriver } from './page-driver.ts'
import { failedOutcome, okOutcome, quoteShort, type StepOutcome } from './step-outcome.ts'

export async function dragElement(driver: PageDriver, name: string, where: string): Promise<StepOutcome> {
  const what = labelWordsOf(name)
  const named = (words: readonly string[], only: (one: SnapshotElement) => boolean) =>
    driver.snapshot.elements.filter(
      (one) =>
        isShown(one) &&
        only(one) &&
        scoreLabelCoverage(
          words.filter((word) => !isWeakWord(word)),
          textOfElement(driver.snapshot, one, 100),
        ) > 0.9,
    )
  const item = named(what, ({ draggable }) => draggable === true).at(-1)
  if (!item) return failedOutcome(`Could not find ${quoteShort(name)} as something to drag.`)
  const items = driver.snapshot.elements.filter((one) => one.up === item.up && isShown(one) && one.draggable)
  const place = foldText(where)
  const end = /\b(top|first|start|beginning)\b/.test(place)
    ? items[0]
    : /\b(bottom|last|end)\b/.test(place)
      ? items.at(-1)
      : undefined
  const column = end ? undefined : dropArea(driver.snapshot, where)
  const target = end ?? column
  if (!target || target === item) return failedOutcome(`Could not find where ${quoteShort(where)} is.`)
  const [from, to] = [await driver.middle(item), await driver.middle(target)]
  await driver.drag(from, end ? { x: to.x, y: to.y + (end === items[0] ? -1 : 1) * (to.height / 2 - 3) } : to)
  const now = driver.snapshot.elements.filter(
    (one) => isShown(one) && one.draggable && one.up === (driver.again(item)?.up ?? -2),
  )
  const text = (one: SnapshotElement | undefined) => (one ? textOfElement(driver.snapshot, one, 100) : '')
  const isThere = end
    ? what.every((word) => labelWordsOf(text(end === items[0] ? now[0] : now.at(-1))).includes(word))
    : column !== undefined && what.every((word) => labelWordsOf(text(driver.again(column))).includes(word))
  return isThere
    ? okOutcome(`Dragged ${quoteShort(labelOfElement(item) || what.join(' '))} to ${quoteShort(where)}.`)
    : failedOutcome(`Could not see ${quoteShort(what.join(' '))} at ${quoteShort(where)} after dragging.`)
}

/** The part of the page under a heading, where things are dropped. */
function dropArea(snapshot: DomSnapshot, where: string): SnapshotElement | undefined {
  const words = labelWordsOf(where).filter((word) => !isWeakWord(word) && !/^(column|list|section)$/.test(word))
  const title = snapshot.elements.find(
    (one) =>
      isShown(one) && !one.draggable && words.length > 0 && scoreLabelCoverage(words, one.name ?? one.text ?? '') > 0.9,
  )
  return title && (title.role === 'heading' || !title.box || title.box[3] < 60 ? snapshot.elements[title.up] : title)
}

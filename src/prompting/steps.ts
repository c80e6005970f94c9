// Clauses that need no matching of settings: going, scrolling, sorting, dragging, cookies, dialogs, searching, reading.

import { superlativeIn, withoutSuperlatives } from '../base/comparatives.ts'
import { type Button, controlsOf, type FormField, openDialog, tablesOf } from '../driving/controls.ts'
import { coverage, isFaint, keyWords, plain, runIn, wordsOf } from '../driving/label-words.ts'
import { ACCEPT, CLOSE, overlayOf, type PageDriver, REFUSE } from '../driving/page-driver.ts'
import { nextControl, seekByScroll, seekOnPages } from '../driving/reveal-hidden.ts'
import { applySetting, attachFile, type StepOutcome } from '../driving/set-control.ts'
import { numberOf } from '../driving/written-values.ts'
import {
  type DomSnapshot,
  descendants,
  isShown,
  labelOf,
  type SnapshotElement,
  textIn,
} from '../fetch/chrome/snapshot/snapshot.ts'
import type { Clause } from './clauses.ts'
import { answerTo, labelledAnswer } from './read-page.ts'
import { joined, type Token } from './tokens.ts'

export const done = (text: string): StepOutcome => ({ ok: true, text })
export const failed = (text: string): StepOutcome => ({ ok: false, text })
const quoted = (text: string): string => `"${text.length > 60 ? `${text.slice(0, 59)}…` : text}"`

/** Whether the words stand somewhere on the page as one text. */
export function isOnPage(snapshot: DomSnapshot, tokens: readonly Token[]): boolean {
  const words = wordsOf(joined(tokens)).filter(
    (word) => !isFaint(word) && !/^(row|post|item|entry|find|see|reach)$/.test(word),
  )
  if (words.length === 0) return false
  return snapshot.elements.some(
    (one) => isShown(one) && runIn(words, wordsOf(`${one.text ?? ''} ${one.does ? (one.name ?? '') : ''}`)) >= 0,
  )
}

/** Looks on this page, on further pages, and further down. */
export async function bringOn(driver: PageDriver, isThere: (snapshot: DomSnapshot) => boolean): Promise<boolean> {
  return isThere(driver.snapshot) || (await seekOnPages(driver, isThere)) || (await seekByScroll(driver, isThere))
}

export async function goToPage(driver: PageDriver, number: number): Promise<StepOutcome> {
  const isCurrent = (snapshot: DomSnapshot) => pageNumber(snapshot) === number
  for (let turn = 0; turn < 60 && !isCurrent(driver.snapshot); turn++) {
    const link = controlsOf(driver.snapshot).buttons.find(
      ({ element, label }) => isShown(element) && new RegExp(`^(page )?${number}$`, 'i').test(label.trim()),
    )
    const next = link?.element ?? (turn < number ? nextControl(driver.snapshot) : undefined)
    if (!next || !(await driver.press(next))) break
    // A pager without a "page x of y" is done when its number was pressed.
    if (link && pageNumber(driver.snapshot) === undefined) return done(`Went to page ${number}.`)
  }
  return isCurrent(driver.snapshot)
    ? done(`Went to page ${number}.`)
    : failed(`Could not go to page ${number}: the page does not offer it.`)
}

function pageNumber({ elements }: DomSnapshot): number | undefined {
  for (const one of elements) {
    if (!isShown(one)) continue
    const said = /\bpage (\d+)\b/i.exec(one.text ?? '')
    if (said) return Number(said[1])
    if (one.current === 'page' && /^\d+$/.test(labelOf(one).trim())) return Number(labelOf(one))
  }
  return undefined
}

export async function go(driver: PageDriver, clause: Clause): Promise<StepOutcome | undefined> {
  const text = plain(joined(clause.rest))
  const address = clause.all.find(({ kind }) => kind === 'url')
  if (address) return openAddress(driver, address.value)
  if (/^back\b/.test(text) || (clause.verb === 'return' && text === '')) return goHistory(driver, 'goBack')
  if (/^forward$/.test(text)) return goHistory(driver, 'goForward')
  if (!/\bnext( page)?$/.test(text)) return undefined
  const until = clause.until
  const pressNext = async () => {
    const next = nextControl(driver.snapshot)
    return next !== undefined && driver.press(next)
  }
  if (!until)
    return (await pressNext()) ? done('Went to the next page.') : failed('Could not go on: there is no next page.')
  if (/\b(no|none|last|end)\b/.test(plain(joined(until)))) {
    let count = 0
    while (count < 60 && (await pressNext())) count++
    return done(`Went on ${count} pages, to the last one.`)
  }
  return (await seekOnPages(driver, (snapshot) => isOnPage(snapshot, until)))
    ? done(`Went on until ${quoted(joined(until))} was shown.`)
    : failed(`Could not find ${quoted(joined(until))} on any page.`)
}

export async function openAddress(driver: PageDriver, address: string): Promise<StepOutcome> {
  await driver.page.goto(address, { waitUntil: 'domcontentloaded', timeout: Math.max(1000, driver.timeLeft()) })
  await driver.waitForIdle()
  return done(`Opened ${driver.page.url()}.`)
}

async function goHistory(driver: PageDriver, way: 'goBack' | 'goForward'): Promise<StepOutcome> {
  const before = driver.page.url()
  await driver.page[way]({ waitUntil: 'domcontentloaded', timeout: 10_000 }).catch(() => null)
  await driver.waitForIdle()
  return driver.page.url() === before
    ? failed(`Could not go ${way === 'goBack' ? 'back' : 'forward'}: there is no such page.`)
    : done(`Went to ${driver.page.url()}.`)
}

export async function scroll(driver: PageDriver, clause: Clause): Promise<StepOutcome> {
  const words = plain(joined(clause.rest))
  if (clause.until) {
    const until = clause.until
    return (await seekByScroll(driver, (snapshot) => isOnPage(snapshot, until)))
      ? done(`Scrolled until ${quoted(joined(until))} was shown.`)
      : failed(`Could not find ${quoted(joined(until))} by scrolling.`)
  }
  const way = /\b(top|up)\b/.test(words) ? -1 : 1
  const far = /\b(bottom|end|top)\b/.test(words)
  await driver.page.evaluate(
    `(document.scrollingElement ?? document.documentElement).scrollBy(0, ${way * (far ? 1e7 : 600)})`,
  )
  await driver.waitForIdle()
  return done(`Scrolled ${way > 0 ? 'down' : 'up'}.`)
}

const searchField = (snapshot: DomSnapshot): FormField | undefined =>
  controlsOf(snapshot).fields.find(
    ({ element, labels }) =>
      isShown(element) &&
      (element.role === 'searchbox' ||
        element.type === 'search' ||
        (element.role === 'textbox' && labels.some((label) => /search|find|keyword/i.test(label)))),
  )

export async function search(driver: PageDriver, tokens: readonly Token[]): Promise<StepOutcome | undefined> {
  const field = searchField(driver.snapshot)
  const query = joined(
    tokens.filter(({ kind, word }, at) => !(at === 0 && /^(the|a|an|for)$/.test(word)) && kind !== 'mark'),
  )
  if (!field || query === '') return undefined
  // Some lists are filtered while one types.
  const before = textIn(driver.snapshot, driver.snapshot.elements[0]!, 20_000) + driver.page.url()
  const isChanged = (snapshot: DomSnapshot) =>
    textIn(snapshot, snapshot.elements[0]!, 20_000) + driver.page.url() !== before
  const outcome = await applySetting(driver, { type: 'field', field, value: query, from: 0 }, true)
  if (!outcome.ok) return outcome
  await (await driver.handle(driver.again(field.element) ?? field.element)).press('Enter').catch(() => {})
  await driver.waitForIdle()
  if (!(await driver.until(isChanged, 1000))) {
    const button = controlsOf(driver.snapshot).buttons.find(
      ({ element, label }) => isShown(element) && element.role === 'button' && /^(search|find|go|🔍)\b/i.test(label),
    )
    if (button) await driver.press(button.element)
  }
  return (await driver.until(isChanged, 1000))
    ? done(`Searched for ${quoted(query)}.`)
    : failed(`Searched for ${quoted(query)}, but could not see any results.`)
}

const UP = /\b(?:ascending|low to high|a to z)\b/
const DOWN = /\b(?:descending|high to low|z to a)\b/

/** -1: ascending, 1: descending, 0: no order is named. */
const orderIn = (text: string): -1 | 0 | 1 =>
  UP.test(text) ? -1 : DOWN.test(text) ? 1 : (superlativeIn(text)?.way ?? 0)

export async function sort(driver: PageDriver, clause: Clause): Promise<StepOutcome> {
  const text = plain(joined(clause.rest.length > 0 ? clause.rest : clause.all))
  const order = orderIn(text)
  const down = order > 0
  const bare = (part: string) => withoutSuperlatives(part.replace(UP, ' ').replace(DOWN, ' '))
  // "Order the hotels by price": only what follows "by" names the column.
  const key = wordsOf(bare(text.replace(/^.*\bby\b/, ''))).filter(
    (word) => !isFaint(word) && !/^(first|order)$/.test(word),
  )
  if (/cheap|expensive/.test(text) && key.length === 0) key.push('price')
  const choice = sortChoice(driver.snapshot, key, order === 0 ? undefined : down)
  if (choice) return applySetting(driver, choice, true)
  const header = driver.snapshot.elements.find(
    (one) =>
      isShown(one) &&
      one.role === 'columnheader' &&
      key.length > 0 &&
      coverage(key, labelOf(one).replace(/[▲▼↑↓]/g, '')) > 0.3,
  )
  const target =
    header &&
    (header.does || header.sort !== undefined ? header : descendants(driver.snapshot, header).find(({ does }) => does))
  if (!header || !target)
    return failed(`Could not sort by ${quoted(key.join(' ') || text)}: the page offers no such order.`)
  for (let turn = 0; turn < 3; turn++) {
    if (isSorted(driver, header, down))
      return done(`Sorted by ${quoted(labelOf(header))}, ${down ? 'descending' : 'ascending'}.`)
    await driver.press(driver.again(target) ?? target)
  }
  return isSorted(driver, header, down)
    ? done(`Sorted by ${quoted(labelOf(header))}.`)
    : failed(`Could not see that the list is sorted by ${quoted(labelOf(header))}.`)
}

/** An entry of a sort list: "Amount: high to low", "Newest first". */
function sortChoice(snapshot: DomSnapshot, key: readonly string[], down: boolean | undefined) {
  const isKey = (text: string) => key.length === 0 || key.every((word) => coverage([word], text) > 0)
  const fits = (text: string) => down === undefined || orderIn(plain(text)) === (down ? 1 : -1)
  const isOther = (text: string) => down !== undefined && orderIn(plain(text)) === (down ? -1 : 1)
  const isOrder = (text: string) => orderIn(plain(text)) !== 0
  const choices = controlsOf(snapshot).choices.filter(
    ({ text, group, kind }) => kind !== 'cell' && (/sort|order/i.test(group) || isOrder(text)),
  )
  const found = choices.filter(({ text }) => isKey(text) && fits(text) && !isOther(text))
  const [choice] = found
  if (!choice || (key.length === 0 && found.length > 1)) return undefined
  return { type: 'choice' as const, choice, on: true, from: 0 }
}

/** By what the header says, else by the numbers or words of its column. */
function isSorted(driver: PageDriver, header: SnapshotElement, down: boolean): boolean {
  const now = driver.again(header)
  if (now?.sort === 'ascending' || now?.sort === 'descending') return (now.sort === 'descending') === down
  if (now?.sort === 'none') return false
  for (const { head, rows } of tablesOf(driver.snapshot)) {
    const column = head.findIndex((label) => now && label.startsWith(labelOf(now).replace(/\s*[▲▼↑↓]\s*$/, '')))
    if (column < 0 || rows.length < 2) continue
    const values = rows.map(({ cells }) => textIn(driver.snapshot, cells[column]!, 100))
    const numbers = values.map((value) => numberOf((/-?[\d.,]*\d/.exec(value) ?? [''])[0]!))
    const order = (a: number) =>
      numbers.every((number) => number !== undefined)
        ? numbers[a + 1]! - numbers[a]!
        : values[a + 1]!.localeCompare(values[a]!)
    return values.slice(1).every((_, at) => (down ? order(at) <= 0 : order(at) >= 0))
  }
  return false
}

/** "Drag X to the top", "Move X to Done". */
export async function drag(driver: PageDriver, clause: Clause): Promise<StepOutcome> {
  const at = clause.rest.findLastIndex(
    ({ kind, word }) => kind === 'word' && /^(to|into|onto|below|above|before|after)$/.test(word),
  )
  if (at < 1) return failed('Could not tell where to drag it.')
  const [what, where] = [wordsOf(joined(clause.rest.slice(0, at))), clause.rest.slice(at + 1)]
  const named = (words: readonly string[], only: (one: SnapshotElement) => boolean) =>
    driver.snapshot.elements.filter(
      (one) =>
        isShown(one) &&
        only(one) &&
        coverage(
          words.filter((word) => !isFaint(word)),
          textIn(driver.snapshot, one, 100),
        ) > 0.9,
    )
  const item = named(what, ({ draggable }) => draggable === true).at(-1)
  if (!item) return failed(`Could not find ${quoted(joined(clause.rest.slice(0, at)))} as something to drag.`)
  const items = driver.snapshot.elements.filter((one) => one.up === item.up && isShown(one) && one.draggable)
  const place = plain(joined(where))
  const end = /\b(top|first|start|beginning)\b/.test(place)
    ? items[0]
    : /\b(bottom|last|end)\b/.test(place)
      ? items.at(-1)
      : undefined
  const column = end ? undefined : dropArea(driver.snapshot, where)
  const target = end ?? column
  if (!target || target === item) return failed(`Could not find where ${quoted(joined(where))} is.`)
  const [from, to] = [await driver.middle(item), await driver.middle(target)]
  await driver.drag(from, end ? { x: to.x, y: to.y + (end === items[0] ? -1 : 1) * (to.height / 2 - 3) } : to)
  const now = driver.snapshot.elements.filter(
    (one) => isShown(one) && one.draggable && one.up === (driver.again(item)?.up ?? -2),
  )
  const text = (one: SnapshotElement | undefined) => (one ? textIn(driver.snapshot, one, 100) : '')
  const isThere = end
    ? what.every((word) => wordsOf(text(end === items[0] ? now[0] : now.at(-1))).includes(word))
    : column !== undefined && what.every((word) => wordsOf(text(driver.again(column))).includes(word))
  return isThere
    ? done(`Dragged ${quoted(labelOf(item) || what.join(' '))} to ${quoted(joined(where))}.`)
    : failed(`Could not see ${quoted(what.join(' '))} at ${quoted(joined(where))} after dragging.`)
}

/** The part of the page under a heading, where things are dropped. */
function dropArea(snapshot: DomSnapshot, where: readonly Token[]): SnapshotElement | undefined {
  const words = wordsOf(joined(where)).filter((word) => !isFaint(word) && !/^(column|list|section)$/.test(word))
  const title = snapshot.elements.find(
    (one) => isShown(one) && !one.draggable && words.length > 0 && coverage(words, one.name ?? one.text ?? '') > 0.9,
  )
  return title && (title.role === 'heading' || !title.box || title.box[3] < 60 ? snapshot.elements[title.up] : title)
}

export async function cookies(driver: PageDriver, clause: Clause): Promise<StepOutcome> {
  const refuses =
    /^(reject|decline|refuse|deny)/.test(clause.verb) || /\b(necessary|essential)\b/.test(plain(clause.text))
  const notice = driver.snapshot.elements.findLast(
    (one) =>
      isShown(one) &&
      /cookie|consent|privacy/i.test(`${one.name ?? ''} ${textIn(driver.snapshot, one, 600)}`) &&
      descendants(driver.snapshot, one).some(({ does, role }) => does && role === 'button'),
  )
  const buttons = notice
    ? controlsOf(driver.snapshot).buttons.filter(
        ({ element }) => isShown(element) && descendants(driver.snapshot, notice).includes(element),
      )
    : []
  const button = buttons.find(({ label }) => (refuses ? REFUSE : ACCEPT).test(label.trim()))
  if (!notice || !button)
    return failed(
      `Could not ${refuses ? 'refuse' : 'accept'} cookies: ${notice ? `the notice offers ${listOf(buttons)}` : 'the page shows no such notice'}.`,
    )
  await driver.press(button.element)
  const now = driver.again(button.element)
  return now && isShown(now)
    ? failed(`Pressed ${quoted(button.label)}, but the notice did not go away.`)
    : done(`Pressed ${quoted(button.label)}.`)
}

export async function closeDialog(driver: PageDriver): Promise<StepOutcome> {
  const over = overlayOf(driver.snapshot)
  if (!over) return failed('Could not close anything: no dialog is open.')
  const button = descendants(driver.snapshot, over).find(
    (one) => isShown(one) && one.does && (CLOSE.test(labelOf(one).trim()) || /\bclose\b/i.test(one.cls ?? '')),
  )
  if (button) await driver.press(button)
  else await driver.key('Escape')
  const now = driver.again(over)
  return now && isShown(now) ? failed('Could not close the dialog: it is still shown.') : done('Closed the dialog.')
}

const YES = /^(yes|ok|okay|confirm|continue|sure|i'm sure)\b/i
const NO = /\b(no|keep|don't|back|never)\b|^cancel$/i

/** The button of an open dialog that says yes to what was asked for. */
export function affirmative(snapshot: DomSnapshot, verb: string): Button | undefined {
  const dialog = openDialog(snapshot)
  if (!dialog) return undefined
  const inDialog = new Set(descendants(snapshot, dialog).map(({ ref }) => ref))
  const buttons = controlsOf(snapshot).buttons.filter(
    ({ element, label }) => isShown(element) && inDialog.has(element.ref) && !NO.test(label),
  )
  const words = wordsOf(verb).filter((word) => !isFaint(word))
  const fitting = buttons.filter(
    ({ label }) => YES.test(label) || (words.length > 0 && coverage(words.slice(0, 1), label) > 0),
  )
  return new Set(fitting.map(({ element }) => element.ref)).size === 1 ? fitting[0] : undefined
}

export function read(driver: PageDriver, question: string): StepOutcome {
  const answer = answerTo(driver.snapshot, question)
  return answer
    ? done(`${answer.value}${answer.from ? ` (${answer.from})` : ''}`)
    : failed(`Could not find an answer to ${quoted(question)} on the page.`)
}

/** The text of a labelled field or line. */
export const labelledText = (snapshot: DomSnapshot, tokens: readonly Token[]): string | undefined =>
  labelledAnswer(
    snapshot,
    keyWords(joined(tokens)).filter((word) => !/^(text|field|value|content)$/.test(word)),
  )?.value

/** `upload a file named "note.txt" with the text "…"`. */
export async function upload(driver: PageDriver, clause: Clause): Promise<StepOutcome> {
  const [name, text] = clause.rest.filter(({ kind }) => kind === 'quote').map(({ value }) => value)
  const fields = controlsOf(driver.snapshot).fields.filter(({ kind }) => kind === 'file')
  if (name === undefined || text === undefined)
    return failed(
      'Could not upload anything: a prompt has no files. Give a name and a text in quotes, or use code with `page.setInputFiles`.',
    )
  if (fields.length !== 1)
    return failed(`Could not upload ${quoted(name)}: the page has ${fields.length} fields for files.`)
  if (!(await attachFile(driver, fields[0]!, name, text))) return failed(`Could not give ${quoted(name)} to the page.`)
  const button = controlsOf(driver.snapshot).buttons.filter(
    ({ element, label }) => isShown(element) && element.role === 'button' && coverage([clause.verb], label) > 0,
  )
  if (button.length === 1) await driver.press(button[0]!.element)
  return done(`Uploaded ${quoted(name)}.`)
}

export const listOf = (buttons: readonly Button[]): string => {
  const labels = [...new Set(buttons.map(({ label }) => quoted(label)))]
  return labels.slice(0, 12).join(', ') + (labels.length > 12 ? ' and more' : '') || 'nothing to press'
}

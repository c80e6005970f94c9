// Brings to light what is not shown: hidden panels, menus, folded sections, tabs, trees, further pages, lists that grow.
// Only controls that show more are pressed on the way, never any that do something.

import {
  ancestorsOf,
  type DomSnapshot,
  descendantsOf,
  endOfSubtree,
  isShown,
  labelOfElement,
  type SnapshotElement,
  textOfElement,
} from '../fetch/chrome/snapshot/dom-snapshot.ts'
import { foldText, labelWordsOf, scoreWordMatch } from './match-label-words.ts'
import { elementKindOf, findRowOrCardOfButton, listPageControls } from './page-controls.ts'
import type { PageDriver } from './page-driver.ts'
import { failedOutcome, okOutcome, type StepOutcome } from './step-outcome.ts'

const MAX_PAGES = 60
const MAX_OPENERS = 40
const MAX_SCROLLS = 60

export async function revealElement(driver: PageDriver, hidden: SnapshotElement): Promise<boolean> {
  const shownNow = () => {
    const now = driver.again(hidden)
    return now !== undefined && isShown(now)
  }
  const tried = new Set<string>()
  // Each turn opens the outermost fold around it.
  for (let turn = 0; turn < 6 && !shownNow(); turn++) {
    const now = driver.again(hidden)
    if (!now) return false
    let opened = false
    for (const { opener, hover } of openersOf(driver.snapshot, now)) {
      if (tried.has(opener.ref + hover)) continue
      tried.add(opener.ref + hover)
      opened = hover ? await driver.hover(opener) : await driver.press(opener)
      if (opened || shownNow()) break
    }
    if (!opened) return shownNow()
  }
  return shownNow()
}

/** Controls that may reveal a hidden element: by aria-controls or name, by hover, right before it, or as its tab. */
function openersOf(snapshot: DomSnapshot, element: SnapshotElement): { opener: SnapshotElement; hover: boolean }[] {
  const chain = [element, ...ancestorsOf(snapshot, element)]
  const root = chain.filter((one) => !isShown(one) && one.tag !== 'body').at(-1)
  if (!root) return []
  const out: { opener: SnapshotElement; hover: boolean }[] = []
  const folds = chain.filter((one) => !isShown(one))
  for (const fold of folds.reverse()) {
    const says =
      fold.dom &&
      snapshot.elements.find((one) => (one.controls === fold.dom || one.href?.endsWith(`#${fold.dom}`)) && isShown(one))
    if (says) out.push({ opener: says, hover: false })
    // "Member area" opens the dialog of that name.
    const namesake = fold.name
      ? snapshot.elements.find(
          (one) => isShown(one) && one.does && foldText(labelOfElement(one)) === foldText(fold.name!),
        )
      : undefined
    if (namesake) out.push({ opener: namesake, hover: false })
  }
  const parent = snapshot.elements[root.up]
  const siblings = parent ? descendantsOf(snapshot, parent).filter(({ up }) => up === parent.at) : []
  const before = siblings.filter((one) => one.at < root.at && isShown(one)).at(-1)
  const isLabel =
    before &&
    (before.does ||
      before.role === 'heading' ||
      descendantsOf(snapshot, before).some(({ does }) => does) ||
      before.popup)
  if (parent && parent.tag !== 'body' && isShown(parent) && parent.role !== 'main') {
    const summary = descendantsOf(snapshot, parent).find(({ tag, up }) => tag === 'summary' && up === parent.at)
    if (summary) out.push({ opener: summary, hover: false })
    if (before?.popup && before.role === 'button') out.push({ opener: before, hover: false })
    if (before?.popup || parent.role === 'listitem' || parent.role === 'menuitem')
      out.push({ opener: before ?? parent, hover: true }, { opener: parent, hover: true })
  }
  if (before && isLabel) {
    const inner = before.does ? before : (descendantsOf(snapshot, before).find(({ does }) => does) ?? before)
    out.push({ opener: inner, hover: false }, { opener: before, hover: true })
  }
  // Panels and tabs in the same order.
  const panels = siblings.filter((one) => one.role === root.role && one.tag === root.tag)
  const tabs = snapshot.elements.filter((one) => one.role === 'tab' && isShown(one))
  if (tabs.length > 1 && panels.length === tabs.length)
    out.push({ opener: tabs[panels.indexOf(root)] ?? tabs[0]!, hover: false })
  return out
}

/** Controls that show more without doing anything else: tabs, folds, menus, branches of trees. */
function openersShown(snapshot: DomSnapshot, tried: ReadonlySet<string>): SnapshotElement[] {
  return snapshot.elements.filter((element) => {
    if (!isShown(element) || element.disabled || tried.has(element.ref)) return false
    if (element.role === 'tab') return element.selected !== true
    if (element.expanded === false || (element.role === 'summary' && element.expanded !== true)) return true
    if (/^(treeitem)$/.test(element.role ?? '')) return element.expanded !== true
    return !!element.does && element.role !== 'link' && hidesNext(snapshot, element)
  })
}

function hidesNext(snapshot: DomSnapshot, element: SnapshotElement): boolean {
  for (const one of [element, snapshot.elements[element.up]!]) {
    const next = one && snapshot.elements[endOfSubtree(snapshot, one)]
    if (next && next.up === one.up && next.hidden === 2 && !next.does) return true
  }
  return descendantsOf(snapshot, element).some(({ hidden, tag }) => hidden === 2 && /^(ul|ol|div)$/.test(tag))
}

export async function openSectionsUntil(
  driver: PageDriver,
  isThere: (snapshot: DomSnapshot) => boolean,
): Promise<boolean> {
  const tried = new Set<string>()
  for (let count = 0; count < MAX_OPENERS; count++) {
    if (isThere(driver.snapshot)) return true
    const opener = openersShown(driver.snapshot, tried)[0]
    if (!opener) return false
    tried.add(opener.ref)
    await driver.press(opener)
  }
  return isThere(driver.snapshot)
}

const MENU = /^(⋮|⋯|…|\.\.\.|☰|more|actions?|options|menu)$|^(more|row) (actions|options)/i

const findRowMenus = (snapshot: DomSnapshot): SnapshotElement[] =>
  snapshot.elements.filter(
    (one) =>
      isShown(one) && one.does && !one.disabled && (one.popup === 'menu' || MENU.test(labelOfElement(one).trim())),
  )

/** Opens the menu of the one row that has the most of the words; returns the row. */
export async function openRowMenu(driver: PageDriver, words: readonly string[]): Promise<SnapshotElement | undefined> {
  const { snapshot } = driver
  const menus = findRowMenus(snapshot)
  const twins = menus.map((element) => ({ element, label: '' }))
  const rows = twins.flatMap((twin) => {
    const row = findRowOrCardOfButton(snapshot, twin, twins)
    const text = row ? labelWordsOf(textOfElement(snapshot, row, 400)) : []
    const score = words.filter((word) => text.some((other) => scoreWordMatch(word, other) > 0)).length
    return row && score > 0 ? [{ row, score, menu: twin.element }] : []
  })
  const [best, second] = rows.sort((a, b) => b.score - a.score)
  if (!best || best.score === second?.score) return undefined
  return (await driver.press(best.menu)) ? best.row : undefined
}

const NEXT = /^(next( (page|results|items|entries|posts))?|(older|earlier)( \p{L}+)?|more results)? ?[›»>→▶]*$/iu

/** The control that leads to the next page of a list; nothing on the last page. */
export function findNextPageControl(snapshot: DomSnapshot): SnapshotElement | undefined {
  const controls = snapshot.elements.filter(
    (element) => isShown(element) && element.does && /^(button|link|clickable)$/.test(elementKindOf(element)),
  )
  const named = controls.find(
    (element) =>
      labelOfElement(element).trim() !== '' &&
      NEXT.test(labelOfElement(element).trim()) &&
      !element.disabled &&
      !/disabled/.test(`${element.cls} ${snapshot.elements[element.up]?.cls}`),
  )
  if (named) return named
  // Page numbers in a row: the one after the current.
  const pagers = snapshot.elements.filter(
    (element) => isShown(element) && /pag(e|ination)/i.test(`${element.name} ${element.cls} ${element.dom}`),
  )
  for (const pager of pagers) {
    const numbers = descendantsOf(snapshot, pager).filter((element) => /^\d+$/.test((element.text ?? '').trim()))
    const now = numbers.findIndex(
      (element) =>
        element.current ||
        element.disabled ||
        !element.does ||
        /active|current|selected/i.test(`${element.cls} ${snapshot.elements[element.up]?.cls}`),
    )
    const next = numbers[now + 1]
    if (now >= 0 && next?.does) return next
  }
  return undefined
}

const MORE = /^(load|show|see|view) more|^more$/i

export async function turnPagesUntil(
  driver: PageDriver,
  isThere: (snapshot: DomSnapshot) => boolean,
): Promise<boolean> {
  for (let page = 0; page < MAX_PAGES; page++) {
    if (isThere(driver.snapshot)) return true
    const more = driver.snapshot.elements.find(
      (element) => isShown(element) && element.does && !element.disabled && MORE.test(labelOfElement(element)),
    )
    const next = findNextPageControl(driver.snapshot) ?? more
    if (!next || !(await driver.press(next))) return false
  }
  return isThere(driver.snapshot)
}

/** Scrolls down, the page or the list that can, until it is there or nothing more comes. */
export async function scrollUntil(driver: PageDriver, isThere: (snapshot: DomSnapshot) => boolean): Promise<boolean> {
  let rest = 0
  for (let turn = 0; turn < MAX_SCROLLS && rest < 2; turn++) {
    if (isThere(driver.snapshot)) return true
    const count = driver.snapshot.elements.length
    const height = driver.snapshot.view[4] ?? 0
    const box = driver.snapshot.elements.find(
      (element) =>
        element.scrolls && element.scrolls[0] + element.scrolls[2] < element.scrolls[1] - 2 && isShown(element),
    )
    if (box)
      await (await driver.handle(box)).evaluate(
        (el) =>
          ((el as unknown as { scrollTop: number; scrollHeight: number }).scrollTop = (
            el as unknown as { scrollHeight: number }
          ).scrollHeight),
      )
    await driver.page.evaluate('window.scrollTo(0, document.documentElement.scrollHeight)')
    const grew = (snapshot: DomSnapshot) =>
      snapshot.elements.length > count || (snapshot.view[4] ?? 0) > height || isThere(snapshot)
    rest = (await driver.until(grew, rest === 0 ? 500 : 900)) || box ? 0 : rest + 1
  }
  return isThere(driver.snapshot)
}

export async function goToPageNumber(driver: PageDriver, number: number): Promise<StepOutcome> {
  const isCurrent = (snapshot: DomSnapshot) => pageNumber(snapshot) === number
  for (let turn = 0; turn < 60 && !isCurrent(driver.snapshot); turn++) {
    const link = listPageControls(driver.snapshot).buttons.find(
      ({ element, label }) => isShown(element) && new RegExp(`^(page )?${number}$`, 'i').test(label.trim()),
    )
    const next = link?.element ?? (turn < number ? findNextPageControl(driver.snapshot) : undefined)
    if (!next || !(await driver.press(next))) break
    // A pager without a "page x of y" is done when its number was pressed.
    if (link && pageNumber(driver.snapshot) === undefined) return okOutcome(`Went to page ${number}.`)
  }
  return isCurrent(driver.snapshot)
    ? okOutcome(`Went to page ${number}.`)
    : failedOutcome(`Could not go to page ${number}: the page does not offer it.`)
}

function pageNumber({ elements }: DomSnapshot): number | undefined {
  for (const one of elements) {
    if (!isShown(one)) continue
    const said = /\bpage (\d+)\b/i.exec(one.text ?? '')
    if (said) return Number(said[1])
    if (one.current === 'page' && /^\d+$/.test(labelOfElement(one).trim())) return Number(labelOfElement(one))
  }
  return undefined
}

/** Further pages, menus of rows, or more of the page below. */
export const mayShowMore = (snapshot: DomSnapshot): boolean => {
  const [, , , height = 0, whole = 0] = snapshot.view
  return findNextPageControl(snapshot) !== undefined || findRowMenus(snapshot).length > 1 || whole > height + 50
}

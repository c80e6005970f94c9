// Brings to light what is not shown: hidden panels, menus, folded sections, tabs, trees, further pages, lists that grow.
// Only controls that show more are pressed on the way, never any that do something.

import {
  ancestors,
  type DomSnapshot,
  descendants,
  endOf,
  isShown,
  labelOf,
  type SnapshotElement,
} from '../fetch/chrome/snapshot/snapshot.ts'
import { kindOf } from './controls.ts'
import type { PageDriver } from './page-driver.ts'

const MAX_PAGES = 60
const MAX_OPENERS = 40
const MAX_SCROLLS = 60

export async function reveal(driver: PageDriver, hidden: SnapshotElement): Promise<boolean> {
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

/** What may open the fold that a element is in: what says so, what is hovered, what stands right before it. */
function openersOf(snapshot: DomSnapshot, element: SnapshotElement): { opener: SnapshotElement; hover: boolean }[] {
  const chain = [element, ...ancestors(snapshot, element)]
  const root = chain.filter((one) => !isShown(one) && one.tag !== 'body').at(-1)
  if (!root) return []
  const out: { opener: SnapshotElement; hover: boolean }[] = []
  const folds = chain.filter((one) => !isShown(one))
  for (const fold of folds.reverse()) {
    const says =
      fold.dom &&
      snapshot.elements.find((one) => (one.controls === fold.dom || one.href?.endsWith(`#${fold.dom}`)) && isShown(one))
    if (says) out.push({ opener: says, hover: false })
  }
  const parent = snapshot.elements[root.up]
  const siblings = parent ? descendants(snapshot, parent).filter(({ up }) => up === parent.at) : []
  const before = siblings.filter((one) => one.at < root.at && isShown(one)).at(-1)
  const isLabel =
    before &&
    (before.does || before.role === 'heading' || descendants(snapshot, before).some(({ does }) => does) || before.popup)
  if (parent && parent.tag !== 'body' && isShown(parent) && parent.role !== 'main') {
    const summary = descendants(snapshot, parent).find(({ tag, up }) => tag === 'summary' && up === parent.at)
    if (summary) out.push({ opener: summary, hover: false })
    if (before?.popup || parent.role === 'listitem' || parent.role === 'menuitem')
      out.push({ opener: before ?? parent, hover: true }, { opener: parent, hover: true })
  }
  if (before && isLabel) {
    const inner = before.does ? before : (descendants(snapshot, before).find(({ does }) => does) ?? before)
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

/** A header with a hidden sister right after it. */
function hidesNext(snapshot: DomSnapshot, element: SnapshotElement): boolean {
  for (const one of [element, snapshot.elements[element.up]!]) {
    const next = one && snapshot.elements[endOf(snapshot, one)]
    if (next && next.up === one.up && next.hidden === 2 && !next.does) return true
  }
  return descendants(snapshot, element).some(({ hidden, tag }) => hidden === 2 && /^(ul|ol|div)$/.test(tag))
}

/** Opens one fold after the other until it is there. */
export async function seekInFolds(driver: PageDriver, isThere: (snapshot: DomSnapshot) => boolean): Promise<boolean> {
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

const NEXT = /^(next( page)?|older|›|»|>|→|▶|next ?[›»>→]+|more results)$/i

/** The control that leads to the next page of a list; nothing on the last page. */
export function nextControl(snapshot: DomSnapshot): SnapshotElement | undefined {
  const controls = snapshot.elements.filter(
    (element) => isShown(element) && element.does && /^(button|link|clickable)$/.test(kindOf(element)),
  )
  const named = controls.find(
    (element) =>
      NEXT.test(labelOf(element).trim()) &&
      !element.disabled &&
      !/disabled/.test(`${element.cls} ${snapshot.elements[element.up]?.cls}`),
  )
  if (named) return named
  // Page numbers in a row: the one after the current.
  const pagers = snapshot.elements.filter(
    (element) => isShown(element) && /pag(e|ination)/i.test(`${element.name} ${element.cls} ${element.dom}`),
  )
  for (const pager of pagers) {
    const numbers = descendants(snapshot, pager).filter((element) => /^\d+$/.test((element.text ?? '').trim()))
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

export async function seekOnPages(driver: PageDriver, isThere: (snapshot: DomSnapshot) => boolean): Promise<boolean> {
  for (let page = 0; page < MAX_PAGES; page++) {
    if (isThere(driver.snapshot)) return true
    const more = driver.snapshot.elements.find(
      (element) => isShown(element) && element.does && !element.disabled && MORE.test(labelOf(element)),
    )
    const next = nextControl(driver.snapshot) ?? more
    if (!next || !(await driver.press(next))) return false
  }
  return isThere(driver.snapshot)
}

/** Scrolls down, the page or the list that can, until it is there or nothing more comes. */
export async function seekByScroll(driver: PageDriver, isThere: (snapshot: DomSnapshot) => boolean): Promise<boolean> {
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

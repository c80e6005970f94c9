// Brings to light what is not shown: hidden panels, menus, folded sections, tabs, trees, further pages, lists that grow.
// Only controls that show more are pressed on the way, never any that do something.

import {
  ancestorsOf,
  type DomSnapshot,
  descendantsOf,
  isShown,
  labelOfElement,
  type SnapshotElement,
} from '../fetch/chrome/snapshot/dom-snapshot.ts'
import { foldText } from './match-label-words.ts'
import type { PageDriver } from './page-driver.ts'

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

type Opener = { opener: SnapshotElement; hover: boolean }

const byPress = (opener: SnapshotElement): Opener => ({ opener, hover: false })
const byHover = (opener: SnapshotElement): Opener => ({ opener, hover: true })

/** Controls that may reveal a hidden element: by aria-controls or name, by hover, right before it, or as its tab. */
function openersOf(snapshot: DomSnapshot, element: SnapshotElement): Opener[] {
  const folds = [element, ...ancestorsOf(snapshot, element)].filter((one) => !isShown(one))
  const root = folds.filter(({ tag }) => tag !== 'body').at(-1)
  if (!root) return []
  const parent = snapshot.elements[root.up]
  const siblings = parent ? descendantsOf(snapshot, parent).filter(({ up }) => up === parent.at) : []
  const before = siblings.filter((one) => one.at < root.at && isShown(one)).at(-1)
  return [
    ...folds.reverse().flatMap((fold) => openersNaming(snapshot, fold)),
    ...(parent ? openersAround(snapshot, parent, before) : []),
    ...(before ? openersInLabel(snapshot, before) : []),
    ...tabOf(snapshot, root, siblings),
  ]
}

function openersNaming(snapshot: DomSnapshot, { dom, name }: SnapshotElement): Opener[] {
  const byId =
    dom && snapshot.elements.find((one) => (one.controls === dom || one.href?.endsWith(`#${dom}`)) && isShown(one))
  // "Member area" opens the dialog of that name.
  const namesake =
    name &&
    snapshot.elements.find((one) => isShown(one) && one.does && foldText(labelOfElement(one)) === foldText(name))
  return [byId, namesake].flatMap((one) => (one ? byPress(one) : []))
}

function openersAround(snapshot: DomSnapshot, parent: SnapshotElement, before: SnapshotElement | undefined): Opener[] {
  const { tag, role } = parent
  if (tag === 'body' || role === 'main' || !isShown(parent)) return []
  const summary = descendantsOf(snapshot, parent).find((one) => one.tag === 'summary' && one.up === parent.at)
  const opensOnHover = before?.popup || role === 'listitem' || role === 'menuitem'
  return [
    ...(summary ? [byPress(summary)] : []),
    ...(before?.popup && before.role === 'button' ? [byPress(before)] : []),
    ...(opensOnHover ? [byHover(before ?? parent), byHover(parent)] : []),
  ]
}

function openersInLabel(snapshot: DomSnapshot, before: SnapshotElement): Opener[] {
  const inner = before.does ? before : descendantsOf(snapshot, before).find(({ does }) => does)
  const isLabel = inner || before.role === 'heading' || before.popup
  return isLabel ? [byPress(inner ?? before), byHover(before)] : []
}

/** Panels and tabs in the same order. */
function tabOf(snapshot: DomSnapshot, root: SnapshotElement, siblings: readonly SnapshotElement[]): Opener[] {
  const panels = siblings.filter((one) => one.role === root.role && one.tag === root.tag)
  const tabs = snapshot.elements.filter((one) => one.role === 'tab' && isShown(one))
  if (tabs.length < 2 || panels.length !== tabs.length) return []
  return [byPress(tabs[panels.indexOf(root)] ?? tabs[0]!)]
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

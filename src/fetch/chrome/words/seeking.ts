// Brings to light what is not shown: hidden panels, menus, folded sections, tabs, trees, further pages, lists that grow.
// Only controls that show more are pressed on the way, never any that do something.

import { plain } from './likeness.ts'
import type { PageDriver } from './page-driver.ts'
import { above, endOf, inside, isShown, labelOf, type Scene, type SceneThing } from './scene.ts'
import { kindOf } from './targets.ts'

const MAX_PAGES = 60
const MAX_OPENERS = 40
const MAX_SCROLLS = 60

/** True when the hidden thing is shown now. */
export async function reveal(hands: PageDriver, hidden: SceneThing): Promise<boolean> {
  const shownNow = () => {
    const now = hands.again(hidden)
    return now !== undefined && isShown(now)
  }
  const tried = new Set<string>()
  // Each turn opens the outermost fold around it.
  for (let turn = 0; turn < 6 && !shownNow(); turn++) {
    const now = hands.again(hidden)
    if (!now) return false
    let opened = false
    for (const { opener, hover } of openersOf(hands.scene, now)) {
      if (tried.has(opener.ref + hover)) continue
      tried.add(opener.ref + hover)
      opened = hover ? await hands.hover(opener) : await hands.press(opener)
      if (opened || shownNow()) break
    }
    if (!opened) return shownNow()
  }
  return shownNow()
}

/** What may open the fold that a thing is in: what says so, what is hovered, what stands right before it. */
function openersOf(scene: Scene, thing: SceneThing): { opener: SceneThing; hover: boolean }[] {
  const chain = [thing, ...above(scene, thing)]
  const root = chain.filter((one) => !isShown(one) && one.tag !== 'body').at(-1)
  if (!root) return []
  const out: { opener: SceneThing; hover: boolean }[] = []
  const folds = chain.filter((one) => !isShown(one))
  for (const fold of folds.reverse()) {
    const says =
      fold.dom &&
      scene.things.find((one) => (one.controls === fold.dom || one.href?.endsWith(`#${fold.dom}`)) && isShown(one))
    if (says) out.push({ opener: says, hover: false })
  }
  const parent = scene.things[root.up]
  const siblings = parent ? inside(scene, parent).filter(({ up }) => up === parent.at) : []
  const before = siblings.filter((one) => one.at < root.at && isShown(one)).at(-1)
  const isLabel =
    before &&
    (before.does || before.role === 'heading' || inside(scene, before).some(({ does }) => does) || before.popup)
  if (parent && parent.tag !== 'body' && isShown(parent) && parent.role !== 'main') {
    const summary = inside(scene, parent).find(({ tag, up }) => tag === 'summary' && up === parent.at)
    if (summary) out.push({ opener: summary, hover: false })
    if (before?.popup || parent.role === 'listitem' || parent.role === 'menuitem')
      out.push({ opener: before ?? parent, hover: true }, { opener: parent, hover: true })
  }
  if (before && isLabel) {
    const inner = before.does ? before : (inside(scene, before).find(({ does }) => does) ?? before)
    out.push({ opener: inner, hover: false }, { opener: before, hover: true })
  }
  // Panels and tabs in the same order.
  const panels = siblings.filter((one) => one.role === root.role && one.tag === root.tag)
  const tabs = scene.things.filter((one) => one.role === 'tab' && isShown(one))
  if (tabs.length > 1 && panels.length === tabs.length)
    out.push({ opener: tabs[panels.indexOf(root)] ?? tabs[0]!, hover: false })
  return out
}

/** Controls that show more without doing anything else: tabs, folds, menus, branches of trees. */
export function openersShown(scene: Scene, tried: ReadonlySet<string>): SceneThing[] {
  return scene.things.filter((thing) => {
    if (!isShown(thing) || thing.disabled || tried.has(thing.ref)) return false
    if (thing.role === 'tab') return thing.selected !== true
    if (thing.expanded === false || (thing.role === 'summary' && thing.expanded !== true)) return true
    if (/^(treeitem)$/.test(thing.role ?? '')) return thing.expanded !== true
    return !!thing.does && thing.role !== 'link' && hidesNext(scene, thing)
  })
}

/** A header with a hidden sister right after it. */
function hidesNext(scene: Scene, thing: SceneThing): boolean {
  for (const one of [thing, scene.things[thing.up]!]) {
    const next = one && scene.things[endOf(scene, one)]
    if (next && next.up === one.up && next.hidden === 2 && !next.does) return true
  }
  return inside(scene, thing).some(({ hidden, tag }) => hidden === 2 && /^(ul|ol|div)$/.test(tag))
}

/** Opens one fold after the other until it is there. */
export async function seekInFolds(hands: PageDriver, isThere: (scene: Scene) => boolean): Promise<boolean> {
  const tried = new Set<string>()
  for (let count = 0; count < MAX_OPENERS; count++) {
    if (isThere(hands.scene)) return true
    const opener = openersShown(hands.scene, tried)[0]
    if (!opener) return false
    tried.add(opener.ref)
    await hands.press(opener)
  }
  return isThere(hands.scene)
}

const NEXT = /^(next( page)?|older|›|»|>|→|▶|next ?[›»>→]+|more results)$/i

/** The control that leads to the next page of a list; nothing on the last page. */
export function nextControl(scene: Scene): SceneThing | undefined {
  const controls = scene.things.filter(
    (thing) => isShown(thing) && thing.does && /^(button|link|clickable)$/.test(kindOf(thing)),
  )
  const named = controls.find(
    (thing) =>
      NEXT.test(labelOf(thing).trim()) &&
      !thing.disabled &&
      !/disabled/.test(`${thing.cls} ${scene.things[thing.up]?.cls}`),
  )
  if (named) return named
  // Page numbers in a row: the one after the current.
  const pagers = scene.things.filter(
    (thing) => isShown(thing) && /pag(e|ination)/i.test(`${thing.name} ${thing.cls} ${thing.dom}`),
  )
  for (const pager of pagers) {
    const numbers = inside(scene, pager).filter((thing) => /^\d+$/.test((thing.text ?? '').trim()))
    const now = numbers.findIndex(
      (thing) =>
        thing.current ||
        thing.disabled ||
        !thing.does ||
        /active|current|selected/i.test(`${thing.cls} ${scene.things[thing.up]?.cls}`),
    )
    const next = numbers[now + 1]
    if (now >= 0 && next?.does) return next
  }
  return undefined
}

const MORE = /^(load|show|see|view) more|^more$/i

export async function seekOnPages(hands: PageDriver, isThere: (scene: Scene) => boolean): Promise<boolean> {
  for (let page = 0; page < MAX_PAGES; page++) {
    if (isThere(hands.scene)) return true
    const more = hands.scene.things.find(
      (thing) => isShown(thing) && thing.does && !thing.disabled && MORE.test(labelOf(thing)),
    )
    const next = nextControl(hands.scene) ?? more
    if (!next || !(await hands.press(next))) return false
  }
  return isThere(hands.scene)
}

/** Scrolls down, the page or the list that can, until it is there or nothing more comes. */
export async function seekByScroll(hands: PageDriver, isThere: (scene: Scene) => boolean): Promise<boolean> {
  let rest = 0
  for (let turn = 0; turn < MAX_SCROLLS && rest < 2; turn++) {
    if (isThere(hands.scene)) return true
    const count = hands.scene.things.length
    const height = hands.scene.view[4] ?? 0
    const box = hands.scene.things.find(
      (thing) => thing.scrolls && thing.scrolls[0] + thing.scrolls[2] < thing.scrolls[1] - 2 && isShown(thing),
    )
    if (box)
      await (await hands.handle(box)).evaluate(
        (el) =>
          ((el as unknown as { scrollTop: number; scrollHeight: number }).scrollTop = (
            el as unknown as { scrollHeight: number }
          ).scrollHeight),
      )
    await hands.page.evaluate('window.scrollTo(0, document.documentElement.scrollHeight)')
    const grew = (scene: Scene) => scene.things.length > count || (scene.view[4] ?? 0) > height || isThere(scene)
    rest = (await hands.until(grew, rest === 0 ? 500 : 900)) || box ? 0 : rest + 1
  }
  return isThere(hands.scene)
}

/** The field to search the page's things with. */
export const searchField = (scene: Scene): SceneThing | undefined =>
  scene.things.find(
    (thing) =>
      isShown(thing) &&
      (thing.role === 'searchbox' ||
        thing.type === 'search' ||
        (/^(textbox|combobox)$/.test(thing.role ?? '') &&
          /search|find|query/i.test(plain(`${thing.name} ${thing.placeholder} ${thing.dom} ${thing.field}`)))),
  )

// Finds the one element of a page that a step of a flow means. It is sought by its name first and then by its other
// names; among several nothing is chosen.
import {
  type DomSnapshot,
  descendants,
  endOf,
  isInside,
  isShown,
  labelOf,
  type SnapshotElement,
  textIn,
} from '../fetch/chrome/snapshot/snapshot.ts'
import { openDialog } from './controls.ts'
import { type ElementName, frameOf, nameOf, roleOf, rowOf, same, sectionOf, selectorOf, textsOf } from './flow-step.ts'
import { keyWords, wordMatch } from './label-words.ts'

interface Located {
  element?: SnapshotElement
  /** Found by another of its names than the first. */
  healed: boolean
  /** The nearest others, when none or several were found. */
  candidates: SnapshotElement[]
}

const PRESSED =
  /^(button|link|tab|menuitem|menuitemradio|menuitemcheckbox|summary|option|treeitem|a|span|div|li|label)$/
const TYPED = /^(textbox|searchbox|combobox|spinbutton|listbox|slider)$/
const TICKED = /^(checkbox|radio|switch|menuitemradio|menuitemcheckbox)$/

/** A redesign may make a button of a link, and a search box of a text box. */
const isSimilarRole = (a: string, b: string): boolean =>
  a === b || [PRESSED, TYPED, TICKED].some((roles) => roles.test(a) && roles.test(b))

export function locate(snapshot: DomSnapshot, target: ElementName): Located {
  const role = target.role ?? ''
  const pool = poolOf(snapshot, target)
  const sameRole = role === '' ? pool : pool.filter((one) => roleOf(one) === role)
  const similar = role === '' ? pool : pool.filter((one) => isSimilarRole(roleOf(one), role))
  const called = (list: readonly SnapshotElement[]) =>
    list.filter((one) => [nameOf(one), one.described].some((name) => same(name, target.name)))
  const labelled = (list: readonly SnapshotElement[], label: string | undefined) =>
    list.filter((one) => [one.beside, one.placeholder, one.name].some((own) => same(own, label)))

  const first = target.name ? called(sameRole) : target.label ? labelled(sameRole, target.label) : []
  if (first.length > 0) {
    const found = narrow(snapshot, target, first)
    if (found.length === 1) return { element: found[0]!, healed: false, candidates: [] }
    return { healed: false, candidates: (found.length > 0 ? found : first).slice(0, 3) }
  }
  const tiers: (() => SnapshotElement[])[] = [
    () => (target.name ? called(similar) : []),
    () => [...labelled(similar, target.label), ...labelled(similar, target.name)],
    () =>
      similar.filter((one) => isAlike(nameOf(one), target.name) || isAlike(one.beside, target.label ?? target.name)),
    () => (target.selector ? sameRole.filter((one) => selectorOf(one) === target.selector) : []),
    () => (target.only ? onlyOnes(snapshot, target, sameRole) : []),
    // Without a name or a label the role has to do, as for the one heading of a page.
    () => (target.name || target.label || target.selector ? [] : sameRole),
  ]
  for (const tier of tiers) {
    const list = [...new Set(tier())].filter((one) => !raisesStakes(target, one))
    if (list.length === 0) continue
    const found = narrow(snapshot, target, list)
    if (found.length === 1) return { element: found[0]!, healed: !!(target.name || target.label), candidates: [] }
    return { healed: false, candidates: (found.length > 0 ? found : list).slice(0, 3) }
  }
  return { healed: false, candidates: nearest(target, similar.length > 0 ? similar : pool) }
}

function poolOf(snapshot: DomSnapshot, { frame }: ElementName): SnapshotElement[] {
  const all = snapshot.elements.filter((one) => !one.disabled)
  if (!frame) return all
  const inFrame = all.filter((one) => same(frameOf(snapshot, one), frame))
  return inFrame.length > 0 ? inFrame : all
}

/** Narrows elements of one name down: shown, in its row, in the open dialog, in its section, by its selector. */
function narrow(snapshot: DomSnapshot, target: ElementName, given: readonly SnapshotElement[]): SnapshotElement[] {
  const shown = given.filter(isShown)
  let list = shown.length > 0 ? shown : [...given]
  // The row is gone: the same button of another row is another button.
  if (target.near) {
    const all = list
    list = all.filter((one) => {
      const twins = all.filter((other) => other !== one)
      const row = rowOf(snapshot, one, twins)
      if (twins.length === 0) return isNear(snapshot, one, target.near!)
      return row !== undefined && textsOf(snapshot, row).some((text) => same(text, target.near))
    })
  }
  const prefer = (isBetter: (one: SnapshotElement) => boolean) => {
    if (list.length < 2) return
    const better = list.filter(isBetter)
    if (better.length > 0) list = better
  }
  const dialog = openDialog(snapshot)
  if (dialog) prefer((one) => isInside(snapshot, one, dialog))
  if (target.within) prefer((one) => same(sectionOf(snapshot, one).title, target.within))
  if (target.label) prefer((one) => [one.beside, one.placeholder].some((own) => same(own, target.label)))
  if (target.kind) prefer((one) => one.type === target.kind)
  if (target.selector) prefer((one) => selectorOf(one) === target.selector)
  // A link and the picture in it have one name; the outer one is pressed.
  prefer((one) => !list.some((other) => other !== one && isInside(snapshot, one, other)))
  return list
}

/** In a list of one there is no twin to tell where the row ends; the text must stand in its section. */
const isNear = (snapshot: DomSnapshot, element: SnapshotElement, near: string): boolean => {
  for (let at = element.up, steps = 0; at >= 0 && steps < 6; at = snapshot.elements[at]!.up, steps++)
    if (textsOf(snapshot, snapshot.elements[at]!).some((text) => same(text, near))) return true
  return false
}

/** The same words in other forms or as synonyms, none left over on either side. */
function isAlike(a: string | undefined, b: string | undefined): boolean {
  const [one, other] = [keyWords(a ?? ''), keyWords(b ?? '')]
  if (one.length === 0 || one.length !== other.length) return false
  const left = [...other]
  for (const word of one) {
    const at = left.findIndex((match) => wordMatch(word, match) > 0)
    if (at < 0) return false
    left.splice(at, 1)
  }
  return true
}

/** The only one of its role and type in the section of the same title; without a title, only fields count. */
function onlyOnes(snapshot: DomSnapshot, target: ElementName, list: readonly SnapshotElement[]): SnapshotElement[] {
  const alike = list.filter((one) => isShown(one) && (target.kind === undefined || one.type === target.kind))
  if (target.within) {
    const inside = alike.filter((one) => same(sectionOf(snapshot, one).title, target.within))
    return inside.length === 1 ? inside : []
  }
  return TYPED.test(target.role ?? '') && target.kind !== undefined && alike.length === 1 ? alike : []
}

const STAKES = [
  /\b(buy|pay|purchase|order|checkout|place|subscribe|donate|bid)\b/i,
  /\b(delete|remove|erase|discard|destroy|clear|cancel|unsubscribe|revoke|reset)\b/i,
  /\b(send|submit|post|publish|share|transfer|invite)\b/i,
]

/** A new label that pays, deletes or sends, where the recorded one did not, is never taken for it. */
const raisesStakes = (target: ElementName, element: SnapshotElement): boolean =>
  STAKES.some((words) => words.test(nameOf(element)) && !words.test(`${target.name} ${target.label}`))

function nearest(target: ElementName, pool: readonly SnapshotElement[]): SnapshotElement[] {
  const wanted = keyWords(`${target.name ?? ''} ${target.label ?? ''}`)
  const score = (one: SnapshotElement) =>
    keyWords(labelOf(one)).filter((word) => wanted.some((other) => wordMatch(word, other) > 0)).length
  return pool
    .filter((one) => isShown(one) && one.does && labelOf(one))
    .map((one) => ({ one, points: score(one) }))
    .sort((a, b) => b.points - a.points)
    .slice(0, 3)
    .map(({ one }) => one)
}

/** The value beside a label: the rest of its line, or the next element. */
export function valueBeside(snapshot: DomSnapshot, label: string): SnapshotElement[] {
  const labels = snapshot.elements.filter((one) => isShown(one) && same(one.text ?? one.name, label))
  return labels.flatMap((one) => {
    const next = snapshot.elements[endOf(snapshot, one)]
    if (next && next.up === one.up && textIn(snapshot, next, 10) !== '') return [next]
    const inner = descendants(snapshot, one).find(({ text }) => text)
    return inner ? [inner] : []
  })
}

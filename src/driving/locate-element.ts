// Finds the one element of a page that a step of a flow means. It is sought by its name first and then by its other
// names; among several nothing is chosen.
import {
  type DomSnapshot,
  descendantsOf,
  endOfSubtree,
  isDescendantOf,
  isShown,
  labelOfElement,
  type SnapshotElement,
  textOfElement,
} from '../fetch/chrome/snapshot/dom-snapshot.ts'
import {
  type ElementDescriptor,
  frameOfElement,
  isSameText,
  nameOfElement,
  peersOfElement,
  roleOfElement,
  rowOfElement,
  sectionOfElement,
  selectorOfElement,
  textsOfRow,
  twinsOfElement,
} from './flow-steps-and-element-descriptors.ts'
import { keyWordsOf, labelWordsOf, scoreWordMatch } from './match-label-words.ts'
import { findOpenDialog } from './page-controls.ts'

interface LocatedElement {
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

/** `matches`: refs of the elements of the target's selector, where that is all it is called by. */
export function locateElement(
  snapshot: DomSnapshot,
  target: ElementDescriptor,
  matches?: ReadonlySet<string>,
): LocatedElement {
  const role = target.role ?? ''
  const pool = poolOf(snapshot, target)
  const sameRole = role === '' ? pool : pool.filter((one) => roleOfElement(one) === role)
  if (matches) {
    const matching = sameRole.filter(({ ref }) => matches.has(ref))
    const found = narrowCandidates(snapshot, { ...target, selector: undefined }, matching)
    return found.length === 1
      ? { element: found[0]!, healed: false, candidates: [] }
      : { healed: false, candidates: found.slice(0, 3) }
  }
  const similar = role === '' ? pool : pool.filter((one) => isSimilarRole(roleOfElement(one), role))
  const filterByName = (list: readonly SnapshotElement[]) =>
    list.filter((one) => [nameOfElement(one), one.described].some((name) => isSameText(name, target.name)))
  const filterByLabel = (list: readonly SnapshotElement[], label: string | undefined) =>
    preferFields(list.filter((one) => [one.beside, one.placeholder, one.name].some((own) => isSameText(own, label))))

  const first = target.name ? filterByName(sameRole) : target.label ? filterByLabel(sameRole, target.label) : []
  if (first.length > 0) {
    const found = narrowCandidates(snapshot, target, first)
    if (found.length === 1) return { element: found[0]!, healed: false, candidates: [] }
    return { healed: false, candidates: (found.length > 0 ? found : first).slice(0, 3) }
  }
  const tiers: (() => SnapshotElement[])[] = [
    () => (target.name ? filterByName(similar) : []),
    () => [...filterByLabel(similar, target.label), ...filterByLabel(similar, target.name)],
    () =>
      similar.filter(
        (one) =>
          (target.within === undefined || isInSection(snapshot, target, one)) &&
          (isAlike(nameOfElement(one), target.name) || isAlike(one.beside, target.label ?? target.name)),
      ),
    () => (target.selector ? sameRole.filter((one) => selectorOfElement(one) === target.selector) : []),
    () => (target.only && !target.near ? onlyOnes(snapshot, target, sameRole) : []),
    () => similar.filter((one) => isShown(one) && isPartlyNamed(snapshot, target, one)),
    () => sameRole.filter((one) => isShown(one) && isLeftOver(snapshot, target, one)),
    () => (target.submits ? onlySubmit(snapshot, target) : []),
    // Without a name or a label the role has to do, as for the one heading of a page.
    () => (target.name || target.label || target.selector ? [] : sameRole),
  ]
  for (const tier of tiers) {
    const list = [...new Set(tier())].filter(
      (one) => (!target.submits || one.submits) && !raisesStakes(target, one) && !isAnother(target, one),
    )
    if (list.length === 0) continue
    const found = narrowCandidates(snapshot, target, list)
    if (found.length === 1) return { element: found[0]!, healed: !!(target.name || target.label), candidates: [] }
    return { healed: false, candidates: (found.length > 0 ? found : list).slice(0, 3) }
  }
  return { healed: false, candidates: findNearest(target, similar.length > 0 ? similar : pool) }
}

/** A `<label>` around its field has the field's label as its own text. */
function preferFields(labelled: SnapshotElement[]): SnapshotElement[] {
  const fields = labelled.filter(({ tag }) => tag !== 'label')
  return fields.length > 0 ? fields : labelled
}

function poolOf(snapshot: DomSnapshot, { frame }: ElementDescriptor): SnapshotElement[] {
  const all = snapshot.elements.filter((one) => !one.disabled)
  if (!frame) return all
  const inFrame = all.filter((one) => isSameText(frameOfElement(snapshot, one), frame))
  return inFrame.length > 0 ? inFrame : all
}

/** Narrows elements of one name down: shown, in its row, in its section, in the open dialog, by its selector. */
function narrowCandidates(snapshot: DomSnapshot, target: ElementDescriptor, given: readonly SnapshotElement[]) {
  const shown = given.filter(isShown)
  let list = shown.length > 0 ? shown : [...given]
  // The row is gone: the same button of another row is another button.
  if (target.near) {
    const all = list
    list = all.filter((one) => {
      const twins = all.filter((other) => other !== one)
      const row = rowOfElement(snapshot, one, twins)
      if (twins.length === 0) return isNear(snapshot, one, target.near!)
      return row !== undefined && textsOfRow(snapshot, row).some((text) => isSameText(text, target.near))
    })
  }
  const prefer = (isBetter: (one: SnapshotElement) => boolean) => {
    if (list.length < 2) return
    const better = list.filter(isBetter)
    if (better.length > 0) list = better
  }
  // Before the open dialog: of two dialogs with a button "Close", the recorded one is meant.
  if (target.within) prefer((one) => isSameText(sectionOfElement(snapshot, one).title, target.within))
  const dialog = findOpenDialog(snapshot)
  if (dialog) prefer((one) => isDescendantOf(snapshot, one, dialog))
  if (target.label) prefer((one) => [one.beside, one.placeholder].some((own) => isSameText(own, target.label)))
  if (target.kind) prefer((one) => one.type === target.kind)
  if (target.selector) prefer((one) => selectorOfElement(one) === target.selector)
  // A link and the picture in it have one name; the outer one is pressed.
  prefer((one) => !list.some((other) => other !== one && isDescendantOf(snapshot, one, other)))
  return list
}

/** A list with a single item shows no row boundary, so the text may be anywhere in the element's section. */
const isNear = (snapshot: DomSnapshot, element: SnapshotElement, near: string): boolean => {
  for (let at = element.up, steps = 0; at >= 0 && steps < 6; at = snapshot.elements[at]!.up, steps++)
    if (textsOfRow(snapshot, snapshot.elements[at]!).some((text) => isSameText(text, near))) return true
  return false
}

/** The same words in other forms or as synonyms, none left over on either side. */
function isAlike(a: string | undefined, b: string | undefined): boolean {
  const [one, other] = [keyWordsOf(a ?? ''), keyWordsOf(b ?? '')]
  if (one.length === 0 || one.length !== other.length) return false
  const left = [...other]
  for (const word of one) {
    const at = left.findIndex((match) => scoreWordMatch(word, match) > 0)
    if (at < 0) return false
    left.splice(at, 1)
  }
  return true
}

/** The longer name has all words of the shorter one: "Save" and "Save changes". */
function isPart(part: string | undefined, whole: string | undefined): boolean {
  const [few, many] = [keyWordsOf(part ?? ''), labelWordsOf(whole ?? '')]
  return few.length > 0 && few.every((word) => many.some((other) => scoreWordMatch(word, other) > 0))
}

const isPartOfOther = (a: string | undefined, b: string | undefined): boolean => isPart(a, b) || isPart(b, a)

/**
 * A field whose label was shortened or completed, or a button of the same section whose name was shortened. What a
 * longer name of a button adds is not known, and one that pays, deletes or sends needs its whole name.
 */
function isPartlyNamed(snapshot: DomSnapshot, target: ElementDescriptor, element: SnapshotElement): boolean {
  const known = target.name ?? target.label
  if (!PRESSED.test(roleOfElement(element)))
    return [nameOfElement(element), element.beside].some((own) => isPartOfOther(own, known))
  return isInSection(snapshot, target, element) && isPart(nameOfElement(element), known) && !hasStakes(known)
}

/**
 * The one that is left where the others of its role are all found under their names: a field whatever its label says
 * now, another control when its name was completed or shortened and it does not pay, delete or send.
 */
function isLeftOver(snapshot: DomSnapshot, target: ElementDescriptor, element: SnapshotElement): boolean {
  const { near, only, others = only ? [] : undefined } = target
  const [known, own] = [target.name ?? target.label, nameOfElement(element)]
  if (!others || !known || (target.kind !== undefined && target.kind !== element.type)) return false
  if (!TYPED.test(roleOfElement(element)) && (hasStakes(known) || !isPartOfOther(own, known))) return false
  const row = near ? rowOfElement(snapshot, element, twinsOfElement(snapshot, element)) : undefined
  if (near ? !row : !isInSection(snapshot, target, element)) return false
  return areNamed(peersOfElement(snapshot, element, row), others)
}

/** Each element has one of the names, and none of the names is left. */
function areNamed(elements: readonly SnapshotElement[], names: readonly string[]): boolean {
  const left = [...names]
  const unnamed = [isSameText, isAlike, isPartOfOther].reduce(
    (list, isMatch) =>
      list.filter((one) => {
        const at = left.findIndex((name) => isMatch(nameOfElement(one) || one.beside, name))
        if (at >= 0) left.splice(at, 1)
        return at < 0
      }),
    [...elements],
  )
  return unnamed.length === 0 && left.length === 0
}

/** A target without a section title matches only elements outside of titled sections. */
function isInSection(snapshot: DomSnapshot, { within }: ElementDescriptor, element: SnapshotElement): boolean {
  const { title, isPage } = sectionOfElement(snapshot, element)
  return within === undefined ? isPage : isSameText(title, within)
}

/** The only one of its role and type in the section of the same title; without a title, only fields count. */
function onlyOnes(snapshot: DomSnapshot, target: ElementDescriptor, list: readonly SnapshotElement[]) {
  const alike = list.filter((one) => isShown(one) && (target.kind === undefined || one.type === target.kind))
  if (target.within) {
    const inside = alike.filter((one) => isInSection(snapshot, target, one))
    return inside.length === 1 && !sectionOfElement(snapshot, inside[0]!).isPage ? inside : []
  }
  return TYPED.test(target.role ?? '') && target.kind !== undefined && alike.length === 1 ? alike : []
}

/** The button that submits the form, whatever it says now, where the page or the section shows one such form. */
function onlySubmit(snapshot: DomSnapshot, target: ElementDescriptor): SnapshotElement[] {
  const isInPlace = (one: SnapshotElement) =>
    target.within === undefined || isSameText(sectionOfElement(snapshot, one).title, target.within)
  const submits = snapshot.elements.filter((one) => isShown(one) && !one.disabled && one.submits && isInPlace(one))
  return submits.length === 1 ? submits : []
}

const STAKES = [
  /\b(buy|pay|purchase|order|checkout|place|subscribe|donate|bid)\b/i,
  /\b(delete|remove|erase|discard|destroy|clear|cancel|unsubscribe|revoke|reset)\b/i,
  /\b(send|submit|post|publish|share|transfer|invite)\b/i,
]

const hasStakes = (name: string | undefined): boolean => STAKES.some((words) => words.test(name ?? ''))

/** An element of this name was recorded beside the target, so it is not the target. */
const isAnother = ({ others = [] }: ElementDescriptor, element: SnapshotElement): boolean =>
  others.some((name) => isSameText(nameOfElement(element), name))

/** A new label that pays, deletes or sends, where the recorded one did not, is never taken for it. Fields do neither. */
const raisesStakes = (target: ElementDescriptor, element: SnapshotElement): boolean =>
  !TYPED.test(roleOfElement(element)) &&
  STAKES.some((words) => words.test(nameOfElement(element)) && !words.test(`${target.name} ${target.label}`))

function findNearest(target: ElementDescriptor, pool: readonly SnapshotElement[]): SnapshotElement[] {
  const wanted = keyWordsOf(`${target.name ?? ''} ${target.label ?? ''}`)
  const score = (one: SnapshotElement) =>
    keyWordsOf(labelOfElement(one)).filter((word) => wanted.some((other) => scoreWordMatch(word, other) > 0)).length
  return pool
    .filter((one) => isShown(one) && one.does && labelOfElement(one))
    .map((one) => ({ one, points: score(one) }))
    .sort((a, b) => b.points - a.points)
    .slice(0, 3)
    .map(({ one }) => one)
}

/** The value beside a label: the rest of its line, or the next element. */
export function findValueBesideLabel(snapshot: DomSnapshot, label: string): SnapshotElement[] {
  const labels = snapshot.elements.filter((one) => isShown(one) && isSameText(one.text ?? one.name, label))
  return labels.flatMap((one) => {
    const next = snapshot.elements[endOfSubtree(snapshot, one)]
    if (next && next.up === one.up && textOfElement(snapshot, next, 10) !== '') return [next]
    const inner = descendantsOf(snapshot, one).find(({ text }) => text)
    return inner ? [inner] : []
  })
}

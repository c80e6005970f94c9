// What a page shows, as one flat list in reading order. Pure data and small functions on it.

/** An element as the in-page script returns it; fields without information are omitted. */
export interface SnapshotNode {
  /** Number of the element within its document, stable while the document is loaded. */
  id: number
  /** Place of the parent in the list, or -1. */
  up: number
  tag: string
  role?: string
  name?: string
  /** Its own words, without those of elements inside. */
  text?: string
  /** Words right before a field, where a person looks for its label. */
  beside?: string
  value?: string
  /** Number of a slider or spinner, where `value` is put in words. */
  now?: string
  type?: string
  field?: string
  placeholder?: string
  options?: [text: string, selected: boolean][]
  multiple?: boolean
  checked?: boolean | string
  selected?: boolean | string
  pressed?: boolean | string
  expanded?: boolean | string
  current?: boolean | string
  invalid?: boolean | string
  modal?: boolean | string
  disabled?: boolean
  readonly?: boolean
  required?: boolean
  group?: string
  min?: string
  max?: string
  step?: string
  max_length?: number
  pattern?: string
  sort?: string
  popup?: string
  controls?: string
  live?: string
  auto?: string
  described?: string
  href?: string
  /** A download link. */
  download?: boolean
  /** A button that submits its form. */
  submits?: boolean
  src?: string
  level?: number
  draggable?: boolean
  dom?: string
  cls?: string
  /** 1: not painted; 2: not laid out at all. */
  hidden?: 1 | 2
  flat?: boolean
  clear?: boolean
  fixed?: boolean
  /** x, y on the page (not the window), width, height. */
  box?: [number, number, number, number]
  scrolls?: [top: number, height: number, seen: number]
  fill?: string
  ink?: string
  points?: number
  r?: number
  round?: boolean
  bold?: boolean
  size?: number
  /** 1: a control by its role; 2: reacts to the pointer; 3: can have the focus. */
  does?: 1 | 2 | 3
}

/** A node with its position in the whole page, over all frames. */
export interface SnapshotElement extends SnapshotNode {
  at: number
  /** Which document it is of; 0 is the page itself. */
  frame: number
  ref: string
}

export interface DomSnapshot {
  elements: SnapshotElement[]
  url: string
  title: string
  /** Of the main document: scroll x, y, window width, height, whole height, whole width. */
  view: readonly number[]
  focus: number
  /** The page has more elements than are listed. */
  cut: boolean
}

export const isShown = (element: SnapshotElement): boolean =>
  element.hidden === undefined && (element.flat !== true || element.tag === 'option') && element.box !== undefined

export function ancestorsOf(snapshot: DomSnapshot, element: SnapshotElement): SnapshotElement[] {
  const list: SnapshotElement[] = []
  for (let at = element.up; at >= 0; at = snapshot.elements[at]!.up) list.push(snapshot.elements[at]!)
  return list
}

export const isDescendantOf = (snapshot: DomSnapshot, inner: SnapshotElement, outer: SnapshotElement): boolean => {
  if (inner.at < outer.at) return false
  for (let at = inner.at; at >= outer.at; at = snapshot.elements[at]!.up) if (at === outer.at) return true
  return false
}

/** Place after the last element inside this one: the list is in reading order, so all that lies between is inside. */
export function endOfSubtree(snapshot: DomSnapshot, element: SnapshotElement): number {
  let end = element.at + 1
  while (end < snapshot.elements.length && snapshot.elements[end]!.up >= element.at) end++
  return end
}

export const descendantsOf = (snapshot: DomSnapshot, element: SnapshotElement): SnapshotElement[] =>
  snapshot.elements.slice(element.at + 1, endOfSubtree(snapshot, element))

/** All visible text inside the element, joined. Bounded, because it is computed often. */
export function textOfElement(snapshot: DomSnapshot, element: SnapshotElement, max = 1500): string {
  let out = ''
  for (let at = element.at, end = endOfSubtree(snapshot, element); at < end && out.length < max; at++) {
    const one = snapshot.elements[at]!
    if (one.hidden !== undefined && element.hidden === undefined) continue
    if (one.text !== undefined) out += ` ${one.text}`
    else if (one.name !== undefined && (one.tag === 'img' || one.tag === 'input' || one.does === 1))
      out += ` ${one.name}`
  }
  return out.trim()
}

export const labelOfElement = (element: SnapshotElement): string =>
  element.name || element.beside || element.text || element.value || ''

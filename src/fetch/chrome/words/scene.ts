// What a page shows, as one flat list in reading order: the picture on which words are matched. Pure data and small
// questions about it; where it comes from is the reader's business.

/** An element as the reader tells it; most fields are left out where they say nothing. */
export interface Node {
  /** Number of the element within its document, stable while the document stands. */
  id: number
  /** Place of the parent in the list, or -1. */
  up: number
  tag: string
  role?: string
  /** Accessible name. */
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

/** A node that knows its place on the whole page, over all frames. */
export interface SceneThing extends Node {
  /** Place in the scene's list. */
  at: number
  /** Which document it is of; 0 is the page itself. */
  frame: number
  ref: string
}

export interface Scene {
  things: SceneThing[]
  url: string
  title: string
  /** Of the main document: scroll x, y, window width, height, whole height, whole width. */
  view: readonly number[]
  /** Place of the thing that has the focus, or -1. */
  focus: number
  /** The page has more elements than are listed. */
  cut: boolean
}

export const isShown = (thing: SceneThing): boolean =>
  thing.hidden === undefined && (thing.flat !== true || thing.tag === 'option') && thing.box !== undefined

/** Things above this one, the nearest first. */
export function above(scene: Scene, thing: SceneThing): SceneThing[] {
  const list: SceneThing[] = []
  for (let at = thing.up; at >= 0; at = scene.things[at]!.up) list.push(scene.things[at]!)
  return list
}

export const isInside = (scene: Scene, inner: SceneThing, outer: SceneThing): boolean => {
  if (inner.at < outer.at) return false
  for (let at = inner.at; at >= outer.at; at = scene.things[at]!.up) if (at === outer.at) return true
  return false
}

/** Place after the last thing inside this one: the list is in reading order, so all that lies between is inside. */
export function endOf(scene: Scene, thing: SceneThing): number {
  let end = thing.at + 1
  while (end < scene.things.length && scene.things[end]!.up >= thing.at) end++
  return end
}

export const inside = (scene: Scene, thing: SceneThing): SceneThing[] =>
  scene.things.slice(thing.at + 1, endOf(scene, thing))

/** All words that are shown inside, joined; bounded, since it is asked for often. */
export function wordsIn(scene: Scene, thing: SceneThing, max = 1500): string {
  let out = ''
  for (let at = thing.at, end = endOf(scene, thing); at < end && out.length < max; at++) {
    const one = scene.things[at]!
    if (one.hidden !== undefined && thing.hidden === undefined) continue
    if (one.text !== undefined) out += ` ${one.text}`
    else if (one.name !== undefined && (one.tag === 'img' || one.tag === 'input' || one.does === 1))
      out += ` ${one.name}`
  }
  return out.trim()
}

/** What a person would call it. */
export const labelOf = (thing: SceneThing): string => thing.name || thing.beside || thing.text || thing.value || ''

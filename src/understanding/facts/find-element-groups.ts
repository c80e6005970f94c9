// Groups of similar sibling elements, such as the cards of a list, found by tag and class, largest first.

import type { Element } from 'domhandler'
import { appendTo, setOfWords } from '../../base/values.ts'
import { elementChildren, isElement } from '../../content/parse-tree.ts'

export type ElementGroup = { parent: Element; items: Element[]; isMain: boolean; at: number }

const MAX_GROUPS = 300
const MAX_ITEMS = 1000
const NEVER = setOfWords('br hr option script style link meta img td th col source track input b strong em i a span')

type Seen = { element: Element; at: number; isMain: boolean }

export const findElementGroups = (elements: readonly Seen[]): ElementGroup[] => [
  ...sideBySide(elements),
  ...ofOneName(elements),
  ...ofOneContainer(elements),
]

/** Items without a class in several lists of one container: the dishes of a menu under their headings. */
function ofOneContainer(elements: readonly Seen[]): ElementGroup[] {
  const found = new Map<unknown, Seen[]>()
  for (const seen of elements) {
    const { element } = seen
    const container = element.parent?.parent
    if (element.name !== 'li' || element.attribs.class || !container || !element.children.some(isElement)) continue
    appendTo(found, container, seen, MAX_ITEMS)
  }
  return [...found.values()]
    .filter((seen) => new Set(seen.map(({ element }) => element.parent)).size > 1)
    .slice(0, MAX_GROUPS)
    .map(groupOf)
}

const groupOf = (seen: readonly Seen[]): ElementGroup => ({
  parent: seen[0]!.element.parent as Element,
  items: seen.map(({ element }) => element),
  isMain: seen[0]!.isMain,
  at: seen[0]!.at,
})

/** Elements with the same signature in several places: the dishes of a menu under their headings. */
function ofOneName(elements: readonly Seen[]): ElementGroup[] {
  const named = new Map<string, Seen[]>()
  for (const seen of elements) {
    if (NEVER.has(seen.element.name) || !seen.element.attribs.class || !seen.element.children.some(isElement)) continue
    appendTo(named, signatureOf(seen.element), seen, MAX_ITEMS)
  }
  return [...named.values()]
    .filter((seen) => seen.length >= 2 && new Set(seen.map(({ element }) => element.parent)).size > 1)
    .slice(0, MAX_GROUPS)
    .map(groupOf)
}

function sideBySide(elements: readonly Seen[]): ElementGroup[] {
  const groups: ElementGroup[] = []
  for (const { element, at, isMain } of elements) {
    if (groups.length >= MAX_GROUPS) break
    if (element.children.length < 2 || element.name === 'tr' || element.name === 'table') continue
    const alike = new Map<string, Element[]>()
    for (const child of elementChildren(element)) {
      if (NEVER.has(child.name) && !(child.name === 'a' && child.children.some(isElement))) continue
      appendTo(alike, signatureOf(child), child, MAX_ITEMS)
    }
    for (const items of alike.values())
      if (items.length >= 2 && items.some((item) => item.children.some(isElement)))
        groups.push({ parent: element, items, isMain, at })
  }
  return groups
}

/** Tag and first usable class. Classes with digits or states are skipped: they differ between the items of one list. */
export function signatureOf({ name, attribs }: Element): string {
  const first = (attribs.class ?? '')
    .slice(0, 200)
    .split(/\s+/)
    .find((word) => word && !/\d|^(?:active|first|last|odd|even|selected|is-|has-)/.test(word))
  return first ? `${name}.${first}` : name
}

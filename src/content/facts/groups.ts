// Things that a page shows in many: boxes built alike that stand side by side, such as the cards of a list. Found by the
// names of the boxes, biggest first. Linear in the number of elements.
import type { Element } from 'domhandler'
import { elementChildren, isElement } from '../tree.ts'

export interface Group {
  parent: Element
  items: Element[]
  isMain: boolean
  at: number
}

const MAX_GROUPS = 300
const MAX_ITEMS = 1000
const NEVER = new Set(
  'br hr option script style link meta img td th col source track input b strong em i a span'.split(' '),
)

export function groupsIn(elements: readonly { element: Element; at: number; isMain: boolean }[]): Group[] {
  const groups: Group[] = []
  for (const { element, at, isMain } of elements) {
    if (groups.length >= MAX_GROUPS) break
    if (element.children.length < 2 || element.name === 'tr' || element.name === 'table') continue
    const alike = new Map<string, Element[]>()
    for (const child of elementChildren(element)) {
      if (NEVER.has(child.name) && !(child.name === 'a' && child.children.some(isElement))) continue
      const name = signature(child)
      const known = alike.get(name)
      if (known) {
        if (known.length < MAX_ITEMS) known.push(child)
      } else alike.set(name, [child])
    }
    for (const items of alike.values())
      if (items.length >= 2 && items.some((item) => item.children.some(isElement)))
        groups.push({ parent: element, items, isMain, at })
  }
  return groups
}

/** Tag and first class; numbers and states in a class say which one it is, not what it is. */
function signature({ name, attribs }: Element): string {
  const first = (attribs.class ?? '')
    .slice(0, 200)
    .split(/\s+/)
    .find((word) => word && !/\d|^(?:active|first|last|odd|even|selected|is-|has-)/.test(word))
  return first ? `${name}.${first}` : name
}

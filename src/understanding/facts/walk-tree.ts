// An iterative tree walk with enter and leave callbacks.
import type { AnyNode, Element } from 'domhandler'
import { isElement } from '../../content/parse-tree.ts'

interface WalkCallbacks {
  /** False: skip the children (`leave` is not called). */
  enter(element: Element): boolean
  leave?(element: Element): void
  /** Any node that is not an element. */
  other?(node: AnyNode): void
}

export function walkTree(root: AnyNode, { enter, leave, other }: WalkCallbacks): void {
  let node: AnyNode | null = root
  while (node) {
    let goesIn = false
    if (isElement(node)) {
      goesIn = enter(node)
      if (goesIn && node.children.length === 0) leave?.(node)
    } else {
      goesIn = 'children' in node
      if (!goesIn) other?.(node)
    }
    const first: AnyNode | undefined = goesIn && 'children' in node ? node.children[0] : undefined
    if (first) {
      node = first
      continue
    }
    while (node && node !== root && !node.next) {
      node = node.parent
      if (isElement(node)) leave?.(node)
    }
    node = node && node !== root ? node.next : null
  }
}

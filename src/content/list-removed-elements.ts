// Describes what was removed from a page, for the explain record.
import type { AnyNode, Document, Element } from 'domhandler'
import type { RemovedNodes } from './find-main-content.ts'
import { isElement, isText, nextNode, nextNodeAfterSubtree } from './parse-tree.ts'

export type RemovedElement = { what: string; why: string; chars: number }

const MAX_CUTS = 100

export function listRemovedElements(tree: Document, cuts: RemovedNodes): RemovedElement[] {
  const found: RemovedElement[] = []
  let node: AnyNode | null = tree
  while (node) {
    const why = cuts.get(node)
    if (why === undefined) node = nextNode(node, tree)
    else {
      found.push({ what: nameOf(node), why, chars: textLength(node) })
      node = nextNodeAfterSubtree(node, tree)
    }
  }
  return found.sort((a, b) => b.chars - a.chars).slice(0, MAX_CUTS)
}

function textLength(root: AnyNode): number {
  let length = 0
  for (let node: AnyNode | null = root; node; node = nextNode(node, root)) if (isText(node)) length += node.data.length
  return length
}

function nameOf(node: AnyNode): string {
  return isElement(node) ? selectorOf(node) : '#text'
}

function selectorOf({ name, attribs }: Element): string {
  const id = attribs.id ? `#${attribs.id.slice(0, 40)}` : ''
  const classes = attribs.class?.trim().slice(0, 80).split(/\s+/).filter(Boolean).slice(0, 2) ?? []
  return `${name.slice(0, 40)}${id}${classes.map((one) => `.${one}`).join('')}`
}

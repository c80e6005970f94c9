// Decides what on a page is its main content. It marks nodes to leave out and says why; it never changes the tree, so
// that markdown, html, links and metadata are all made from one parse.
import type { AnyNode, Document, Element } from 'domhandler'
import { isTag } from 'domhandler'

/** Nodes to leave out, each with the reason; a node's descendants go with it. */
export type Cuts = Map<AnyNode, string>

const LANDMARKS = new Set(['nav', 'header', 'footer', 'aside'])

export function cutBoilerplate(tree: Document): Cuts {
  const cuts: Cuts = new Map()
  const open: AnyNode[] = [...tree.children]
  for (let node = open.pop(); node; node = open.pop()) {
    if (!isTag(node)) continue
    if (LANDMARKS.has(node.name)) cuts.set(node, `landmark ${node.name}`)
    else open.push(...(node as Element).children)
  }
  return cuts
}

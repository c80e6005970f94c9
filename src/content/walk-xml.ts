// Parses the XML inside of document files and walks it, without recursion.
import type { AnyNode, Element } from 'domhandler'
import { isElement, parseTree } from './parse-tree.ts'

export const parseXml = (text: string): AnyNode => parseTree(text, 'xml').tree

const MAX_DEPTH = 500

export function findAllElements(root: AnyNode, name: string): Element[] {
  const found: Element[] = []
  const open: { node: AnyNode; depth: number }[] = [{ node: root, depth: 0 }]
  while (open.length > 0) {
    const { node, depth } = open.pop()!
    if (isElement(node) && node.name === name && node !== root) {
      found.push(node)
      continue
    }
    if (!('children' in node) || depth > MAX_DEPTH) continue
    for (let at = node.children.length - 1; at >= 0; at--) open.push({ node: node.children[at]!, depth: depth + 1 })
  }
  return found
}

export const findFirstElement = (root: AnyNode, name: string): Element | undefined => findAllElements(root, name)[0]

export const childElementsOf = (root: AnyNode): Element[] =>
  'children' in root ? (root.children.filter((child) => isElement(child)) as Element[]) : []

export function xmlTextOf(root: AnyNode): string {
  let text = ''
  const open: AnyNode[] = [root]
  while (open.length > 0) {
    const node = open.pop()!
    if (node.type === 'text') text += node.data
    if ('children' in node) for (let at = node.children.length - 1; at >= 0; at--) open.push(node.children[at]!)
  }
  return text
}

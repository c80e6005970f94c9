// Collects all links of a page: absolute, distinct, in document order.
import type { AnyNode, Document } from 'domhandler'
import { isWeb, type ResolveLink } from './address.ts'
import { isElement, nextNode } from './tree.ts'

export function linksOf(tree: Document, resolve: ResolveLink, pageUrl: string): string[] {
  const found = new Set<string>()
  const page = withoutFragment(pageUrl)
  for (let node: AnyNode | null = tree; node; node = nextNode(node, tree)) {
    if (!isElement(node) || (node.name !== 'a' && node.name !== 'area')) continue
    const href = node.attribs.href?.trim()
    if (!href || href.startsWith('#')) continue
    const url = resolve(href)
    if (url === undefined || !isWeb(url)) continue
    if (url.includes('#') && withoutFragment(url) === page) continue
    found.add(url)
  }
  return [...found]
}

const withoutFragment = (url: string): string => {
  const at = url.indexOf('#')
  return at < 0 ? url : url.slice(0, at)
}

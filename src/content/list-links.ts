// Collects all links of a page: absolute, distinct.
import type { AnyNode, Document } from 'domhandler'
import { isHashRoute } from '../base/url-key.ts'
import { isElement, nextNode } from './parse-tree.ts'
import { isHttpUrl, type ResolveLink } from './resolve-links.ts'

export function listLinks(tree: Document, resolve: ResolveLink, pageUrl: string): string[] {
  const found = new Set<string>()
  const page = withoutFragment(pageUrl)
  for (let node: AnyNode | null = tree; node; node = nextNode(node, tree)) {
    if (!isElement(node) || (node.name !== 'a' && node.name !== 'area')) continue
    const href = node.attribs.href?.trim()
    if (!href || (href.startsWith('#') && !isHashRoute(href))) continue
    const url = resolve(href)
    if (url === undefined || !isHttpUrl(url)) continue
    if (url.includes('#') && withoutFragment(url) === page && !isHashRoute(url.slice(url.indexOf('#')))) continue
    found.add(url)
  }
  return [...found]
}

/** The page in another language. */
export interface AlternatePage {
  url: string
  language: string
}

const MAX_ALTERNATES = 200

/** What the head names as the same page in other languages (and in its own). */
export function listAlternates(tree: Document, resolve: ResolveLink): AlternatePage[] {
  const found: AlternatePage[] = []
  for (let node: AnyNode | null = tree; node && found.length < MAX_ALTERNATES; node = nextNode(node, tree)) {
    if (!isElement(node)) continue
    if (node.name === 'body') break
    const { rel = '', hreflang, href } = node.attribs
    if (node.name !== 'link' || !hreflang || !/\balternate\b/i.test(rel)) continue
    const url = resolve(href?.trim())
    if (url !== undefined && isHttpUrl(url)) found.push({ url, language: hreflang.trim().toLowerCase() })
  }
  return found
}

const withoutFragment = (url: string): string => {
  const at = url.indexOf('#')
  return at < 0 ? url : url.slice(0, at)
}

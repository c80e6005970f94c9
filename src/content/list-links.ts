// Collects all links of a page: absolute, distinct.

import type { AnyNode, Document, Element } from 'domhandler'
import { isHashRoute } from '../base/url-key.ts'
import { setOfWords } from '../base/values.ts'
import { findImageSource, parseSrcset } from './find-image-source.ts'
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
export type AlternatePage = { url: string; language: string }

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

const META = setOfWords('og:image og:image:url og:image:secure_url twitter:image twitter:image:src image thumbnail')
const BACKGROUND = /url\(\s*(?:"([^"]{1,2000})"|'([^']{1,2000})'|([^"'()\s]{1,2000}))\s*\)/g

export function listImages(tree: Document, resolve: ResolveLink): string[] {
  const found = new Set<string>()
  const add = (source: string | undefined): void => {
    const url = source && !source.startsWith('data:') ? resolve(source.trim()) : undefined
    if (url !== undefined && isHttpUrl(url)) found.add(url)
  }
  for (let node: AnyNode | null = tree; node; node = nextNode(node, tree)) {
    if (isElement(node)) imagesOn(node, add)
  }
  return [...found]
}

type Sources = readonly (string | undefined)[]

const listSrcset = ({ attribs }: Element): string[] =>
  parseSrcset(attribs['data-srcset'] ?? attribs.srcset).map(({ url }) => url)

const SOURCES_OF: ReadonlyMap<string, (element: Element) => Sources> = new Map<string, (element: Element) => Sources>([
  ['img', (element) => [findImageSource(element), ...listSrcset(element)]],
  ['source', listSrcset],
  ['video', ({ attribs }) => [attribs.poster]],
  ['input', ({ attribs }) => (attribs.type === 'image' ? [attribs.src] : [])],
  ['meta', ({ attribs }) => (isImageProperty(attribs) ? [attribs.content] : [])],
  ['link', ({ attribs }) => (ICON.test(attribs.rel ?? '') ? [attribs.href] : [])],
  ['image', ({ attribs }) => [attribs.href ?? attribs['xlink:href']]],
])

const ICON = /(?:^|\s)(?:icon|apple-touch-icon(?:-precomposed)?|image_src|mask-icon)(?:\s|$)/i

const isImageProperty = ({ property, name, itemprop }: Element['attribs']): boolean =>
  META.has((property ?? name ?? itemprop ?? '').toLowerCase())

function imagesOn(element: Element, add: (source: string | undefined) => void): void {
  const { name, attribs } = element
  for (const source of SOURCES_OF.get(name)?.(element) ?? []) add(source)
  if (attribs.style?.includes('url(')) {
    for (const [, double, single, bare] of attribs.style.slice(0, 10_000).matchAll(BACKGROUND))
      add(double ?? single ?? bare)
  }
  if (attribs.background) add(attribs.background)
}

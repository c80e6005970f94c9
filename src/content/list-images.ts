// Collects all images of a page: absolute, distinct, without data: URLs.
import type { AnyNode, Document, Element } from 'domhandler'
import { findImageSource, parseSrcset } from './find-image-source.ts'
import { isElement, nextNode } from './parse-tree.ts'
import { isHttpUrl, type ResolveLink } from './resolve-links.ts'

const META = new Set([
  'og:image',
  'og:image:url',
  'og:image:secure_url',
  'twitter:image',
  'twitter:image:src',
  'image',
  'thumbnail',
])
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

function imagesOn(element: Element, add: (source: string | undefined) => void): void {
  const { name, attribs } = element
  switch (name) {
    case 'img':
      add(findImageSource(element))
      for (const { url } of parseSrcset(attribs['data-srcset'] ?? attribs.srcset)) add(url)
      break
    case 'source':
      for (const { url } of parseSrcset(attribs['data-srcset'] ?? attribs.srcset)) add(url)
      break
    case 'video':
      add(attribs.poster)
      break
    case 'input':
      if (attribs.type === 'image') add(attribs.src)
      break
    case 'meta':
      if (META.has((attribs.property ?? attribs.name ?? attribs.itemprop ?? '').toLowerCase())) add(attribs.content)
      break
    case 'link':
      if (/(?:^|\s)(?:icon|apple-touch-icon(?:-precomposed)?|image_src|mask-icon)(?:\s|$)/i.test(attribs.rel ?? ''))
        add(attribs.href)
      break
    case 'image':
      add(attribs.href ?? attribs['xlink:href'])
      break
  }
  if (attribs.style?.includes('url(')) {
    for (const [, double, single, bare] of attribs.style.slice(0, 10_000).matchAll(BACKGROUND))
      add(double ?? single ?? bare)
  }
  if (attribs.background) add(attribs.background)
}

// Writes cleaned HTML: same cuts as the markdown, absolute addresses, one source per image, no scripts. The tree is not
// changed.

import type { AnyNode, Element } from 'domhandler'
import { setOfWords } from '../base/values.ts'
import { findImageSource, findLargestSource } from './find-image-source.ts'
import type { RemovedNodes } from './find-main-content.ts'
import { isElement, isText, isVoidElement } from './parse-tree.ts'
import { isScriptUrl, type ResolveLink } from './resolve-links.ts'

const ADDRESSES = setOfWords(
  'href xlink:href src poster cite action formaction background longdesc data ping from to by values',
)
const DROPPED = new Set(['srcset', 'sizes', 'imagesrcset', 'imagesizes', 'nonce', 'integrity', 'srcdoc'])
/** Never written, even if `includeTags` selects it as the root. */
const NEVER_WRITTEN_TAGS = new Set(['script', 'style', 'noscript', 'meta', 'head', 'link', 'base', 'title'])

export function toCleanHtml(roots: readonly AnyNode[], cuts: RemovedNodes, resolve: ResolveLink): string {
  const out: string[] = []
  for (const root of roots) write(root, cuts, resolve, out)
  return out.join('').trim()
}

function write(root: AnyNode, cuts: RemovedNodes, resolve: ResolveLink, out: string[]): void {
  let node: AnyNode = root
  for (;;) {
    let first: AnyNode | undefined
    if (isText(node)) {
      if (!cuts.has(node)) out.push(escapeHtml(node.data))
    } else if (isElement(node)) {
      if (!NEVER_WRITTEN_TAGS.has(node.name) && (node === root || !cuts.has(node))) {
        first = node.children[0]
        if (!isUnwrapped(node)) openTag(node, resolve, out)
        if (!first) closeTag(node, out)
      }
    } else if ('children' in node) first = node.children[0]
    if (first) {
      node = first
      continue
    }
    for (;;) {
      if (node === root) return
      if (node.next) {
        node = node.next
        break
      }
      node = node.parent!
      if (isElement(node)) closeTag(node, out)
    }
  }
}

/** Unwraps shadow-root <template>s, and <html>, which would nest in the page that embeds the result. */
const isUnwrapped = ({ name }: Element): boolean => name === 'template' || name === 'html'

function closeTag(element: Element, out: string[]): void {
  if (!isVoidElement(element.name) && !isUnwrapped(element)) out.push('</', element.name, '>')
}

function openTag(element: Element, resolve: ResolveLink, out: string[]): void {
  const { name, attribs } = element
  out.push('<', name)
  const image = name === 'img' ? (findLargestSource(element) ?? findImageSource(element)) : undefined
  if (image !== undefined) out.push(' src="', escapeAttribute(resolve(image) ?? (isScriptUrl(image) ? '' : image)), '"')
  for (const key in attribs) {
    if (DROPPED.has(key) || isHandler(key) || (image !== undefined && key === 'src') || !NAME.test(key)) continue
    const value = attribs[key]!
    if (ADDRESSES.has(key)) {
      const url = isScriptUrl(value) ? undefined : (resolve(value) ?? value)
      if (url !== undefined) out.push(' ', key, '="', escapeAttribute(url), '"')
    } else out.push(' ', key, '="', escapeAttribute(value), '"')
  }
  out.push('>')
}

const isHandler = (key: string): boolean => key.charCodeAt(0) === 0x6f && key.charCodeAt(1) === 0x6e
const NAME = /^[^\s"'<>/=\u0000]+$/

const escapeHtml = (text: string): string =>
  /[&<>\u00a0]/.test(text)
    ? text.replace(/[&<>\u00a0]/g, (char) =>
        char === '&' ? '&amp;' : char === '<' ? '&lt;' : char === '>' ? '&gt;' : '&nbsp;',
      )
    : text

const escapeAttribute = (text: string): string =>
  /[&"]/.test(text) ? text.replaceAll('&', '&amp;').replaceAll('"', '&quot;') : text

// Prepares one EPUB chapter for a single page: collects notes, removes internal links and replaces pictures with their
// alt texts.
import { type Element, Text } from 'domhandler'
import { valueOr } from '../../base/attempt.ts'
import { toCleanHtml } from '../clean-html.ts'
import { imageAltTextOrEmpty, safeLinkOrUndefined } from '../escape-and-build-html.ts'
import type { RemovedNodes } from '../find-main-content.ts'
import {
  collapseSpaces,
  findElement,
  isElement,
  isVoidElement,
  nextNode,
  parseTree,
  textOfNode,
} from '../parse-tree.ts'
import { resolvePartName } from './office-relations.ts'

export interface EpubChapter {
  body: Element
  signs: { element: Element; target: string; order: number }[]
  places: Map<string, { element: Element; order: number }>
}

export function parseEpubChapter(text: string, path: string): EpubChapter | undefined {
  const tree = parseTree(withEnds(text), 'html').tree
  const body = findElement(tree, ({ name }) => name === 'body')
  if (!body) return undefined
  const chapter: EpubChapter = { body, signs: [], places: new Map() }
  let order = 0
  for (let node = nextNode(body, body); node; node = nextNode(node, body)) {
    if (!isElement(node)) continue
    order++
    const id = node.attribs.id ?? (node.name === 'a' ? node.attribs.name : undefined)
    if (id !== undefined) chapter.places.set(`${path}#${id}`, { element: node, order })
    const href = node.name === 'a' ? node.attribs.href : undefined
    if (href !== undefined && safeLinkOrUndefined(href) === undefined) {
      const target = targetOf(href, path)
      if (target && isSign(node)) chapter.signs.push({ element: node, target, order })
      else delete node.attribs.href
    } else if (node.name === 'img') becomeText(node, node.attribs.alt)
    else if (node.name === 'svg') becomeText(node, node.attribs['aria-label'])
  }
  return chapter
}

export const chapterToHtml = ({ body }: EpubChapter, cuts: RemovedNodes): string => htmlWithout(body, cuts)

const htmlWithout = ({ children }: Element, cuts: RemovedNodes): string =>
  toCleanHtml(
    children.filter((child) => !cuts.has(child)),
    cuts,
    (address) => address,
  )

export function enclosingBlockOf(place: Element): Element {
  let block = place
  while (INLINE.has(block.name) && isElement(block.parent)) block = block.parent
  return block
}

/** Note HTML without back links. Undefined if the target is too long, such as a chapter or heading. */
export function noteToHtml(block: Element): string | undefined {
  if (!NOTES.has(block.name) || textOfNode(block, MAX_NOTE + 1).length > MAX_NOTE) return undefined
  const cuts: RemovedNodes = new Map()
  for (let node = nextNode(block, block); node; node = nextNode(node, block))
    if (
      isElement(node) &&
      node.name === 'a' &&
      !safeLinkOrUndefined(node.attribs.href) &&
      textOfNode(node, 20).trim().length <= 4
    )
      cuts.set(node, 'leads back')
  const parts = block.children.filter(
    (child) => isElement(child) || (child.type === 'text' && child.data.trim() !== ''),
  )
  const only = parts.length === 1 ? parts[0] : undefined
  return htmlWithout(isElement(only) && only.name === 'p' ? only : block, cuts)
}

export function renumberNoteReference(sign: Element, note: number | undefined): void {
  if (note === undefined) {
    delete sign.attribs.href
    return
  }
  sign.attribs = { href: `#footnote-${note}`, role: 'doc-noteref' }
  setText(sign, `[${note}]`)
}

const MAX_NOTE = 5000
const NOTES = new Set(['p', 'li', 'aside', 'div', 'dd', 'td'])
const INLINE = new Set(['a', 'span', 'sup', 'small', 'b', 'strong', 'em', 'i'])
const SIGN = /^[[(]?(?:\d{1,4}|[ivxlc]{1,6}|[a-z]|[*†‡§¶]{1,3})[\])]?$/i

function isSign(link: Element): boolean {
  const { attribs, parent } = link
  if (/\bnoteref\b/.test(`${attribs['epub:type'] ?? ''} ${attribs.role ?? ''} ${attribs.class ?? ''}`)) return true
  const isRaised = (isElement(parent) && parent.name === 'sup') || findElement(link, ({ name }) => name === 'sup', 20)
  return Boolean(isRaised) && SIGN.test(collapseSpaces(textOfNode(link, 20)))
}

function targetOf(href: string, path: string): string | undefined {
  const [file = '', place] = href.split('#', 2)
  if (!place || /^[a-z][a-z\d+.-]*:/i.test(href)) return undefined
  const folder = path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : ''
  return `${file ? resolvePartName(folder, decodeHref(file)) : path}#${decodeHref(place)}`
}

export const decodeHref = (address: string): string => valueOr(address, () => decodeURIComponent(address))

function becomeText(element: Element, about: string | undefined): void {
  element.name = 'span'
  element.attribs = {}
  setText(element, imageAltTextOrEmpty(about))
}

function setText(element: Element, text: string): void {
  const child = new Text(text)
  child.parent = element
  element.children = text ? [child] : []
}

/** XHTML allows any element to be self-closing; HTML parsers accept only void elements. */
const withEnds = (text: string): string =>
  text.replace(/<([a-z][\w:-]*)((?:\s[^<>]*)?)\/>/gi, (whole, name: string, attributes: string) =>
    isVoidElement(name.toLowerCase()) ? whole : `<${name}${attributes}></${name}>`,
  )

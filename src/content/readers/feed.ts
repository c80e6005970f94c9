// Reads RSS 2, Atom (1.0 and 0.3) and RDF feeds: one heading per entry with link, date and text.
import type { AnyNode, Document, Element, ParentNode } from 'domhandler'
import {
  collapseSpaces,
  elementChildren,
  findElement,
  isElement,
  nextNode,
  parseTree,
  textOfNode,
} from '../parse-tree.ts'
import { connectChildNodes, makeElement, makeHtmlDocument } from './build-html-tree.ts'
import type { FileReading, MediaTypeReader } from './reader.ts'

const MAX_ENTRIES = 1000
const START = /<(?:rss|feed|rdf:RDF)[\s>]/i

export const feedReader: MediaTypeReader = {
  name: 'feed',
  reads: (type, head) =>
    type === 'application/rss+xml' ||
    type === 'application/atom+xml' ||
    (/xml$/.test(type) && START.test(head.slice(0, 2000))),
  read: readFeed,
}

function readFeed(text: string): FileReading {
  const { tree, warnings } = parseTree(text, 'xml')
  const root = findElement(tree, ({ name }) => /^(?:rss|feed|rdf:RDF)$/i.test(name), 1000)
  const channel = root && (child(root, 'channel') ?? root)
  if (!channel) return { tree: makeHtmlDocument('', [makeElement('pre', {}, [text])]), warnings }
  const inChannel = entries(channel)
  const items = inChannel.length > 0 || !root ? inChannel : entries(root)
  const title = value(channel, 'title')
  const about = value(channel, 'description', 'subtitle', 'tagline')
  const body: Element[] = []
  if (title) body.push(makeElement('h1', {}, [linkTo(channel, title)]))
  if (about) body.push(htmlBlock('div', about))
  for (const entry of items.slice(0, MAX_ENTRIES)) body.push(...writeEntry(entry))
  if (items.length > MAX_ENTRIES)
    warnings.push(`The feed has ${items.length} entries; the first ${MAX_ENTRIES} are returned.`)
  const head = about
    ? [makeElement('meta', { name: 'description', content: collapseSpaces(textOfNode(htmlBlock('div', about))) }, [])]
    : []
  const language = value(channel, 'language') || root.attribs['xml:lang'] || ''
  if (language) head.push(makeElement('meta', { 'http-equiv': 'content-language', content: language }, []))
  return { tree: makeHtmlDocument(title, body, head), warnings }
}

const entries = (parent: Element): Element[] =>
  elementChildren(parent).filter(({ name }) => /^(?:item|entry)$/i.test(name))

function writeEntry(entry: Element): Element[] {
  const parts: Element[] = []
  const title = value(entry, 'title') || address(entry)
  if (title)
    parts.push(makeElement('h2', {}, [linkTo(entry, collapseSpaces(textOfNode(htmlBlock('div', title))) || title)]))
  const date = value(entry, 'pubDate', 'published', 'updated', 'issued', 'modified', 'created', 'dc:date')
  const author = value(entry, 'dc:creator', 'author')
  const line = [date, author].filter(Boolean).join(' · ')
  if (line) parts.push(makeElement('p', {}, [line]))
  const [text, base] = findText(entry, 'content:encoded', 'content', 'description', 'summary')
  if (text) parts.push(resolveAddresses(htmlBlock('div', text), base))
  const media = enclosure(entry)
  if (media) parts.push(media)
  return parts
}

function enclosure(entry: Element): Element | undefined {
  for (const { name, attribs } of elementChildren(entry)) {
    const src = name === 'enclosure' || name === 'media:content' ? attribs.url : attribs.href
    const isFile = name === 'enclosure' || name === 'media:content' || (name === 'link' && attribs.rel === 'enclosure')
    const kind = /^(audio|video)\//.exec(attribs.type ?? '')?.[1] ?? /^(audio|video)$/.exec(attribs.medium ?? '')?.[1]
    if (isFile && src && kind) return makeElement(kind, { src, type: attribs.type ?? '' }, [])
  }
  return undefined
}

/** Parses the HTML of each entry separately, so a broken one cannot affect the next. */
function htmlBlock(name: string, html: string): Element {
  const { tree }: { tree: Document } = parseTree(html)
  const block = makeElement(name, {}, [])
  block.children = tree.children
  return connectChildNodes(block)
}

const child = (parent: Element, name: string): Element | undefined =>
  elementChildren(parent).find((one) => one.name.toLowerCase() === name.toLowerCase())

const value = (parent: Element, ...names: string[]): string => findText(parent, ...names)[0]

/** The text of the first of these elements that has one, and the base of its addresses. */
function findText(parent: Element, ...names: string[]): [string, string] {
  for (const name of names) {
    const element = child(parent, name)
    if (!element) continue
    // XHTML in Atom is reduced to text, because XML is not serialised here.
    const text = textOfNode(child(element, 'name') ?? element, 1_000_000).trim()
    if (text) return [text, xmlBaseOf(element)]
  }
  return ['', '']
}

const HERE = 'http://feed.invalid'

/** What `xml:base` of the element and those around it give together; empty without any. */
function xmlBaseOf(element: Element): string {
  const bases: string[] = []
  for (let at: ParentNode | null = element; at && isElement(at); at = at.parent)
    bases.unshift(at.attribs['xml:base'] ?? '')
  return bases.filter(Boolean).reduce((around, base) => resolveUrl(base, around), '')
}

/** Relative addresses that remain are resolved by the address of the feed. */
function resolveUrl(href: string, base: string): string {
  if (base === '' || href === '') return href
  const from = URL.canParse(base, HERE) ? new URL(base, HERE) : undefined
  return from && URL.canParse(href, from.href) ? new URL(href, from).href.replace(HERE, '') : href
}

function resolveAddresses(block: Element, base: string): Element {
  if (base === '') return block
  for (let node: AnyNode | null = block; node; node = nextNode(node, block))
    if (isElement(node))
      for (const name of ['href', 'src'])
        if (node.attribs[name] !== undefined) node.attribs[name] = resolveUrl(node.attribs[name], base)
  return block
}

function address(parent: Element): string {
  const links = elementChildren(parent).filter(({ name }) => name === 'link')
  const best = links.find(({ attribs }) => attribs.href && (attribs.rel ?? 'alternate') === 'alternate') ?? links[0]
  return best ? resolveUrl(best.attribs.href ?? collapseSpaces(textOfNode(best, 5000)), xmlBaseOf(best)) : ''
}

function linkTo(parent: Element, text: string): Element | string {
  const href = address(parent)
  return href !== '' && /^(?:https?:|(?![a-z][a-z0-9+.-]*:))/i.test(href) ? makeElement('a', { href }, [text]) : text
}

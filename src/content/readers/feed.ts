// Reads RSS 2, Atom and RDF feeds: one heading per entry with link, date and text.
import type { Document, Element } from 'domhandler'
import { collapseSpaces, elementChildren, findElement, isElement, parseTree, textOfNode } from '../parse-tree.ts'
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
  const found = inChannel.length > 0 || !root ? inChannel : entries(root)
  const title = value(channel, 'title')
  const about = value(channel, 'description', 'subtitle')
  const body: Element[] = []
  if (title) body.push(makeElement('h1', {}, [linkTo(channel, title)]))
  if (about) body.push(htmlBlock('div', about))
  for (const entry of found.slice(0, MAX_ENTRIES)) body.push(...written(entry))
  if (found.length > MAX_ENTRIES)
    warnings.push(`The feed has ${found.length} entries; the first ${MAX_ENTRIES} are given.`)
  const head = about
    ? [makeElement('meta', { name: 'description', content: collapseSpaces(textOfNode(htmlBlock('div', about))) }, [])]
    : []
  const language = value(channel, 'language') || root.attribs['xml:lang'] || ''
  if (language) head.push(makeElement('meta', { 'http-equiv': 'content-language', content: language }, []))
  return { tree: makeHtmlDocument(title, body, head), warnings }
}

const entries = (parent: Element): Element[] =>
  elementChildren(parent).filter(({ name }) => /^(?:item|entry)$/i.test(name))

function written(entry: Element): Element[] {
  const parts: Element[] = []
  const title = value(entry, 'title') || address(entry)
  if (title)
    parts.push(makeElement('h2', {}, [linkTo(entry, collapseSpaces(textOfNode(htmlBlock('div', title))) || title)]))
  const date = value(entry, 'pubDate', 'published', 'updated', 'dc:date')
  const author = value(entry, 'dc:creator', 'author')
  const line = [date, author].filter(Boolean).join(' · ')
  if (line) parts.push(makeElement('p', {}, [line]))
  const text = value(entry, 'content:encoded', 'content', 'description', 'summary')
  if (text) parts.push(htmlBlock('div', text))
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

function value(parent: Element, ...names: string[]): string {
  for (const name of names) {
    const found = child(parent, name)
    if (!found) continue
    // XHTML in Atom is reduced to text, because XML is not serialised here.
    const text = textOfNode(child(found, 'name') ?? found, 1_000_000).trim()
    if (text) return text
  }
  return ''
}

function address(parent: Element): string {
  const links = elementChildren(parent).filter(({ name }) => name === 'link')
  const best = links.find(({ attribs }) => attribs.href && (attribs.rel ?? 'alternate') === 'alternate') ?? links[0]
  return best ? (best.attribs.href ?? collapseSpaces(textOfNode(best, 5000))) : ''
}

function linkTo(parent: Element, text: string): Element | string {
  const href = address(parent)
  return isElement(parent) && /^(?:https?:|\/)/.test(href) ? makeElement('a', { href }, [text]) : text
}

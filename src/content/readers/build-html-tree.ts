// Builds trees for formats other than HTML.
import { type ChildNode, Document, Element, Text } from 'domhandler'

export function makeElement(name: string, attribs: Record<string, string>, children: (ChildNode | string)[]): Element {
  const nodes = children.map((child) => (typeof child === 'string' ? new Text(child) : child))
  return connectChildNodes(new Element(name, attribs, nodes))
}

export function connectChildNodes<Parent extends Document | Element>(parent: Parent): Parent {
  let previous: ChildNode | null = null
  for (const child of parent.children) {
    child.parent = parent
    child.prev = previous
    child.next = null
    if (previous) previous.next = child
    previous = child
  }
  return parent
}

export function makeHtmlDocument(title: string, body: Element[], head: Element[] = []): Document {
  const first = title ? [makeElement('title', {}, [title]), ...head] : head
  return connectChildNodes(
    new Document([makeElement('html', {}, [makeElement('head', {}, first), makeElement('body', {}, body)])]),
  )
}

const MAX_LINKS = 10_000

/** One code block with unchanged text and linked http(s) addresses. */
export function makeCodeDocument(text: string, language: string, title = ''): Document {
  const attribs: Record<string, string> = language ? { class: `language-${language}` } : {}
  return makeHtmlDocument(title, [makeElement('pre', {}, [makeElement('code', attribs, linkUrls(text))])])
}

function linkUrls(text: string): (ChildNode | string)[] {
  const parts: (ChildNode | string)[] = []
  let from = 0
  for (const match of text.matchAll(/https?:\/\/[^\s<>"'`)\]}|\\^]{3,2000}/g)) {
    const url = match[0].replace(/[.,;:!?*]+$/, '')
    if (match.index > from) parts.push(text.slice(from, match.index))
    parts.push(makeElement('a', { href: url }, [url]))
    from = match.index + url.length
    if (parts.length > MAX_LINKS * 2) break
  }
  if (from < text.length || parts.length === 0) parts.push(text.slice(from))
  return parts
}

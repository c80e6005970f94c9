// Reads articles of journals in JATS, the XML of archives such as PubMed Central, as pages.
import { type ChildNode, Element, Text } from 'domhandler'
import {
  collapseSpaces,
  elementChildren,
  findElement,
  isElement,
  isText,
  parseTree,
  textOfNode,
} from '../parse-tree.ts'
import { makeElement, makeHtmlDocument } from './build-html-tree.ts'
import type { FileReading, MediaTypeReader } from './reader.ts'

export const jatsReader: MediaTypeReader = {
  name: 'jats',
  reads: (type, head) =>
    /[/+]xml$/.test(type) && /<article\s[^>]{0,2000}article-type=|<!DOCTYPE article [^>]*(?:JATS|NLM)/.test(head),
  read: readJats,
}

const MAX_TEXT = 1000
const MAX_NODES = 20_000

function readJats(text: string): FileReading {
  const { tree, warnings } = parseTree(text, 'xml')
  const article = findElement(tree, ({ name }) => name === 'article', MAX_NODES)
  const parts = article ? elementChildren(article) : []
  const find = (name: string) => parts.find((part) => part.name === name)
  const front = find('front')
  const title = findIn(front, 'article-title')
  const authors = elementChildren(findIn(front, 'contrib-group') ?? new Element('none', {})).flatMap((contributor) => {
    const names = ['given-names', 'surname'].map((name) => textIn(contributor, name))
    return names.filter(Boolean).join(' ') || textIn(contributor, 'collab') || []
  })
  const body: Element[] = []
  if (title) body.push(makeElement('h1', {}, convertChildren(title, 1)))
  if (authors.length > 0) body.push(makeElement('p', {}, [authors.join(', ')]))
  const abstract = findIn(front, 'abstract')
  for (const part of [abstract, find('body'), find('back')]) {
    if (!part) continue
    if (part === abstract && !elementChildren(part).some(({ name }) => name === 'title'))
      body.push(makeElement('h2', {}, ['Abstract']))
    body.push(makeElement('div', {}, convertChildren(part, part === abstract ? 2 : 1)))
  }
  const head = authors.map((name) => makeElement('meta', { name: 'author', content: name }, []))
  return { tree: makeHtmlDocument(title ? collapseSpaces(textOfNode(title, MAX_TEXT)) : '', body, head), warnings }
}

const findIn = (parent: Element | undefined, name: string): Element | undefined =>
  parent && findElement(parent, (element) => element.name === name, MAX_NODES)

const textIn = (parent: Element, name: string): string => {
  const found = findIn(parent, name)
  return found ? collapseSpaces(textOfNode(found, MAX_TEXT)) : ''
}

const SAME = new Set('p sup sub table thead tbody tfoot tr th td code'.split(' '))
const RENAMED: Record<string, string> = {
  italic: 'em',
  bold: 'strong',
  strike: 's',
  monospace: 'code',
  'list-item': 'li',
  'disp-quote': 'blockquote',
  preformat: 'pre',
  break: 'br',
}
const SECTIONS = new Set('sec ack app app-group ref-list fn-group glossary boxed-text'.split(' '))
const BLOCKS = new Set('fig table-wrap fn def-list def-item term def statement disp-formula'.split(' '))
const PARTED = new Set('element-citation person-group name'.split(' '))
const SILENT = new Set('graphic inline-graphic object-id media'.split(' '))

/** `level`: of the headings inside. Recursion is safe, since the tree is at most 512 deep. */
const convertChildren = (parent: Element, level: number): ChildNode[] =>
  parent.children.flatMap((child) =>
    isElement(child) ? convert(child, level) : isText(child) ? child.cloneNode() : [],
  )

function convert(element: Element, level: number): ChildNode[] {
  const { name, attribs } = element
  const make = (tag: string, inner = convertChildren(element, level)) => [makeElement(tag, attribs, inner)]
  if (SILENT.has(name)) return []
  // Their parts have nothing between them.
  if (name === 'ref' || PARTED.has(name)) {
    const parts = element.children.flatMap((child) => [
      ...(isElement(child) ? convert(child, level) : isText(child) ? [child.cloneNode()] : []),
      ...(isElement(child) && isElement(child.next) ? [new Text(' ')] : []),
    ])
    return name === 'ref' ? make('li', parts) : parts
  }
  if (SECTIONS.has(name)) return make('div', convertChildren(element, level + 1))
  // A section shows its number in its heading.
  if (name === 'label' && nameOfNext(element) === 'title' && isSection(element.parent)) return []
  if (name === 'title' && isSection(element.parent)) {
    const label = elementChildren(element.parent).find((child) => child.name === 'label')
    const number = label ? [new Text(`${collapseSpaces(textOfNode(label, MAX_TEXT))} `)] : []
    return make(`h${Math.min(level, 6)}`, [...number, ...convertChildren(element, level)])
  }
  if (name === 'title') return make('p')
  if (name === 'list') return make(attribs['list-type'] === 'order' ? 'ol' : 'ul')
  if (name === 'ext-link' || name === 'uri')
    return [makeElement('a', { href: attribs['xlink:href'] ?? '' }, convertChildren(element, level))]
  if (name === 'tex-math') {
    const type = isDisplayed(element) ? 'math/tex; mode=display' : 'math/tex'
    return [makeElement('script', { type }, [bareTex(textOfNode(element))])]
  }
  if (name === 'alternatives') {
    const [best] = ['tex-math', 'mml:math', 'table'].flatMap((one) => findIn(element, one) ?? [])
    return best ? convert(best, level) : convertChildren(element, level)
  }
  if (name === 'mml:math' && isDisplayed(element))
    return [makeElement('math', { ...attribs, display: 'block' }, convertChildren(element, level))]
  if (name.startsWith('mml:')) return make(name.slice(4))
  if (BLOCKS.has(name)) return make('div')
  return SAME.has(name) || Object.hasOwn(RENAMED, name) ? make(RENAMED[name] ?? name) : convertChildren(element, level)
}

const nameOfNext = ({ next }: ChildNode): string | undefined =>
  isText(next) ? nameOfNext(next) : isElement(next) ? next.name : undefined

const isDisplayed = ({ parent }: Element): boolean =>
  isElement(parent) && (parent.name === 'disp-formula' || (parent.name === 'alternatives' && isDisplayed(parent)))

const isSection = (parent: Element['parent']): parent is Element =>
  isElement(parent) && (SECTIONS.has(parent.name) || /^(?:abstract|body|back)$/.test(parent.name))

/** Archives keep each formula as a document of its own. */
const bareTex = (tex: string): string =>
  (/\\begin\{document\}([\s\S]*?)\\end\{document\}/.exec(tex)?.[1] ?? tex).replace(/^[\s$]+|[\s$]+$/g, '')

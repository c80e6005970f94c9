// Reads articles of journals in JATS, the XML of archives such as PubMed Central, as pages.
import { type ChildNode, Element } from 'domhandler'
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
  const find = (name: string) => findElement(tree, (element) => element.name === name, MAX_NODES)
  const front = find('front')
  const title = findIn(front, 'article-title')
  const authors = elementChildren(findIn(front, 'contrib-group') ?? new Element('none', {})).flatMap((contributor) => {
    const names = ['given-names', 'surname'].map((name) => textIn(contributor, name))
    return names.filter(Boolean).join(' ') || []
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
  ref: 'li',
}
const SECTIONS = new Set('sec ack app app-group ref-list fn-group glossary boxed-text'.split(' '))
const BLOCKS = new Set('fig table-wrap fn def-list def-item term def statement disp-formula'.split(' '))
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
  if (SECTIONS.has(name)) return make('div', convertChildren(element, level + 1))
  if (name === 'title') return make(isSection(element.parent) ? `h${Math.min(level, 6)}` : 'p')
  if (name === 'list') return make(attribs['list-type'] === 'order' ? 'ol' : 'ul')
  if (name === 'ext-link' || name === 'uri')
    return [makeElement('a', { href: attribs['xlink:href'] ?? '' }, convertChildren(element, level))]
  if (name === 'tex-math') return [makeElement('script', { type: 'math/tex' }, [bareTex(textOfNode(element))])]
  if (name === 'alternatives') {
    const [best] = ['tex-math', 'mml:math', 'table'].flatMap((one) => findIn(element, one) ?? [])
    return best ? convert(best, level) : convertChildren(element, level)
  }
  if (name.startsWith('mml:')) return make(name.slice(4))
  if (BLOCKS.has(name)) return make('div')
  return SAME.has(name) || Object.hasOwn(RENAMED, name) ? make(RENAMED[name] ?? name) : convertChildren(element, level)
}

const isSection = (parent: Element['parent']): boolean =>
  isElement(parent) && (SECTIONS.has(parent.name) || /^(?:abstract|body|back)$/.test(parent.name))

/** Archives keep each formula as a document of its own. */
const bareTex = (tex: string): string =>
  (/\\begin\{document\}([\s\S]*?)\\end\{document\}/.exec(tex)?.[1] ?? tex).replace(/^[\s$]+|[\s$]+$/g, '')

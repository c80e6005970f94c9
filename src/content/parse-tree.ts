// Parses text into a tree and provides functions to walk it. The tree must not be changed afterwards.

import { type AnyNode, type ChildNode, Document, Element, type ParentNode, Text } from 'domhandler'
import { Parser } from 'htmlparser2'
import { setOfWords } from '../base/values.ts'
import { FastTokenizer } from './fast-tokenizer.ts'
import { repairHtml } from './repair-html.ts'

/** Chrome's limit. Deeper nodes are attached to the last level, so every walk is bounded. */
export const MAX_DEPTH = 512
/** One million nodes take about 300 MB; the rest is dropped with a warning. */
const MAX_NODES = 1_000_000
const MAX_CHARS = 64_000_000

type ParsedTree = { tree: Document; warnings: string[] }

// The parser's private stack; kept short, because it is searched for every closing tag.
type ParserStack = { popElement(implied: boolean): void }

export function parseTree(text: string, mode: 'html' | 'xml' = 'html'): ParsedTree {
  const { tree, warnings, swallowed } = build(text, mode)
  const mended = swallowed && mode === 'html' ? repairHtml(text) : text
  return mended === text ? { tree, warnings } : build(mended, mode)
}

/** `swallowed`: the parser read past an end that browsers respect; see repair-html.ts. */
function build(text: string, mode: 'html' | 'xml'): ParsedTree & { swallowed: boolean } {
  const warnings: string[] = []
  const tree = new Document([])
  const open: ParentNode[] = [tree]
  /**
   * Elements the parser holds open, and their index in `open`; they differ where we close more than the parser does.
   */
  const held: Element[] = []
  const places: number[] = []
  let nodes = 0
  let parser: ParserStack | undefined
  let lastText: Text | undefined
  let swallowed = false

  const append = (node: ChildNode): void => {
    appendTo(open[open.length - 1]!, node)
    nodes++
  }

  const started = new Set<string>()

  /** As in browsers, an element not allowed in <head> starts the body. */
  const endHead = (name: string): void => {
    if (!isHead(open[open.length - 1]) || IN_HEAD.has(name)) return
    open.pop()
    if (name === 'body' || started.has('body')) return
    started.add('body')
    const body = new Element('body', NO_ATTRIBUTES, [])
    append(body)
    open.push(body)
  }

  const source = text.length > MAX_CHARS ? text.slice(0, MAX_CHARS) : text
  if (source !== text) warnings.push(`The page is longer than ${MAX_CHARS} characters; the rest was left out.`)
  const reader = new Parser(
    {
      onparserinit(made) {
        parser = made as unknown as ParserStack
      },
      onopentag(name, attribs) {
        lastText = undefined
        const full = nodes >= MAX_NODES
        const element = new Element(name, isEmpty(attribs) ? NO_ATTRIBUTES : attribs, [])
        if (mode === 'html') {
          closeImplied(name, open)
          // A second <html> or <body> continues the first.
          if ((name === 'html' || name === 'body') && started.has(name)) {
            held.push(element)
            places.push(open.length)
            return
          }
          endHead(name)
          if (name === 'html' || name === 'body') started.add(name)
        }
        if (!full) append(element)
        held.push(element)
        places.push(open.length)
        open.push(element)
        if ((full || held.length > MAX_DEPTH) && (mode === 'xml' || !VOID.has(name))) parser?.popElement(true)
      },
      onclosetag() {
        lastText = undefined
        const closed = held.pop()
        if (closed?.name === 'iframe') swallowed ||= /<\/noscript/i.test(textOfNode(closed))
        const at = places.pop()
        // V8 reserves space for 17 entries in a growing array; most elements have few children.
        if (closed && closed.children.length > 1 && closed.children.length < 12)
          closed.children = closed.children.slice()
        if (!closed || at === undefined || open[at] !== closed) return
        // As in browsers, content after </body> or </html> belongs to the body.
        if (mode === 'html' && closed.name === 'html') return
        const left = mode === 'html' && closed.name === 'body' ? at + 1 : at
        // Setting the length of an array leaves optimised code; mostly one element is popped.
        while (open.length > left) open.pop()
      },
      oncomment(data) {
        swallowed ||= data.startsWith('[CDATA[') && data.includes('>')
      },
      ontext(data) {
        if (lastText) {
          lastText.data += data
          return
        }
        if (nodes >= MAX_NODES) return
        if (mode === 'html' && isHead(open[open.length - 1]) && /\S/.test(data)) endHead('')
        lastText = new Text(data)
        append(lastText)
      },
    },
    { xmlMode: mode === 'xml', decodeEntities: true, Tokenizer: FastTokenizer },
  )
  // NUL is invalid in HTML; replacing it here spares later code the check.
  reader.end(source.includes('\0') ? source.replaceAll('\0', '\uFFFD') : source)
  if (nodes >= MAX_NODES) warnings.push(`The page has more than ${MAX_NODES} nodes; the rest was left out.`)
  return { tree, warnings, swallowed }
}

function appendTo(parent: ParentNode, node: ChildNode): void {
  const siblings = parent.children
  node.parent = parent
  // Reading the index -1 of an empty array would be a slow lookup by name.
  if (siblings.length > 0) {
    const previous = siblings[siblings.length - 1]!
    previous.next = node
    node.prev = previous
    siblings.push(node)
  } else parent.children = [node]
}

const NO_ATTRIBUTES: Record<string, string> = Object.freeze({})

function isEmpty(attribs: Record<string, string>): boolean {
  for (const _ in attribs) return false
  return true
}

const IN_HEAD = setOfWords('base basefont bgsound link meta title noscript noframes style script template head')

const isHead = (node: ParentNode | undefined): boolean => (node as Partial<Element> | undefined)?.name === 'head'

/** Elements that an opening tag closes, and where the search for them stops. */
type Implied = { ends: ReadonlySet<string>; stops: ReadonlySet<string> }

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '))
const LIST_STOPS = words('ul ol dl menu dir table tr td th blockquote section article main body template form fieldset')
const TABLE_STOPS = words('table template')
const CELLS: Implied = { ends: words('td th'), stops: TABLE_STOPS }

// Like browsers, closes items and cells also through an open <p> or <b>, which the parser does not.
const IMPLIED_END_TAGS: ReadonlyMap<string, Implied> = new Map([
  ['li', { ends: words('li'), stops: LIST_STOPS }],
  ['dt', { ends: words('dt dd'), stops: LIST_STOPS }],
  ['dd', { ends: words('dt dd'), stops: LIST_STOPS }],
  ['td', CELLS],
  ['th', CELLS],
  ['tr', { ends: words('tr'), stops: TABLE_STOPS }],
  ['tbody', { ends: words('tbody thead tfoot'), stops: TABLE_STOPS }],
  ['tfoot', { ends: words('tbody thead tfoot'), stops: TABLE_STOPS }],
])

function closeImplied(name: string, open: ParentNode[]): void {
  const rule = IMPLIED_END_TAGS.get(name)
  if (!rule) return
  for (let at = open.length - 1; at > 0; at--) {
    const up = (open[at] as Element).name
    if (rule.ends.has(up)) {
      open.length = at
      return
    }
    if (rule.stops.has(up)) return
  }
}

const VOID = setOfWords(
  'area base basefont br col command embed frame hr img input isindex keygen link meta param source track wbr',
)

export const isVoidElement = (name: string): boolean => VOID.has(name)

// Compares strings instead of classes: cheaper, and called a million times on large pages.
export const isElement = (node: AnyNode | null | undefined): node is Element =>
  node != null && (node.type === 'tag' || node.type === 'script' || node.type === 'style')
export const isText = (node: AnyNode | null | undefined): node is Text => node != null && node.type === 'text'

export function nextNodeAfterSubtree(node: AnyNode, root: AnyNode): AnyNode | null {
  let at: AnyNode | null = node
  while (at && at !== root) {
    if (at.next) return at.next
    at = at.parent
  }
  return null
}

export function nextNode(node: AnyNode, root: AnyNode): AnyNode | null {
  const first = 'children' in node ? node.children[0] : undefined
  return first ?? nextNodeAfterSubtree(node, root)
}

export function textOfNode(root: AnyNode, max = 100_000): string {
  const pieces: string[] = []
  let length = 0
  let node: AnyNode | null = root
  // Bounds the steps too: hostile pages nest elements without text.
  for (let steps = max + 1000; node && length < max && steps > 0; steps--) {
    if (isText(node)) {
      pieces.push(node.data)
      length += node.data.length
    }
    node =
      isElement(node) && (node.name === 'script' || node.name === 'style')
        ? nextNodeAfterSubtree(node, root)
        : nextNode(node, root)
  }
  return pieces.join('').slice(0, max)
}

/** Reads more than `max`, because collapsing removes the white space between tags. */
export const collapsedTextOf = (root: AnyNode, max: number): string =>
  collapseSpaces(textOfNode(root, max * 4 + 400)).slice(0, max)

export function findElement(
  root: AnyNode,
  wanted: (element: Element) => boolean,
  maxSteps = Number.POSITIVE_INFINITY,
): Element | undefined {
  let node: AnyNode | null = root
  for (let steps = 0; node && steps < maxSteps; steps++) {
    if (isElement(node) && wanted(node)) return node
    node = nextNode(node, root)
  }
  return undefined
}

export function closestElement(
  node: AnyNode | null | undefined,
  most: number,
  test: (element: Element) => boolean,
): Element | undefined {
  let one = node
  for (let steps = 0; isElement(one) && steps < most; steps++, one = one.parent) if (test(one)) return one
  return undefined
}

export function elementChildren(parent: ParentNode): Element[] {
  return parent.children.filter(isElement)
}

const UNEVEN = /[^\S ]| {2}/

export const collapseSpaces = (text: string): string => (UNEVEN.test(text) ? text.replace(/\s+/g, ' ') : text).trim()

// A flat view of a page for the main-content model: its visible elements and its blocks of text, in document order, as
// parallel arrays. One iterative walk, so depth and size cost no more than linear. Knows nothing of scores.
import type { AnyNode, Document, Element, Text } from 'domhandler'
import { isTag, isText } from 'domhandler'
import { isOpener, seemsHidden } from './hidden.ts'
import { FACT_TAGS, type HeadWords, newFacts, noteFact } from './page-facts.ts'
import { finishText, firstVisible, scanText, TextStats, WordList } from './text-scan.ts'

/** Elements that flow inside a line; all others, unknown ones included, end the block before them. */
const INLINE = new Set(
  (
    'a abbr acronym b bdi bdo big cite code data del dfn em font i img ins kbd label mark math picture q rb rp rt rtc ' +
    'ruby s samp small source span strike strong sub sup svg time tt u var wbr'
  ).split(' '),
)

/** Text in these is never shown as text, so it is not counted. */
const SILENT = new Set(
  (
    'script style template svg iframe object embed canvas audio video map select datalist textarea input option ' +
    'progress meter applet colgroup frame frameset noframes meta link title base param track area'
  ).split(' '),
)

/** A run of text that reads as one piece: the inline content between two block boundaries. */
export class Block extends TextStats {
  /** Index of the innermost block-level element around it; -1 is the document. */
  readonly element: number
  /** The first and one past the last of its text nodes. */
  readonly firstText: number
  endText: number
  linkChars = 0
  links = 0
  /** Set when a <time> element is inside. */
  timed = false
  /** Characters in <b> or <strong>. */
  boldChars = 0
  constructor(element: number, firstText: number, firstWord: number) {
    super()
    this.element = element
    this.firstText = firstText
    this.endText = firstText
    this.firstWord = firstWord
    this.endWord = firstWord
  }
}

export interface Outline {
  elements: Element[]
  /** Index of the parent element, always smaller than its own; -1 is the document. */
  parent: number[]
  depth: number[]
  /** One past the last element inside. */
  end: number[]
  /** The blocks that begin inside: first, and one past the last. */
  firstBlock: number[]
  endBlock: number[]
  /** The text nodes inside: first, and one past the last. */
  firstText: number[]
  endText: number[]
  texts: Text[]
  /** Index of each text node's parent element. */
  textParent: number[]
  blocks: Block[]
  /** The first words of all blocks. */
  words: WordList
  /** Elements that show something without text: pictures, media, embedded pages. */
  media: AnyNode[]
  mediaParent: number[]
  /** How many blocks had begun before each of the media. */
  mediaAt: number[]
  /** The elements around fields to write in, and around those that ask for an e-mail address. */
  fields: number[]
  asks: number[]
  facts: HeadWords
}

const MEDIA = new Set(['img', 'picture', 'video', 'audio', 'iframe', 'svg', 'canvas', 'object', 'embed', 'hr', 'math'])
const HEADED = new Set(['h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'dt', 'summary'])

/** What the walk is inside of at the moment. */
interface Inside {
  element: number
  links: number
  bold: number
  headings: number
}

/**
 * `hidden` says what the page's reader leaves out in any case, so that it is not counted here either. The head is walked
 * all the same: what the page says of itself stands there.
 */
export function outlineOf(tree: Document, hidden: (element: Element) => boolean = seemsHidden): Outline {
  const out = emptyOutline()
  const { blocks, elements } = out
  // The nearest block-level element for each element, so that a run of text knows its home without a climb.
  const home: number[] = []
  const inside: Inside = { element: -1, links: 0, bold: 0, headings: 0 }
  let open: Block | undefined
  let breaks = 0
  let node: AnyNode | null = tree.firstChild

  while (node) {
    let descend = false
    if (isText(node)) {
      const block = addText(out, node, open, inside, home)
      if (block) {
        open = block
        breaks = 0
      }
    } else if (isTag(node)) {
      const { name } = node
      if (name === 'br') {
        // Two line breaks in a row are a paragraph in all but name.
        if (++breaks >= 2) open = undefined
      } else if (SILENT.has(name) || MEDIA.has(name)) noteSilent(out, node, inside)
      else if (name === 'head' || (isShown(node, inside) && !hidden(node))) {
        const inline = INLINE.has(name)
        if (!inline) open = undefined
        const above = inside.element
        home.push(inline ? (above < 0 ? -1 : home[above]!) : elements.length)
        const index = enter(out, node, above)
        if (name === 'time' && open) open.timed = true
        if (node.firstChild) {
          if (name === 'a' && open) open.links++
          descend = true
          inside.element = index
          step(inside, name, 1)
        }
      }
    }
    if (descend) {
      node = (node as Element).firstChild
      continue
    }
    // Climb until there is a next sibling.
    while (node && !node.next) {
      const index = inside.element
      node = index < 0 ? null : elements[index]!
      if (index < 0) break
      out.end[index] = elements.length
      out.endBlock[index] = blocks.length
      out.endText[index] = out.texts.length
      const { name } = elements[index]!
      step(inside, name, -1)
      if (!INLINE.has(name)) open = undefined
      inside.element = out.parent[index]!
    }
    if (node) node = node.next
  }
  const last = blocks.at(-1)
  if (last) finishText(last, out.words)
  return out
}

function emptyOutline(): Outline {
  return {
    elements: [],
    parent: [],
    depth: [],
    end: [],
    firstBlock: [],
    endBlock: [],
    firstText: [],
    endText: [],
    texts: [],
    textParent: [],
    blocks: [],
    words: new WordList(),
    media: [],
    mediaParent: [],
    mediaAt: [],
    fields: [],
    asks: [],
    facts: newFacts(),
  }
}

function step(inside: Inside, name: string, by: 1 | -1): void {
  if (name === 'a') inside.links += by
  else if (name === 'b' || name === 'strong') inside.bold += by
  else if (HEADED.has(name)) inside.headings += by
}

function enter(out: Outline, element: Element, above: number): number {
  const index = out.elements.length
  out.elements.push(element)
  out.parent.push(above)
  out.depth.push(above < 0 ? 0 : out.depth[above]! + 1)
  out.end.push(index + 1)
  out.firstBlock.push(out.blocks.length)
  out.endBlock.push(out.blocks.length)
  out.firstText.push(out.texts.length)
  out.endText.push(out.texts.length)
  return index
}

/** Adds a text node to the open block, or opens one; undefined when it is only white space. */
function addText(out: Outline, node: Text, open: Block | undefined, inside: Inside, home: number[]) {
  const { data } = node
  const from = firstVisible(data)
  if (from === data.length) {
    // White space ends a word, and is no text of its own.
    if (open) scanText(data, 0, open, out.words)
    return undefined
  }
  const at = out.texts.length
  const block = open ?? openBlock(out, inside.element < 0 ? -1 : home[inside.element]!, at)
  // A link around whole blocks was opened before any of them.
  if (!open && inside.links > 0) block.links++
  const added = scanText(data, open ? 0 : from, block, out.words)
  if (inside.links > 0) block.linkChars += added
  if (inside.bold > 0) block.boldChars += added
  out.texts.push(node)
  out.textParent.push(inside.element)
  block.endText = at + 1
  return block
}

function openBlock(out: Outline, element: number, at: number): Block {
  const { blocks, words } = out
  const before = blocks[blocks.length - 1]
  if (before) finishText(before, words)
  const block = new Block(element, at, words.length)
  blocks.push(block)
  return block
}

function noteSilent(out: Outline, element: Element, inside: Inside): void {
  if (FACT_TAGS.has(element.name)) noteFact(out.facts, element)
  if (inside.element >= 0 && isField(element)) {
    out.fields.push(inside.element)
    if (asksForMail(element)) out.asks.push(inside.element)
  }
  if (!MEDIA.has(element.name)) return
  out.media.push(element)
  out.mediaParent.push(inside.element)
  out.mediaAt.push(out.blocks.length)
}

const WRITTEN = new Set(['text', 'email', 'tel', 'url', 'password', 'search', 'number'])

const isField = ({ name, attribs }: Element): boolean =>
  name === 'textarea' || (name === 'input' && WRITTEN.has(attribs.type?.toLowerCase() ?? 'text'))

const asksForMail = ({ attribs: { type = 'text', name = '', placeholder = '' } }: Element): boolean =>
  type === 'email' || (type === 'text' && (/e-?mail/i.test(name.slice(0, 80)) || placeholder.includes('@')))

function isShown(element: Element, { headings }: Inside): boolean {
  const { name, attribs } = element
  // Accordions put their headings into buttons; other buttons are not read.
  if (name === 'button') return headings > 0 || isOpener(element)
  return name !== 'dialog' || attribs.open !== undefined
}

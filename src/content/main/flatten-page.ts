// Flattens a page into parallel arrays of visible elements and text blocks in document order.
import type { AnyNode, Document, Element, Text } from 'domhandler'
import { isTag, isText } from 'domhandler'
import { addHeadMetadata, emptyHeadMetadata, HEAD_METADATA_TAGS, type HeadMetadata } from './head-metadata.ts'
import { hasHidingAttributes, opensHiddenContent } from './hidden-elements.ts'
import { addTextStats, finishTextStats, firstNonSpaceIndex, TextStats, WordHashes } from './text-stats.ts'

/** Inline elements; all others, including unknown ones, end the current block. */
const INLINE_TAGS = new Set(
  (
    'a abbr acronym b bdi bdo big cite code data del dfn em font i img ins kbd label mark math picture q rb rp rt rtc ' +
    'ruby s samp small source span strike strong sub sup svg time tt u var wbr'
  ).split(' '),
)

/** Text inside these is never displayed, so it is not counted. */
const TAGS_WITHOUT_DISPLAYED_TEXT = new Set(
  (
    'script style template svg iframe object embed canvas audio video map select datalist textarea input option ' +
    'progress meter applet colgroup frame frameset noframes meta link title base param track area'
  ).split(' '),
)

export class TextBlock extends TextStats {
  /** Index of the innermost block-level ancestor; -1 is the document. */
  readonly element: number
  /** End indexes are exclusive, here and below. */
  readonly firstText: number
  endText: number
  linkChars = 0
  links = 0
  timed = false
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

export interface FlatPage {
  elements: Element[]
  /** Parent index, always smaller than the element's own; -1 is the document. */
  parent: number[]
  depth: number[]
  end: number[]
  firstBlock: number[]
  endBlock: number[]
  firstText: number[]
  endText: number[]
  texts: Text[]
  textParent: number[]
  blocks: TextBlock[]
  words: WordHashes
  media: AnyNode[]
  mediaParent: number[]
  mediaAt: number[]
  /** Parent elements of input fields. */
  fields: number[]
  facts: HeadMetadata
}

const MEDIA = new Set(['img', 'picture', 'video', 'audio', 'iframe', 'svg', 'canvas', 'object', 'embed', 'hr', 'math'])
const HEADED = new Set(['h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'dt', 'summary'])

type Inside = { element: number; links: number; bold: number; headings: number }

/** `hidden` selects elements the page reader always drops. The head is still walked for its metadata. */
export function flattenPage(tree: Document, hidden: (element: Element) => boolean = hasHidingAttributes): FlatPage {
  const out = emptyOutline()
  const { blocks, elements } = out
  // The nearest block-level element of each element, stored to avoid climbing per text node.
  const home: number[] = []
  const inside: Inside = { element: -1, links: 0, bold: 0, headings: 0 }
  let open: TextBlock | undefined
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
        if (++breaks >= 2) open = undefined
      } else if (TAGS_WITHOUT_DISPLAYED_TEXT.has(name) || MEDIA.has(name)) noteSilent(out, node, inside)
      else if (name === 'head' || (isShown(node, inside) && !hidden(node))) {
        const inline = INLINE_TAGS.has(name)
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
    while (node && !node.next) {
      const index = inside.element
      node = index < 0 ? null : elements[index]!
      if (index < 0) break
      out.end[index] = elements.length
      out.endBlock[index] = blocks.length
      out.endText[index] = out.texts.length
      const { name } = elements[index]!
      step(inside, name, -1)
      if (!INLINE_TAGS.has(name)) open = undefined
      inside.element = out.parent[index]!
    }
    if (node) node = node.next
  }
  const last = blocks.at(-1)
  if (last) finishTextStats(last, out.words)
  return out
}

function emptyOutline(): FlatPage {
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
    words: new WordHashes(),
    media: [],
    mediaParent: [],
    mediaAt: [],
    fields: [],
    facts: emptyHeadMetadata(),
  }
}

function step(inside: Inside, name: string, by: 1 | -1): void {
  if (name === 'a') inside.links += by
  else if (name === 'b' || name === 'strong') inside.bold += by
  else if (HEADED.has(name)) inside.headings += by
}

function enter(out: FlatPage, element: Element, above: number): number {
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

function addText(out: FlatPage, node: Text, open: TextBlock | undefined, inside: Inside, home: number[]) {
  const { data } = node
  const from = firstNonSpaceIndex(data)
  if (from === data.length) {
    // White space ends a word but does not open a block.
    if (open) addTextStats(data, 0, open, out.words)
    return undefined
  }
  const at = out.texts.length
  const block = open ?? openBlock(out, inside.element < 0 ? -1 : home[inside.element]!, at)
  // A link around whole blocks was counted before any block was open.
  if (!open && inside.links > 0) block.links++
  const added = addTextStats(data, open ? 0 : from, block, out.words)
  if (inside.links > 0) block.linkChars += added
  if (inside.bold > 0) block.boldChars += added
  out.texts.push(node)
  out.textParent.push(inside.element)
  block.endText = at + 1
  return block
}

function openBlock(out: FlatPage, element: number, at: number): TextBlock {
  const { blocks, words } = out
  const before = blocks[blocks.length - 1]
  if (before) finishTextStats(before, words)
  const block = new TextBlock(element, at, words.length)
  blocks.push(block)
  return block
}

function noteSilent(out: FlatPage, element: Element, inside: Inside): void {
  if (HEAD_METADATA_TAGS.has(element.name)) addHeadMetadata(out.facts, element)
  if (inside.element >= 0 && isField(element)) out.fields.push(inside.element)
  if (!MEDIA.has(element.name)) return
  out.media.push(element)
  out.mediaParent.push(inside.element)
  out.mediaAt.push(out.blocks.length)
}

const WRITTEN = new Set(['text', 'email', 'tel', 'url', 'password', 'search', 'number'])

const isField = ({ name, attribs }: Element): boolean =>
  name === 'textarea' || (name === 'input' && WRITTEN.has(attribs.type?.toLowerCase() ?? 'text'))

function isShown(element: Element, { headings }: Inside): boolean {
  const { name, attribs } = element
  // Accordions use buttons as headings; other buttons are skipped.
  if (name === 'button') return headings > 0 || opensHiddenContent(element)
  return name !== 'dialog' || attribs.open !== undefined
}

// A flat view of a page for the main-content model: its visible elements and its blocks of text, in document order, as
// parallel arrays. One iterative walk, so depth and size cost no more than linear. Knows nothing of scores.
import type { AnyNode, Document, Element, Text } from 'domhandler'
import { isTag, isText } from 'domhandler'
import { isHidden, speaks } from './hidden.ts'
import { FACT_TAGS, newFacts, noteFact, type PageFacts } from './page-facts.ts'
import { finishText, scanText, type TextStats } from './text-scan.ts'

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
export interface Block extends TextStats {
  /** Index of the innermost block-level element around it; -1 is the document. */
  element: number
  /** The first and one past the last of its text nodes. */
  firstText: number
  endText: number
  linkChars: number
  links: number
  /** Set when a <time> element is inside. */
  timed: boolean
  /** Set when the whole block stands in <b>, <strong> or the like. */
  boldChars: number
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
  /** Elements that show something without text: pictures, media, embedded pages. */
  media: AnyNode[]
  mediaParent: number[]
  /** How many blocks had begun before each of the media. */
  mediaAt: number[]
  facts: PageFacts
}

const MEDIA = new Set(['img', 'picture', 'video', 'audio', 'iframe', 'svg', 'canvas', 'object', 'embed', 'hr', 'math'])
const BOLD = new Set(['b', 'strong'])
const HEADED = new Set(['h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'dt', 'summary'])

export function outlineOf(tree: Document): Outline {
  const out: Outline = {
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
    media: [],
    mediaParent: [],
    mediaAt: [],
    facts: newFacts(),
  }
  const { blocks, texts } = out
  // The nearest block-level element for each element, so that a run of text knows its home without a climb.
  const home: number[] = []
  let open: Block | undefined
  let current = -1
  let linkDepth = 0
  let boldDepth = 0
  let breaks = 0
  let headingDepth = 0
  let node: AnyNode | null = tree.firstChild

  while (node) {
    let descend = false
    if (isText(node)) {
      const stats = scanText(node.data, open)
      if (stats) {
        if (!open) {
          open = Object.assign(stats, {
            element: current < 0 ? -1 : home[current]!,
            firstText: texts.length,
            endText: texts.length,
            linkChars: 0,
            links: 0,
            timed: false,
            boldChars: 0,
          })
          blocks.push(open)
        }
        if (linkDepth > 0) open.linkChars += stats.added
        if (boldDepth > 0) open.boldChars += stats.added
        texts.push(node)
        out.textParent.push(current)
        open.endText = texts.length
        breaks = 0
      }
    } else if (isTag(node)) {
      const name = node.name
      if (SILENT.has(name) || MEDIA.has(name)) {
        if (FACT_TAGS.has(name)) noteFact(out.facts, node)
        if (MEDIA.has(name)) {
          out.media.push(node)
          out.mediaParent.push(current)
          out.mediaAt.push(blocks.length)
        }
      } else if (name === 'br') {
        // Two line breaks in a row are a paragraph in all but name.
        if (++breaks >= 2) open = undefined
      } else if (isShown(node, headingDepth)) {
        const inline = INLINE.has(name)
        if (!inline) open = undefined
        const index = out.elements.length
        out.elements.push(node)
        out.parent.push(current)
        out.depth.push(current < 0 ? 0 : out.depth[current]! + 1)
        out.end.push(index + 1)
        out.firstBlock.push(blocks.length)
        out.endBlock.push(blocks.length)
        out.firstText.push(texts.length)
        out.endText.push(texts.length)
        home.push(inline ? (current < 0 ? -1 : home[current]!) : index)
        if (node.firstChild) {
          current = index
          descend = true
          if (name === 'a') {
            linkDepth++
            if (open) open.links++
          } else if (BOLD.has(name)) boldDepth++
          else if (HEADED.has(name)) headingDepth++
        }
        if (name === 'time' && open) open.timed = true
      }
    }
    if (descend) {
      node = (node as Element).firstChild
      continue
    }
    // Climb until there is a next sibling.
    while (node && !node.next) {
      const above: AnyNode | null = node.parent as AnyNode | null
      if (!above || above === tree || current < 0) {
        node = null
        break
      }
      out.end[current] = out.elements.length
      out.endBlock[current] = blocks.length
      out.endText[current] = texts.length
      const name = out.elements[current]!.name
      if (name === 'a') linkDepth--
      else if (BOLD.has(name)) boldDepth--
      else if (HEADED.has(name)) headingDepth--
      if (!INLINE.has(name)) open = undefined
      current = out.parent[current]!
      node = above
    }
    if (node) node = node.next
  }
  for (const block of blocks) finishText(block)
  return out
}

function isShown(element: Element, headingDepth: number): boolean {
  const { name, attribs } = element
  if (name === 'noscript') return speaks(element)
  // Accordions put their headings into buttons; other buttons are not read.
  if (name === 'button') return headingDepth > 0
  if (name === 'dialog' && attribs.open === undefined) return false
  return !isHidden(element)
}

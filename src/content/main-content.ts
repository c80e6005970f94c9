// Decides what on a page is its main content. It marks nodes to leave out and says why; it never changes the tree, so
// that markdown, html, links and metadata are all made from one parse. The parts are in main/: outline → features →
// trees → choice → whole things → cuts.
import type { AnyNode, Document, Element, Text } from 'domhandler'
import { dropCopies, keepShort } from './main/choose.ts'
import { cutsFor } from './main/cuts.ts'
import { type BlockJudgement, judgeBlocks } from './main/judge.ts'
import packed from './main/model.json' with { type: 'json' }
import { type Model, unpackModel } from './main/model.ts'
import { type Outline, outlineOf } from './main/outline.ts'
import { reasonFor } from './main/reason.ts'
import { titleOf } from './main/title.ts'
import { creditsOf, makeWhole } from './main/whole.ts'

/** Nodes to leave out, each with the reason; a node's descendants go with it. */
export type Cuts = Map<AnyNode, string>

export interface CutHints {
  /** Where the page came from: its path tells something about the kind of page. */
  url?: string
  /** What is left out in any case; such elements are not counted. By default those hidden by their own attributes. */
  hidden?: (element: Element) => boolean
}

export interface Main {
  cuts: Cuts
  /** What shows the page's own title: it opens the text. */
  title?: Element
  /** The posts of a thread that are kept, in order. */
  posts: ReadonlySet<Element>
  /** What is kept only because it says who wrote a post, and when. */
  bylines: readonly Text[]
}

// Unpacked at the first page, not at import; a pure function of the file, so keeping it changes nothing.
let shipped: Model | undefined

/** What of a page is its main content. Never nothing, when the page has text. */
export function mainContentOf(tree: Document, hints: CutHints = {}, model?: Model): Main {
  const outline = outlineOf(tree, hints.hidden)
  if (outline.blocks.length === 0) return { cuts: new Map(), posts: new Set(), bylines: [] }
  shipped ??= unpackModel(packed)
  return mainOf(outline, judgeBlocks(outline, hints.url, model ?? shipped))
}

/** What is left out, by the choice of blocks. Changes `keep`. */
export function mainOf(outline: Outline, { probabilities, keep, reading }: BlockJudgement): Main {
  keepShort(outline, reading, keep)
  const title = titleOf(outline, reading)
  const copies = dropCopies(outline, keep)
  const pictures = new Set<number>()
  const { posts, bylines } = makeWhole({ outline, reading, keep, title, pictures })
  const cuts = cutsFor(outline, keep, pictures, (block) =>
    copies.has(block) ? 'copy of a text that is kept' : reasonFor(outline, block, probabilities[block]!),
  )
  for (const credit of creditsOf(outline)) cuts.set(credit, 'who took a picture')
  const { elements, blocks, texts } = outline
  return {
    cuts,
    posts: new Set(posts.map((e) => elements[e]!)),
    bylines: bylines.flatMap((i) => texts.slice(blocks[i]!.firstText, blocks[i]!.endText)),
    ...(title && (title.named || opens(blocks, keep, title.from)) ? { title: elements[title.element]! } : {}),
  }
}

/** A heading further down than this is that of a part, unless it says what the page calls itself. */
const WORDS_BEFORE = 150
const SHARE_BEFORE = 0.3

function opens(blocks: readonly { words: number }[], keep: Uint8Array, title: number): boolean {
  let before = 0
  let all = 0
  for (let i = 0; i < blocks.length; i++) {
    if (!keep[i]) continue
    all += blocks[i]!.words
    if (i < title) before += blocks[i]!.words
  }
  return before <= WORDS_BEFORE || before <= all * SHARE_BEFORE
}

// Selects the main content of a page and records removed nodes with reasons; the tree is not changed, so all formats
// share one parse. Pipeline in main/: outline → features → trees → choice → whole units → cuts.
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

/** Removed nodes with the reason; descendants are removed too. */
export type Cuts = Map<AnyNode, string>

export interface CutHints {
  /** Address of the page, a feature for its kind. */
  url?: string
  /** Elements that are always removed and not counted; by default those hidden by attributes. */
  hidden?: (element: Element) => boolean
}

export interface Main {
  cuts: Cuts
  /** The title element, written first. */
  title?: Element
  /** Kept posts of a thread, in order. */
  posts: ReadonlySet<Element>
  /** Text kept only as the author or date of a post. */
  bylines: readonly Text[]
}

// Unpacked on first use, not at import.
let shipped: Model | undefined

/** Never empty if the page has text. */
export function mainContentOf(tree: Document, hints: CutHints = {}, model?: Model): Main {
  const outline = outlineOf(tree, hints.hidden)
  if (outline.blocks.length === 0) return { cuts: new Map(), posts: new Set(), bylines: [] }
  shipped ??= unpackModel(packed)
  return mainOf(outline, judgeBlocks(outline, hints.url, model ?? shipped))
}

/** Mutates `keep`. */
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

/** A heading after more text belongs to a section, unless it equals a declared title. */
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

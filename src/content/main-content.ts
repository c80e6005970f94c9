// Selects the main content of a page and records removed nodes with reasons; the tree is not changed, so all formats
// share one parse. Pipeline in main/: outline → features → trees → choice → whole units → cuts.
import type { AnyNode, Document, Element, Text } from 'domhandler'
import { keepAlike } from './main/alike-blocks.ts'
import { IN_LIST, IN_TABLE } from './main/ancestry.ts'
import { dropCopies, keepShort } from './main/choose.ts'
import { declaredTitle } from './main/declared-title.ts'
import { reasonFor } from './main/drop-reason.ts'
import { type BlockJudgement, judgeBlocks } from './main/judge.ts'
import { creditsOf, makeWhole } from './main/keep-whole-units.ts'
import packed from './main/model.json' with { type: 'json' }
import { type Model, unpackModel } from './main/model.ts'
import { cutsFor } from './main/nodes-to-remove.ts'
import { type Outline, outlineOf } from './main/outline.ts'
import { keepSubject } from './main/subject-facts.ts'
import { titleOf } from './main/title.ts'

/** Removed nodes with the reason; descendants are removed too. */
export type Cuts = Map<AnyNode, string>

interface CutHints {
  url?: string
  /** Elements that are always removed and not counted; by default those hidden by attributes. */
  hidden?: (element: Element) => boolean
}

export interface Main {
  cuts: Cuts
  title?: Element
  /** The declared title of a page without a heading of its own. */
  heading?: string
  posts: ReadonlySet<Element>
  bylines: readonly Text[]
}

let shipped: Model | undefined

export function mainContentOf(tree: Document, hints: CutHints = {}, model?: Model): Main {
  const outline = outlineOf(tree, hints.hidden)
  if (outline.blocks.length === 0) return { cuts: new Map(), posts: new Set(), bylines: [] }
  shipped ??= unpackModel(packed)
  return mainOf(outline, judgeBlocks(outline, hints.url, model ?? shipped), hints.url)
}

/** Lists, tables and definition lists: a line that recurs in another one is not a copy. */
const IN_UNIT = IN_LIST | IN_TABLE | 4096

export function mainOf(outline: Outline, { probabilities, keep, reading }: BlockJudgement, url?: string): Main {
  keepAlike(outline, reading, probabilities, keep)
  keepShort(outline, reading, keep)
  const title = titleOf(outline, reading)
  const copies = dropCopies(outline, keep)
  const pictures = new Set<number>()
  const whole = { outline, reading, keep, title, pictures }
  const chosen = keep.slice()
  keepSubject(whole)
  const facts = keep.map((kept, i) => kept & ~chosen[i]!)
  const { posts, bylines } = makeWhole(whole)
  // A price may stand in a list of which nothing else is kept.
  for (let i = 0; i < keep.length; i++) keep[i]! |= facts[i]!
  dropCopies(outline, keep, copies, (e) => (reading.ancestry.landmarks[e]! & IN_UNIT) !== 0)
  const heading = title ? undefined : declaredTitle(whole, url)
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
    ...(heading === undefined ? {} : { heading }),
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

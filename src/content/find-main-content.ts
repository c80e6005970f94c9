// Selects the main content of a page and records removed nodes with reasons; the tree is not changed, so all formats
// share one parse.
import type { AnyNode, Document, Element, Text } from 'domhandler'
import { once } from '../base/values.ts'
import { IN_LIST_BIT, IN_TABLE_BIT } from './main/block-ancestry.ts'
import { dropDuplicateBlocks, restoreBlocksOfTinyPages } from './main/choose-blocks.ts'
import { decideRepeatedBlocksTogether, keepGroupsWhole } from './main/decide-repeated-blocks-together.ts'
import { findDeclaredTitle } from './main/find-declared-title.ts'
import { explainDrop, findNodesToRemove } from './main/find-nodes-to-remove.ts'
import { findPageTitle } from './main/find-page-title.ts'
import { type FlatPage, flattenPage } from './main/flatten-page.ts'
import { hasBoilerplate } from './main/has-boilerplate.ts'
import { cutEmptyHeadings, findImageCredits, keepOrDropWholeUnits } from './main/keep-or-drop-whole-units.ts'
import { keepCardPrices, keepSubjectFacts } from './main/keep-subject-facts.ts'
import { type MainContentModel, unpackMainContentModel } from './main/main-content-model.ts'
import packed from './main/model.json' with { type: 'json' }
import { type ScoredBlocks, scoreAndChooseBlocks } from './main/score-and-choose-blocks.ts'

/** Removed nodes with the reason; descendants are removed too. */
export type RemovedNodes = Map<AnyNode, string>

interface CutHints {
  url?: string
  /** Elements that are always removed and not counted; by default those hidden by attributes. */
  hidden?: (element: Element) => boolean
}

interface MainContent {
  cuts: RemovedNodes
  title?: Element
  /** The declared title of a page without a heading of its own. */
  heading?: string
  posts: ReadonlySet<Element>
  bylines: readonly Text[]
}

const shipped = once(() => unpackMainContentModel(packed))

export function findMainContent(tree: Document, hints: CutHints = {}, model?: MainContentModel): MainContent {
  const outline = flattenPage(tree, hints.hidden)
  if (outline.blocks.length === 0) return { cuts: new Map(), posts: new Set(), bylines: [] }
  return mainContentOfBlocks(outline, scoreAndChooseBlocks(outline, hints.url, model ?? shipped()), hints.url)
}

/** Lists, tables and definition lists: a line that recurs in another one is not a copy. */
const IN_LIST_OR_TABLE = IN_LIST_BIT | IN_TABLE_BIT | 4096

export function mainContentOfBlocks(
  outline: FlatPage,
  { probabilities, keep, reading }: ScoredBlocks,
  url?: string,
): MainContent {
  if (!hasBoilerplate(outline, reading)) keep.fill(1)
  decideRepeatedBlocksTogether(outline, reading, probabilities, keep)
  restoreBlocksOfTinyPages(outline, reading, keep)
  const title = findPageTitle(outline, reading)
  const copies = dropDuplicateBlocks(outline, keep)
  const pictures = new Set<number>()
  const whole = { outline, reading, keep, title, pictures }
  const chosen = keep.slice()
  keepSubjectFacts(whole)
  const facts = keep.map((kept, i) => kept & ~chosen[i]!)
  const { posts, bylines } = keepOrDropWholeUnits(whole)
  // A price may stand in a list of which nothing else is kept.
  for (let i = 0; i < keep.length; i++) keep[i]! |= facts[i]!
  keepCardPrices(whole)
  dropDuplicateBlocks(outline, keep, copies, (e) => (reading.ancestry.landmarks[e]! & IN_LIST_OR_TABLE) !== 0)
  keepGroupsWhole(whole, copies)
  cutEmptyHeadings(whole)
  const heading = title ? undefined : findDeclaredTitle(whole, url)
  const cuts = findNodesToRemove(outline, keep, pictures, (block) =>
    copies.has(block) ? 'copy of a text that is kept' : explainDrop(outline, block, probabilities[block]!),
  )
  for (const credit of findImageCredits(outline)) cuts.set(credit, 'who took a picture')
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
const MAX_WORDS_BEFORE_TITLE = 150
const SHARE_BEFORE = 0.3

function opens(blocks: readonly { words: number }[], keep: Uint8Array, title: number): boolean {
  let before = 0
  let all = 0
  for (let i = 0; i < blocks.length; i++) {
    if (!keep[i]) continue
    all += blocks[i]!.words
    if (i < title) before += blocks[i]!.words
  }
  return before <= MAX_WORDS_BEFORE_TITLE || before <= all * SHARE_BEFORE
}

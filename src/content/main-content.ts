// Decides what on a page is its main content. It marks nodes to leave out and says why; it never changes the tree, so
// that markdown, html, links and metadata are all made from one parse. The parts are in main/: outline → features →
// trees → choice → cuts.
import type { AnyNode, Document, Element } from 'domhandler'
import { dropCopies, keepHeading } from './main/choose.ts'
import { cutsFor } from './main/cuts.ts'
import { judgeBlocks } from './main/judge.ts'
import packed from './main/model.json' with { type: 'json' }
import { type Model, unpackModel } from './main/model.ts'
import { outlineOf } from './main/outline.ts'
import { reasonFor } from './main/reason.ts'

/** Nodes to leave out, each with the reason; a node's descendants go with it. */
export type Cuts = Map<AnyNode, string>

export interface CutHints {
  /** Where the page came from: its path tells something about the kind of page. */
  url?: string
  /** What is left out in any case; such elements are not counted. By default those hidden by their own attributes. */
  hidden?: (element: Element) => boolean
}

// Unpacked at the first page, not at import; a pure function of the file, so keeping it changes nothing.
let shipped: Model | undefined

/** What to leave out of a page so that its main content remains. Never everything, when the page has text. */
export function cutBoilerplate(tree: Document, hints: CutHints = {}, model?: Model): Cuts {
  const outline = outlineOf(tree, hints.hidden)
  if (outline.blocks.length === 0) return new Map()
  shipped ??= unpackModel(packed)
  const { probabilities, keep } = judgeBlocks(outline, hints.url, model ?? shipped)
  keepHeading(outline, keep)
  const copies = dropCopies(outline, keep)
  return cutsFor(outline, keep, (block) =>
    copies.has(block) ? 'copy of a text that is kept' : reasonFor(outline, block, probabilities[block]!),
  )
}

// Decides what on a page is its main content. It marks nodes to leave out and says why; it never changes the tree, so
// that markdown, html, links and metadata are all made from one parse. The parts are in main/: outline → features →
// trees → choice → cuts.
import type { AnyNode, Document } from 'domhandler'
import { chooseBlocks } from './main/choose.ts'
import { cutsFor } from './main/cuts.ts'
import { featuresOf } from './main/features.ts'
import packed from './main/model.json' with { type: 'json' }
import { type Model, unpackModel } from './main/model.ts'
import { type Outline, outlineOf } from './main/outline.ts'
import { reasonFor } from './main/reason.ts'
import { runTrees } from './main/trees.ts'

/** Nodes to leave out, each with the reason; a node's descendants go with it. */
export type Cuts = Map<AnyNode, string>

export interface CutHints {
  /** Where the page came from: its path tells something about the kind of page. */
  url?: string
}

let shipped: Model | undefined

/** What to leave out of a page so that its main content remains. Never everything, when the page has text. */
export function cutBoilerplate(tree: Document, hints: CutHints = {}, model?: Model): Cuts {
  shipped ??= unpackModel(packed)
  const outline = outlineOf(tree)
  if (outline.blocks.length === 0) return new Map()
  const probabilities = judgeBlocks(outline, hints.url, model ?? shipped)
  const sizes = outline.blocks.map((b) => b.words)
  const keep = chooseBlocks(probabilities, sizes)
  return cutsFor(outline, keep, (block) => reasonFor(outline, block, probabilities[block]!))
}

/** How likely each block of text is to be main content. */
export function judgeBlocks(outline: Outline, url: string | undefined, model: Model): Float32Array {
  const { values, width } = featuresOf(outline, model.lexicon, url)
  const odds = runTrees(model.trees, values, width)
  return odds.map((x) => 1 / (1 + Math.exp(-x)))
}

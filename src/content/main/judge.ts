// Scores blocks alone, then with their context, and chooses which to keep.

import { chooseBlocks } from './choose.ts'
import { contextOf } from './context.ts'
import { type FeatureSheet, featuresOf, type MainReading } from './features.ts'
import type { Model } from './model.ts'
import type { Outline } from './outline.ts'
import { cellGroups, shareVerdicts } from './table-cells.ts'
import { type Teasers, teasersOf } from './teasers.ts'
import { runTrees, type Trees } from './trees.ts'

export interface BlockJudgement {
  probabilities: Float32Array
  keep: Uint8Array
  reading: MainReading
  teasers: Teasers
}

export function judgeBlocks(outline: Outline, url: string | undefined, model: Model): BlockJudgement {
  const cells = cellGroups(outline)
  const reading = featuresOf(outline, model.lexicon, model.kinds, url, cells.skip)
  const look = (trees: Trees, sheet: FeatureSheet) =>
    toProbabilities(shareVerdicts(cells, runTrees(trees, sheet, cells.skip)))
  const first = look(model.first, reading.sheet)
  const probabilities = look(model.second, contextOf(outline, reading, first, cells.skip))
  const teasers = teasersOf(outline, reading, url)
  return { probabilities, keep: chooseBlocks(outline, reading, probabilities, teasers), reading, teasers }
}

export const toProbabilities = (odds: Float32Array): Float32Array => odds.map((x) => 1 / (1 + Math.exp(-x)))

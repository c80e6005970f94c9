// Scores blocks alone, then with their context, and chooses which to keep.

import { computeBlockFeatures, type FeatureMatrix, type PageAnalysis } from './block-features.ts'
import { chooseBlocks } from './choose-blocks.ts'
import { computeContextFeatures } from './context-features.ts'
import { type DecisionTrees, runTrees } from './decision-trees.ts'
import { findTeasers, type TeaserBlocks } from './find-teasers.ts'
import type { FlatPage } from './flatten-page.ts'
import { groupTableCells, setCellsToGroupMean } from './group-table-cells.ts'
import type { MainContentModel } from './main-content-model.ts'

export interface ScoredBlocks {
  probabilities: Float32Array
  keep: Uint8Array
  reading: PageAnalysis
  teasers: TeaserBlocks
}

export function scoreAndChooseBlocks(
  outline: FlatPage,
  url: string | undefined,
  model: MainContentModel,
): ScoredBlocks {
  const cells = groupTableCells(outline)
  const reading = computeBlockFeatures(outline, model.lexicon, model.kinds, url, cells.skip)
  const look = (trees: DecisionTrees, sheet: FeatureMatrix) =>
    logOddsToProbabilities(setCellsToGroupMean(cells, runTrees(trees, sheet, cells.skip)))
  const first = look(model.first, reading.sheet)
  const probabilities = look(model.second, computeContextFeatures(outline, reading, first, cells.skip))
  const teasers = findTeasers(outline, reading, url)
  return { probabilities, keep: chooseBlocks(outline, reading, probabilities, teasers), reading, teasers }
}

export const logOddsToProbabilities = (odds: Float32Array): Float32Array => odds.map((x) => 1 / (1 + Math.exp(-x)))

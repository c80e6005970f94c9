// Scores blocks alone, then with their context, and chooses which to keep.
import { appendTo } from '../../base/values.ts'
import { computeBlockFeatures, type FeatureMatrix, type PageAnalysis } from './block-features.ts'
import { chooseBlocks } from './choose-blocks.ts'
import { computeContextFeatures } from './context-features.ts'
import { type DecisionTrees, runTrees } from './decision-trees.ts'
import { findTeasers, type TeaserBlocks } from './find-teasers.ts'
import type { FlatPage } from './flatten-page.ts'
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

/** A longer cell is a text of its own, as in layout tables. */
const MAX_SMALL_CELL_WORDS = 8
/** Smaller groups are scored cell by cell. */
const MIN_CELLS = 16
const SAMPLE = 8
/** From this length a list of links or names is decided as one. */
const MIN_RUN = 5000
const SAMPLE_OF_RUN = 500

type CellGroups = { skip: Uint8Array; groups: { judged: number[]; rest: number[] }[] }

export function groupTableCells({ blocks, elements, parent, firstBlock, endBlock }: FlatPage): CellGroups {
  const table = new Int32Array(elements.length)
  for (let e = 0; e < elements.length; e++)
    table[e] = elements[e]!.name === 'table' ? e : parent[e]! < 0 ? -1 : table[parent[e]!]!
  const isLong = blocks.length >= MIN_RUN
  const cells = new Map<number, number[]>()
  const runs = new Map<number, number[]>()
  blocks.forEach(({ element, words }, i) => {
    if (element < 0 || words > MAX_SMALL_CELL_WORDS) return
    const { name } = elements[element]!
    if (name === 'td' || name === 'th') {
      if (table[element]! >= 0) appendTo(cells, table[element]!, i)
    } else if (isLong) {
      let up = element
      while (up >= 0 && endBlock[up]! - firstBlock[up]! === 1) up = parent[up]!
      appendTo(runs, up, i)
    }
  })
  const skip = new Uint8Array(blocks.length)
  const groups: CellGroups['groups'] = []
  for (const [all, least, sample] of [
    ...[...cells.values()].map((all) => [all, MIN_CELLS, SAMPLE] as const),
    ...[...runs.values()].map((all) => [all, MIN_RUN, SAMPLE_OF_RUN] as const),
  ]) {
    if (all.length < least) continue
    const step = Math.floor(all.length / sample)
    const judged = all.filter((_, at) => at % step === 0)
    const rest = all.filter((_, at) => at % step !== 0)
    for (const block of rest) skip[block] = 1
    groups.push({ judged, rest })
  }
  return { skip, groups }
}

function setCellsToGroupMean({ groups }: CellGroups, values: Float32Array): Float32Array {
  for (const { judged, rest } of groups) {
    let sum = 0
    for (const block of judged) sum += values[block]!
    const mean = sum / judged.length
    for (const block of judged) values[block] = mean
    for (const block of rest) values[block] = mean
  }
  return values
}

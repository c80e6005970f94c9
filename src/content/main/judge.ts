// How likely each block of a page is to be main content: a first look at each block alone, a second with its context.
import { contextOf } from './context.ts'
import { featuresOf } from './features.ts'
import type { Model } from './model.ts'
import type { Outline } from './outline.ts'
import { runTrees } from './trees.ts'

export function judgeBlocks(outline: Outline, url: string | undefined, model: Model): Float32Array {
  const reading = featuresOf(outline, model.lexicon, model.kinds, url)
  const first = probabilities(runTrees(model.first, reading.sheet))
  return probabilities(runTrees(model.second, contextOf(outline, reading, first)))
}

export const probabilities = (odds: Float32Array): Float32Array => odds.map((x) => 1 / (1 + Math.exp(-x)))

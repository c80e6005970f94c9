// The trained scorer: a linear model over a sentence's words, and a second over that score and the page context.
// scripts/train-injection.mjs writes model.json.

import type { PlacedSentence } from './list-sentences.ts'
import packed from './model.json' with { type: 'json' }
import {
  contextFeaturesOf,
  FEATURE_BUCKET_COUNT,
  hashSentenceFeatures,
  MIN_SENTENCE_SCORE,
  makeScoringContext,
} from './sentence-features.ts'

interface InjectionModel {
  /** Bucket weights as base64 int8, in units of `unit`. */
  pieces: string
  unit: number
  bias: number
  standing: number[]
  /** The sum from which a page is refused. */
  edge: number
}

interface InjectionScorer {
  /** The most likely instruction, 0 to 1; a page is refused from 0.5. */
  best(sentences: readonly PlacedSentence[]): { sentence: PlacedSentence; score: number } | undefined
}

/** Not scored: pages with fewer terms, and pages with more requests, which are their topic (exercises, questions). */
const MIN_TERMS = 16
const MAX_REQUESTS = 2

let shipped: InjectionScorer | undefined

/** The bundled model, loaded on first use. */
export const getInjectionScorer = (): InjectionScorer => {
  shipped ??= openInjectionScorer(packed)
  return shipped
}

export function openInjectionScorer({ pieces, unit, bias, standing, edge }: InjectionModel): InjectionScorer {
  const bytes = Buffer.from(pieces, 'base64')
  const weights = new Int8Array(bytes.buffer, bytes.byteOffset, FEATURE_BUCKET_COUNT)
  const wordScore = (text: string): number =>
    hashSentenceFeatures(text).reduce((sum, piece) => sum + (weights[piece] ?? 0) * unit, bias)
  return {
    best(sentences) {
      const scores = sentences.map(({ text }) => wordScore(text))
      const page = makeScoringContext(sentences, scores)
      const requests = scores.filter((score, at) => score >= MIN_SENTENCE_SCORE && sentences[at]?.isProse).length
      if (page.total < MIN_TERMS || requests > MAX_REQUESTS) return undefined
      let best: { sentence: PlacedSentence; sum: number } | undefined
      for (const [at, sentence] of sentences.entries()) {
        if ((scores[at] as number) < MIN_SENTENCE_SCORE) continue
        const features = contextFeaturesOf(sentence, scores[at] as number, page)
        const sum = features.reduce(
          (total, value, index) => total + value * (standing[index] ?? 0),
          standing[features.length] ?? 0,
        )
        if (!best || sum > best.sum) best = { sentence, sum }
      }
      return best && { sentence: best.sentence, score: 1 / (1 + Math.exp(edge - best.sum)) }
    },
  }
}

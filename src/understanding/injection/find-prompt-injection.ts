// Detects instructions on a page that target a model reading it: by rules, and by a trained score of words and context.
// Quotations do not count.
import { once } from '../../base/values.ts'
import { findInjectionSign } from './injection-rules.ts'
import { type InjectionScanInput, listSentences, type PlacedSentence, type TextPlace } from './list-sentences.ts'
import packed from './model.json' with { type: 'json' }
import {
  contextFeaturesOf,
  FEATURE_BUCKET_COUNT,
  hashSentenceFeatures,
  MIN_SENTENCE_SCORE,
  makeScoringContext,
} from './sentence-features.ts'

export interface FoundInjection {
  /** Confidence, 0 to 1. */
  score: number
  place: TextPlace
  isHidden: boolean
}

/** Threshold for refusing a page. */
const MIN_REFUSED_SCORE = 0.5

/** Minimum score of a rule; in comments it is `SURE`, because they often address other people. */
const MIN_RULE_SCORE = 0.7
const MIN_RULE_SCORE_IN_COMMENTS = 0.9

export function findPromptInjection(source: InjectionScanInput): FoundInjection | undefined {
  const sentences = listSentences(source)
  const ruled = sentences.find((sentence) => isOrder(sentence))
  if (ruled) return toFoundInjection(ruled, 1)
  const best = getInjectionScorer().best(sentences)
  return best && best.score >= MIN_REFUSED_SCORE ? toFoundInjection(best.sentence, best.score) : undefined
}

const isOrder = ({ text, place, isExample }: PlacedSentence): boolean =>
  !isExample &&
  (findInjectionSign(text)?.score ?? 0) >= (place === 'comment' ? MIN_RULE_SCORE_IN_COMMENTS : MIN_RULE_SCORE)

const toFoundInjection = ({ place }: PlacedSentence, score: number): FoundInjection => ({
  score: Math.round(score * 100) / 100,
  place,
  isHidden: place !== 'text' && place !== 'data',
})

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

/** The bundled model, loaded on first use. */
const getInjectionScorer = once(() => openInjectionScorer(packed))

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

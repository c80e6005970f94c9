// Detects instructions on a page that target a model reading it: by rules, and by a trained score of words and context.
// Quotations do not count.
import { findInjectionSign } from './injection-rules.ts'
import { getInjectionScorer } from './injection-scorer.ts'
import { type InjectionScanInput, listSentences, type PlacedSentence, type TextPlace } from './list-sentences.ts'

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

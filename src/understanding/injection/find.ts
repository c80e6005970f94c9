// Detects instructions on a page that target a model reading it: by rules, and by a trained score of words and context.
// Quotations do not count.
import { signIn } from './rules.ts'
import { injectionScorer } from './score.ts'
import { type InjectionSource, type Sentence, sentencesOf, type TextPlace } from './texts.ts'

export interface Injection {
  /** Confidence, 0 to 1. */
  score: number
  place: TextPlace
  isHidden: boolean
}

/** Threshold for refusing a page. */
const REFUSED = 0.5

/** Minimum score of a rule; in comments it is `SURE`, because they often address other people. */
const LIKELY = 0.7
const SURE = 0.9

export function findInjection(source: InjectionSource): Injection | undefined {
  const sentences = sentencesOf(source)
  const ruled = sentences.find((sentence) => isOrder(sentence))
  if (ruled) return found(ruled, 1)
  const best = injectionScorer().best(sentences)
  return best && best.score >= REFUSED ? found(best.sentence, best.score) : undefined
}

const isOrder = ({ text, place, isExample }: Sentence): boolean =>
  !isExample && (signIn(text)?.score ?? 0) >= (place === 'comment' ? SURE : LIKELY)

const found = ({ place }: Sentence, score: number): Injection => ({
  score: Math.round(score * 100) / 100,
  place,
  isHidden: place !== 'text' && place !== 'data',
})

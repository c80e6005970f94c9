// Whether a page gives orders to a model that reads it for a caller, whatever the page was made of: by rules for sentences that
// are orders anywhere, and by a trained score of the words and of how the sentence stands on its page. Quotations are none.
import { signIn } from './rules.ts'
import { injectionScorer } from './score.ts'
import { type InjectionSource, type Place, type Sentence, sentencesOf } from './texts.ts'

export interface Injection {
  /** How sure it is, from 0 to 1. */
  score: number
  place: Place
  isHidden: boolean
}

/** From here on a page is refused. */
const REFUSED = 0.5

/** What a rule must be worth; comments are full of notes to other people. */
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

// Whether an answer or a highlight holds the passage that answers the question, and whether "not on this page" was said
// when it is not. It must not know how passages are found.
import { isNothing, plain } from '../equal.ts'
import { count, type Score } from '../tally.ts'

export interface QuestionCase {
  /** Name of a page of our own, or the id of a shared one. */
  page: string
  url?: string
  lang: string
  question: string
  /** Verbatim pieces of the page, each of which answers the question; none: the page does not answer it. */
  passages: string[]
}

/** A longer answer is a page, not an answer: what is in it was not found, only not left out. */
export const longestAnswer = 1200

/** Ways to say that the page has no answer. `null` and an empty text say it too. */
const refusal =
  /\b(not (found |mentioned |stated |answered )?(on|in|by) (this|the) page|does not (say|answer|mention))\b/i

/**
 * `found` is right when a passage is in the answer, `empty` when there is no answer; `absent` (for questions that the
 * page does not answer) is right when nothing is claimed.
 */
export function scoreQuestion({ passages }: QuestionCase, answer: string | null | undefined): Score {
  const score: Score = new Map()
  const nothing = isNothing(answer) || refusal.test(answer!)
  if (passages.length === 0) count(score, 'absent', nothing ? 'right' : 'wrong')
  else if (nothing) count(score, 'found', 'empty')
  else count(score, 'found', holds(answer!, passages) ? 'right' : 'wrong')
  return score
}

function holds(answer: string, passages: string[]): boolean {
  const text = withoutMarks(answer)
  return text.length <= longestAnswer && passages.some((passage) => text.includes(withoutMarks(passage)))
}

/** Markdown or not: links give their text; emphasis, code marks and the bars of a table go. */
const withoutMarks = (text: string): string =>
  plain(text.replace(/!?\[([^\]]*)\]\([^)\s]*(?: "[^"]*")?\)/g, '$1').replace(/[*_`\\|]/g, ''))

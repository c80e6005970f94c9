// "How many hours …" is answered where a number stands with hours, not with people. Told by the words beside numbers, the
// same word or one near in meaning. It must not know the page.
import { NUMBER_WORDS } from './cues.ts'
import { nearness, rowOf } from './nearness.ts'
import { related } from './related.ts'
import { folded, isLight, saysNothing, stem, termsOf } from './terms.ts'

const HOW_MANY =
  /(?:how many(?: (?:different |various |other )?(?:kinds?|types?|sorts?) of)?|wie ?viele|combien d(?:e |['’])|cu[aá]nt[oa]s|quant[oa]s|quant[ie]|сколько)\s*([\p{L}\p{N}' -]{3,80})/iu
const NUMBERS = new Set(NUMBER_WORDS.split('|').map((word) => stem(folded(word))))
/** Near to each other in meaning, and never the same. */
const UNITS_OF_TIME = new Set('second minute hour day night week month year'.split(' ').map(stem))
const isNumber = (term: string): boolean => /^\d/.test(term) || NUMBERS.has(term)
const YEAR = /^(?:19|20)\d\d$/
/** "130 independent nonprofit legal aid organizations": so far may the thing stand behind its number, or before it. */
const BEHIND = 5
const BEFORE = 2
const MOST_COUNTED = 3
/** In a row of a table the number may stand in any other cell. */
const MOST_IN_ROW = 20
/** Near enough to be counted as the same: "bedrooms" for "rooms", but not "April" for "days". */
const NEAR = 0.7

/** Whether a text gives a number of what the question wants counted; undefined when it wants nothing counted. */
export function countsFor(question: string): ((plain: string, isRow: boolean) => boolean) | undefined {
  const words = new Map<string, string>()
  const counted = firstOf(termsOf(HOW_MANY.exec(question.slice(0, 1000))?.[1] ?? '', words))
  if (counted.length === 0) return undefined
  const accepted = new Set([...counted, ...counted.flatMap((term) => [...related(term).keys()])])
  const rows = counted
    .filter((term) => !UNITS_OF_TIME.has(term))
    .map((term) => rowOf(words.get(term) ?? term, term))
    .filter((row) => row >= 0)
  const isCounted = (term: string, word: string): boolean => {
    if (accepted.has(term)) return true
    const row = rows.length > 0 && !saysNothing(term) && term.length > 2 ? rowOf(word, term) : -1
    return row >= 0 && rows.some((other) => nearness(other, row) >= NEAR)
  }
  return (plain, isRow) => {
    const said = new Map<string, string>()
    const terms = termsOf(plain, said)
    return terms.some(
      (term, at) =>
        isNumber(term) &&
        !YEAR.test(term) &&
        terms
          .slice(isRow ? 0 : Math.max(0, at - BEFORE), isRow ? MOST_IN_ROW : at + BEHIND + 1)
          .some((other) => !isNumber(other) && isCounted(other, said.get(other) ?? other)),
    )
  }
}

/** The words up to the verb: what is counted, with what tells it apart. "Pages" are counted, though elsewhere they say nothing. */
function firstOf(terms: readonly string[]): string[] {
  const end = terms.findIndex((term, at) => (saysNothing(term) && (at > 0 || term.length < 4)) || isLight(term))
  return terms.slice(0, Math.min(MOST_COUNTED, end < 0 ? terms.length : end))
}

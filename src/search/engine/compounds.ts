// Words that are made of others, as German, Dutch and the Nordic languages make them: one that no page has is looked for by
// its parts, when pages have both.
import { languages } from './languages.ts'
import { queryWord } from './words.ts'

const COMPOUNDING = new Set(['de', 'nl', 'sv', 'da', 'no', 'fi', 'hu'])
const MIN_WORD = 8
const MIN_PART = 4
/** What stands between the parts and belongs to neither. */
const JOINTS = ['', 's', 'n', 'en', 'es', 'er', '-']

/** The terms of both parts; undefined when the word is none of these languages, or cannot be taken apart. */
export function partsOf(
  word: string,
  candidates: readonly string[],
  isKnown: (term: string) => boolean,
): [string[], string[]] | undefined {
  if (word.length < MIN_WORD || !/^\p{Script=Latin}+$/u.test(word)) return undefined
  const makers = candidates.filter((code) => COMPOUNDING.has(code) && languages.has(code))
  if (makers.length === 0) return undefined
  const known = (part: string) => queryWord(part, makers).terms.filter(isKnown)
  let best: { parts: [string[], string[]]; balance: number } | undefined
  for (let at = MIN_PART; at <= word.length - MIN_PART; at++) {
    const tail = known(word.slice(at))
    if (tail.length === 0) continue
    for (const joint of JOINTS) {
      const front = word.slice(0, at)
      if (!front.endsWith(joint) || front.length - joint.length < MIN_PART) continue
      const head = known(front.slice(0, front.length - joint.length))
      if (head.length === 0) continue
      // Of several ways, the one whose shorter part is longest: less likely to be chance.
      const balance = Math.min(front.length - joint.length, word.length - at)
      if (!best || balance > best.balance) best = { parts: [head, tail], balance }
    }
  }
  return best?.parts
}

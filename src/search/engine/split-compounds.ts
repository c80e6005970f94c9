// Splits compound words of German, Dutch, Nordic and similar languages: a word that no page has is searched by its
// parts, if both are known.
import { searchLanguages } from './languages.ts'
import { makeQueryWord } from './tokenize-text.ts'

const COMPOUNDING = new Set(['de', 'nl', 'sv', 'da', 'no', 'fi', 'hu'])
const MIN_WORD = 8
const MIN_PART = 4
const JOINTS = ['', 's', 'n', 'en', 'es', 'er', '-']

export function splitCompound(
  word: string,
  candidates: readonly string[],
  isKnown: (term: string) => boolean,
): [string[], string[]] | undefined {
  if (word.length < MIN_WORD || !/^\p{Script=Latin}+$/u.test(word)) return undefined
  const makers = candidates.filter((code) => COMPOUNDING.has(code) && searchLanguages.has(code))
  if (makers.length === 0) return undefined
  const knownTermsOf = (part: string) => makeQueryWord(part, makers).terms.filter(isKnown)
  let best: { parts: [string[], string[]]; balance: number } | undefined
  for (let at = MIN_PART; at <= word.length - MIN_PART; at++) {
    const tail = knownTermsOf(word.slice(at))
    if (tail.length === 0) continue
    for (const joint of JOINTS) {
      const front = word.slice(0, at)
      if (!front.endsWith(joint) || front.length - joint.length < MIN_PART) continue
      const head = knownTermsOf(front.slice(0, front.length - joint.length))
      if (head.length === 0) continue
      // Prefer the split with the longest shorter part: less likely to be chance.
      const balance = Math.min(front.length - joint.length, word.length - at)
      if (!best || balance > best.balance) best = { parts: [head, tail], balance }
    }
  }
  return best?.parts
}

// Parses numbers written as words, by the cardinal spell-out rules of CLDR (common/rbnf) for the listed languages.
import numberWords from './number-words.json' with { type: 'json' }
import { parseNumbersIn } from './parse-numbers.ts'

/** Words that usually mean something else in another listed language. */
const AMBIGUOUS_WORDS = new Set(['null', 'nul', 'six', 'once', 'een', 'un', 'uno', 'sei', 'elf'])

/** Letters only, as in a page's tokens. */
export const foldNumberWord = (word: string): string =>
  word
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()

let known: { words: Map<string, number>; scales: Map<string, number> } | undefined

function table() {
  if (known) return known
  const words = new Map<string, number>()
  const scales = new Map<string, number>()
  for (const { small, tens, hundred, thousand } of Object.values(numberWords.spellings)) {
    const ones = small.split(' ').map(foldNumberWord)
    const rest = tens.split(' ').map(foldNumberWord)
    for (const [value, word] of ones.entries()) if (!AMBIGUOUS_WORDS.has(word) || word === 'six') words.set(word, value)
    for (const [n, word] of rest.entries()) words.set(word, 30 + n * 10)
    // German and Dutch put the ones before the tens, in one word.
    for (const joint of ['und', 'en'])
      for (const [n, ten] of [ones[20]!, ...rest].entries())
        for (let one = 1; one <= 9; one++)
          words.set(`${one === 1 && joint === 'und' ? 'ein' : ones[one]!}${joint}${ten}`, 20 + n * 10 + one)
    scales.set(foldNumberWord(hundred), 100)
    scales.set(foldNumberWord(thousand), 1000)
  }
  known = { words, scales }
  return known
}

/** A text that is a number, in digits or in words. */
export const parseNumber = (text: string): number | undefined =>
  parseNumbersIn(text)[0]?.value ?? parseNumberWordsAt(text.split(/\s+/).map(foldNumberWord), 0)?.value

/** The number spelled from `at` on, and its word count; undefined: none. */
export function parseNumberWordsAt(
  words: readonly string[],
  at: number,
): { value: number; length: number } | undefined {
  const { words: values, scales } = table()
  const valueAt = (place: number) => values.get(words[place] ?? '')
  let [total, part, length] = [0, valueAt(at), 1]
  if (part === undefined) return undefined
  for (;;) {
    const next = words[at + length] ?? ''
    const isAnd = next === 'and' && part % 100 === 0 && valueAt(at + length + 1) !== undefined
    const scale = scales.get(next)
    const one = valueAt(at + length + (isAnd ? 1 : 0))
    if (scale !== undefined) {
      if (scale === 1000) [total, part] = [total + part * 1000, 0]
      else part *= 100
      length += 1
    } else if (one !== undefined && one > 0 && fitsBehind(part, one)) {
      part += one
      length += isAnd ? 2 : 1
    } else return { value: total + part, length }
  }
}

/** "Twenty five" and "hundred twelve", but not "five twenty". */
const fitsBehind = (part: number, one: number): boolean =>
  part % 100 === 0 ? one < 100 : part % 10 === 0 && part % 100 >= 20 && one < 10

// Normalises names and labels to comparable phrases: splits camelCase and snake_case, removes accents and plurals.

import { rememberTexts } from '../../base/remember-texts.ts'
import { setOfWords } from '../../base/values.ts'

/** Words that do not change the meaning of a name or label. */
const STOP_WORDS = setOfWords(
  'the a an of for to in on at is are this that its it and or with your our all der die das des le la les du el los las il lo',
)

const CAMEL = /(\p{Ll}|\d)(\p{Lu})|(\p{Lu})(\p{Lu}\p{Ll})/gu
const MARKS = /[\p{Mn}\u00ad\u200b\u2060]/gu

/** Letters without a Unicode decomposition. */
const ASCII_OF_LETTER: Readonly<Record<string, string>> = { ł: 'l', ø: 'o', đ: 'd', ß: 'ss', æ: 'ae', œ: 'oe', ı: 'i' }
const NOT_ASCII = /[^\0-\x7f]/
const WHOLE_LETTERS = /[łøđßæœı]/g

/** The same words recur in the lines and class names of a page, and on the next page. */
const tokensOf = rememberTexts(
  (word): readonly string[] => {
    const parted = word.replace(CAMEL, '$1$3 $2$4')
    const plain = NOT_ASCII.test(parted)
      ? parted
          .normalize('NFD')
          .replace(MARKS, '')
          .toLowerCase()
          .replace(WHOLE_LETTERS, (letter) => ASCII_OF_LETTER[letter]!)
      : parted.toLowerCase()
    return (plain.match(/[\p{L}\p{N}]+/gu) ?? []).map(singular)
  },
  { max: 20_000, maxChars: 30 },
)

export const tokenizeName = (text: string, most = 200): string[] => tokenizeWords(text.slice(0, most).split(/\s+/))

/** The same for words that are parted already. */
export function tokenizeWords(words: readonly string[]): string[] {
  const all = words.flatMap(tokensOf)
  const significant = all.filter((word) => !STOP_WORDS.has(word))
  return significant.length > 0 ? significant : all
}

export const toComparablePhrase = (text: string): string => tokenizeName(text).join(' ')

export function labelToPhrase(label: string): string {
  const bare = label.slice(0, 120).replace(/[([{][^)\]}]{0,60}[)\]}]|['’]s\b/gu, ' ')
  return toComparablePhrase(/\p{L}/u.test(bare) ? bare : label)
}

/** English plurals only: other languages list theirs in the table of field names. */
function singular(word: string): string {
  if (word.length < 4 || !/^[a-z]+$/.test(word)) return word
  if (/(?:ss|us|is|as|os|ies)$/.test(word))
    return word.length > 5 && word.endsWith('ies') ? `${word.slice(0, -3)}y` : word
  if (/(?:ch|sh|x|ss|z)es$/.test(word)) return word.slice(0, -2)
  return word.endsWith('s') ? word.slice(0, -1) : word
}

/** `opening`, `hours` → `openingHours`. */
export const toCamelCase = (words: readonly string[]): string =>
  words.map((word, n) => (n === 0 ? word : word[0]!.toUpperCase() + word.slice(1))).join('')

/** Similarity of two phrases, 0 to 1: the same words, or one contained in the other. */
export function phraseSimilarity(one: string, other: string): number {
  if (one === other) return 1
  if (one === '' || other === '') return 0
  const [a, b] = [new Set(one.split(' ')), new Set(other.split(' '))]
  let shared = 0
  for (const word of a) if (b.has(word)) shared += 1
  if (shared === a.size && shared === b.size) return 0.98
  if (shared === Math.min(a.size, b.size) && shared > 1) return 0.6 + (0.3 * shared) / Math.max(a.size, b.size)
  const squeezed = [one.replaceAll(' ', ''), other.replaceAll(' ', '')] as const
  if (squeezed[0] === squeezed[1]) return 0.98
  return 0
}

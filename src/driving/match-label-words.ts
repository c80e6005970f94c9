// Compares the words of a request with the words of a label: by letters, stems, and names that interfaces use for the
// same thing.

import { rememberTexts } from '../base/remember-texts.ts'
import { setOfWords } from '../base/values.ts'
import labelWords from './label-words.json' with { type: 'json' }

export const foldText = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/[’‘]/g, "'")

const NUMBERS = 'zero one two three four five six seven eight nine ten eleven twelve'.split(' ')

/** The labels of a page are compared with every part of a request. */
const memoizeText = <T extends NonNullable<unknown>>(work: (text: string) => T) =>
  rememberTexts(work, { max: 5000, maxChars: 200 })

/** Words of a text; numbers in words become digits, and pairs such as "sign in" one word. */
export const labelWordsOf: (text: string) => readonly string[] = memoizeText((text) => {
  const words =
    foldText(text)
      .replace(/e-mail/g, 'email')
      .replace(/\bpop-up/g, 'popup')
      .replace(/'s\b/g, '')
      .match(/\d+(?:[.,:]\d+)+|[\p{L}\p{N}]+|[+−×÷<>«»‹›%🗑🔍★☆✎]/gu) ?? []
  const out: string[] = []
  for (let at = 0; at < words.length; at++) {
    const verb = /^(sign|log|check|go)(?:g?ed|g?ing|s)?$/.exec(words[at]!)?.[1]
    const pair = verb !== undefined && /^(in|on|up|out|off)$/.test(words[at + 1] ?? '')
    const number = NUMBERS.indexOf(words[at]!)
    out.push(pair ? `${verb}${words[++at]}` : number > 1 ? String(number) : words[at]!)
  }
  return out
})

/** Words that say nothing about which element is meant. */
const WEAK_WORDS = setOfWords(
  'a an the this that these those my your our their his her its it to of in on at for with from by as is are be and or please me i we you them',
)

/** Words that a label is recognised by; asides in brackets only count where nothing else is left. */
export const keyWordsOf: (label: string) => readonly string[] = memoizeText((label) => {
  const bare = label.replace(/\([^)]*\)/g, ' ')
  const words = labelWordsOf(/[\p{L}\p{N}]/u.test(bare) ? bare : label)
  const strong = words.filter((word) => !WEAK_WORDS.has(word))
  return strong.length > 0 ? strong : words
})

/** Light stemming: `selects` and `selected` both become `select`. */
export const stemWord = memoizeText((word) => {
  if (word.length < 4 || /\d/.test(word)) return word.length === 3 ? word.replace(/([^s])s$/, '$1') : word
  const cut = word
    .replace(/ies$/, 'y')
    .replace(/(ss|sh|ch|x)es$/, '$1')
    .replace(/([^s])s$/, '$1')
    .replace(/(?<=.{3})(?:ing|ed)$/, '')
  return cut.replace(/([bdgklmnprt])\1$/, '$1').replace(/(?<=.{3})e$/, '')
})

/** By stem, the rows of the table in which a word stands. */
const groups = new Map<string, Set<number>>()
for (const [row, line] of labelWords.synonyms.entries())
  for (const word of line.split(' ')) {
    const rows = groups.get(stemWord(word)) ?? new Set<number>()
    groups.set(stemWord(word), rows.add(row))
  }

function isSynonym(a: string, b: string): boolean {
  const [one, other] = [groups.get(stemWord(a)), groups.get(stemWord(b))]
  if (!one || !other) return false
  for (const row of one) if (other.has(row)) return true
  return false
}

/** 1: the same word; less for another form of it or a synonym; 0: another word. */
export function scoreWordMatch(a: string, b: string): number {
  if (a === b) return 1
  if (stemWord(a) === stemWord(b)) return 0.97
  return isSynonym(a, b) ? 0.85 : isDerived(a, b) ? 0.8 : 0
}

const SUFFIX =
  /^(s|e|y|al|als|ation|ations|ration|ion|ions|ing|ings|er|ers|ment|ments|ity|ility|le|able|ible|ance|ence|ly|ness)?$/

/** `renew` and `renewals`, `plausible` and `plausibility`. */
function isDerived(a: string, b: string): boolean {
  let same = 0
  while (same < a.length && a[same] === b[same]) same++
  return same >= 5 && SUFFIX.test(a.slice(same)) && SUFFIX.test(b.slice(same))
}

// Converts text to stems for comparison: without case, accents and grammatical endings; scripts without spaces become
// letter pairs. Stems are only compared with each other, so overstemming is harmless.

import { rememberTexts } from '../../base/remember-texts.ts'
import { once } from '../../base/values.ts'
import words from './words.json' with { type: 'json' }

/** Han, kana, hangul syllables, Thai, Lao, Khmer, Burmese: no spaces between words, or attached endings. */
const SCRIPTS_WITHOUT_SPACES =
  '\\u3040-\\u30ff\\u3400-\\u9fff\\uac00-\\ud7af\\u0e00-\\u0eff\\u1000-\\u109f\\u1780-\\u17ff\\uf900-\\ufaff'
const NUMBER_TAIL = "(?:['’.,:/-](?=\\p{N})\\p{N}+)*"
const WORD = new RegExp(
  `[${SCRIPTS_WITHOUT_SPACES}]+|(?![${SCRIPTS_WITHOUT_SPACES}])[\\p{L}\\p{N}](?:(?![${SCRIPTS_WITHOUT_SPACES}])[\\p{L}\\p{M}\\p{N}])*${NUMBER_TAIL}`,
  'gu',
)
const ANY_UNSPACED = new RegExp(`[${SCRIPTS_WITHOUT_SPACES}]`)
const BEGINS_UNSPACED = new RegExp(`^[${SCRIPTS_WITHOUT_SPACES}]`)
const KEEP = 4
const MAX_TERM = 40
const SUFFIXES = words.suffixes.split(' ').sort((one, other) => other.length - one.length)

/** All stems of a text in order, with repeats. `seen` receives the word of each new stem. */
export function stemText(plain: string, seen?: Map<string, string>): string[] {
  const terms: string[] = []
  for (const [word] of plain.matchAll(WORD)) {
    if (BEGINS_UNSPACED.test(word)) addPairs(word, terms)
    else {
      const lower = removeCaseAndAccents(word.slice(0, MAX_TERM))
      const term = stemWord(lower)
      if (seen && !seen.has(term)) seen.set(term, lower)
      terms.push(term)
    }
  }
  return terms
}

/**
 * The stems of a question. Scripts without spaces are segmented into words first: a pair across two words occurs in no
 * passage.
 */
export function stemQuestion(question: string): string[] {
  if (!ANY_UNSPACED.test(question)) return stemText(question)
  const parts = new Intl.Segmenter(undefined, { granularity: 'word' }).segment(question)
  const terms = [...parts].flatMap(({ segment }) => ([...segment].length > 1 ? stemText(segment) : []))
  return terms.length > 0 ? terms : stemText(question)
}

export function removeCaseAndAccents(word: string): string {
  const lower = word.toLowerCase()
  if (/^[\0-\x7f]*$/.test(lower)) return lower
  return lower
    .normalize('NFKD')
    .replace(/[\u0300-\u036f\u064b-\u065f\u0670]/g, '')
    .replace(/ß/g, 'ss')
    .replace(/^ال(?=..)/, '')
}

const VERB = /^([a-z]{3,})(?:ing|ed|able)$/
const DOUBLED = /([bdgmnprt])\1$/

/** The search for a suffix costs more than the look into a table, and words recur. */
export const stemWord = rememberTexts(makeStem, { max: 20_000, maxChars: 100 })

function makeStem(word: string): string {
  if (/\d/.test(word)) return word
  // "moving" and "stopped" become "move" and "stop": a verb's stem may be short, and its last letter doubled.
  const verb = VERB.exec(word)?.[1]
  if (verb !== undefined && /[aeiouy]/.test(verb)) return verb.replace(DOUBLED, '$1').replace(/(?<=...)e$/, '')
  if (word.length <= KEEP) return word.replace(/(?<=...)[es]$/, '')
  const suffix = SUFFIXES.find((one) => word.endsWith(one))
  if (suffix === undefined) return word
  const cut = word.slice(0, -suffix.length)
  return cut.length >= KEEP || suffix.length === 1 ? cut : word.slice(0, Math.max(KEEP, word.length - 1))
}

function addPairs(word: string, terms: string[]): void {
  const letters = [...word.slice(0, 400)]
  if (letters.length === 1) terms.push(letters[0]!)
  for (let at = 0; at + 1 < letters.length; at++) terms.push(letters[at]! + letters[at + 1]!)
}

const stemsOf = (list: string): Set<string> =>
  new Set(list.split(' ').flatMap((word) => [word, removeCaseAndAccents(word), stemWord(removeCaseAndAccents(word))]))

const stopStems = once(() => stemsOf(words.stop))
const lightStems = once(() => stemsOf(words.light))

export const isStopWord = (term: string): boolean => stopStems().has(term)

/** Weight of a stem in a question: words that fit every subject weigh little. */
export const weightOfTerm = (term: string): number =>
  // Hiragana pairs are mostly grammar.
  lightStems().has(term) ? 0.35 : /^[\u3040-\u309f]+$/.test(term) ? 0.25 : 1

const relatedStems = once(() => {
  const table = new Map<string, Set<string>>()
  for (const line of words.meanings) {
    const stems = line.split(' ').map((word) => stemWord(removeCaseAndAccents(word)))
    for (const one of stems) table.set(one, new Set([...(table.get(one) ?? []), ...stems]))
  }
  return table
})

const NONE: ReadonlySet<string> = new Set()

/** Synonyms, as stems. */
export const synonymStemsOf = (term: string): ReadonlySet<string> => relatedStems().get(term) ?? NONE

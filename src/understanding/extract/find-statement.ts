// Whether a page says yes or no to a field such as `dogs_allowed` in a sentence: "Dogs are not allowed in the hall."

import { rememberByObject, setOfWords } from '../../base/values.ts'
import { stemText } from '../passages/stem-terms.ts'
import { areSynonyms } from './field-terms.ts'
import { tokenizeName } from './normalise-labels.ts'
import type { PagePart } from './page-part.ts'

/** Words that state something of the others; each row lists those that state the same. */
const STATEMENTS = [
  'available offered provided offers has included vorhanden disponible disponibles',
  'allowed permitted welcome erlaubt gestattet autorisé permitido',
  'required needed necessary mandatory must nötig erforderlich nécessaire obligatoire necesario obligatorio',
  'accepted accepts accepting welcome takes akzeptiert accepté aceptan admiten',
].map((row) => row.split(' ').flatMap((word) => stemText(word)))
const FILLERS = new Set(['is', 'are', 'on', 'for', 'can', 'does'])
const NEGATION = /^(?:no|not|never|cannot|without|nicht|kein\w*|ohne|pas|sans|aucun\w*|sin|ningun\w*)$/
/** Between a negation and what it denies. */
const SMALL_WORDS = setOfWords('a an any the yet be been de d')
const CONDITION = /\b(?:if|unless|wenn|si|ask)\b/i
const MAX_CLAUSE = 200
const MAX_CLAUSES = 60

type Clause = { text: string; words: readonly string[]; stems: readonly string[] }

/** The clauses that say yes or no, with what they say. */
export function findStatements(name: string, part: Pick<PagePart, 'lines'>): { value: boolean; text: string }[] {
  const tokens = tokenizeName(name).filter((word) => !FILLERS.has(word))
  const stems = tokens.flatMap((word) => stemText(word))
  const heads = STATEMENTS.filter((row) => stems.some((one) => row.includes(one))).flat()
  const asked = stems.filter((one) => !heads.includes(one))
  if (asked.length === 0) return []
  return clausesOf(part).flatMap((clause) => {
    const value = saysSo(clause, asked, heads)
    return value === undefined ? [] : [{ value, text: clause.text }]
  })
}

/** Made once for a page: several fields ask. */
const clausesOf = rememberByObject(({ lines }: Pick<PagePart, 'lines'>): readonly Clause[] =>
  lines.flatMap(({ text, isMain }) => (isMain ? splitClauses(text) : [])),
)

const splitClauses = (line: string): Clause[] =>
  line.split(/(?<=[.;!?:])\s|,\s|\s[–—]\s/u, MAX_CLAUSES).flatMap((text) => {
    // A question states nothing.
    if (text.length > MAX_CLAUSE || text.trimEnd().endsWith('?')) return []
    const words =
      text
        .toLowerCase()
        .replace(/n['’]t\b/g, ' not')
        .match(/\p{L}+/gu) ?? []
    return [{ text, words, stems: words.map((word) => stemText(word)[0] ?? '') }]
  })

const isSame = (one: string, other: string): boolean =>
  areSynonyms(one, other) || (one.length >= 5 && other.length >= 5 && (one.startsWith(other) || other.startsWith(one)))

function saysSo({ text, words, stems }: Clause, asked: readonly string[], heads: readonly string[]) {
  if (!asked.every((word) => stems.some((one) => isSame(word, one)))) return undefined
  const isAsked = (at: number) =>
    stems[at] !== undefined && (heads.includes(stems[at]) || asked.some((word) => isSame(word, stems[at]!)))
  const after = (at: number) => {
    let next = at + 1
    while (SMALL_WORDS.has(words[next] ?? '')) next++
    return next
  }
  const negations = words.flatMap((word, at) => (NEGATION.test(word) ? [at] : []))
  if (negations.some((at) => isAsked(after(at)))) return false
  // "There is childcare", "we offer childcare".
  const isThere = words.some((word, at) => THERE_IS.test(`${words[at - 1]} ${word}`) && isAsked(after(at)))
  const isStated = isThere || (negations.length === 0 && stems.some((one) => heads.includes(one)))
  // A negation of something else, or a condition, leaves the statement open.
  return isStated && !CONDITION.test(text) ? true : undefined
}

const THERE_IS = /^(?:there (?:is|are)|we (?:have|offer|provide))$/

// Whether a page says yes or no to a field such as `dogs_allowed` in a sentence: "Dogs are not allowed in the hall."

import type { TextLine } from '../facts/read-visible-lines.ts'
import { stemText } from '../passages/stem-terms.ts'
import { areSynonyms } from './field-terms.ts'
import { tokenizeName } from './normalise-labels.ts'

/** Words that state something of the others; each row lists those that state the same. */
const STATEMENTS = [
  'available offered provided offers has included vorhanden disponible disponibles',
  'allowed permitted welcome erlaubt gestattet autorisé permitido',
  'required needed necessary mandatory must nötig erforderlich nécessaire obligatoire necesario obligatorio',
  'accepted accepts accepting welcome takes akzeptiert accepté aceptan admiten',
].map((row) => row.split(' ').flatMap((word) => stemText(word)))
const FILLERS = new Set(['is', 'are', 'on', 'for', 'can', 'does'])
const THERE_IS = /\b(?:there (?:is|are)|we (?:have|offer|provide))\b/i
const NEGATION =
  /^(?:no|not|never|cannot|without|don|doesn|isn|aren|nicht|kein\w*|ohne|pas|sans|aucun\w*|sin|ningun\w*)$/
const ARTICLES = new Set('a an any the yet de d'.split(' '))
const MAX_CLAUSE = 200

/** The clauses that say yes or no, with what they say. */
export function findStatements(name: string, lines: readonly TextLine[]): { value: boolean; text: string }[] {
  const tokens = tokenizeName(name).filter((word) => !FILLERS.has(word))
  const stems = tokens.flatMap((word) => stemText(word))
  const heads = STATEMENTS.filter((row) => stems.some((one) => row.includes(one))).flat()
  const words = stems.filter((one) => !heads.includes(one))
  if (words.length === 0) return []
  return lines.flatMap(({ text, isMain }) =>
    isMain
      ? text.split(/(?<=[.;!?:])\s|,\s|\s[–—]\s/u, 60).flatMap((clause) => {
          // A question states nothing.
          const isShort = clause.length <= MAX_CLAUSE && !clause.trimEnd().endsWith('?')
          const value = isShort ? saysSo(clause, words, heads) : undefined
          return value === undefined ? [] : [{ value, text: clause }]
        })
      : [],
  )
}

const isSame = (one: string, other: string): boolean =>
  areSynonyms(one, other) || (one.length >= 5 && other.length >= 5 && (one.startsWith(other) || other.startsWith(one)))

function saysSo(clause: string, words: readonly string[], heads: readonly string[]): boolean | undefined {
  const said = clause.toLowerCase().match(/\p{L}+/gu) ?? []
  const stems = said.map((word) => stemText(word)[0] ?? '')
  if (!words.every((word) => stems.some((one) => isSame(word, one)))) return undefined
  const isAsked = (stem: string | undefined) =>
    stem !== undefined && (heads.includes(stem) || words.some((word) => isSame(word, stem)))
  const negations = said.flatMap((word, at) => (NEGATION.test(word) ? [at] : []))
  const isDenied = negations.some((at) => isAsked(stems[ARTICLES.has(said[at + 1] ?? '') ? at + 2 : at + 1]))
  if (isDenied) return false
  const isStated = stems.some((one) => heads.includes(one)) || THERE_IS.test(clause)
  // A negation of something else, or a condition, leaves the statement open.
  return isStated && !/\b(?:if|unless|wenn|si|ask)\b/i.test(clause) && (negations.length === 0 || THERE_IS.test(clause))
    ? true
    : undefined
}

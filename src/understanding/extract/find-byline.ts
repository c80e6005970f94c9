// The line near a heading that says who wrote the page, and often when: "3 May 2024 by Ann Lee". The author's label is
// one of the table of field names; without one, "Words: Ann Lee" needs a date beside it.

import { parseDate } from '../../base/parse-dates.ts'
import type { LineRun, TextLine } from '../facts/read-visible-lines.ts'
import { findTermById } from './field-terms.ts'
import { acceptKnownName, findPersonName } from './find-person-name.ts'
import { toComparablePhrase } from './normalise-labels.ts'

export interface Byline {
  author: string
  /** The whole line, when it has a date. */
  dated: string | undefined
}

const MAX_BYLINE = 200
const MAX_LABEL_WORDS = 3
const MAX_NAME = 40
const LABELLED_NAME = /^[\p{L} ]{2,30}:\s+(\p{Lu}[^:]{3,60})$/u

/** The first line with an author and a date, else the first with an author. */
export function findByline(lines: readonly TextLine[], language: string): Byline | undefined {
  let undated: Byline | undefined
  for (const line of lines) {
    if (line.text.length > MAX_BYLINE) continue
    const isDated = parseDate(line.text, language) !== undefined
    const author = authorIn(line.runs, isDated)
    if (author && isDated) return { author, dated: line.text }
    if (author) undated ??= { author, dated: undefined }
  }
  return undated
}

function authorIn(runs: readonly LineRun[], isDated: boolean): string | undefined {
  for (const [n, { text }] of runs.entries()) {
    const next = runs[n + 1]?.text
    if (isAuthorLabel(text)) {
      const name = next && (findPersonName(next) ?? acceptKnownName(next))
      if (name) return name
    }
    const words = text.split(/\s+/)
    // Words before the label are a sentence, unless one of them is the date.
    for (let at = 0; at < (isDated ? words.length - 1 : 1); at++)
      for (let length = Math.min(MAX_LABEL_WORDS, words.length - at - 1); length > 0; length--) {
        const rest = words.slice(at + length).join(' ')
        const name = isAuthorLabel(words.slice(at, at + length).join(' ')) ? findPersonName(rest, isDated) : undefined
        if (name) return name
      }
    const [, named] = (isDated && LABELLED_NAME.exec(text)) || []
    const person = named && findPersonName(named, false)
    if (person) return person
  }
  return undefined
}

const isAuthorLabel = (text: string): boolean =>
  text.length <= MAX_NAME && findTermById('author').phrases.includes(toComparablePhrase(text))

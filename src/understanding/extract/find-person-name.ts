// Extracts a person's name from a byline, signature or cell; rejects headlines and sentences. Finds the byline of a page.
import { parseDate } from '../../base/parse-dates.ts'
import type { LineRun, TextLine } from '../facts/read-visible-lines.ts'
import { findTermById, findTermsByPhrase } from './field-terms.ts'
import { toComparablePhrase } from './normalise-labels.ts'

const PARTICLE = /^(?:van|von|de|der|den|del|da|di|la|le|bin|al|el|y|dos|du|ter|af|zu|e|i|do)$/iu
const MAX_NAME = 60

/** "By Ann Lee | 3 May 2024" → "Ann Lee". */
export function findPersonName(text: string, mayBeUser = true): string | undefined {
  let said = withoutLabel(text.trim().slice(0, 160))
  const date = parseDate(said)
  if (date) said = said.slice(0, date.at)
  said = said.split(/\s+[|•·–—(/／»-]\s*|\s{2,}|,\s|<|\(/u, 1)[0]!.replace(/^[@\s"“]+|[\s,:;"”|–-]+$/gu, '')
  return isName(said, mayBeUser) ? said : undefined
}

/** For text known to be a name: checks only length and characters, not capitals. */
export const acceptKnownName = (text: string): string | undefined =>
  text.length <= MAX_NAME && /^\p{L}[\p{L}\p{N}_.'’ -]+$/u.test(text) && text.split(' ').length <= 3 ? text : undefined

/** Strips a leading author label, in any language of the table. */
function withoutLabel(text: string): string {
  const words = text.split(/\s+/)
  const labels = findTermById('author').phrases
  for (let length = Math.min(3, words.length - 1); length > 0; length--)
    if (labels.includes(toComparablePhrase(words.slice(0, length).join(' '))))
      return words.slice(length).join(' ').replace(/^:\s*/, '')
  // "Photos: Ann Lee".
  return text.replace(/^\p{L}+:\s+(?=\p{Lu})/u, '')
}

/** One to five words, each capitalised or a particle; a single word may be a user name. */
function isName(text: string, mayBeUser: boolean): boolean {
  if (text.length < 2 || text.length > MAX_NAME || /[!?;:/\\]|\.\s\p{Ll}|\d{3}/u.test(text)) return false
  // The label of another field is not a name.
  if (/\p{L}{2}\.$/u.test(text) || findTermsByPhrase(toComparablePhrase(text)).length > 0) return false
  const words = text.split(/\s+/)
  if (words.length === 1) return mayBeUser && /^[\p{L}\p{N}._'’-]+$/u.test(text) && /\p{L}/u.test(text)
  if (words.length > 6) return false
  return words.every((word) => PARTICLE.test(word) || /^[\p{Lu}\p{Lo}][\p{L}\p{M}.'’-]*$/u.test(word) || word === '&')
}

export interface Byline {
  author: string
  /** The whole line, when it has a date. */
  dated: string | undefined
}

const MAX_BYLINE = 200
const MAX_LABEL_WORDS = 3
const MAX_AUTHOR_LABEL = 40
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
  text.length <= MAX_AUTHOR_LABEL && findTermById('author').phrases.includes(toComparablePhrase(text))

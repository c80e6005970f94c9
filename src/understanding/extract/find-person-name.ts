// Extracts a person's name from a byline, signature or cell; rejects headlines and sentences.
import { parseDate } from '../../base/parse-dates.ts'
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

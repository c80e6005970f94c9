// Removes personal and secret data from text: runs detectors on a view, resolves overlaps and replaces the findings.
// Linear in the text.
import { findEmails, findPhones, type IsPossiblePhone } from './find-emails-and-phones.ts'
import { findFinancialNumbers } from './find-financial-numbers.ts'
import { findNationalIdNumbers } from './find-national-id-numbers.ts'
import { collectFamilyNames, findLoneFamilyNames, findPeople } from './find-people.ts'
import { findPlaces } from './find-places.ts'
import { findSecrets } from './find-secrets.ts'
import { loadNameAndPlaceLists, type NameAndPlaceLists } from './name-and-place-lists.ts'
import {
  MASK_CHARACTER,
  type MaskedText,
  type PrivacyEntity,
  type PrivacyFinding,
  removeOverlaps,
} from './privacy-finding.ts'
import type { RedactOptions } from './redact-options.ts'

export interface Redactor {
  find(text: string, kind: TextKind, options: RedactOptions): PrivacyFinding[]
  /** `names`: family names from other texts of the document; those of this text are added. */
  redact(text: string, kind: TextKind, options: RedactOptions, names?: Set<string>): string
  names(text: string, kind: TextKind, options: RedactOptions): string[]
}

/** Loads the lists; reuse the redactor. */
export async function openRedactor(): Promise<Redactor> {
  const [gazetteer, { parsePhoneNumberFromString }] = await Promise.all([
    loadNameAndPlaceLists(),
    import('libphonenumber-js/min'),
  ])
  const isPossible: IsPossiblePhone = (number) => parsePhoneNumberFromString(number)?.isPossible() ?? false
  const find: Redactor['find'] = (text, kind, options) =>
    findAll(maskMarkup(text, kind), options, gazetteer, isPossible)
  return {
    find,
    redact(text, kind, options, names = new Set()) {
      const view = maskMarkup(text, kind)
      const findings = findAll(view, options, gazetteer, isPossible)
      for (const name of collectFamilyNames(view, findings, gazetteer)) names.add(name)
      const alone = options.entities.includes('PERSON') ? findLoneFamilyNames(view, names) : []
      return replaceSpans(text, removeOverlaps([...findings, ...alone]), kind, options.replaceStyle)
    },
    names(text, kind, options) {
      const view = maskMarkup(text, kind)
      return collectFamilyNames(view, findPeople(view, gazetteer, options.mode), gazetteer)
    },
  }
}

/** In order of certainty: of overlapping findings, the earlier one decides the entity. */
function findAll(
  view: MaskedText,
  { mode, entities }: RedactOptions,
  gazetteer: NameAndPlaceLists,
  isPossible: IsPossiblePhone,
): PrivacyFinding[] {
  const wanted = new Set(entities)
  const detectors: readonly (readonly [PrivacyEntity, () => PrivacyFinding[]])[] = [
    ['SECRET', () => findSecrets(view, mode)],
    ['EMAIL', () => findEmails(view)],
    ['FINANCIAL', () => findFinancialNumbers(view)],
    ['SECRET', () => findNationalIdNumbers(view)],
    ['PHONE', () => findPhones(view, mode, isPossible)],
    ['LOCATION', () => findPlaces(view, gazetteer, mode)],
    ['PERSON', () => findPeople(view, gazetteer, mode)],
  ]
  return removeOverlaps(detectors.flatMap(([entity, detect]) => (wanted.has(entity) ? detect() : [])))
}

function replaceSpans(
  text: string,
  findings: readonly PrivacyFinding[],
  kind: TextKind,
  style: RedactOptions['replaceStyle'],
): string {
  const out: string[] = []
  let at = 0
  for (const { start, end, entity } of findings) {
    out.push(text.slice(at, start))
    if (style === 'mask') out.push('*'.repeat(end - start))
    else if (style === 'tag') out.push(kind === 'html' ? `&lt;${entity}&gt;` : `<${entity}>`)
    at = style === 'remove' && text[start - 1] === ' ' && text[end] === ' ' ? end + 1 : end
  }
  out.push(text.slice(at))
  return out.join('')
}

type TextKind = 'markdown' | 'html'

const ADDRESS = /\b(?:https?|ftp|data):[^\s<>"'`)\]]{1,4000}/g
const MARKS = /[*`~|#>]|\\(?=[^\p{L}\p{N}\s])|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu

function maskMarkup(text: string, kind: TextKind): MaskedText {
  const struck = kind === 'html' ? withoutTags(text) : text
  const words = struck.replace(ADDRESS, strike)
  return { words: kind === 'html' ? words : words.replace(MARKS, strike), all: text }
}

const strike = (stretch: string): string => MASK_CHARACTER.repeat(stretch.length)

/** Overwrites scripts, styles and tags in one pass; an unclosed tag is text. */
function withoutTags(html: string): string {
  const out: string[] = []
  // Element names without a further closing tag, searched once; otherwise a page of opening tags would take quadratic
  // time.
  const unclosed = new Set<string>()
  let at = 0
  while (at < html.length) {
    const open = html.indexOf('<', at)
    if (open < 0) break
    out.push(html.slice(at, open))
    const hidden = /^<(script|style)\b/i.exec(html.slice(open, open + 8))?.[1]
    const end = hidden ? endOf(html, open, hidden.toLowerCase(), unclosed) : html.indexOf('>', open)
    if (end < 0) {
      at = open
      break
    }
    out.push(MASK_CHARACTER.repeat(end + 1 - open))
    at = end + 1
  }
  out.push(html.slice(at))
  return out.join('')
}

function endOf(html: string, open: number, name: string, unclosed: Set<string>): number {
  if (!unclosed.has(name)) {
    const close = new RegExp(`</${name}`, 'gi')
    close.lastIndex = open
    const found = close.exec(html)
    if (found) return html.indexOf('>', found.index)
    unclosed.add(name)
  }
  return html.indexOf('>', open)
}

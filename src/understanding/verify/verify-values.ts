// Verifies a model's values against the page. An unsupported value is kept and marked, because it may be paraphrased;
// only URLs, e-mails, phone numbers and ids, which one wrong letter invalidates, are removed.
import { isObject } from '../../base/values.ts'
import { classifyCheckedValue, type EvidenceIndex, requiresExactMatch } from './page-evidence.ts'

export interface ValueCheck {
  /** Names and indexes, separated by dots. */
  path: string
  isVerified: boolean
  quote?: string
  /** Replaced by null. */
  isDropped?: true
}

export type VerifiedValue = { value: unknown; checks: ValueCheck[] }

const MAX_CHECKED = 2000
const MAX_DEPTH = 40

/** `schema`: enum values are judgements, not quotations. */
export function verifyValue(value: unknown, evidence: EvidenceIndex, schema?: unknown): VerifiedValue {
  const checks: ValueCheck[] = []
  const walk = (one: unknown, path: string, part: unknown, depth: number): unknown => {
    if (depth > MAX_DEPTH || checks.length >= MAX_CHECKED) return one
    if (Array.isArray(one)) {
      const items = one.map((item, at) => walk(item, joinPath(path, String(at)), fieldOf(part, 'items'), depth + 1))
      return items.filter((item, at) => item !== null || one[at] === null)
    }
    if (one !== null && typeof one === 'object')
      return Object.fromEntries(
        Object.entries(one).map(([name, inner]) => [
          name,
          walk(inner, joinPath(path, name), fieldOf(fieldOf(part, 'properties'), name), depth + 1),
        ]),
      )
    if ((typeof one !== 'string' && typeof one !== 'number') || one === '' || isChoice(part)) return one
    const name = path.split('.').findLast((step) => !/^\d+$/.test(step)) ?? ''
    const found = evidence.find(one, name)
    if (found) checks.push({ path, isVerified: true, quote: found.quote })
    else if (typeof one === 'string' && requiresExactMatch(classifyCheckedValue(one, name))) {
      checks.push({ path, isVerified: false, isDropped: true })
      return null
    } else checks.push({ path, isVerified: false })
    return one
  }
  return { value: walk(value, '', schema, 0), checks }
}

const MAX_NAMED = 8

/** Warnings about values that the page does not contain; empty when it contains all. */
export function writeVerifyWarnings(checks: readonly ValueCheck[]): string[] {
  const listNamed = (some: readonly ValueCheck[]) => {
    const paths = some.map(({ path }) => path || 'the value')
    const more = paths.length > MAX_NAMED ? ` and ${paths.length - MAX_NAMED} more` : ''
    return `${paths.slice(0, MAX_NAMED).join(', ')}${more}`
  }
  const kept = checks.filter(({ isVerified, isDropped }) => !isVerified && !isDropped)
  const dropped = checks.filter(({ isDropped }) => isDropped)
  return [
    ...(kept.length > 0 ? [`The page does not state these values of the model literally: ${listNamed(kept)}.`] : []),
    ...(dropped.length > 0
      ? [
          `URLs, e-mail addresses, phone numbers or ids of the model that are not on the page were left out: ${listNamed(dropped)}.`,
        ]
      : []),
  ]
}

const joinPath = (path: string, name: string): string => (path === '' ? name : `${path}.${name}`)

const fieldOf = (part: unknown, name: string): unknown =>
  isObject(part) && Object.hasOwn(part, name) ? part[name] : undefined

const isChoice = (part: unknown): boolean => isObject(part) && (part.enum !== undefined || part.const !== undefined)

/** URLs, e-mails, dates, times, and numbers with their units, as they occur in a sentence. */
const CLAIM_PATTERNS = [
  /https?:\/\/[^\s<>()"'\]]*[^\s<>()"'\].,;:!?]/g,
  /[^\s@<>()"',;]+@[^\s@<>()"',;]+\.[\p{L}]{2,}/gu,
  /\d{4}-\d{2}-\d{2}|\d{1,2}\.? \p{L}{3,12} \d{4}|\p{L}{3,12} \d{1,2},? \d{4}|\d{1,2}:\d{2}/gu,
  // Phone numbers.
  /(?:\+|\b0|\()\d[\d\s()./-]{5,}\d/g,
  /\p{Sc}?\d[\d.,]*\d%?|\p{Sc}?\d%?/gu,
  // Names of two words and more that do not begin a sentence.
  /(?<=[\p{Ll},;:] )\p{Lu}[\p{L}’'-]+(?: \p{Lu}[\p{L}’'-]+)+/gu,
]
const MAX_STATED = 60

/** Claims of a model's sentence that neither the page nor the question contains. */
export function findUnsupportedClaims(sentence: string, evidence: EvidenceIndex): string[] {
  let rest = sentence
  const doubts: string[] = []
  for (const pattern of CLAIM_PATTERNS) {
    for (const [value] of [...rest.matchAll(pattern)].slice(0, MAX_STATED))
      if (!evidence.find(value, '')) doubts.push(value)
    // A checked match is not checked again by its parts.
    rest = rest.replace(pattern, ' … ')
  }
  return [...new Set(doubts)]
}

export const writeUnsupportedClaimWarnings = (doubts: readonly string[]): string[] =>
  doubts.length === 0
    ? []
    : [`The model's answer contains words that the page does not: ${doubts.slice(0, MAX_NAMED).join(', ')}.`]

// Judges by rules whether a change meets a monitor's goal: words, kinds of values, direction (cheaper, back in stock,
// above 20).
import { setOfWords } from '../../base/values.ts'
import type { EditKind } from './classify-edit.ts'
import type { ReportedChange } from './evaluate-monitor-check.ts'
import { parseNumbers } from './line-shape-and-numbers.ts'

export interface ChangeJudgment {
  meaningful: boolean
  confidence: 'high' | 'medium' | 'low'
  reason: string
  meaningfulChanges: { type: ReportedChange['type']; before: string | null; after: string | null; reason: string }[]
  /** Set when rules judged instead of a model. */
  judgeDegraded?: boolean
  /** Why the configured model did not judge. */
  degradedReason?: string
}

const MAX_SHOWN = 20

const KINDS: readonly (readonly [EditKind, RegExp])[] = [
  [
    'price',
    /\b(?:pric\w*|cost\w*|cheap\w*|expensive|discount\w*|sale|fee\w*|tariff\w*|preis\w*|günstig\w*|billig\w*|prix|precio\w*|preço\w*|prezz\w*)\b/iu,
  ],
  [
    'stock',
    /\b(?:stock\w*|availab\w*|sold out|restock\w*|buyable|pre-?order\w*|lager\w*|verfügbar\w*|lieferbar\w*|disponib\w*|disponív\w*)\b/iu,
  ],
  [
    'status',
    /\b(?:status|outage\w*|incident\w*|down|maintenance|delay\w*|cancel\w*|operational|störung\w*|verspät\w*|ausfall\w*|panne\w*|retard\w*)\b/iu,
  ],
  [
    'date',
    /\b(?:dates?|deadline\w*|schedul\w*|timetable\w*|postpon\w*|resched\w*|release date|termin\w*|frist\w*|datum|fecha\w*|data)\b/iu,
  ],
  [
    'item',
    /\b(?:new|added?|posts?|articles?|jobs?|openings?|positions?|listings?|entries|entry|releases?|versions?|products?|items?|announce\w*|publish\w*|neue?\w*|nouveau\w*|nuev\w*)\b/iu,
  ],
]

const STOP = setOfWords(
  'a an the of on in at for to and or is are was be when if any my me us our this that these those its it with from by about tell alert notify know let want watch monitor page site website change changes changed changing update updates updated something anything whenever please should would there has have more than text texts wording words content contents anything',
)

const DOWN =
  /\b(?:drop\w*|fall\w*|fell|lower\w*|cheaper|decreas\w*|reduc\w*|below|under|less than|discount\w*|sinkt?|günstiger|baisse\w*|baja\w*)\b/iu
const UP = /\b(?:ris(?:e|es|ing)|rose|increas\w*|higher|above|over|exceed\w*|more than|steigt?|hausse\w*|sube\w*)\b/iu
const BACK = /\b(?:back in stock|in stock|restock\w*|available|buyable|verfügbar|lieferbar|disponible)\b/iu
const OUT = /\b(?:sold out|out of stock|unavailable|no longer available|ausverkauft|agotado|épuisé)\b/iu
const IN_STOCK =
  /\b(?:in stock|available (?:now|again)|add to (?:cart|basket)|auf lager|lieferbar|en stock|disponible)\b/iu
const NOT =
  /\b(?:ignore|except|not|don't|do not|without|other than|unless|ausser|außer|ohne)\b\s+(?:about\s+)?([^.,;]+)/giu

/** A search hit is always an added line, so only its words are compared with the goal, not the kind of change. */
interface JudgedAs {
  isHit?: boolean
  /** Words of the goal that qualify others, such as "major". */
  adjectives?: ReadonlySet<string>
}

export function judgeChangeByRules(
  goal: string,
  changes: readonly ReportedChange[],
  met: readonly string[],
  { isHit = false, adjectives = new Set() }: JudgedAs = {},
): ChangeJudgment {
  if (met.length > 0)
    return {
      ...verdict(true, 'high', `${met[0]}, which your goal names`),
      meaningfulChanges: showChanges(changes, met[0]!),
    }
  if (changes.length === 0) return verdict(false, 'low', 'nothing that could be judged changed')
  const wanted = { ...readGoal(goal), isHit, adjectives }
  const scored = changes.map((change) => ({ change, ...scoreOf(wanted, change) })).sort((a, b) => b.score - a.score)
  const best = scored[0]!
  const hits = scored.filter(({ score }) => score >= 2)
  if (hits.length > 0) {
    const confidence = best.score >= 3 ? 'high' : 'medium'
    return {
      ...verdict(true, confidence, best.reason),
      meaningfulChanges: hits.slice(0, MAX_SHOWN).map(({ change, reason }) => withReason(change, reason)),
    }
  }
  if (best.score <= 0) return verdict(false, best.score < 0 || wanted.kinds.size > 0 ? 'high' : 'medium', best.reason)
  // Uncertain: a false alert is better than a missed change.
  return {
    ...verdict(true, 'low', `${best.reason}; this is not certain`),
    meaningfulChanges: [withReason(best.change, best.reason)],
  }
}

interface Wanted extends Required<JudgedAs> {
  kinds: ReadonlySet<EditKind>
  words: readonly string[]
  unwanted: readonly string[]
  down: boolean
  up: boolean
  back: boolean
  out: boolean
  bound: number | undefined
  anything: boolean
}

function readGoal(goal: string): Omit<Wanted, keyof JudgedAs> {
  const unwanted: string[] = []
  const positive = goal.replace(NOT, (_, rest: string) => {
    unwanted.push(...contentWords(rest))
    return ' '
  })
  const kinds = new Set(KINDS.filter(([, pattern]) => pattern.test(positive)).map(([kind]) => kind))
  const [down, up] = [DOWN.test(positive), UP.test(positive)]
  return {
    kinds,
    words: contentWords(positive),
    unwanted,
    down,
    up,
    back: BACK.test(positive) && !OUT.test(positive),
    out: OUT.test(positive),
    bound: down || up ? parseNumbers(positive)[0] : undefined,
    anything: kinds.size === 0 && contentWords(positive).length === 0,
  }
}

function scoreOf(wanted: Wanted, change: ReportedChange): { score: number; reason: string } {
  const text = `${change.section} ${change.before ?? ''} ${change.after ?? ''}`
  const words = new Set(contentWords(text).map(stem))
  const subjects = wanted.words.filter((word) => isSubject(word, wanted.adjectives))
  const named = subjects.filter((word) => words.has(stem(word)))
  const refused = wanted.unwanted.find((word) => words.has(stem(word)))
  if (refused) return { score: -1, reason: `it is about "${refused}", which your goal excludes` }
  if (wanted.isHit) return hitScore(subjects, named)
  if (wanted.anything) return { score: 2, reason: `the ${change.kind} changed` }
  const isKind = wanted.kinds.has(change.kind) || (change.kind === 'number' && wanted.kinds.has('price'))
  const isNew = wanted.kinds.has('item') && change.type === 'added'
  const direction = directionOf(wanted, change)
  if (direction === 'against') return { score: 0, reason: `the ${change.kind} changed, but not as your goal requires` }
  if (isKind && direction === 'with') return { score: 3, reason: `the ${change.kind} changed as your goal requires` }
  if (isKind && change.kind !== 'item') return { score: named.length > 0 ? 3 : 2, reason: `the ${change.kind} changed` }
  if (isNew) return { score: 2 + (named.length > 0 ? 1 : 0), reason: 'something was added' }
  if (named.length >= 2) return { score: 2, reason: `it speaks of ${quoteWords(named)}` }
  if (named.length === 1) return { score: wanted.kinds.size === 0 ? 2 : 1, reason: `it speaks of ${quoteWords(named)}` }
  return { score: 0, reason: 'what changed has nothing to do with the words of your goal' }
}

/** Words of a kind of change ("new", "release") and adjectives match almost any text. */
const isSubject = (word: string, adjectives: ReadonlySet<string>): boolean =>
  !adjectives.has(word) && !KINDS.some(([, pattern]) => pattern.test(word))

function hitScore(subjects: readonly string[], named: readonly string[]): { score: number; reason: string } {
  if (subjects.length === 0) return { score: 1, reason: 'it was found, and the goal names no subject' }
  const share = named.length / subjects.length
  const reason = `it speaks of ${quoteWords(named)}`
  if (share === 0) return { score: 0, reason: 'it speaks of none of the subjects of your goal' }
  return { score: share === 1 ? 3 : share >= 0.5 ? 2 : 1, reason }
}

function directionOf(wanted: Wanted, { before, after }: ReportedChange): 'with' | 'against' | 'none' {
  if (wanted.back || wanted.out) {
    const isIn = after !== null && IN_STOCK.test(after) && !OUT.test(after)
    const isOut = after !== null && OUT.test(after)
    if (isIn || isOut) return wanted.back === isIn ? 'with' : 'against'
  }
  if (!wanted.down && !wanted.up) return 'none'
  const [was, is] = [parseNumbers(before ?? ''), parseNumbers(after ?? '')]
  const at = is.findIndex((value, index) => was[index] !== undefined && value !== was[index])
  if (wanted.bound !== undefined) {
    const value = at === -1 ? is[0] : is[at]
    if (value === undefined) return 'none'
    return (wanted.down ? value < wanted.bound : value > wanted.bound) ? 'with' : 'against'
  }
  if (at === -1) return 'none'
  return is[at]! < was[at]! === wanted.down ? 'with' : 'against'
}

const contentWords = (text: string): string[] =>
  text
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word.length > 2 && !STOP.has(word))

const stem = (word: string): string => word.replace(/(?:ies|y)$/, 'i').replace(/(?:'s|s|ed|ing|er|en|es)$/, '')

const quoteWords = (words: readonly string[]): string =>
  words
    .slice(0, 3)
    .map((word) => `"${word}"`)
    .join(', ')

const withReason = ({ type, before, after }: ReportedChange, reason: string) => ({ type, before, after, reason })

const showChanges = (changes: readonly ReportedChange[], reason: string) =>
  changes.slice(0, MAX_SHOWN).map((change) => withReason(change, reason))

const verdict = (meaningful: boolean, confidence: ChangeJudgment['confidence'], reason: string): ChangeJudgment => ({
  meaningful,
  confidence,
  reason,
  meaningfulChanges: [],
})

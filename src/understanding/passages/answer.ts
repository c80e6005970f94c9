// A question and a page → the sentences that answer it, quoted; or that the page does not. It must not invent: every word
// of an answer stands on the page.
import { countsFor } from './counted.ts'
import { type CueKind, holds, isNameOf, isStrict, kindOf, mayBeAnEvent, tellsWhen, valueIn } from './cues.ts'
import { measureFor } from './measures.ts'
import { type RankedUnit, rank, type UnitRanking } from './rank.ts'
import { relevantIn } from './relevant.ts'
import { termsOf } from './terms.ts'
import { type Text, type TextUnit, textOf } from './units.ts'

export interface Answer {
  /** Undefined: the page does not answer. */
  text: string | undefined
  /** The passages it rests on, verbatim markdown, best first. */
  quotes: readonly string[]
  /** How much of the question the best passage speaks of; 0 to 1. */
  confidence: number
  /** Where the page does not answer for sure: what comes nearest, as a reader sees it, best first. */
  closest: readonly string[]
  /** Of a long page, what a reader with little time should read; see relevant.ts. */
  relevant: string | undefined
}

/** How much of a question a passage must speak of to be an answer. */
const ENOUGH = 0.505
/** A long unit says words by chance: so much more is asked of it for each letter beyond. */
const LONG = 200
const BY_CHANCE = 0.001
const MOST_BY_CHANCE = 0.15
const ENOUGH_OF_ONE = 0.4
/** The same for one that is worth twice as much as the fourth best: other words, but nothing else on the page is meant. */
const ENOUGH_ALONE = 0.3
const STANDS_OUT = 0.5
/** Among fewer units nothing can stand out. */
const MANY = 10
const SAID_IN_PART = 0.33
/** What only the title of the page or a neighbour says is not enough. */
const SAID_ITSELF = 0.4
/** The same when "when" is answered by an event rather than a date; an amount that is not there is no answer at all. */
const ENOUGH_WITHOUT_VALUE = 0.8
/** "Who" is answered without a full name only by the sentence that says all the rest: "Kaldi, a goatherd, …". */
const ENOUGH_WITHOUT_NAME = 0.9
/** A yes-no question of two words of which a unit says one. */
const SAID_OF_TWO = 0.52
/** Anything can be big, in any unit: of what, most must be said. */
const SAID_OF_SIZE = 0.7
/**
 * A further passage is quoted too when it is worth this much of the best: over all sets the right one is first in two of
 * three and among the first six in seven of eight (swept 0.45–0.9; an answer has some 420 letters).
 */
const ALSO_GOOD = 0.55
/** A value found where nearly all of the question is said stands alone, unless another is as good. */
const AS_GOOD = 0.88
const SURE_OF_VALUE = 0.9
const MAX_QUOTES = 6
const MAX_ANSWER = 1100

/** The answer of a page to a question. */
export function answerFrom(markdown: string, question: string): Answer {
  const text = textOf(markdown)
  const kind = kindOf(question)
  const ranking = rankFor(text, question, kind)
  const ranked = candidates(ranking, kind, question, text)
  const best = ranked[0]
  const relevant = relevantIn(text, ranking)
  if (!best || !answers(ranked, ranking, kind, text))
    return {
      text: undefined,
      quotes: [],
      confidence: best?.coverage ?? 0,
      closest: closestOf(text, ranking.ranked),
      relevant,
    }
  const units = withItsList(text, best, kind) ?? closeToBest(text, ranked, kind)
  const quotes = units.map((unit) => text.markdown.slice(unit.start, unit.end).trim())
  return { text: worded(units, kind, question), quotes, confidence: best.coverage, closest: [], relevant }
}

/** Too little for an answer, and enough to look at. */
const CLOSE = 0.25
const MAX_CLOSEST = 3
const MAX_CLOSE_LETTERS = 300

const closestOf = (text: Text, ranked: readonly RankedUnit[]): string[] =>
  ranked
    .filter(({ coverage, unit }) => coverage >= CLOSE && text.units[unit]!.plain.length <= MAX_CLOSE_LETTERS)
    .slice(0, MAX_CLOSEST)
    .map(({ unit }) => text.units[unit]!.plain)

/** Units in order of worth for the question, those that hold what is asked for before others. */
export function rankFor(text: Text, question: string, kind: CueKind): UnitRanking {
  const given = numbersOf(question)
  const counts = countsFor(question)
  const measure = kind === 'measure' ? measureFor(question) : undefined
  const held = text.units.map(({ plain, kind: form }) => {
    const rest = given.reduce((left, name) => left.replaceAll(name, ''), plain)
    return measure ? measure.isIn(rest) : holds(kind, rest) && (!counts || counts(rest, form === 'row'))
  })
  const byEvent = mayBeAnEvent(kind, question)
  const isDenied = kind === 'thing' && DENIES.test(question)
  return rank(text, question, {
    names: (term) => isNameOf(kind, term) || (measure?.names(term) ?? false),
    isHeldBy: (unit) => held[unit]!,
    isStrict: isStrict(kind),
    boost(unit) {
      const { plain, kind: form } = text.units[unit]!
      return (
        (held[unit] ? 1 : byEvent && tellsWhen(plain) ? 0.85 : withoutIt(kind)) *
        (form === 'code' ? 0.85 : form === 'heading' ? 0.8 : 1) *
        (isStrict(kind) && EXAMPLE.test(plain) ? 0.6 : 1) *
        (isDenied && !DENIES.test(plain) ? 0.8 : 1) *
        (plain.endsWith('?') ? (form === 'sentence' ? 0.85 : 0.75) : 1)
      )
    },
  })
}

/** What a unit is worth that does not hold the kind of thing asked for. */
function withoutIt(kind: CueKind): number {
  if (kind === 'date') return 0.72
  if (isStrict(kind)) return 0.55
  return kind === 'purpose' ? 0.78 : kind === 'way' ? 0.85 : 0.9
}

/** What may be is not what is: no answer to how much. */
const EXAMPLE =
  /^(?:for (?:example|instance)|e\.g\.|say,|suppose|imagine|zum beispiel|par exemple|por ejemplo|per esempio)\b/i

/** Who asks what cannot be is answered by what says no. */
const DENIES = /\b(?:not|cannot|no|never|none|except|excluded|excludes?|forbidden|without)\b|n['’]t\b/i

/** Names with digits that the question itself gives ("CS7000X", "2023"): where they stand, nothing is answered yet. */
const numbersOf = (question: string): string[] =>
  [...question.matchAll(/[\p{L}\p{N}.-]*\p{N}[\p{L}\p{N}.-]*/gu)]
    .slice(0, 10)
    .map(([name]) => name.replace(/[.-]+$/, ''))

/** Only what holds an amount can answer how much; "when" may be answered by an event instead of a date. */
function candidates(
  { ranked, isHeld }: UnitRanking,
  kind: CueKind,
  question: string,
  { units }: Text,
): readonly RankedUnit[] {
  const byEvent = mayBeAnEvent(kind, question)
  if (kind === 'person' && ranked[0] && ranked[0].coverage < ENOUGH_WITHOUT_NAME)
    return ranked.filter(({ unit }) => isHeld(unit))
  if (!isStrict(kind) || (kind === 'date' && !byEvent)) return ranked
  return ranked.filter(({ unit }) => isHeld(unit) || (byEvent && tellsWhen(units[unit]!.plain)))
}

function answers(
  ranked: readonly RankedUnit[],
  { words, isHeld, said }: UnitRanking,
  kind: CueKind,
  { units }: Text,
): boolean {
  const best = ranked[0]!
  if (!isHeld(best.unit) && kind === 'date')
    return best.coverage >= ENOUGH_WITHOUT_VALUE && tellsWhen(units[best.unit]!.plain)
  if (!isHeld(best.unit) && kind === 'person') return best.coverage >= ENOUGH_WITHOUT_NAME
  if (kind === 'size' && said(best.unit) < SAID_OF_SIZE) return false
  const beyond = Math.max(0, units[best.unit]!.plain.length - LONG)
  // One word on a page about that word says nothing; more of them together do.
  const enough = words <= 1 ? ENOUGH_OF_ONE : ENOUGH + Math.min(MOST_BY_CHANCE, BY_CHANCE * beyond)
  // Half of what is asked for is something else: a record, but no recorded album.
  if (kind === 'yes-no' && words === 2 && said(best.unit) <= 0.5 && best.coverage < SAID_OF_TWO) return false
  if (said(best.unit) >= SAID_ITSELF && best.coverage >= enough) return true
  const standsOut = units.length >= MANY && (ranked[3]?.score ?? 0) <= STANDS_OUT * best.score
  return standsOut && best.score >= (said(best.unit) >= SAID_IN_PART ? ENOUGH_ALONE : ENOUGH_OF_ONE)
}

/** Who asks for several things, and is answered by the heading of a list, wants the list. */
function withItsList(text: Text, best: RankedUnit, kind: CueKind): TextUnit[] | undefined {
  const unit = text.units[best.unit]!
  if (kind !== 'several' || unit.kind !== 'item') return undefined
  const all = text.units.filter(({ block }) => block === unit.block)
  const letters = all.reduce((sum, { plain }) => sum + plain.length, 0)
  return letters <= MAX_ANSWER ? all : undefined
}

function closeToBest(text: Text, ranked: readonly RankedUnit[], kind: CueKind): TextUnit[] {
  const best = ranked[0]!
  const good = isStrict(kind) && best.coverage >= SURE_OF_VALUE ? AS_GOOD : ALSO_GOOD
  const chosen = new Set([best.unit])
  let letters = text.units[best.unit]!.plain.length
  const take = (at: number) => {
    const { plain } = text.units[at]!
    if (chosen.has(at) || letters + plain.length > MAX_ANSWER) return
    chosen.add(at)
    letters += plain.length
  }
  for (const at of whatItHeads(text, best.unit)) take(at)
  for (const at of whatFollows(text, best.unit, kind)) take(at)
  const also = ranked.slice(1, MAX_QUOTES * 3).filter(({ score }) => score >= best.score * good)
  for (const { unit } of also) {
    if (chosen.size >= MAX_QUOTES) break
    if (![...chosen].some((at) => saysTheSame(text.units[at]!, text.units[unit]!))) take(unit)
  }
  for (const unit of [...chosen]) for (const at of whatItHeads(text, unit)) take(at)
  return [...chosen].map((at) => text.units[at]!)
}

/** Most that is quoted of what a heading stands above, and how long a line can be that only leads to it. */
const MOST_HEADED = 8
const MAX_LEAD = 80

/** A heading, or a line such as "In the box:", answers by what stands below it. */
function whatItHeads({ units, blocks }: Text, at: number): number[] {
  const { kind, plain, block } = units[at]!
  const leads = plain.endsWith(':') && plain.length <= MAX_LEAD
  if (kind !== 'heading' && !leads) return []
  const headed: number[] = []
  for (let next = at + 1; headed.length < MOST_HEADED; next++) {
    const unit = units[next]
    if (!unit || unit.kind === 'heading' || blocks[unit.block]!.kind === 'heading') break
    if (leads && unit.plain.endsWith(':')) break
    // A line leads to the block it stands in or to the next one.
    if (unit.block > block + (leads ? 1 : 2)) break
    headed.push(next)
  }
  return headed
}

/** Sentences that only make sense after the one before: "Otherwise …", "If this fails …", "It …". */
const GOES_ON =
  /^(?:otherwise|if (?:so|not|this|that|it|they)|in (?:that|this) case|then|this|that|these|those|it|they|he|she|instead|however|but|so|therefore|thus|sonst|andernfalls|falls|wenn (?:dies|das)|dann|dies|diese[rs]?|er|sie|es|sinon|dans ce cas|cela|ceci|elles?|ils?|si no|en ese caso|esto|ésta?|caso contrário|nesse caso|isso|altrimenti|in tal caso|questo|иначе|тогда|это)\b/i
/** Sentences that speak of what the one before named: "Disconnect them when …". */
const REFERS =
  /^(?:\S+ ){0,3}(?:them|it|this|that|these|those|they|their|its|him|her|ihn|ihm|ihnen|dafür|damit|darin|les|leur|lo|los|las|li|ne|его|их|её)\b/i
const MOST_FOLLOWING = 2
const MOST_ANSWERING = 4

/** Kinds whose answer is seldom one sentence: the next one tells why, or what else to do. */
const GOES_FURTHER: ReadonlySet<CueKind> = new Set(['reason', 'yes-no', 'charge', 'way'])

function whatFollows({ units }: Text, at: number, asked: CueKind): number[] {
  const following: number[] = []
  const { block, kind, plain } = units[at]!
  if (kind !== 'sentence') return following
  // A question that someone put is answered by what stands next, after the line that tells who answers.
  const isAsked = plain.endsWith('?')
  for (let next = at + 1; following.length < (isAsked ? MOST_ANSWERING : MOST_FOLLOWING); next++) {
    const unit = units[next]
    if (!unit || unit.kind === 'heading' || unit.block > block + (isAsked ? 2 : 0)) break
    const isFurther = next === at + 1 && GOES_FURTHER.has(asked)
    if (!isAsked && !isFurther && !GOES_ON.test(unit.plain) && !REFERS.test(unit.plain)) break
    following.push(next)
  }
  return following
}

export function saysTheSame(a: TextUnit, b: TextUnit): boolean {
  const of = new Set(termsOf(a.plain))
  const other = new Set(termsOf(b.plain))
  let both = 0
  for (const term of other) if (of.has(term)) both++
  return both >= 0.7 * Math.min(of.size, other.size)
}

/** Before a value: how much it is, is not told by the number alone. */
const QUALIFIED =
  /(?:\b(?:up to|at (?:least|most)|(?:more|less|fewer) than|over|under|from|above|below|about|around|nearly|almost|save|saves?|extra|another|additional|not|no|bis zu|mindestens|höchstens|über|unter|ab|mehr als|weniger als|etwa|rund|jusqu'à|au moins|plus de|moins de|dès|hasta|al menos|más de|menos de|desde|até|pelo menos|fino a|almeno|più di)\s)$/iu

/** The value stands before its sentence when it is the only one of the kind asked for and says all of it. */
function worded(units: readonly TextUnit[], kind: CueKind, question: string): string {
  const said = units.map(({ plain }) => plain).join('\n')
  const [first] = units
  const value = first && valueIn(kind, first.plain)
  if (!first || value === undefined || value.length >= first.plain.length * 0.8) return said
  const measure = kind === 'measure' ? measureFor(question) : undefined
  const isAsked = kind !== 'measure' || (measure?.isIn(value) ?? false)
  const isWhole = !QUALIFIED.test(first.plain.slice(0, first.plain.indexOf(value)))
  return isAsked && isWhole && !first.plain.endsWith('?') ? `${value}: “${said}”` : said
}

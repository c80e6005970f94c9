// Which units of a text speak of a question, and how sure that is. Words weigh by their rarity on the page; what a unit
// does not say itself its block, its headings or the page's title may say for it, at a discount. Linear in the text.
import { bestMatch, type Matches, matchesOf, nearMatches, type Vocabulary } from './matches.ts'
import { inSingleWords, phrasesIn } from './phrases.ts'
import { askedTerms, isMeasuring, saysNothing, subjectOf, termsOf, tiedTerms } from './terms.ts'
import { headingText, type Text } from './units.ts'

export interface RankedUnit {
  unit: number
  score: number
  /** How much of the question's weight the unit speaks of, itself or through its place; 0 to 1. */
  coverage: number
}

export interface UnitRanking {
  ranked: readonly RankedUnit[]
  /** Share of the question's weight that the page says nowhere. */
  missing: number
  /** Whether a unit holds the kind of thing asked for. */
  isHeld(unit: number): boolean
  /** Share of the words with a subject that a unit says itself, or its heading does. */
  said(unit: number): number
  /** How many words the question has that carry a subject. */
  words: number
}

/** A question may be 10,000 letters long; beyond so many words more do not make it clearer. */
const MAX_QUESTION_TERMS = 40
/** What a word is worth that stands not in the unit but near it. */
const IN_BLOCK = 0.45
const BESIDE = 0.4
/** The same for a unit that takes up what the one before named: "It has 70 stitches." */
const TAKEN_UP = 0.8
const IN_HEADING = 0.75
const IN_OUTER_HEADING = 0.5
const IN_CAPTION = 0.65
/** The same for a question that stands above: what follows answers it. */
const IN_QUESTION = 0.9
const IN_TITLE = 0.6
/** What a word such as "percentage" is worth in a unit that holds one without saying so. */
const BY_VALUE = 0.9

/** What a word weighs that only names what the whole page is about: "the company", "your shop". */
const OF_ITSELF = 0.35

/** How well a unit must say "tall" or "heavy" for it to be what tells the answer. */
const TELLS = 0.25

/** What the question asks for, as the ranking needs it. */
export interface WantedWords {
  /** Words that only name the kind of thing asked for: a unit that holds such a thing has said them. */
  names(term: string): boolean
  isHeldBy(unit: number): boolean
  /** Whether only a unit that holds such a thing can answer. */
  isStrict: boolean
  /** What a unit is worth by its form, whatever it speaks of. */
  boost(unit: number): number
}

/** Every unit's worth for the question, best first. */
export function rank(text: Text, question: string, wanted: WantedWords): UnitRanking {
  const asked = questionTerms(question)
  const itself = itselfIn(question)
  const index = indexOf(text, asked)
  const near = nearMatches(question, index)
  const weights: number[] = []
  const values: Float32Array[] = []
  const heard: ((unit: number) => boolean)[] = []
  let missingWeight = 0
  for (const term of asked) {
    const matches = matchesOf(term, index.vocabulary, asked)
    const worded = ownValues(matches, index)
    const said = Float32Array.from(worded)
    if (wanted.names(term))
      said.forEach((value, at) => {
        if (wanted.isHeldBy(at)) said[at] = value >= 0.5 ? 1 : BY_VALUE
      })
    let found = 0
    for (const value of said) if (value > 0.3) found++
    for (const [word, likeness] of near(term)) if (likeness > (matches.get(word) ?? 0)) matches.set(word, likeness)
    const own = ownValues(matches, index, said)
    // "How tall" is mostly answered without the word; where it stands with a measure it is what to look for.
    const tells = isMeasuring(term) && wanted.isStrict && own.some((value, at) => value >= TELLS && wanted.isHeldBy(at))
    const weight =
      (Math.log(1 + (said.length - found + 0.5) / (found + 0.5)) + 0.3) *
      (tells ? 1 : itself.has(term) ? OF_ITSELF : subjectOf(term))
    const inTitle = bestMatch(matches, index.title)
    if (found === 0 && inTitle === 0 && index.headings.every((terms) => bestMatch(matches, terms) === 0))
      missingWeight += weight
    if (tells && wanted.names(term)) heard.push((at) => worded[at]! >= 0.5)
    else if (subjectOf(term) >= 1 && !wanted.names(term) && !itself.has(term))
      heard.push(
        (at) =>
          own[at]! >= 0.5 ||
          (index.takesUp[at]! > 0 && own.subarray(Math.max(0, at - 2), at + 3).some((value) => value >= 0.5)) ||
          isAbove(matches, text.units[at]!.block, index),
      )
    weights.push(weight)
    values.push(withPlace(own, matches, text, index, inTitle))
  }
  const pairs = pairsOf(question)
  const total = weights.reduce((sum, weight) => sum + weight, 0) || 1
  const ranked = text.units.map((unit, at): RankedUnit => {
    let sum = 0
    values.forEach((value, term) => {
      sum += weights[term]! * Math.min(1, value[at]!)
    })
    const coverage = sum / total
    const together = Math.min(MOST_TOGETHER, TOGETHER * pairsIn(index.terms[at]!, pairs))
    // A price may be all that a unit says; any other word alone is hardly an answer.
    const brief = unit.plain.length > 500 ? 0.92 : unit.plain.length < 12 && !wanted.isStrict ? 0.85 : 1
    return { unit: at, coverage, score: (coverage + together) * brief * wanted.boost(at) }
  })
  const said = (unit: number): number =>
    heard.length === 0 ? 1 : heard.filter((hears) => hears(unit)).length / heard.length
  ranked.sort((a, b) => b.score - a.score || a.unit - b.unit)
  return { ranked, missing: missingWeight / total, words: asked.length, isHeld: wanted.isHeldBy, said }
}

const ITSELF =
  /\b(?:the|this|your|their) (company|business|firm|organi[sz]ation|agency|shop|store|hotel|clinic|practice|product|item|device|event|festival|article|project)\b(?!['’]s)/gi

/** Words of a question that stand for the page's own subject: everything on it speaks of that. */
const itselfIn = (question: string): ReadonlySet<string> =>
  new Set([...question.slice(0, 1000).matchAll(ITSELF)].flatMap(([, word]) => termsOf(word!)))

/** What a unit gains by saying two words side by side as the question does, and at most. */
const TOGETHER = 0.06
const MOST_TOGETHER = 0.18

/** Neighbouring words of the question that both carry a subject. */
function pairsOf(question: string): Set<string> {
  const terms = termsOf(question.slice(0, 2000))
  const pairs = new Set<string>()
  terms.forEach((term, at) => {
    const next = terms[at + 1]
    if (next !== undefined && !saysNothing(term) && !saysNothing(next)) pairs.add(`${term} ${next}`)
  })
  return pairs
}

function pairsIn(terms: readonly string[], pairs: ReadonlySet<string>): number {
  if (pairs.size === 0) return 0
  let found = 0
  for (let at = 0; at + 1 < terms.length; at++) if (pairs.has(`${terms[at]} ${terms[at + 1]}`)) found++
  return found
}

/** The question's words that carry a subject, each once; all of them when none does. */
export function questionTerms(question: string): string[] {
  const text = inSingleWords(question.slice(0, 10_000))
  const all = [...new Set([...askedTerms(text), ...tiedTerms(text)])]
  const full = all.filter((term) => !saysNothing(term))
  return (full.length > 0 ? full : all).slice(0, MAX_QUESTION_TERMS)
}

/** Shorter words are not made of two. */
const MIN_COMPOUND = 6

interface Index {
  /** By unit: its terms, in order. */
  terms: readonly (readonly string[])[]
  /** Every term of the page, with the units it stands in and how often. */
  vocabulary: Vocabulary
  /** The word that a term was first made of. */
  words: ReadonlyMap<string, string>
  title: ReadonlySet<string>
  /** By block: the terms of its nearest heading, and of those above. */
  headings: readonly ReadonlySet<string>[]
  outer: readonly ReadonlySet<string>[]
  captions: readonly ReadonlySet<string>[]
  /** By block: whether what heads it is a question. */
  asks: readonly { heading: boolean; caption: boolean }[]
  /** By unit: what a word of the unit before is worth to it when it takes that one up; otherwise 0. */
  takesUp: Float32Array
  units: number
}

function indexOf(text: Text, asked: readonly string[]): Index {
  const vocabulary: Vocabulary = new Map()
  const words = new Map<string, string>()
  const compounds = new Map(
    asked.filter((term) => term.length >= MIN_COMPOUND).map((term) => [term.replace('-', ''), term]),
  )
  /** "wild card" is said where "wildcard" is asked. */
  const joinedIn = (said: readonly string[]): string[] =>
    compounds.size === 0 ? [] : said.flatMap((term, at) => (at > 0 ? (compounds.get(said[at - 1]! + term) ?? []) : []))
  const terms = text.units.map(({ plain }) => termsOf(plain, words))
  terms.forEach((said, at) => {
    const add = (term: string) => {
      const places = vocabulary.get(term)
      if (places) places.set(at, (places.get(at) ?? 0) + 1)
      else vocabulary.set(term, new Map([[at, 1]]))
    }
    for (const term of said) add(term)
    for (const term of joinedIn(said)) add(term)
    for (const term of phrasesIn(text.units[at]!.plain)) add(term)
  })
  const known = new Map<string, ReadonlySet<string>>()
  const setOf = (heading: string): ReadonlySet<string> => {
    const before = known.get(heading)
    if (before) return before
    const said = termsOf(heading, words)
    const terms = new Set([...said, ...joinedIn(said), ...phrasesIn(heading)])
    known.set(heading, terms)
    return terms
  }
  const empty: ReadonlySet<string> = new Set()
  const headings = text.blocks.map((block) =>
    block.kind === 'heading'
      ? setOf(headingText(text.markdown, block))
      : block.headings.length > 0
        ? setOf(block.headings.at(-1)!)
        : empty,
  )
  const outer = text.blocks.map((block) =>
    block.headings.length > 1 ? setOf(block.headings.slice(0, -1).join(' ')) : empty,
  )
  const captions = text.blocks.map(({ caption }) => (caption ? setOf(caption) : empty))
  const asks = text.blocks.map(({ headings, caption }) => ({
    heading: headings.at(-1)?.endsWith('?') ?? false,
    caption: caption?.endsWith('?') ?? false,
  }))
  const takesUp = Float32Array.from(text.units, ({ block, plain }, at) =>
    at > 0 && text.units[at - 1]!.block >= block - 1 && TAKES_UP.test(plain) ? TAKEN_UP : 0,
  )
  return {
    terms,
    vocabulary,
    words,
    headings,
    outer,
    captions,
    asks,
    takesUp,
    title: setOf(text.title),
    units: text.units.length,
  }
}

const isAbove = (matches: Matches, block: number, { headings, captions }: Index): boolean =>
  Math.max(bestMatch(matches, headings[block]!), bestMatch(matches, captions[block]!)) >= 0.5

function ownValues(matches: Matches, { vocabulary, units }: Index, known?: Float32Array): Float32Array {
  const own = known ? Float32Array.from(known) : new Float32Array(units)
  for (const [word, likeness] of matches)
    for (const [unit, times] of vocabulary.get(word) ?? []) {
      const value = likeness * (times > 1 ? 1.05 : 1)
      if (value > own[unit]!) own[unit] = value
    }
  return own
}

const TAKES_UP =
  /^(?:it|its|they|their|he|his|she|her|this|these|those|such|er|sie|es|ihre?|sein|dies\p{L}*|il|elle|ils|elles|ce|cette|ces|son|sa|ses|este|esta|esto|estos|su|sus|ele|ela|seu|sua|questo|questa|egli|suo|sua|он|она|оно|они|его|её|их|это|этот|эта)\b/iu

/** What each unit says of a word, itself or through where it stands. */
function withPlace(
  own: Float32Array,
  matches: Matches,
  { units, blocks }: Text,
  index: Index,
  inTitle: number,
): Float32Array {
  const byBlock = new Float32Array(blocks.length)
  units.forEach(({ block }, at) => {
    if (own[at]! > byBlock[block]!) byBlock[block] = own[at]!
  })
  const said = new Map<ReadonlySet<string>, number>()
  const inTerms = (terms: ReadonlySet<string>): number => {
    const known = said.get(terms)
    if (known !== undefined) return known
    const best = terms.size > 0 ? bestMatch(matches, terms) : 0
    said.set(terms, best)
    return best
  }
  return own.map((value, at) => {
    const { block } = units[at]!
    const previous = at > 0 && units[at - 1]!.block >= block - 1 ? own[at - 1]! : 0
    return Math.max(
      value,
      IN_BLOCK * byBlock[block]!,
      Math.max(BESIDE, index.takesUp[at]!) * previous,
      (index.asks[block]!.heading ? IN_QUESTION : IN_HEADING) * inTerms(index.headings[block]!),
      IN_OUTER_HEADING * inTerms(index.outer[block]!),
      (index.asks[block]!.caption ? IN_QUESTION : IN_CAPTION) * inTerms(index.captions[block]!),
      IN_TITLE * inTitle,
    )
  })
}

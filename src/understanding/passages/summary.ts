// A page → its gist in its own sentences: its thesis, then those that say most of what the page keeps talking about, in
// their order, and nothing twice. Greedy and linear: a sentence's worth is counted once, then each choice discounts what it has said.
import { saysNothing, termsOf } from './terms.ts'
import { type Text, type TextUnit, textOf } from './units.ts'

/** About how long a summary is: a tenth of the page, within what is read in half a minute. */
const SHARE = 0.1
const MIN_LETTERS = 280
const MAX_LETTERS = 900
const MAX_SENTENCES = 7
const MIN_SENTENCE = 35
/** The same on a page that has no longer ones. */
const MIN_SHORT = 20
const MAX_SENTENCE = 420

/** Begins in the middle of a thought: out of its place it would not be understood. */
const DANGLING =
  /^(?:but|and|so|or|however|therefore|thus|also|then|this|that|these|those|it|he|she|they|such|instead|moreover|furthermore|yet|aber|und|doch|dies|diese[rs]?|er|sie|es|jedoch|außerdem|mais|et|cependant|il|elle|ils|elles|cela|pero|y|sin embargo|esto|esta|este|él|ella|mas|e|porém|ele|ela|isso|ma|però|egli|questo|questa|но|а|и|однако|он|она|это|они)[\s,]/i
const BOILERPLATE =
  /cookie|subscribe|newsletter|sign up|log ?in|all rights reserved|copyright|©|privacy policy|terms of (?:use|service)|click here|read more|share (?:this|on)|follow us|advertisement|abonnieren|anmelden|datenschutz|impressum|s'abonner|suscr[ií]b|inscreva-se|iscriviti|подпис/i

/**
 * The page in a few of its sentences, the thesis first: what its head says of it, or how it begins. A page without
 * sentences is told by its title and headings. Undefined when it has neither. `description` is that of the page's head.
 */
export function summaryOf(markdown: string, description?: string): string | undefined {
  const text = textOf(markdown)
  const long = candidatesOf(text, MIN_SENTENCE)
  const candidates = long.length < FEW ? candidatesOf(text, MIN_SHORT) : long
  const said = thesisOf(text, candidates, description)
  if (candidates.length < FEW) return [said, skeleton(text, said)].filter(Boolean).join(' ') || undefined
  const lead = said === undefined ? [leadOf(candidates)] : candidates.filter(({ unit }) => isSaidIn(unit.plain, said))
  const wanted = Math.min(MAX_LETTERS, Math.max(MIN_LETTERS, text.markdown.length * SHARE))
  const chosen = choose(candidates, wanted, lead).filter((one) => said === undefined || !lead.includes(one))
  const rest = chosen.sort((a, b) => a.at - b.at).map(({ unit }) => unit.plain)
  return [said, ...rest].filter(Boolean).join(' ')
}

/** The first sentence that stands by itself. */
const leadOf = (candidates: readonly Candidate[]): Candidate =>
  candidates.find(
    ({ unit: { kind, plain } }) => kind === 'sentence' && !DANGLING.test(plain) && !/[?？]$/.test(plain),
  ) ?? candidates[0]!

/** With fewer sentences than this a page is told by what it is divided into. */
const FEW = 2
const MIN_SHARED = 2

/** What the head says of the page, when it speaks of this page: in whole sentences and in words of its title or its text. */
function thesisOf({ title }: Text, candidates: readonly Candidate[], description = ''): string | undefined {
  const said = withoutCutEnd(description.replace(/\s+/g, ' ').trim())
  const isWhole = said.length >= MIN_SENTENCE && said.length <= MAX_SENTENCE && isSentence(said) && !BROKEN.test(said)
  if (!isWhole || BOILERPLATE.test(said)) return undefined
  const own = new Set([title, ...candidates.slice(0, 5).map(({ unit }) => unit.plain)].flatMap((one) => termsOf(one)))
  const shared = new Set(termsOf(said).filter((term) => !saysNothing(term) && own.has(term)))
  return shared.size >= MIN_SHARED ? said : undefined
}

/** Descriptions are often cut at a length: the sentence that was cut is left out. */
function withoutCutEnd(said: string): string {
  if (!/(?:\.{3}|…)\]?$/.test(said)) return said
  const whole = said.replace(/\s?\[?(?:\.{3}|…)\]?$/, '')
  return /^.*[.!?。！？](?=\s|$)/u.exec(whole)?.[0] ?? ''
}

/** Most of the sentence's words are in what was said. */
function isSaidIn(plain: string, said: string): boolean {
  const known = new Set(termsOf(said))
  const terms = [...new Set(termsOf(plain))].filter((term) => !saysNothing(term))
  return terms.filter((term) => known.has(term)).length >= 0.6 * terms.length
}

const MAX_HEADINGS = 8

/** The title and what the page is divided into; of a page without headings how it begins. */
function skeleton({ title, units }: Text, said: string | undefined): string | undefined {
  const headings = units.flatMap(({ kind, plain }) => (kind === 'heading' && plain !== title ? [plain] : []))
  const parts = [...new Set(headings)].filter((one) => !BOILERPLATE.test(one)).slice(0, MAX_HEADINGS)
  if (parts.length > 0) return title === '' ? parts.join('; ') : `${title}: ${parts.join('; ')}`
  const first = units.find(({ kind, plain }) => kind !== 'code' && kind !== 'heading' && !BOILERPLATE.test(plain))
  const begins =
    first && first.plain.length <= MAX_SENTENCE && (title === '' ? first.plain : `${title}: ${first.plain}`)
  return said === undefined ? begins || title || undefined : undefined
}

interface Candidate {
  at: number
  unit: TextUnit
  terms: readonly string[]
  /** What its place and form make it worth, before its words count. */
  standing: number
}

function candidatesOf(text: Text, least: number): Candidate[] {
  const title = new Set(termsOf(text.title))
  const firstOf = new Set<number>()
  const seen = new Set<string>()
  const candidates: Candidate[] = []
  text.units.forEach((unit, at) => {
    const { plain, block, kind, whole } = unit
    if (
      whole !== undefined ||
      (kind !== 'sentence' && !(kind === 'item' && ENDS.test(plain))) ||
      plain.length < least ||
      plain.length > MAX_SENTENCE
    )
      return
    if (BOILERPLATE.test(plain) || seen.has(plain) || !isSentence(plain) || !isClosed(plain)) return
    if (least >= MIN_SENTENCE && BROKEN.test(plain)) return
    seen.add(plain)
    const terms = [...new Set(termsOf(plain))].filter((term) => !saysNothing(term))
    if (terms.length < (least < MIN_SENTENCE ? 2 : 3)) return
    const leads = !firstOf.has(block)
    firstOf.add(block)
    const place = candidates.length === 0 ? 1.6 : candidates.length < 3 ? 1.25 : leads ? 1.1 : 0.95
    const form = (kind === 'item' ? 0.6 : 1) * (DANGLING.test(plain) ? 0.55 : 1) * (/[?？]$/.test(plain) ? 0.4 : 1)
    const onTopic = 1 + 0.25 * Math.min(2, terms.filter((term) => title.has(term)).length)
    candidates.push({ at, unit, terms, standing: place * form * onTopic })
  })
  return candidates
}

/** Begins in the middle of a sentence, on a page that has others; a name such as `useState` may begin one. */
const BROKEN = /^["'“‘«(]?\p{Ll}+(?=[\s,;.])/u
const ENDS = /[.!?…。！？।؟][)"'”’»\]]*$/
/** Ends as a sentence does; Thai has no mark for it. */
const isSentence = (plain: string): boolean => ENDS.test(plain) || /[\u0e00-\u0eff]/.test(plain)

/** What it quotes, it quotes to the end: half of a quotation misleads. */
const isClosed = (plain: string): boolean => countOf(plain, '“') <= countOf(plain, '”') || countOf(plain, '„') > 0
const countOf = (text: string, sign: string): number => text.split(sign).length - 1

/** Sentences for so many letters, beginning with those that are said already. */
function choose(candidates: readonly Candidate[], letters: number, lead: readonly Candidate[]): Candidate[] {
  const weight = new Map<string, number>()
  for (const { terms } of candidates) for (const term of terms) weight.set(term, (weight.get(term) ?? 0) + 1)
  // A word of one sentence is a detail; the logarithm keeps the page's main word from deciding alone.
  for (const [term, times] of weight) weight.set(term, times > 1 ? Math.log2(times) : 0.15)
  const left = new Set(candidates.filter((one) => !lead.includes(one)))
  const chosen = [...lead]
  let said = lead.reduce((sum, { unit }) => sum + unit.plain.length + 1, 0)
  for (const { terms } of lead) for (const term of terms) weight.set(term, (weight.get(term) ?? 0) * 0.35)
  while (chosen.length < MAX_SENTENCES && said < letters && left.size > 0) {
    let best: Candidate | undefined
    let bestWorth = 0
    for (const candidate of left) {
      const worth = worthOf(candidate, weight)
      if (worth > bestWorth && said + candidate.unit.plain.length <= letters * 1.3)
        [best, bestWorth] = [candidate, worth]
    }
    if (!best) break
    left.delete(best)
    chosen.push(best)
    said += best.unit.plain.length + 1
    // What is said once need not be said again.
    for (const term of best.terms) weight.set(term, (weight.get(term) ?? 0) * 0.35)
  }
  return chosen
}

function worthOf({ terms, standing }: Candidate, weight: ReadonlyMap<string, number>): number {
  let sum = 0
  for (const term of terms) sum += weight.get(term) ?? 0
  return (standing * sum) / (terms.length + 6) ** 0.75
}

// A page → its gist in its own sentences: those that say most of what the page keeps talking about, in their order, and
// nothing twice. Greedy and linear: a sentence's worth is counted once, then each choice discounts what it has said.
import { saysNothing, termsOf } from './terms.ts'
import { type Text, textOf, type Unit } from './units.ts'

/** About how long a summary is: a tenth of the page, within what is read in half a minute. */
const SHARE = 0.1
const MIN_LETTERS = 280
const MAX_LETTERS = 900
const MAX_SENTENCES = 7
const MIN_SENTENCE = 35
const MAX_SENTENCE = 420

/** Begins in the middle of a thought: out of its place it would not be understood. */
const DANGLING =
  /^(?:but|and|so|or|however|therefore|thus|also|then|this|that|these|those|it|he|she|they|such|instead|moreover|furthermore|yet|aber|und|doch|dies|diese[rs]?|er|sie|es|jedoch|außerdem|mais|et|cependant|il|elle|ils|elles|cela|pero|y|sin embargo|esto|esta|este|él|ella|mas|e|porém|ele|ela|isso|ma|però|egli|questo|questa|но|а|и|однако|он|она|это|они)[\s,]/i
const BOILERPLATE =
  /cookie|subscribe|newsletter|sign up|log ?in|all rights reserved|copyright|©|privacy policy|terms of (?:use|service)|click here|read more|share (?:this|on)|follow us|advertisement|abonnieren|anmelden|datenschutz|impressum|s'abonner|suscr[ií]b|inscreva-se|iscriviti|подпис/i

/** The page in a few of its sentences; undefined when it has none. */
export function summaryOf(markdown: string): string | undefined {
  const text = textOf(markdown)
  const candidates = candidatesOf(text)
  if (candidates.length === 0) return text.units.length > 0 ? shortest(text) : undefined
  const wanted = Math.min(MAX_LETTERS, Math.max(MIN_LETTERS, text.markdown.length * SHARE))
  const chosen = choose(candidates, wanted)
  return chosen
    .sort((a, b) => a.at - b.at)
    .map(({ unit }) => unit.plain)
    .join(' ')
}

interface Candidate {
  at: number
  unit: Unit
  terms: readonly string[]
  /** What its place and form make it worth, before its words count. */
  standing: number
}

function candidatesOf(text: Text): Candidate[] {
  const title = new Set(termsOf(text.title))
  const firstOf = new Set<number>()
  const seen = new Set<string>()
  const candidates: Candidate[] = []
  text.units.forEach((unit, at) => {
    const { plain, block, kind } = unit
    if (
      kind === 'code' ||
      kind === 'row' ||
      kind === 'heading' ||
      plain.length < MIN_SENTENCE ||
      plain.length > MAX_SENTENCE
    )
      return
    if (BOILERPLATE.test(plain) || seen.has(plain) || !isSentence(plain, kind)) return
    seen.add(plain)
    const terms = [...new Set(termsOf(plain))].filter((term) => !saysNothing(term))
    if (terms.length < 3) return
    const leads = !firstOf.has(block)
    firstOf.add(block)
    const place = candidates.length === 0 ? 1.6 : candidates.length < 3 ? 1.25 : leads ? 1.1 : 0.95
    const form = (kind === 'item' ? 0.6 : 1) * (DANGLING.test(plain) ? 0.55 : 1) * (/[?？]$/.test(plain) ? 0.4 : 1)
    const onTopic = 1 + 0.25 * Math.min(2, terms.filter((term) => title.has(term)).length)
    candidates.push({ at, unit, terms, standing: place * form * onTopic })
  })
  return candidates
}

/** Ends as a sentence does, or is an item that reads like one. */
const isSentence = (plain: string, kind: Unit['kind']): boolean =>
  /[.!?…。！？।؟][)"'”’»\]]*$/.test(plain) || (kind === 'item' && plain.length > 60) || /[\u0e00-\u0eff]/.test(plain)

function choose(candidates: readonly Candidate[], letters: number): Candidate[] {
  const weight = new Map<string, number>()
  for (const { terms } of candidates) for (const term of terms) weight.set(term, (weight.get(term) ?? 0) + 1)
  // A word of one sentence is a detail; the logarithm keeps the page's main word from deciding alone.
  for (const [term, times] of weight) weight.set(term, times > 1 ? Math.log2(times) : 0.15)
  const chosen: Candidate[] = []
  const left = new Set(candidates)
  let said = 0
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

/** A page without sentences: what it lists first. */
function shortest({ units }: Text): string {
  let text = ''
  const seen = new Set<string>()
  for (const { plain, kind } of units) {
    if (kind === 'code' || kind === 'heading' || BOILERPLATE.test(plain) || seen.has(plain)) continue
    seen.add(plain)
    if (text.length + plain.length > MIN_LETTERS) break
    text += `${text ? '; ' : ''}${plain}`
  }
  return text || units[0]!.plain.slice(0, MIN_LETTERS)
}

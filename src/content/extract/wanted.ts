// What one field asks for, in the words of the vocabulary: which phrases may name it on a page, which concepts it may be,
// what sort of value it wants and in which unit.
import { isUnit } from '../values/numbers.ts'
import type { Shape } from './shape.ts'
import { type Concept, conceptNamed, conceptsOf, type Kind, SUBJECTS } from './vocabulary.ts'
import { tokensOf } from './words.ts'

export interface Wanted {
  name: string
  shape: Shape
  /** Ways the field may be called, the surest first. */
  phrases: readonly string[]
  concepts: readonly Concept[]
  kind: Kind
  /** The unit that the name or its description asks for. */
  unit: string | undefined
  /** The currency that the name asks for. */
  currency: string | undefined
}

const CURRENCY = /^(?:usd|eur|gbp|jpy|chf|cad|aud|inr|cny|sek|nok|dkk|pln)$/
const EMPTY_WORDS = new Set([
  'has',
  'number',
  'num',
  'nr',
  'no',
  'count',
  'total',
  'list',
  'text',
  'string',
  'value',
  'iso',
])
const IN_UNIT = /\bin (?:whole |full )?([a-z²]{1,12}|sq ft|square met(?:er|re)s)\b/i

/** `around`: names of the objects that the field lies in, innermost last. */
export function wantedOf(name: string, shape: Shape, around: readonly string[] = []): Wanted {
  const tokens = tokensOf(name)
  const last = tokens.at(-1) ?? ''
  const currency = tokens.length > 1 && CURRENCY.test(last) ? last.toUpperCase() : undefined
  const isNumeric = shape.kind === 'number' || shape.kind === 'integer'
  const unitInName = tokens.length > 1 && isNumeric && isUnit(last) && conceptsOf(tokens.join(' ')).length === 0
  const described = isNumeric ? IN_UNIT.exec(shape.description)?.[1]?.toLowerCase() : undefined
  const unit = unitInName ? last : described && isUnit(described) ? described : undefined
  const bare = currency || unitInName ? tokens.slice(0, -1) : tokens
  const phrases = phrasesFor(bare, shape, around)
  const ids = [...new Set(phrases.flatMap(conceptsOf))]
  const concepts = ids.map(conceptNamed)
  return { name, shape, phrases, concepts, kind: kindFor(shape, concepts[0]), unit, currency }
}

function phrasesFor(tokens: readonly string[], shape: Shape, around: readonly string[]): string[] {
  const whole = tokens.join(' ')
  const phrases = [whole]
  const add = (words: readonly string[]) => {
    const phrase = words.join(' ')
    if (phrase !== '' && !phrases.includes(phrase)) phrases.push(phrase)
  }
  const isKnown = () => phrases.some((phrase) => conceptsOf(phrase).length > 0)
  const outer = around.map((one) => tokensOf(one)).at(-1)
  if (outer && !isNeutral(around.at(-1)!)) {
    phrases.unshift([...outer, ...tokens].join(' '))
    // The name of an author is not the name of the page.
    const isOwn = conceptsOf(whole).some((id) => !OF_ANYTHING.has(id))
    if (!isOwn && !CONTAINERS.has(outer.at(-1)!)) {
      const calls = conceptsOf(whole)[0] === 'name' ? [outer.join(' ')] : []
      return [phrases[0]!, ...calls]
    }
  }
  // `productName` on a page about a product asks for the name.
  if (!isKnown()) {
    const [first = '', ...rest] = tokens
    if (rest.length > 0 && (SUBJECTS.has(first) || EMPTY_WORDS.has(first))) add(rest)
  }
  if (!isKnown() && tokens.length > 1) add(tokens.filter((word) => !EMPTY_WORDS.has(word)))
  // A name that says little leaves it to its description.
  const said = tokensOf(shape.description.split(/[.;,(]/, 1)[0] ?? '')
  if (!isKnown() && said.length > 0 && said.length <= 4) {
    add(said)
    add(said.filter((word) => !SUBJECTS.has(word)))
  }
  return phrases
}

/** Words for a box that only gathers: what lies in it is the page's own. */
const CONTAINERS = new Set(
  'contact pricing price offer location address specification spec availability dimension nutrition time timing social metadata meta rating review schedule date stock'.split(
    ' ',
  ),
)
/** What everything has: inside another object it is that object's, not the page's. */
const OF_ANYTHING = new Set([
  'name',
  'description',
  'url',
  'website',
  'image',
  'logo',
  'published',
  'email',
  'phone',
  'rating',
  'body',
  'price',
  'jobTitle',
  'category',
  'sku',
])

/** A name that says what the page is about anyway (`product`, `data`). */
export const isNeutral = (name: string): boolean => tokensOf(name).every((word) => SUBJECTS.has(word))

function kindFor({ kind, format }: Shape, concept: Concept | undefined): Kind {
  if (format === 'date' || format === 'date-time') return 'date'
  if (format === 'uri' || format === 'url' || format === 'uri-reference')
    return concept?.kind === 'image' ? 'image' : 'url'
  if (format === 'email') return 'email'
  if (format === 'duration') return 'duration'
  if (concept) return concept.kind
  return kind === 'integer' ? 'count' : kind === 'number' ? 'number' : kind === 'boolean' ? 'truth' : 'text'
}

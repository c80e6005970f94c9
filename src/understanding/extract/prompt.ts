// The fields that a prompt names, by plain rules: "Extract the name, price and rating", "list all products with title and
// link". What is not a list of things to find is not understood, and the caller is told so.
import { ANYTHING, type Shape, type ShapeField } from './shape.ts'
import { conceptsOf, TERMS } from './vocabulary.ts'
import { camel, phraseOf, tokensOf } from './words.ts'

const MAX_FIELDS = 40
const MAX_WORDS = 5
const VERB =
  /^(?:please\s+)?(?:can you\s+|could you\s+|i (?:want|need)(?: you)?(?: to)?\s+)?(?:extract|get|find|give me|return|collect|grab|fetch|pull|scrape|list|show|tell me|provide|identify|what(?:'s| is| are)|which|who(?: is)?)\s+(?:me\s+)?/i
const FROM_PAGE =
  /\s+(?:from|on|of|in|about)\s+(?:this|the|each|that)\s+(?:web\s?)?(?:page|site|website|article|product|document|listing|text|content|url)\b.*$/i
const MANY =
  /^(?:a list of |the list of |all(?: of)?(?: the)? |every |each |the )?(.{2,60}?)(?:,| )\s*(?:with|including|and(?: for each)?(?: of them)?|along with|for each)\s+(?:their |its |the |each |an? )?(.+)$/i
const ARTICLE = /^(?:the|a|an|its|their|his|her|all|any|each|every|of|both|also|list of|number of the)\s+/i

export function shapeFromWords(prompt: string): Shape | undefined {
  const first =
    prompt
      .trim()
      .slice(0, 2000)
      .split(/[.!?]\s|\n/, 1)[0] ?? ''
  const verb = VERB.exec(first)
  if (!verb && !first.includes(',')) return undefined
  const asked = first
    .slice(verb?.[0].length ?? 0)
    .replace(/[.!?]+$/, '')
    .replace(FROM_PAGE, '')
  const pairs = pairsAsked(first, asked)
  if (pairs) return pairs
  const many = /\b(?:all|every|each|list)\b/i.test(first) ? MANY.exec(asked) : null
  if (many) {
    const fields = fieldsOf(many[2]!)
    const name = named(many[1]!.replace(ARTICLE, ''))
    if (fields.length > 0 && name) return object([field(name, listOf(object(fields)))])
  }
  const fields = fieldsOf(asked)
  return fields.length > 0 ? object(fields) : undefined
}

/** "Every question and answer", "each name and price": several things that belong together, many times. */
function pairsAsked(first: string, asked: string): Shape | undefined {
  const isFaq = /\bquestions?\b.{1,20}\banswers?\b/i.test(asked)
  const isEach =
    /\b(?:every|each)\b/i.test(first) && (isFaq || !/\b(?:with|including|for each|their|its)\b/i.test(asked))
  if (!isEach && !(isFaq && /\bquestions\b/i.test(asked))) return undefined
  const fields = isFaq ? ['question', 'answer'].map((name) => field(name, { ...EMPTY })) : fieldsOf(asked)
  return fields.length > 1 ? object([field(isFaq ? 'faqs' : 'items', listOf(object(fields)))]) : undefined
}

function fieldsOf(text: string): ShapeField[] {
  const names = text
    .split(/\s*(?:,|;|\band\b|\bas well as\b|\bplus\b|&)\s*/i)
    .map((part) => bare(part))
    .filter((part) => part !== '')
  // A sentence is not a list of fields.
  if (names.some((name) => tokensOf(name).length > MAX_WORDS)) return []
  const seen = new Set<string>()
  return names.slice(0, MAX_FIELDS).flatMap((words): ShapeField[] => {
    const asked = WHETHER.exec(words)?.[1]?.replace(IS, ' ') ?? words
    const name = named(asked)
    if (name === '' || seen.has(name)) return []
    seen.add(name)
    return [field(name, asked === words ? shapeFor(words) : { ...EMPTY, kind: 'boolean' })]
  })
}

/** "whether it is in stock", "if pets are allowed": yes or no. */
const WHETHER = /^(?:whether|if)(?: or not)? (?:it |they |there |the (?:product|item|page|hotel|company) )?(.+)$/i
const IS = /(?:^|\s)(?:is|are|has|have|does|do|can be|can)(?=\s|$)/gi

const field = (name: string, shape: Shape): ShapeField => ({ name, isRequired: false, shape })
const listOf = (items: Shape): Shape => ({ ...EMPTY, kind: 'array', items })

/** What is always several: one text for each. */
const SEVERAL =
  /(?:^|\s)(?:ingredients|features|tags|keywords|authors|images|photos|pictures|links|e-?mails|skills|requirements|responsibilities|qualifications|benefits|perks|steps|instructions|directions|languages|categories|colou?rs|sizes|amenities|facilities|services|speakers|artists|actors|genres|topics|pros|cons|advantages|disadvantages|headings|chapters|awards|certifications|partners|clients|technologies|integrations|founders|highlights|allergens|materials|platforms)$/i

const shapeFor = (words: string): Shape =>
  SEVERAL.test(words) && !/\b(?:number|count|total) of\b/i.test(words)
    ? listOf({ ...EMPTY })
    : { ...EMPTY, kind: kindFor(words) }

function bare(part: string): string {
  let text = part
    .trim()
    .replace(/^[-*•\d.)\s]+/, '')
    .replace(/^["'`]|["'`]$/g, '')
  for (let steps = 0; steps < 4 && ARTICLE.test(text); steps++) text = text.replace(ARTICLE, '')
  return text.replace(/\s*\([^)]{0,80}\)$/, '').trim()
}

function kindFor(words: string): Shape['kind'] {
  const [id] = conceptsOf(phraseOf(words))
  const kind = id && TERMS.get(id)!.kind
  return kind === 'money' || kind === 'number' || kind === 'count' ? 'number' : 'string'
}

const named = (words: string): string => camel((words.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).slice(0, MAX_WORDS))

const object = (fields: ShapeField[]): Shape => ({ ...EMPTY, kind: 'object', fields })

/** To be copied: a shape is known by itself, and two fields may not be one. */
const EMPTY: Shape = { ...ANYTHING, kind: 'string', nullable: true }

// The fields that a prompt names, by plain rules: "Extract the name, price and rating", "list all products with title and
// link". What is not a list of things to find is not understood, and the caller is told so.
import { ANYTHING, type Field, type Shape } from './shape.ts'
import { conceptNamed, conceptsOf } from './vocabulary.ts'
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
  const many = /\b(?:all|every|each|list)\b/i.test(first) ? MANY.exec(asked) : null
  if (many) {
    const fields = fieldsOf(many[2]!)
    const name = named(many[1]!.replace(ARTICLE, ''))
    if (fields.length > 0 && name)
      return object([{ name, isRequired: false, shape: { ...EMPTY, kind: 'array', items: object(fields) } }])
  }
  const fields = fieldsOf(asked)
  return fields.length > 0 ? object(fields) : undefined
}

function fieldsOf(text: string): Field[] {
  const names = text
    .split(/\s*(?:,|;|\band\b|\bas well as\b|\bplus\b|&)\s*/i)
    .map((part) => bare(part))
    .filter((part) => part !== '')
  // A sentence is not a list of fields.
  if (names.some((name) => tokensOf(name).length > MAX_WORDS)) return []
  const seen = new Set<string>()
  return names.slice(0, MAX_FIELDS).flatMap((words): Field[] => {
    const name = named(words)
    if (name === '' || seen.has(name)) return []
    seen.add(name)
    return [{ name, isRequired: false, shape: { ...EMPTY, kind: kindFor(words) } }]
  })
}

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
  const kind = id && conceptNamed(id).kind
  return kind === 'money' || kind === 'number' || kind === 'count' ? 'number' : 'string'
}

const named = (words: string): string => camel((words.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).slice(0, MAX_WORDS))

const object = (fields: Field[]): Shape => ({ ...EMPTY, kind: 'object', fields })

const EMPTY: Shape = { ...ANYTHING, kind: 'string', nullable: true }

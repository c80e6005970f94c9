// Derives a JSON Schema from the fields that a prompt names: "names and prices of the products", "title, speaker and
// room of each talk", "What does the lamp weigh?".
import { setOfWords } from '../../base/values.ts'
import { findTermsByPhrase, type ValueKind } from './field-terms.ts'
import { toCamelCase, toComparablePhrase, tokenizeName } from './normalise-labels.ts'

type PromptSchema = { type: 'object'; properties: Record<string, Record<string, unknown>> }

const MAX_FIELDS = 40
const MAX_WORDS = 5

const STARTERS = setOfWords(
  'please can could you i want need would like to extract get find give me us return collect grab fetch list show tell provide what which who is are was the a an all of gib zeige liste nenne bitte',
)
const AND = /\s*(?:[,;&]|(?<!\p{L})(?:and|und|et|y|och|ve|и|sowie|plus|as well as)(?!\p{L}))\s*/iu
const WITH = /,?\s(?:with|including|along with|together with|and (?:their|its)|mit|avec|con|com|met|med|ile)\s/iu
const OF = /\s(?:of|for|from|von|der|des|du|de|di|da|van|av)\s/iu
const COUNT_OF = /\b(number|count|total|amount) of (?:the )?/giu
const EACH =
  /(?<!\p{L})(?:each|every|all|any|jede[rsnm]?|aller?|chaque|tous|toutes|cada|todos|todas|ogni|tutti|elke?|varje)(?!\p{L})/iu
const OF_EACH = /\s(?=(?:aller|jede[rsnm]|each|every)\s)/iu
const PAGE =
  /\s(?:from|on|in|of|at)\s(?:this|the|that)\s(?:web ?)?(?:page|site|website|document|text|url|article)\b.*$/iu
const LEAD = /^(?:it|they|their|its|his|her|the|an?|all|each|every|any|both|also|of|list of|number of the)\s+/iu

export function schemaFromPrompt(prompt: string): PromptSchema | undefined {
  const [sentence = ''] = prompt
    .trim()
    .slice(0, 2000)
    .split(/[.!?]\s|\n/, 1)
  const isSeveral = EACH.test(sentence) || /^\W*(?:please\s)?list\b/i.test(sentence)
  const whole = sentence
    .replace(PAGE, '')
    .replace(/[\s.!?:]+$/u, '')
    .replace(COUNT_OF, '$1 ')
  const asked = withoutStart(whole)
  if (/^(?:does|do|did|how)\s/i.test(asked)) return verbFields(asked)
  // Without a request verb, only a known field name distinguishes a request from any other sentence.
  if (asked === '' || (asked === whole && !namesIn(asked.replace(OF, ' , ')).some(isKnown))) return undefined
  const [things = '', theirs] = split(asked, WITH)
  if (theirs !== undefined && (isSeveral || isPlural(things)) && isNoun(things)) return listSchema(things, theirs, true)
  // "Namen und Preise aller Produkte": the owner may follow without a preposition.
  const [fields = '', owner] = OF.test(asked) ? split(asked, OF) : split(asked, OF_EACH)
  if (owner !== undefined && isNoun(owner)) {
    const isList = EACH.test(owner) || isPlural(owner)
    return isList ? listSchema(owner, fields) : objectSchema(fields)
  }
  return objectSchema(asked, isSeveral)
}

function split(text: string, by: RegExp): [string, string?] {
  const match = by.exec(text)
  return match ? [text.slice(0, match.index), text.slice(match.index + match[0].length)] : [text]
}

function withoutStart(sentence: string): string {
  const words = sentence.split(/\s+/)
  const start = words.findIndex((word) => !STARTERS.has(word.toLowerCase().replace(/[^\p{L}]/gu, '')))
  return start < 0 ? '' : words.slice(start).join(' ')
}

function stripBullets(part: string): string {
  let text = part.trim().replace(/^[-*•\d.)\s"'`]+|["'`]+$/gu, '')
  while (LEAD.test(text)) text = text.replace(LEAD, '')
  return text
    .replace(/\s*\([^)]{0,80}\)$/u, '')
    .replace(/^(?:two|three|four|five|six|seven|eight|nine|ten|first|\d+)\s+/iu, '')
    .trim()
}

const isKnown = (name: string): boolean => findTermsByPhrase(toComparablePhrase(name)).length > 0
const isNoun = (text: string): boolean => tokenizeName(stripBullets(text)).length <= 4
const isPlural = (text: string): boolean => /[^s]s$/i.test(stripBullets(text))

/** The parts of a list of fields; empty when one of them is a sentence. */
function namesIn(text: string): string[] {
  const names = text.split(AND).map(stripBullets).filter(Boolean)
  return names.some((name) => tokenizeName(name).length > MAX_WORDS) ? [] : names.slice(0, MAX_FIELDS)
}

const NUMBERS = new Set<ValueKind>(['money', 'count'])

function scalar(name: string): Record<string, unknown> {
  const [term] = findTermsByPhrase(toComparablePhrase(name))
  const isNumber = term !== undefined && (NUMBERS.has(term.kind) || term.id === 'rating')
  return { type: isNumber ? 'number' : 'string' }
}

const keyOf = (words: string): string =>
  toCamelCase((words.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).slice(0, MAX_WORDS))

/** `isWith`: "products with their price", where the fields are in addition to the name. */
function listSchema(things: string, fields: string, isWith = false): PromptSchema | undefined {
  const noun = keyOf(stripBullets(things.replace(EACH, ' ')))
  const names = namesIn(fields)
  if (noun === '' || names.length === 0) return undefined
  const properties: Record<string, Record<string, unknown>> = {}
  for (const name of names) properties[toCamelCase(tokenizeName(name))] = scalar(name)
  // Items need a name to be distinguishable.
  const isNamed =
    !isWith || names.some((name) => IDENTIFYING.has(findTermsByPhrase(toComparablePhrase(name))[0]?.kind ?? 'text'))
  const items = { type: 'object', properties: isNamed ? properties : { name: { type: 'string' }, ...properties } }
  return { type: 'object', properties: { [plural(noun)]: { type: 'array', items } } }
}

const plural = (noun: string): string =>
  /s$/.test(noun) ? noun : /(?:ch|sh|x|z)$/.test(noun) ? `${noun}es` : noun.replace(/y$/, 'ie').concat('s')

const IDENTIFYING = new Set<ValueKind>(['title', 'person', 'org', 'code'])

function objectSchema(text: string, isSeveral = false): PromptSchema | undefined {
  const names = namesIn(text)
  if (names.length === 0) return undefined
  // "Names and prices": several fields of the same items.
  if (
    names.length > 1 &&
    (isSeveral || names.every(isPlural)) &&
    names.every((name) => isKnown(name) && !findTermsByPhrase(toComparablePhrase(name))[0]!.isList)
  )
    return listSchema('items', text)
  const properties: Record<string, Record<string, unknown>> = {}
  for (const name of names) {
    const [term] = findTermsByPhrase(toComparablePhrase(name))
    const isList =
      term?.isList ||
      (isPlural(name) &&
        (isSeveral || term === undefined || !NUMBERS.has(term.kind)) &&
        term?.kind !== 'text' &&
        names.length === 1)
    properties[keyOf(name)] = isList ? { type: 'array', items: { type: 'string' } } : scalar(name)
  }
  return { type: 'object', properties }
}

/** "Does the lamp weigh much", "how much does it cost": the known terms among the words. */
function verbFields(text: string): PromptSchema | undefined {
  const properties: Record<string, Record<string, unknown>> = {}
  for (const word of tokenizeName(text).slice(1)) {
    const [term] = findTermsByPhrase(word)
    if (term && term.kind !== 'title') properties[term.id] = scalar(term.id)
  }
  return Object.keys(properties).length > 0 ? { type: 'object', properties } : undefined
}

// Derives a list schema from a prompt that names fields: "title, speaker and room of each talk", "all rooms with their
// price". Other prompts stay questions.

import type { JsonSchema } from '../../llm/llm.ts'
import { findAskedValueKinds } from '../../understanding/passages/find-asked-value-kinds.ts'
import { removeCaseAndAccents } from '../../understanding/passages/stem-terms.ts'

const EACH = 'each|every|all|the|jedes?|jeder|jeden|aller?|chaque|tou(?:te)?s|cada|tod[oa]s|ogni|tutt[ie]|alle'
const OF = 'of|for|von|der|des|de|di|van|für|pour|para|per'
const WITH = 'with|mit|avec|con|com|met|incl(?:uding|\\.)?'
const LIST = 'list|liste|lista|elenco|lijst'
const JOINED = /\s*(?:,|;|&|\s(?:and|und|et|y|e|en|sowie)\s)\s*/iu
/** Words before a noun that do not name a field. */
const LEADING_WORDS =
  /^(?:(?:its|their|the|an?|what|are|is|also|seine?|ihre?[nmrs]?|d[ieao]s?|der|el|la|les?|los|las|sus?|leurs?|il|i|gli)\s+)+/iu
const NAME_LIKE = /^(?:names?|titles?|titel|bezeichnung|noms?|titres?|nombres?|t[ií]tulos?|nom[ei]|titol[oi])$/iu
const NUMBERS = /^(?:\d+|two|three|four|five|six|seven|eight|nine|ten|zwei|drei|vier|fünf|deux|trois|dos|tres)\s+/iu
const MAX_WORDS = 4

const FIELDS_OF = new RegExp(`^(.{3,80}?)\\s(?:${OF})\\s(?:${EACH})\\s+(.{3,40}?)[.?!]*$`, 'iu')
const LIST_WITH = new RegExp(
  `\\b(?:${EACH}|${LIST}(?:\\s(?:of|der|des|de|di))?)\\s+(.{3,60}?)\\s(?:${WITH})\\s+(.{3,80}?)[.?!]*$`,
  'iu',
)
/** Instructions and question words before the wanted fields. */
const LEADING_INSTRUCTION =
  /^(?:please\s+)?(?:(?:get|give|show|tell|find|extract|collect|return|list|what|which|i need|i want)\s+)?(?:me\s+|us\s+)?/iu

/** Undefined when the prompt names no fields. */
export function schemaFromPrompt(prompt: string): JsonSchema | undefined {
  const text = prompt.trim().replace(/\s+/g, ' ')
  if (text.length > 200) return undefined
  const listed = LIST_WITH.exec(text)
  const named = FIELDS_OF.exec(text.replace(LEADING_INSTRUCTION, ''))
  const [things, fields] = listed
    ? [listed[1]!, listed[2]!]
    : named && isMany(text, named[2]!)
      ? [named[2]!, named[1]!]
      : ['', '']
  const names = fields.split(JOINED).map((field) => field.replace(LEADING_WORDS, '').trim())
  const thing = things
    .replace(new RegExp(`^(?:(?:${EACH})\\s+)+`, 'iu'), '')
    .replace(NUMBERS, '')
    .replace(LEADING_WORDS, '')
    .trim()
  if (thing === '' || names.some((name) => name === '' || wordsIn(name) > MAX_WORDS) || wordsIn(thing) > MAX_WORDS)
    return undefined
  const all = names.some((name) => NAME_LIKE.test(name)) ? names : ['name', ...names]
  const properties = Object.fromEntries(
    all.map((name) => [keyOf(NAME_LIKE.test(name) ? singular(name) : name), typeOf(name)]),
  )
  const list = { type: 'array', description: thing, items: { type: 'object', properties } }
  return { type: 'object', properties: { [keyOf(thing.split(' ').at(-1)!)]: list } }
}

const wordsIn = (text: string): number => text.split(' ').length

/** "of the lamp" means one; "of the lamps" and "of each lamp" mean many. */
const isMany = (prompt: string, things: string): boolean =>
  new RegExp(`\\s(?!the\\b)(?:${EACH})\\s+${escaped(things)}`, 'iu').test(prompt) ||
  NUMBERS.test(things) ||
  /s$/i.test(things)

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

const singular = (word: string): string => word.replace(/(?<=\w{3})s$/i, '')

function typeOf(name: string): JsonSchema {
  const kinds = findAskedValueKinds(name)
  return kinds.has('money') ? { type: 'number', description: name } : { type: 'string', description: name }
}

const keyOf = (words: string): string =>
  removeCaseAndAccents(words)
    .replace(/[^\p{L}\p{N}]+(\p{L}|\p{N})?/gu, (_, next: string | undefined) => next?.toUpperCase() ?? '')
    .slice(0, 60)

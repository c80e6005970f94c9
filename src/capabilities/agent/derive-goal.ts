// Derives the goal from the prompt and the schema: the fields, one record or many, and the words to rank pages and
// links by. Pure.

import { getDomain } from 'tldts'
import { isObject } from '../../base/values.ts'
import { schemaFromPrompt } from '../../understanding/extract/schema-from-prompt.ts'
import { isSameWordForm, type ParsedQuestion, parseQuestion } from '../../understanding/passages/rank-passages.ts'
import { isStopWord, stemText } from '../../understanding/passages/stem-terms.ts'

export type GoalSchema = { readonly [keyword: string]: unknown }

export interface Goal {
  prompt: string
  urls: readonly string[]
  /** Sites that may be read; empty: those that a search finds. */
  sites: readonly string[]
  strict: boolean
  /** The URLs come from the earlier conversation, not from the caller. */
  isFollowUp: boolean
  /** `record`: one object. `list`: many of a kind. `answer`: text. */
  shape: 'record' | 'list' | 'answer'
  schema: GoalSchema | undefined
  isFromPrompt: boolean
  /** For a list: its path in the answer (null: the answer itself) and the schema of one item. */
  list: { path: string | null; item: GoalSchema } | undefined
  /** Field names of the record, or of one item. */
  fields: readonly string[]
  /** The prompt requests many pages of one site. */
  isSite: boolean
  question: ParsedQuestion
  /** Stems of the nouns that name a list's items in the prompt and the schema. */
  nouns: readonly string[]
  terms: ReadonlySet<string>
}

const ADDRESS =
  /\bhttps?:\/\/[^\s<>"')\]]+|\b(?:[a-z0-9-]+\.)+(?:com|org|net|io|dev|co|edu|gov|app|ai|info|[a-z]{2})(?:\/[^\s<>"')\]]*)?\b/gi
/** "from every page of the handbook", "of the whole site", "crawl …". */
const MANY_PAGES =
  /\b(?:all|every|each)\b[^.!?]{0,40}\b(?:(?:sub)?pages?|articles?|posts?|chapters?)\b[^.!?]{0,40}\b(?:of|on|in|from)\b|\bcrawl\b/i
/** Words of the instruction, not of its subject. */
const INSTRUCTION_WORDS = new Set(
  'find get give list extract collect return fetch search tell show scrape visit me us please'.split(' '),
)

/** A longer prompt describes a task. */
const MAX_FIELD_PROMPT = 200

interface AgentRequest {
  prompt: string
  urls?: readonly string[] | undefined
  strictConstrainToURLs?: boolean
  schema?: GoalSchema | undefined
  isFollowUp?: boolean | undefined
}

export function deriveGoal({
  prompt,
  urls = [],
  strictConstrainToURLs = false,
  schema: given,
  isFollowUp = false,
}: AgentRequest): Goal {
  const mentioned = addressesIn(prompt)
  const named = urls.length > 0 ? urls : mentioned
  const words = prompt.replace(ADDRESS, ' ')
  const schema = given ?? listSchemaFromPrompt(words)
  const list = schema && listIn(schema)
  const shape = list ? 'list' : schema ? 'record' : 'answer'
  const fields = Object.keys(schemaPropertiesOf(list?.item ?? schema))
  const question = parseQuestion([words, ...fields.map(splitCamelCase)].join(' '))
  return {
    prompt,
    urls: named,
    sites: [...new Set([...named, ...mentioned].map(siteOf))],
    isFollowUp,
    strict: strictConstrainToURLs && named.length > 0,
    shape,
    schema,
    isFromPrompt: given === undefined && schema !== undefined,
    list,
    fields,
    isSite: shape !== 'answer' && MANY_PAGES.test(words),
    question,
    nouns: list ? nounsOf(list.path, words, fields) : [],
    terms: new Set(question.terms.map(({ term }) => term)),
  }
}

/** "pasta dish": the name of the list, and the word before it in the prompt. */
function nounsOf(path: string | null, prompt: string, fields: readonly string[]): string[] {
  const list = stemText(splitCamelCase(path ?? ''))
  const said = stemText(prompt)
  const known = new Set(fields.flatMap((field) => stemText(splitCamelCase(field))))
  const before = said.filter((_, at) =>
    list.some((noun) => said[at + 1] !== undefined && isSameWordForm(said[at + 1]!, noun)),
  )
  return [...new Set([...before, ...list])].filter((term) => !isStopWord(term) && !known.has(term))
}

/** The registrable domain of a URL; host and port for IP addresses and local names. */
export function siteOf(url: string): string {
  try {
    const { hostname, host } = new URL(url)
    return getDomain(hostname) ?? host
  } catch {
    return ''
  }
}

/** The list of objects that is a schema's only content. With other fields beside it, the schema is a record. */
function listIn(schema: GoalSchema): Goal['list'] {
  if (schema.type === 'array' && isObject(schema.items)) return { path: null, item: schema.items }
  const [only, ...others] = Object.entries(schemaPropertiesOf(schema))
  if (!only || others.length > 0) return undefined
  const [path, { type, items }] = only
  return type === 'array' && isObject(items) && Object.keys(schemaPropertiesOf(items)).length > 0
    ? { path, item: items }
    : undefined
}

export function schemaPropertiesOf(schema: GoalSchema | undefined): Record<string, GoalSchema> {
  const { properties } = schema ?? {}
  return isObject(properties) ? (properties as Record<string, GoalSchema>) : {}
}

/** Other prompts that name fields stay questions: one sentence answers them. */
function listSchemaFromPrompt(prompt: string): GoalSchema | undefined {
  const made = prompt.length <= MAX_FIELD_PROMPT ? schemaFromPrompt(prompt) : undefined
  return made && listIn({ ...made }) ? { ...made } : undefined
}

export const splitCamelCase = (name: string): string => name.replace(/([a-z])([A-Z])/g, '$1 $2').replace(/[_-]+/g, ' ')

function addressesIn(prompt: string): string[] {
  const found = [...prompt.matchAll(ADDRESS)].map(([address]) => address.replace(/[.,;:!?]+$/, ''))
  return [...new Set(found)].slice(0, 10).map((address) => (/^https?:/i.test(address) ? address : `https://${address}`))
}

export function webSearchQueryOf({ prompt, question }: Goal): string {
  const words = prompt
    .replace(ADDRESS, ' ')
    .replace(/[^\p{L}\p{N}\s&"“”.'-]/gu, ' ')
    .split(/\s+/)
    .filter((word) => word !== '' && !INSTRUCTION_WORDS.has(word.toLowerCase()))
  const kept = words.length > MAX_QUERY_WORDS ? question.terms.flatMap(({ word }) => word ?? []) : words
  return kept.slice(0, MAX_QUERY_WORDS).join(' ').slice(0, 300) || prompt.slice(0, 300)
}

const MAX_QUERY_WORDS = 14

/** Site searches match all words literally, so this sends only the rarest-looking words, names first. */
export function siteSearchQueryOf({ prompt, question }: Goal): string {
  const quoted = /["“”]([^"“”]{2,60})["“”]/.exec(prompt)?.[1]
  const names = [...prompt.matchAll(/(?<=[\p{L}\p{N},:;)] )\p{Lu}[\p{L}\p{N}&.-]+/gu)].map(([name]) => name)
  const words = question.terms.filter(({ weight }) => weight === 1).flatMap(({ word }) => word ?? [])
  return (quoted ?? (names.length > 0 ? names.slice(0, 3) : words.slice(0, 2)).join(' ')).slice(0, 300)
}

export function hasListItems({ list }: Pick<Goal, 'list'>, data: unknown): boolean {
  const items = list?.path == null ? data : (data as Record<string, unknown> | null)?.[list.path]
  return Array.isArray(items) && items.length > 0
}

// What a caller wants, made of the prompt and the schema alone: the fields to fill, whether they are one record or many,
// the words to look for and the subject it is about. Pure; page text never comes here.
import { termsOf } from '../../understanding/passages/terms.ts'

export type Schema = { readonly [keyword: string]: unknown }

export interface Goal {
  prompt: string
  /** Where to begin, as the caller named it. */
  urls: readonly string[]
  strict: boolean
  /** The addresses are those of the conversation before, not the caller's. */
  isFollowUp: boolean
  /** `record`: one object. `list`: many of a kind. `open`: whatever the prompt names. `answer`: a sentence. */
  shape: 'record' | 'list' | 'open' | 'answer'
  schema: Schema | undefined
  /** For a list: where it stands in the answer (null: it is the answer), and what one item looks like. */
  list: { path: string | null; item: Schema } | undefined
  /** Names of the fields of the record, or of one item of the list. */
  fields: readonly string[]
  /** Many pages of one site are asked for, not one that is to be found there. */
  isSite: boolean
  /** Terms of prompt and fields, for ranking links and pages. */
  terms: ReadonlySet<string>
  /** Names and numbers that a page about the right thing must mention. */
  subject: readonly string[]
}

const ADDRESS =
  /\bhttps?:\/\/[^\s<>"')\]]+|\b(?:[a-z0-9-]+\.)+(?:com|org|net|io|dev|co|edu|gov|app|ai|info|[a-z]{2})(?:\/[^\s<>"')\]]*)?\b/gi
const QUESTION =
  /\?\s*$|^\s*(?:who|what|when|where|which|why|how|is|are|does|do|did|can|was|were|wer|was|wann|wo|wie|qui|que|quel|quand|où|comment)\b/i
/** "from every page of the handbook", "of the whole site", "crawl …". */
const MANY_PAGES =
  /\b(?:all|every|each)\b[^.!?]{0,40}\b(?:(?:sub)?pages?|articles?|posts?|chapters?|guides?)\b[^.!?]{0,40}\b(?:site|website|blog|docs|documentation|handbook|manual|wiki|section)\b|\b(?:whole|entire)\s+(?:web)?site\b|\bcrawl\b/i
/** Words of an order, not of its subject. */
const ORDER = new Set(
  'find get give list extract collect return fetch search look tell show scrape visit browse compile gather me us please the a an all every each of for from in on at to and or with about page pages site website web data information details json as by is are what who when where which how many much'.split(
    ' ',
  ),
)

export interface AskedOfAgent {
  prompt: string
  urls?: readonly string[] | undefined
  strictConstrainToURLs?: boolean
  schema?: Schema | undefined
  isFollowUp?: boolean | undefined
}

export function goalOf({
  prompt,
  urls = [],
  strictConstrainToURLs = false,
  schema,
  isFollowUp = false,
}: AskedOfAgent): Goal {
  const list = schema && listIn(schema)
  const shape = list ? 'list' : schema ? 'record' : QUESTION.test(prompt) ? 'answer' : 'open'
  const fields = Object.keys(propertiesOf(list?.item ?? schema))
  const named = urls.length > 0 ? urls : addressesIn(prompt)
  const words = prompt.replace(ADDRESS, ' ')
  return {
    prompt,
    urls: named,
    isFollowUp,
    strict: strictConstrainToURLs && named.length > 0,
    shape,
    schema,
    list,
    fields,
    isSite: shape !== 'answer' && MANY_PAGES.test(words),
    terms: new Set(
      [...termsOf(words), ...fields.flatMap((field) => termsOf(spaced(field)))].filter((term) => term.length > 2),
    ),
    subject: subjectOf(words),
  }
}

/** The one list of objects that a schema is about. */
function listIn(schema: Schema): Goal['list'] {
  if (schema.type === 'array' && isSchema(schema.items)) return { path: null, item: schema.items }
  const lists = Object.entries(propertiesOf(schema)).filter(
    ([, one]) => one.type === 'array' && isSchema(one.items) && Object.keys(propertiesOf(one.items)).length > 0,
  )
  const [only] = lists
  return lists.length === 1 && only ? { path: only[0], item: only[1].items as Schema } : undefined
}

export function propertiesOf(schema: Schema | undefined): Record<string, Schema> {
  const { properties } = schema ?? {}
  return isSchema(properties) ? (properties as Record<string, Schema>) : {}
}

const isSchema = (value: unknown): value is Schema =>
  value !== null && typeof value === 'object' && !Array.isArray(value)

export const spaced = (name: string): string => name.replace(/([a-z])([A-Z])/g, '$1 $2').replace(/[_-]+/g, ' ')

function addressesIn(prompt: string): string[] {
  const found = [...prompt.matchAll(ADDRESS)].map(([address]) => address.replace(/[.,;:!?]+$/, ''))
  return [...new Set(found)].slice(0, 10).map((address) => (/^https?:/i.test(address) ? address : `https://${address}`))
}

/** Quoted words, names in capitals inside a sentence, and numbers: what tells the wanted thing from others of its kind. */
function subjectOf(words: string): string[] {
  const quoted = [...words.matchAll(/["“”'‘’]([^"“”'‘’]{2,60})["“”'‘’]/g)].map(([, text = '']) => text)
  const names = [...words.matchAll(/(?<=[\p{L}\p{N},:;)] )\p{Lu}[\p{L}\p{N}&.-]*/gu)].map(([name]) =>
    name.replace(/\.$/, ''),
  )
  const numbers = [...words.matchAll(/\b\d{4,}\b/g)].map(([number]) => number)
  const all = [...quoted, ...names, ...numbers].map((one) => one.toLowerCase())
  return [...new Set(all)].filter((one) => one.length > 1 && !ORDER.has(one)).slice(0, 8)
}

const words = (text: string): string =>
  ` ${text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()} `

/** True when a link is called what the prompt names: two words at least, or one that is a name. */
export function isNamed({ prompt, subject }: Pick<Goal, 'prompt' | 'subject'>, text: string): boolean {
  const name = words(text)
  if (name.length < 6 || !words(prompt).includes(name)) return false
  return name.trim().includes(' ')
    ? subject.some((one) => words(one).includes(name) || name.includes(words(one)))
    : subject.includes(name.trim())
}

/** True when what a page said holds items of the wanted list. */
export function hasItems({ list }: Pick<Goal, 'list'>, data: unknown): boolean {
  const items = list?.path == null ? data : (data as Record<string, unknown> | null)?.[list.path]
  return Array.isArray(items) && items.length > 0
}

/** What to type into a search box. */
export function queryOf({ prompt, fields, shape }: Goal): string {
  const words = prompt
    .replace(ADDRESS, ' ')
    .replace(/[^\p{L}\p{N}\s&"“”.'-]/gu, ' ')
    .split(/\s+/)
  const kept = words.filter((word) => word && !ORDER.has(word.toLowerCase())).slice(0, 14)
  const extra = shape === 'record' && kept.length < 5 ? fields.slice(0, 4).map(spaced) : []
  return [...kept, ...extra].join(' ').slice(0, 300) || prompt.slice(0, 300)
}

/** True when a page mentions enough of the subject to be about it. */
export function isAbout({ subject }: Pick<Goal, 'subject'>, text: string): boolean {
  if (subject.length === 0) return true
  const low = text.toLowerCase()
  return subject.filter((one) => low.includes(one)).length * 2 >= subject.length
}

// What a run has read: pages with passages and values, and links to follow; the answer is computed from them. Rebuilt
// from finished steps, so a resumed run has the same state.

import { answerFromPages, LOW_CONFIDENCE } from '../../understanding/passages/answer-with-quotes.ts'
import { isSameWordForm, type PageToRank, scorePageRelevance } from '../../understanding/passages/rank-passages.ts'
import type { Passage } from '../../understanding/passages/split-into-passages.ts'
import { stemText } from '../../understanding/passages/stem-terms.ts'
import type { Goal } from './derive-goal.ts'
import { schemaPropertiesOf } from './derive-goal.ts'
import { type CandidateLink, differOnlyInPageNumber, linkKeyOf, urlToWords } from './rank-links.ts'

export type JsonValue = null | boolean | number | string | JsonValue[] | { [name: string]: JsonValue }
export type JsonRecord = { [name: string]: JsonValue }

export interface PageRead extends PageToRank {
  status: number
  data: JsonValue
  /** The quote on the page for each value, by its path in the data. */
  quotes: Readonly<Record<string, string>>
  /** Paths of a model's values that the page does not say in so many words. */
  doubted?: readonly string[]
  /** Paths of values that the rules added to a model's. */
  byRules?: readonly string[]
  /** Paths of a model's URLs, e-mails, phone numbers and ids that are not on the page. */
  dropped?: readonly string[]
  passages: readonly Passage[]
  links: readonly CandidateLink[]
  /** Identifying strings on the page: addresses, numbers, codes. */
  tokens: readonly string[]
  /** Clickable controls; absent: none, or the page was not examined. */
  controls?: { buttons: readonly string[]; search: boolean }
  /** Share of the request that its best passage covers; 0 to 1. */
  coverage: number
  /** The page is one item of the wanted list, and its data a list of that item. */
  isItem?: true
  at: number
  by: 'model' | 'rules'
}

export interface ValueSource {
  url: string
  quote: string | null
  at: string
  by: 'model' | 'rules'
  /** The page does not say the value in so many words. */
  verified?: false
}

type FoundValue = { path: string; value: JsonValue; source: ValueSource }

export interface AgentAnswer {
  data: JsonValue
  sources: Record<string, ValueSource>
  /** Share of the request that the quoted passages cover; for answers in words. */
  confidence?: number
}

/** Pages below this share of the best weight are off topic; their values are not used. */
const MIN_RELEVANT_WEIGHT = 0.5
const RECALLED_WEIGHT = 0.5
/** How much better another page must answer than one that the caller named. */
const NAMED_MARGIN = 0.25
/** Of a value that the rules added where a model gave none: any value of a model outweighs it. */
const FILLED_WEIGHT = 0.1

/** `field`: `WHOLE_ITEM_FIELD` for a whole item of the list, which is named by `value`. */
export type RejectedValue = { field: string; value: JsonValue; url: string }
export const WHOLE_ITEM_FIELD = '(item)'

interface Read {
  page: PageRead
  /** The list item that the page was read for. */
  record: string | undefined
}

export class Notebook {
  /** By `linkKeyOf`; undefined: the page could not be read. */
  readonly visited = new Map<string, PageRead | undefined>()
  readonly candidates = new Map<string, CandidateLink & { from: string; order: number }>()
  /** Consecutive pages that added nothing new. */
  idle = 0
  readonly #goal: Goal
  readonly #reads: Read[] = []
  #recalled: readonly FoundValue[] = []
  readonly rejected: RejectedValue[] = []
  #answer: AgentAnswer | undefined

  constructor(goal: Goal) {
    this.#goal = goal
  }

  addLinks(links: readonly CandidateLink[], from: string): void {
    for (const link of links) {
      const key = linkKeyOf(link.url)
      const known = this.candidates.get(key)
      if (!known) this.candidates.set(key, { ...link, from, order: this.candidates.size })
      // One link may call a page "More" while another names it.
      else if (link.text !== '' && !known.text.includes(link.text) && known.text.length < MAX_LINK_TEXT)
        known.text = `${known.text} ${link.text}`.trim()
    }
  }

  addPage(asked: string, page: PageRead | undefined, record?: string): void {
    this.visited.set(linkKeyOf(asked), page)
    const isGood = page !== undefined && page.status < 400
    if (!isGood) {
      this.idle++
      return
    }
    const before = this.#size()
    this.visited.set(linkKeyOf(page.url), page)
    // The page after a click replaces the earlier content of the same URL.
    const known = this.#reads.findIndex((one) => one.page.url === page.url && one.record === record)
    if (known >= 0) this.#reads.splice(known, 1)
    this.#reads.push({ page, record })
    this.#answer = undefined
    this.addLinks(page.links, page.url)
    this.idle = this.#size() > before ? 0 : this.idle + 1
  }

  /** Adds values of earlier turns; current pages outweigh them. */
  recall(facts: readonly FoundValue[]): void {
    this.#recalled = facts
    this.#answer = undefined
  }

  /** Leaves out a value, or an item of the list, that a model found wrong. */
  reject(rejected: RejectedValue): void {
    this.rejected.push(rejected)
    this.#answer = undefined
  }

  compose(answer: AgentAnswer): void {
    this.#answer = answer
  }

  /** True when only a model can put the answer together: of partial answers in words, or pages that contradict. */
  get isDivided(): boolean {
    if (this.#goal.shape === 'answer') return this.notes.length > 1
    return this.contradictions.length > 0
  }

  /** Fields of the record for which a model read different values. Lists are joined item by item. */
  get contradictions(): string[] {
    const { shape, fields } = this.#goal
    if (shape !== 'record') return []
    const read = this.pages.filter(({ by }) => by === 'model')
    return fields.filter((field) => {
      const values = read.flatMap(({ data, byRules = [] }) =>
        isRecord(data) && !isEmptyValue(data[field] ?? null) && !byRules.includes(field) ? [data[field]] : [],
      )
      return new Set(values.map((value) => JSON.stringify(value).toLowerCase())).size > 1
    })
  }

  #isRejected(field: string, value: JsonValue, url: string): boolean {
    const said = JSON.stringify(value)
    return this.rejected.some((one) => one.field === field && one.url === url && JSON.stringify(one.value) === said)
  }

  /** Pages that were read, without duplicates. */
  get pages(): PageRead[] {
    return [...new Set(this.#reads.map(({ page }) => page))]
  }

  get open(): string[] {
    const { shape, fields } = this.#goal
    if (shape === 'list') return []
    const { sources } = this.answer()
    return shape === 'answer' ? (sources.answer ? [] : ['answer']) : fields.filter((field) => !sources[field])
  }

  /** Incomplete items of the list, by name. */
  get gaps(): { name: string; missing: string[] }[] {
    return this.#list().flatMap(({ name, values }) => {
      const missing = this.#goal.fields.filter((field) => !values.has(field))
      return missing.length > 0 ? [{ name, missing }] : []
    })
  }

  get items(): number {
    return this.#goal.shape === 'list' ? this.#list().length : 0
  }

  get listPages(): PageRead[] {
    return this.#listReads().map(({ page }) => page)
  }

  /** Pages on which a model found an answer in words, or a part of it. */
  get notes(): PageRead[] {
    return this.pages.filter(
      ({ by, data, url }) => by === 'model' && typeof data === 'string' && !this.#isRejected('answer', data, url),
    )
  }

  get dropped(): string[] {
    return [...new Set(this.pages.flatMap(({ dropped = [] }) => dropped))]
  }

  get isEmpty(): boolean {
    return Object.keys(this.answer().sources).length === 0
  }

  get facts(): FoundValue[] {
    const { data, sources } = this.answer()
    return Object.entries(sources).map(([path, source]) => ({ path, value: valueAt(data, path), source }))
  }

  /** The current answer, with the source of each value. */
  answer(): AgentAnswer {
    this.#answer ??= this.#compose()
    return this.#answer
  }

  #compose(): AgentAnswer {
    const { shape, isFromPrompt } = this.#goal
    if (shape === 'answer') return this.#inWords()
    const filled = shape === 'list' ? this.#asList() : this.#asRecord()
    // When none of the fields derived from the prompt has a value, the answer is given in words.
    return isFromPrompt && Object.keys(filled.sources).length === 0 ? this.#inWords() : filled
  }

  #inWords(): AgentAnswer {
    const { prompt, urls } = this.#goal
    const recalled = this.#recalled.find(({ path }) => path === 'answer')
    if (recalled) return { data: { answer: recalled.value }, sources: { answer: recalled.source } }
    const { notes } = this
    if (notes.length > 0) {
      const named = notes.map((page, at) => [at === 0 ? 'answer' : `answer[${at}]`, valueSourceOf(page, null)] as const)
      return { data: { answer: notes.map(({ data }) => data).join('\n') }, sources: Object.fromEntries(named) }
    }
    // What a model read and found nothing on is not quoted after all.
    const pages = this.pages.filter(({ by }) => by === 'rules')
    const own = new Set(urls.map(linkKeyOf))
    const named = pages.filter(({ url }) => own.has(linkKeyOf(url)))
    const first = named.length > 0 && named.length < pages.length ? answerFromPages(named, prompt) : undefined
    const all = answerFromPages(pages, prompt)
    // The caller named a page because the answer is there.
    const isThere =
      first && first.confidence >= LOW_CONFIDENCE && first.confidence >= (all?.confidence ?? 0) - NAMED_MARGIN
    const found = isThere ? first : all
    if (!found) return { data: { answer: null }, sources: {} }
    const sources: Record<string, ValueSource> = {}
    for (const [at, { page, text }] of found.quotes.entries())
      sources[at === 0 ? 'answer' : `answer[${at}]`] = valueSourceOf(page as PageRead, text)
    const text = found.confidence < LOW_CONFIDENCE ? `Closest on this site:\n${found.text}` : found.text
    return { data: { answer: text }, sources, confidence: found.confidence }
  }

  /** Per field the best-supported value, pages weighted by relevance. */
  #asRecord(): AgentAnswer {
    const { schema } = this.#goal
    const sources: Record<string, ValueSource> = {}
    const weights = this.#weights()
    const findBestValue = (name: string): JsonValue => {
      const votes = new Map<string, { value: JsonValue; source: ValueSource; weight: number }>()
      const vote = (value: JsonValue, source: ValueSource, weight: number) => {
        if (isEmptyValue(value)) return
        const key = JSON.stringify(typeof value === 'string' ? value.trim().toLowerCase() : value)
        const known = votes.get(key)
        votes.set(key, known ? { ...known, weight: known.weight + weight } : { value, source, weight })
      }
      const ranked = this.#reads.toSorted((one, other) => weights.get(other.page)! - weights.get(one.page)!)
      for (const { page } of ranked) {
        const weight = weights.get(page)!
        const value = isRecord(page.data) ? (page.data[name] ?? null) : null
        if (weight >= MIN_RELEVANT_WEIGHT && !this.#isRejected(name, value, page.url))
          vote(
            value,
            valueSourceOf(page, page.quotes[name] ?? null, name),
            page.byRules?.includes(name) ? weight * FILLED_WEIGHT : weight,
          )
      }
      for (const { path, value, source } of this.#recalled) if (path === name) vote(value, source, RECALLED_WEIGHT)
      const [first] = [...votes.values()].sort((one, other) => other.weight - one.weight)
      if (first) sources[name] = first.source
      return first?.value ?? null
    }
    const names = Object.keys(schemaPropertiesOf(schema))
    return { data: Object.fromEntries(names.map((name) => [name, findBestValue(name)])), sources }
  }

  /** Relevance of each page relative to the best. What a model read for the task is relevant whatever its words. */
  #weights(): Map<PageRead, number> {
    const weights = scorePageRelevance(this.pages, this.#goal.question)
    for (const page of this.pages) if (page.by === 'model') weights.set(page, 1)
    return weights
  }

  #asList(): AgentAnswer {
    const { list, fields } = this.#goal
    const path = list?.path ?? null
    const sources: Record<string, ValueSource> = {}
    const items = this.#list().map(({ values }, at) => {
      for (const [field, { source }] of values) sources[`${path === null ? '' : `${path}.`}${at}.${field}`] = source
      const names = [...new Set([...fields, ...values.keys()])]
      return Object.fromEntries(names.map((field) => [field, values.get(field)?.value ?? null]))
    })
    return { data: path === null ? items : { [path]: items }, sources }
  }

  /** The page whose list is nearest to the request, its continuations, and pages that the caller named. */
  #listReads(): Read[] {
    const { urls } = this.#goal
    const weights = this.#weights()
    const withItems = this.#reads.filter(
      (one) => one.record === undefined && listItemsIn(this.#goal, one.page.data).length > 0,
    )
    const worth = ({ page }: Read) => weights.get(page)! * (1 - 1 / (1 + listItemsIn(this.#goal, page.data).length))
    const [base] = withItems.toSorted((one, other) => worth(other) - worth(one))
    if (!base) return []
    const named = new Set(urls.length > 1 ? urls.map(linkKeyOf) : [])
    const isPart = ({ page }: Read) =>
      page === base.page ||
      page.by === 'model' ||
      page.isItem ||
      differOnlyInPageNumber(base.page.url, page.url) ||
      named.has(linkKeyOf(page.url))
    return withItems.filter(isPart)
  }

  #list(): readonly { name: string; values: Map<string, { value: JsonValue; source: ValueSource }> }[] {
    const items = new Map<string, Map<string, { value: JsonValue; source: ValueSource }>>()
    const complete = (values: Map<string, unknown>, item: JsonRecord, page: PageRead, prefix: string) => {
      for (const [field, value] of Object.entries(item))
        if (!isEmptyValue(value) && !values.has(field) && !this.#isRejected(field, value, page.url))
          values.set(field, {
            value,
            source: valueSourceOf(page, page.quotes[`${prefix}${field}`] ?? null, `${prefix}${field}`),
          })
    }
    const part = new Set(this.#listReads())
    const prefixOf = (at: number) => `${this.#goal.list?.path == null ? '' : `${this.#goal.list.path}.`}${at}.`
    // Only pages of the list add items; others complete them.
    for (const read of [...part, ...this.#reads.filter((one) => !part.has(one))]) {
      const { page, record } = read
      if (record !== undefined && isRecord(page.data)) {
        const values = items.get(record)
        if (values) complete(values, page.data, page, '')
        continue
      }
      for (const [at, item] of listItemsIn(this.#goal, page.data).entries()) {
        const name = isRecord(item) ? itemNameOf(item) : undefined
        if (name === undefined || this.#isRejected(WHOLE_ITEM_FIELD, name, page.url)) continue
        if (part.has(read) && !items.has(name)) items.set(name, new Map())
        const values = items.get(name)
        if (values) complete(values, item as JsonRecord, page, prefixOf(at))
      }
    }
    const all = [...items].map(([name, values]) => ({ name, values }))
    if ([...part].some(({ page }) => page.by === 'model')) return all
    return filterByGoal(
      this.#goal,
      [...part].map(({ page }) => page),
      all,
    )
  }

  /** Grows when a page adds something new. */
  #size(): number {
    const { shape } = this.#goal
    if (shape === 'answer') return Math.max(0, ...this.#reads.map(({ page }) => page.coverage))
    return Object.keys(this.answer().sources).length
  }
}

/**
 * Filters items by the requested kind: of a staff list, the technicians. A noun counts when it is not the pages' own
 * subject and occurs in the passages of some items only.
 */
function filterByGoal<T extends { name: string }>(goal: Goal, pages: readonly PageRead[], items: readonly T[]) {
  const about = pages.flatMap(({ title, url, passages }) =>
    stemText(`${title} ${urlToWords(url)} ${passages[0]?.headings[0] ?? ''}`),
  )
  const own = items.map(({ name }) => {
    const holding = pages.flatMap(({ passages }) => passages.filter((one) => wholeText(one).includes(name)))
    const [passage] = holding.sort((one, other) => one.text.length - other.text.length)
    const text = passage ? wholeText(passage) : ''
    // A passage about several items does not distinguish them.
    if (items.some((other) => other.name !== name && text.includes(other.name))) return undefined
    return passage && stemText(`${passage.headings.slice(1).join(' ')} ${passage.text}`)
  })
  if (own.filter(Boolean).length < items.length / 2) return items
  for (const noun of goal.nouns) {
    if (about.some((term) => isSameWordForm(term, noun))) continue
    const kept = items.filter((_, at) => own[at]?.some((term) => isSameWordForm(term, noun)))
    if (kept.length > 0 && kept.length < items.length) return kept
  }
  return items
}

const wholeText = ({ headings, text }: Passage): string => `${headings.at(-1) ?? ''}\n${text}`.toLowerCase()

const MAX_LINK_TEXT = 200

export function listItemsIn({ list }: Pick<Goal, 'list'>, data: JsonValue): JsonValue[] {
  const items = list?.path == null ? data : isRecord(data) ? data[list.path] : null
  return Array.isArray(items) ? items : []
}

/** `path`: of the value in the page's data. */
export const valueSourceOf = (
  { url, at, by, doubted = [], byRules = [] }: PageRead,
  quote: string | null,
  path = '',
): ValueSource => ({
  url,
  quote,
  at: new Date(at).toISOString(),
  by: byRules.includes(path) ? 'rules' : by,
  ...(doubted.some((one) => one === path || one.startsWith(`${path}.`)) ? { verified: false } : {}),
})

/** The value at a path such as `boats.0.name`. */
export function valueAt(data: JsonValue, path: string): JsonValue {
  let value: JsonValue | undefined = data
  for (const name of path.split('.'))
    value = value !== null && typeof value === 'object' ? (value as Record<string, JsonValue>)[name] : undefined
  return value ?? null
}

const NAMES = ['name', 'title', 'id', 'sku', 'isbn', 'url', 'email', 'headline', 'company', 'product', 'question']

/** The field that identifies a list item. */
export function itemNameOf(item: JsonRecord): string | undefined {
  const texts = Object.entries(item).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string' && entry[1] !== '',
  )
  const named =
    texts.find(([field]) => NAMES.includes(field.toLowerCase())) ??
    texts.find(([field]) => NAMES.some((name) => field.toLowerCase().endsWith(name))) ??
    texts[0]
  return named?.[1].trim().toLowerCase().replace(/\s+/g, ' ')
}

export const isRecord = (value: JsonValue): value is JsonRecord =>
  value !== null && typeof value === 'object' && !Array.isArray(value)

export const isEmptyValue = (value: JsonValue): boolean =>
  value === null ||
  value === '' ||
  (Array.isArray(value) && value.length === 0) ||
  (isRecord(value) && Object.values(value).every(isEmptyValue))

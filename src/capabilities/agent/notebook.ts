// What a run knows: the pages it has read, the addresses it could still visit, and the values found with the place each
// came from. It is made anew from the finished steps, so that a run that goes on elsewhere knows the same. Pure.
import type { Goal } from './goal.ts'
import { isNamed, propertiesOf } from './goal.ts'

export type JsonValue = null | boolean | number | string | JsonValue[] | { [name: string]: JsonValue }
export type JsonRecord = { [name: string]: JsonValue }

export interface Link {
  url: string
  text: string
}

/** What a scrape brought home. */
export interface PageRead {
  url: string
  title: string
  status: number
  about: boolean
  data: JsonValue
  /** For each value, by its path in the data: the words of the page that hold it. */
  quotes: Readonly<Record<string, string>>
  links: readonly Link[]
  /** Words of the page that could tell somebody something: addresses, numbers, codes. */
  tokens: readonly string[]
  /** What can be pressed on it; absent: nothing, or nobody looked. */
  controls?: { buttons: readonly string[]; search: boolean }
  at: number
  by: 'model' | 'rules'
}

/** Where a value came from. */
export interface ValueSource {
  url: string
  quote: string | null
  at: string
  by: 'model' | 'rules'
}

interface Found {
  value: JsonValue
  source: ValueSource
  votes: number
}

const NAMED_WEIGHT = 5
const RECALLED_WEIGHT = 0.5

export class Notebook {
  readonly visited = new Map<string, PageRead | undefined>()
  readonly candidates = new Map<string, Link & { from: string; rank: number }>()
  /** Pages in a row that brought nothing new. */
  idle = 0
  readonly #goal: Goal
  readonly #fields = new Map<string, Found[]>()
  readonly #records = new Map<string, Map<string, Found>>()
  #answer: Found | undefined

  constructor(goal: Goal) {
    this.#goal = goal
  }

  /** A search or map named these; `rank` counts from 0. */
  suggest(links: readonly Link[], from: string): void {
    for (const [rank, link] of links.entries()) {
      const key = keyOf(link.url)
      if (!this.candidates.has(key)) this.candidates.set(key, { ...link, from, rank })
    }
  }

  read(asked: string, page: PageRead | undefined, record?: string): void {
    this.visited.set(keyOf(asked), page)
    if (page) this.visited.set(keyOf(page.url), page)
    const isHere = page !== undefined && page.status < 400
    // To be led to the wanted thing by its name is a gain as well.
    const leads = isHere && this.#pointsOn(page, record)
    const gained = leads ? 1 : isHere && page.about ? this.#take(page, record) : 0
    this.idle = gained > 0 ? 0 : this.idle + 1
    if (page && page.status < 400) this.suggest(page.links, page.url)
  }

  /** A page that links to the wanted thing by its name and is not about it lists it among others, whose values are not its. */
  #pointsOn(page: PageRead, record: string | undefined): boolean {
    const { shape } = this.#goal
    if (shape !== 'record' || record !== undefined) return false
    const title = page.title.toLowerCase()
    return page.links.some(
      ({ url, text }) =>
        !this.visited.has(keyOf(url)) && isNamed(this.#goal, text) && !title.includes(text.trim().toLowerCase()),
    )
  }

  #take(page: PageRead, record: string | undefined): number {
    const { shape, list } = this.#goal
    const source = (path: string): ValueSource => ({
      url: page.url,
      quote: page.quotes[path] ?? null,
      at: new Date(page.at).toISOString(),
      by: page.by,
    })
    if (shape === 'answer') {
      if (typeof page.data !== 'string' || this.#answer) return 0
      this.#answer = { value: page.data, source: source(''), votes: 1 }
      return 1
    }
    if (shape === 'list' && list) {
      if (record !== undefined) return this.#complete(record, page.data, source)
      const items = list.path === null ? page.data : isRecord(page.data) ? (page.data[list.path] ?? null) : null
      const prefix = list.path === null ? '' : `${list.path}.`
      const rest = list.path !== null && isRecord(page.data) ? Object.entries(page.data) : []
      for (const [name, value] of rest) if (name !== list.path) this.#vote(name, value, source(name))
      return Array.isArray(items)
        ? items.reduce<number>((sum, item, at) => sum + this.#item(item, (name) => source(`${prefix}${at}.${name}`)), 0)
        : 0
    }
    if (!isRecord(page.data)) return 0
    // A page that bears the name of the wanted thing knows better than pages that mention it.
    const title = page.title.toLowerCase()
    const weight = this.#goal.subject.some((name) => name.includes(' ') && title.includes(name)) ? NAMED_WEIGHT : 1
    return Object.entries(page.data).reduce(
      (sum, [name, value]) => sum + this.#vote(name, value, source(name), weight),
      0,
    )
  }

  #vote(name: string, value: JsonValue, source: ValueSource, weight = 1): number {
    if (isEmpty(value)) return 0
    const known = this.#fields.get(name) ?? []
    const same = known.find((found) => alike(found.value, value))
    if (same) same.votes += weight
    else known.push({ value, source, votes: weight })
    this.#fields.set(name, known)
    return same ? 0 : known.length === 1 ? 1 : 0
  }

  /** What was said before in the same conversation; what a page says now counts for more. */
  recall(facts: readonly { path: string; value: JsonValue; source: ValueSource }[]): void {
    for (const { path, value, source } of facts)
      if (this.#goal.shape === 'answer') this.#answer ??= { value, source, votes: 1 }
      else this.#vote(path, value, source, RECALLED_WEIGHT)
  }

  #item(item: JsonValue, source: (name: string) => ValueSource): number {
    if (!isRecord(item)) return 0
    const name = nameOf(item)
    if (name === undefined) return 0
    const known = this.#records.get(name)
    const record = known ?? new Map<string, Found>()
    let gained = known ? 0 : 1
    for (const [field, value] of Object.entries(item)) {
      if (isEmpty(value) || record.has(field)) continue
      record.set(field, { value, source: source(field), votes: 1 })
      gained++
    }
    this.#records.set(name, record)
    return gained
  }

  /** A page about one item of the list fills what that item lacks. */
  #complete(name: string, data: JsonValue, source: (path: string) => ValueSource): number {
    const record = this.#records.get(name)
    if (!record || !isRecord(data)) return 0
    let gained = 0
    for (const [field, value] of Object.entries(data)) {
      if (isEmpty(value) || record.has(field)) continue
      record.set(field, { value, source: source(field), votes: 1 })
      gained++
    }
    return gained
  }

  /** Fields of the record that nothing is known of yet. */
  get open(): string[] {
    const { shape, fields } = this.#goal
    if (shape === 'answer') return this.#answer ? [] : ['answer']
    return shape === 'list' ? [] : fields.filter((field) => !this.#fields.has(field))
  }

  /** Items of the list that lack fields, by name. */
  get gaps(): { name: string; missing: string[] }[] {
    const { fields } = this.#goal
    return [...this.#records].flatMap(([name, record]) => {
      const missing = fields.filter((field) => !record.has(field))
      return missing.length > 0 ? [{ name, missing }] : []
    })
  }

  /** Every value that was found, in the order of finding, and what pages about something else say of fields still open. */
  get facts(): { path: string; value: JsonValue; source: ValueSource }[] {
    const { data, sources } = this.answer()
    const taken = [...this.#fields].flatMap(([path, found]) =>
      found.map(({ value, source }) => ({ path, value, source })),
    )
    const named = this.#goal.shape === 'list' ? Object.entries(sources) : []
    const items = named.map(([path, source]) => ({ path, value: valueAt(data, path), source }))
    return [...taken, ...items, ...(this.#answer ? [{ path: 'answer', ...this.#answer }] : []), ...this.#elsewhere()]
  }

  #elsewhere(): { path: string; value: JsonValue; source: ValueSource }[] {
    const open = new Set(this.open)
    return [...new Set(this.visited.values())].flatMap((page) => {
      if (!page || !isRecord(page.data)) return []
      const { url, quotes, at, by } = page
      return Object.entries(page.data).flatMap(([path, value]) =>
        open.has(path) && !isEmpty(value)
          ? [{ path, value, source: { url, quote: quotes[path] ?? null, at: new Date(at).toISOString(), by } }]
          : [],
      )
    })
  }

  get items(): number {
    return this.#records.size
  }

  get isEmpty(): boolean {
    return this.#records.size === 0 && this.#fields.size === 0 && !this.#answer
  }

  /** The answer as it stands, and where each of its values comes from. */
  answer(): { data: JsonValue; sources: Record<string, ValueSource> } {
    const { shape, schema, list, fields } = this.#goal
    const sources: Record<string, ValueSource> = {}
    if (shape === 'answer') {
      if (this.#answer) sources.answer = this.#answer.source
      return { data: { answer: this.#answer?.value ?? null }, sources }
    }
    const best = (name: string): JsonValue => {
      const [first] = [...(this.#fields.get(name) ?? [])].sort((one, other) => other.votes - one.votes)
      if (first) sources[name] = first.source
      return first?.value ?? null
    }
    if (shape === 'list' && list) {
      const prefix = list.path === null ? '' : `${list.path}.`
      const items = [...this.#records.values()].map((record, at) => {
        for (const [field, { source }] of record) sources[`${prefix}${at}.${field}`] = source
        const names = [...new Set([...fields, ...record.keys()])]
        return Object.fromEntries(names.map((field) => [field, record.get(field)?.value ?? null]))
      })
      if (list.path === null) return { data: items, sources }
      const others = Object.keys(propertiesOf(schema)).filter((name) => name !== list.path)
      return { data: { ...Object.fromEntries(others.map((name) => [name, best(name)])), [list.path]: items }, sources }
    }
    const names = schema ? Object.keys(propertiesOf(schema)) : [...this.#fields.keys()]
    return { data: Object.fromEntries(names.map((name) => [name, best(name)])), sources }
  }
}

/** The value at a path such as `boats.0.name`. */
export function valueAt(data: JsonValue, path: string): JsonValue {
  let value: JsonValue | undefined = data
  for (const name of path.split('.')) value = (value as Record<string, JsonValue> | null | undefined)?.[name]
  return value ?? null
}

export const keyOf = (url: string): string => url.replace(/#.*$/, '').replace(/\/$/, '')

const NAMES = ['name', 'title', 'id', 'sku', 'isbn', 'url', 'email', 'headline', 'company', 'product', 'question']

/** What tells one item of a list from another. */
export function nameOf(item: JsonRecord): string | undefined {
  const texts = Object.entries(item).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string' && entry[1] !== '',
  )
  const named =
    texts.find(([field]) => NAMES.includes(field.toLowerCase())) ??
    texts.find(([field]) => NAMES.some((name) => field.toLowerCase().endsWith(name))) ??
    texts[0]
  return named?.[1].trim().toLowerCase().replace(/\s+/g, ' ')
}

const isRecord = (value: JsonValue): value is JsonRecord =>
  value !== null && typeof value === 'object' && !Array.isArray(value)

const isEmpty = (value: JsonValue): boolean =>
  value === null ||
  value === '' ||
  (Array.isArray(value) && value.length === 0) ||
  (isRecord(value) && Object.values(value).every(isEmpty))

const alike = (one: JsonValue, other: JsonValue): boolean =>
  typeof one === 'string' && typeof other === 'string'
    ? one.trim().toLowerCase() === other.trim().toLowerCase()
    : JSON.stringify(one) === JSON.stringify(other)

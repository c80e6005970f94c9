// Reads fallback metadata from JSON-LD: title, description, author, dates. Size and depth are bounded.
import { valueOr } from '../base/attempt.ts'

interface LdFacts {
  title?: string
  description?: string
  author?: string
  published?: string
  modified?: string
}

const MAX_CHARS = 1_000_000
const MAX_OBJECTS = 2000

export function readJsonLdMetadata(texts: readonly string[]): LdFacts {
  const facts: LdFacts = {}
  for (const text of texts) {
    if (text.length > MAX_CHARS) continue
    for (const object of objectsIn(parse(text))) take(object, facts)
  }
  return facts
}

const parse = (text: string): unknown => valueOr(undefined, () => JSON.parse(text.trim().replace(/^<!--|-->$/g, '')))

type Thing = Record<string, unknown>

function* objectsIn(value: unknown): Generator<Thing> {
  const open: unknown[] = [value]
  for (let seen = 0; seen < MAX_OBJECTS && open.length > 0; seen++) {
    const one = open.shift()
    if (Array.isArray(one)) open.push(...one.slice(0, MAX_OBJECTS))
    else if (one !== null && typeof one === 'object') {
      yield one as Thing
      open.push((one as Thing)['@graph'], (one as Thing).mainEntity)
    }
  }
}

const PAGE_TYPES =
  /(?:Article|BlogPosting|WebPage|Report|Product|Recipe|Event|Review|Course|Dataset|VideoObject|Book|JobPosting|HowTo)$/

function take(thing: Thing, facts: LdFacts): void {
  const types = [thing['@type']].flat()
  if (!types.some((type) => typeof type === 'string' && PAGE_TYPES.test(type))) return
  facts.title ??= text(thing.headline) ?? text(thing.name)
  facts.description ??= text(thing.description)
  facts.published ??= text(thing.datePublished)
  facts.modified ??= text(thing.dateModified)
  facts.author ??= authorOf(thing.author)
}

function authorOf(value: unknown): string | undefined {
  const names = [value]
    .flat()
    .slice(0, 20)
    .map((one) => text(one) ?? (one !== null && typeof one === 'object' ? text((one as Thing).name) : undefined))
    .filter((name) => name !== undefined)
  return names.length > 0 ? names.join(', ') : undefined
}

const text = (value: unknown): string | undefined => {
  const trimmed = typeof value === 'string' ? value.trim().slice(0, 5000) : ''
  return trimmed === '' ? undefined : trimmed
}

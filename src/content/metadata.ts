// Reads page metadata: title, description, language, Open Graph, Dublin Core and every <meta> by its name.

import type { AnyNode, Document, Element } from 'domhandler'
import { valueOr } from '../base/attempt.ts'
import { setOfWords } from '../base/values.ts'
import { findPageDates } from './find-page-dates.ts'
import { collapseSpaces, isElement, nextNode, nextNodeAfterSubtree, textOfNode } from './parse-tree.ts'
import { isHttpUrl, type ResolveLink } from './resolve-links.ts'

export type PageMetadata = Record<string, string | string[]>

const MAX_KEYS = 200
const MAX_VALUE = 10_000
const MAX_REPEATS = 100

const RESERVED = setOfWords(
  'sourceURL url statusCode scrapeId contentType error creditsUsed cacheState cachedAt proxyUsed concurrencyLimited concurrencyQueueDurationMs modelTokens modelCost pageKind pageKindReason reservedUses reservedBy tdmPolicy aliases numPages totalPages sourceFile postprocessorsUsed timezone indexId __proto__ constructor prototype toString valueOf hasOwnProperty',
)

const NAMED: ReadonlyMap<string, string> = new Map([
  ['description', 'description'],
  ['keywords', 'keywords'],
  ['robots', 'robots'],
  ['author', 'author'],
  ['og:title', 'ogTitle'],
  ['og:description', 'ogDescription'],
  ['og:url', 'ogUrl'],
  ['og:image', 'ogImage'],
  ['og:audio', 'ogAudio'],
  ['og:determiner', 'ogDeterminer'],
  ['og:locale', 'ogLocale'],
  ['og:locale:alternate', 'ogLocaleAlternate'],
  ['og:site_name', 'ogSiteName'],
  ['og:video', 'ogVideo'],
  ['article:section', 'articleSection'],
  ['article:tag', 'articleTag'],
  ['dc.date', 'dcDate'],
  ['dc.date.created', 'dcDateCreated'],
  ['dcterms.created', 'dcTermsCreated'],
  ['dc.type', 'dcType'],
  ['dcterms.type', 'dcTermsType'],
  ['dcterms.audience', 'dcTermsAudience'],
  ['dcterms.subject', 'dcTermsSubject'],
  ['dc.subject', 'dcSubject'],
  ['dc.description', 'dcDescription'],
  ['dcterms.keywords', 'dcTermsKeywords'],
])

/** Repeated values are returned as a list. */
const REPEATABLE_FIELDS = new Set(['ogLocaleAlternate', 'articleTag', 'keywords', 'author'])

interface Head {
  title?: string
  lang?: string
  contentLanguage?: string
  favicon?: string
  touchIcon?: string
  canonical?: string
  raw: Map<string, string[]>
  jsonLd: string[]
}

export function readMetadata(tree: Document, resolve: ResolveLink, url: string): PageMetadata {
  const head = readHead(tree)
  const found = new Map<string, string | string[]>()
  const set = (key: string, value: string | undefined): void => {
    if (value && !found.has(key)) found.set(key, value.slice(0, MAX_VALUE))
  }
  const firstMetaOf = (name: string): string | undefined => head.raw.get(name)?.[0]
  const ld = readJsonLdMetadata(head.jsonLd)

  set('title', head.title ?? firstMetaOf('og:title') ?? firstMetaOf('twitter:title') ?? ld.title)
  set(
    'description',
    firstMetaOf('description') ?? firstMetaOf('og:description') ?? firstMetaOf('twitter:description') ?? ld.description,
  )
  set('language', head.lang ?? head.contentLanguage ?? localeLanguage(firstMetaOf('og:locale')))
  for (const [name, key] of NAMED) {
    const values = head.raw.get(name)
    if (!values) continue
    if (key === 'ogLocaleAlternate') found.set(key, values)
    // Every robots tag applies.
    else if (key === 'robots') set(key, values.join(', '))
    else if (REPEATABLE_FIELDS.has(key) && values.length > 1) found.set(key, values)
    else set(key, values[0])
  }
  set('author', firstMetaOf('article:author') ?? ld.author)
  const { published, modified } = findPageDates(tree, {
    metas: head.raw,
    jsonLd: ld,
    url,
    language: head.lang ?? head.contentLanguage ?? '',
    title: firstMetaOf('og:title') ?? head.title ?? '',
  })
  set('publishedTime', published)
  set('modifiedTime', modified)
  set('canonical', webAddress(head.canonical, resolve))
  set('favicon', webAddress(head.favicon ?? head.touchIcon, resolve))
  for (const [name, values] of head.raw) {
    if (found.size >= MAX_KEYS) break
    if (!found.has(name) && !RESERVED.has(name)) found.set(name, values.length > 1 ? values : values[0]!)
  }
  return Object.fromEntries(found)
}

function readHead(tree: Document): Head {
  const head: Head = { raw: new Map(), jsonLd: [] }
  let next: AnyNode | null = tree
  while (next) {
    const at: AnyNode = next
    next = nextNode(at, tree)
    if (!isElement(at)) continue
    if (at.name === 'svg') next = nextNodeAfterSubtree(at, tree)
    if (at.name === 'meta') readMeta(at, head)
    else if (at.name === 'title') head.title ??= collapseSpaces(textOfNode(at, MAX_VALUE)) || undefined
    else if (at.name === 'link') readLink(at, head)
    else if (at.name === 'html') head.lang ??= language(at.attribs.lang ?? at.attribs['xml:lang'])
    else if (at.name === 'script' && head.jsonLd.length < 20 && /^application\/ld\+json/i.test(at.attribs.type ?? '')) {
      const text = at.children[0]
      if (text && 'data' in text) head.jsonLd.push(text.data)
    }
  }
  return head
}

function readMeta({ attribs }: Element, head: Head): void {
  const value = collapseSpaces((attribs.content ?? '').slice(0, MAX_VALUE))
  if (value === '') return
  if (attribs['http-equiv']?.toLowerCase() === 'content-language') head.contentLanguage ??= language(value)
  // Some pages set both name and property; both are stored.
  for (const given of [attribs.name, attribs.property, attribs.itemprop]) {
    const name = given?.trim()
    if (!name || name.length > 200) continue
    const key = NAMED.has(name.toLowerCase()) ? name.toLowerCase() : name
    const values = head.raw.get(key)
    if (!values) {
      if (head.raw.size < MAX_KEYS) head.raw.set(key, [value])
    } else if (values.length < MAX_REPEATS && !values.includes(value)) values.push(value)
  }
}

function readLink({ attribs }: Element, head: Head): void {
  const rel = attribs.rel?.toLowerCase().slice(0, 200)
  if (!rel || !attribs.href) return
  const words = rel.split(/\s+/)
  if (words.includes('canonical')) head.canonical ??= attribs.href
  else if (words.includes('icon')) head.favicon ??= attribs.href
  else if (words.includes('apple-touch-icon')) head.touchIcon ??= attribs.href
}

const language = (text: string | undefined): string | undefined => {
  const tag = text?.split(',')[0]?.trim().replaceAll('_', '-')
  return tag && /^[a-z]{2,3}(?:-[\w]{1,8}){0,3}$/i.test(tag) ? tag : undefined
}

const localeLanguage = (locale: string | undefined): string | undefined => language(locale)?.split('-')[0]

function webAddress(href: string | undefined, resolve: ResolveLink): string | undefined {
  const url = href?.startsWith('data:') ? undefined : resolve(href?.trim())
  return url !== undefined && isHttpUrl(url) ? url : undefined
}

type LdFacts = { title?: string; description?: string; author?: string; published?: string; modified?: string }

const MAX_CHARS = 1_000_000
const MAX_OBJECTS = 2000

function readJsonLdMetadata(texts: readonly string[]): LdFacts {
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

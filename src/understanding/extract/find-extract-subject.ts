// What a page is about: its main heading, its title without the site name, and the structured data about the same
// thing.

import type { Element } from 'domhandler'
import { isObject, setOfWords } from '../../base/values.ts'
import type { PageMetadata } from '../../content/metadata.ts'
import { closestElement } from '../../content/parse-tree.ts'
import type { SchemaOrgThing } from '../facts/read-json-ld.ts'
import type { StructuredData } from '../facts/read-structured-data.ts'
import { readVisibleLines } from '../facts/read-visible-lines.ts'
import { plainTextOfValue } from './convert-raw-value.ts'
import { phraseSimilarity, toComparablePhrase } from './normalise-labels.ts'
import type { PagePart, PartHeading } from './page-part.ts'

export type StructuredObject = Readonly<Record<string, unknown>>

export interface ExtractSubject {
  heading: PartHeading | undefined
  title: string | undefined
  /** Name of the site or its organisation. */
  site: string | undefined
  /** Breadcrumbs, outermost first. */
  breadcrumbs: readonly string[]
  /** Structured data about the subject, best first; then objects about the page itself. */
  things: readonly StructuredObject[]
  /** What the page says that it is: Article, Product, Recipe. */
  types: readonly string[]
}

const firstOf = (value: string | string[] | undefined): string | undefined => [value].flat()[0]

export function findExtractSubject(
  part: PagePart,
  metadata: PageMetadata,
  facts: StructuredData,
  url: string,
): ExtractSubject {
  const title = firstOf(metadata.ogTitle) ?? firstOf(metadata.title)
  const titles = [title, firstOf(metadata.title)].filter((one) => one !== undefined)
  const site = siteName(metadata, facts, url) ?? ownerInTitle(part, metadata)
  const heading = mainHeading(part, titles, isFront(url) ? undefined : site)
  const bare = heading ? withoutAsides(heading.text, titles) : title && withoutSite(title, site)
  const things = thingsAbout(facts.things, [bare, ...titles])
  const stated = things.filter((thing) => !describesPageOrSite(thing) && schemaTypesOf(thing)[0] !== 'Organization')
  return {
    heading,
    title: bare,
    site,
    breadcrumbs: breadcrumbsOf(part, facts),
    things,
    types: [...stated, { '@type': [metadata.ogType, metadata['og:type']].flat() }]
      .flatMap(schemaTypesOf)
      .filter(isContent),
  }
}

/** "Topic: Cracked glass (Read 9 times)" is "Cracked glass" in the title. */
function withoutAsides(heading: string, titles: readonly string[]): string {
  const bare = heading.replace(/^\p{L}+:\s+/u, '').replace(/\s+\([^()]*\)$/u, '')
  return titles.some((title) => partsOfTitle(title).includes(bare)) ? bare : heading
}

/** `og:type` says "website" of every page. */
const isContent = (type: string): boolean => type !== '' && type !== 'website' && type !== 'undefined'

/** The heading that the title repeats, else the first top-level one in the main content. */
function mainHeading({ headings }: PagePart, titles: readonly string[], site: string | undefined) {
  // The name of the site is a short part of the title; the longest part is the page's own.
  const said = titles.flatMap((title) => {
    const parts = partsOfTitle(title)
    const longest = Math.max(...parts.map(({ length }) => length))
    return [
      { phrase: toComparablePhrase(title), weight: 1.05 },
      ...parts.map((part) => ({ phrase: toComparablePhrase(part), weight: part.length * 2 < longest ? 0.5 : 1 })),
    ]
  })
  let best: { heading: PartHeading; score: number } | undefined
  // The name of the site over every page is not the page's own heading.
  const isBanner = ({ text, isMain, element }: PartHeading) => text === site && (!isMain || isInHeader(element))
  const own = headings
    .slice(0, 200)
    .filter((heading) => heading.level <= 3 && !isBanner(heading) && !isInOverlay(heading.element))
  for (const heading of own) {
    const words = toComparablePhrase(heading.text)
    const alike = Math.max(
      0,
      ...said.map(({ phrase, weight }) => {
        const similar = phraseSimilarity(words, phrase)
        return similar >= 0.7 ? similar * weight : 0
      }),
    )
    const score = alike + (heading.level === 1 ? 0.5 : 0) + (heading.isMain ? 0.3 : 0) - heading.level * 0.01
    if (score > 0.5 && (!best || score > best.score)) best = { heading, score }
  }
  // A title that says nothing but the site's name leaves the only heading of the content.
  if (best || titles[0] !== site) return best?.heading
  const [only, ...others] = own.filter(({ isMain }) => isMain)
  return others.every(({ level }) => level > only!.level) ? only : undefined
}

export const isFront = (url: string): boolean => URL.canParse(url) && new URL(url).pathname === '/'

const isInHeader = ({ parent }: Element): boolean =>
  closestElement(parent, 12, ({ name }) => name === 'header') !== undefined

const isInOverlay = (element: Element): boolean =>
  closestElement(
    element.parent,
    12,
    ({ name, attribs }) => name === 'dialog' || attribs.role === 'dialog' || name === 'nav',
  ) !== undefined

export const partsOfTitle = (title: string): string[] => title.split(/\s+[|–—·•»:-]\s+/u)

function withoutSite(title: string, site: string | undefined): string {
  const parts = partsOfTitle(title)
  if (parts.length < 2) return title
  const isSite = (part: string) =>
    site !== undefined && phraseSimilarity(toComparablePhrase(part), toComparablePhrase(site)) >= 0.7
  const kept = parts.filter((part) => !isSite(part))
  return kept.length > 0 ? kept.join(' - ') : title
}

const MAX_CRUMBS = 12
const CRUMBS = /crumb/i

/** Breadcrumbs from structured data, else from an element of that name. */
function breadcrumbsOf(part: PagePart, { things }: StructuredData): string[] {
  const trail = things.find((thing) => thing['@type'].includes('BreadcrumbList'))?.itemListElement
  const said = [trail].flat().flatMap((one) => (isObject(one) ? [plainTextOfValue(one.name ?? one.item)] : []))
  if (said.length > 1) return said.filter(Boolean)
  const box =
    ['breadcrumb', 'crumb'].flatMap((phrase) => part.named().get(phrase) ?? [])[0] ??
    part.elements.find(({ element }) => CRUMBS.test(element.attribs.class ?? ''))
  const items = box
    ? readVisibleLines(box.element, () => false).lines.flatMap(({ runs }) => runs.map(({ text }) => text))
    : []
  const words = items.filter((text) => /\p{L}/u.test(text)).map((text) => text.replace(/^[»›>/\s]+|[»›>/\s]+$/gu, ''))
  return words.length <= MAX_CRUMBS ? words : []
}

const ORGANISATION = /(?:Organization|Corporation|Business|Store|Restaurant|School|University|WebSite)$/

/** The site's name from metadata or data, or the part of the title that the host name repeats. */
function siteName(metadata: PageMetadata, { things }: StructuredData, url: string): string | undefined {
  const owner = things.find(
    (thing) => thing['@type'].some((type) => ORGANISATION.test(type)) && typeof thing.name === 'string',
  )
  const said = firstOf(metadata.ogSiteName) ?? (owner && String(owner.name))
  const titled = partsOfTitle(firstOf(metadata.title) ?? '')
  if (said && said.length <= MAX_SITE_NAME_CHARS && partsOfTitle(said).length === 1)
    // "CrowdStrike.com" calls itself "CrowdStrike" in the title.
    return titled.find((part) => part.length > 2 && said.toLowerCase().startsWith(`${part.toLowerCase()}.`)) ?? said
  const labels = [url, firstOf(metadata.canonical), firstOf(metadata.ogUrl)].flatMap((one) =>
    one && URL.canParse(one) ? [new URL(one).hostname.split('.').at(-2) ?? ''] : [],
  )
  const parts = [...(said ? partsOfTitle(said) : []), ...titled]
  const isNamed = (part: string, label: string) => {
    const squeezed = toComparablePhrase(part).replaceAll(' ', '')
    const isWithin = label.length > 3 && squeezed.includes(label) && part.length <= MAX_SITE_NAME_CHARS
    return squeezed === label || isWithin || (squeezed.length > 3 && label.includes(squeezed))
  }
  return (
    parts.find((part) => labels.some((label) => isNamed(part, label))) ??
    (titled.length > 1 ? titled.find((part) => DOMAIN.test(part)) : undefined)
  )
}

/** The part of the title that the copyright line repeats. */
function ownerInTitle({ lines }: PagePart, metadata: PageMetadata): string | undefined {
  const claim = lines.findLast(({ text }) => text.startsWith('©'))?.text ?? ''
  const owner = toComparablePhrase(claim.replace(/[\d–-]/g, ' ').split(/[.|,]/, 1)[0]!)
  if (owner === '') return undefined
  const parts = partsOfTitle(firstOf(metadata.title) ?? '').map((part) => part.split(', ')[0]!)
  return parts.find((part) => {
    const own = toComparablePhrase(part)
    return own !== '' && (own.startsWith(owner) || owner.startsWith(own))
  })
}

const DOMAIN = /^[\p{L}\p{N}-]{2,40}(?:\.[a-z]{2,10}){1,2}$/iu

/** Longer texts are slogans. */
const MAX_SITE_NAME_CHARS = 40

/** Types that describe the page or its site rather than its subject. */
const PAGE_OR_SITE_TYPES = setOfWords(
  'WebSite Breadcrumb BreadcrumbList SearchAction ImageObject SiteNavigationElement ListItem ItemList Person Brand',
)
const isFrameType = (type: string): boolean => PAGE_OR_SITE_TYPES.has(type) || /(?:Page|Organization)$/.test(type)

/**
 * Objects whose name the page shows come first; several of one type that it does not show are a list, not a subject.
 */
function thingsAbout(things: readonly SchemaOrgThing[], titles: readonly (string | undefined)[]): StructuredObject[] {
  const heads = titles.filter((title) => title !== undefined).map(toComparablePhrase)
  const all = things.slice(0, 200).flatMap((thing) => [thing, ...[thing.mainEntity].flat().filter(isThing)])
  const typeOf = (thing: SchemaOrgThing) => thing['@type'].join(' ')
  const counts = new Map<string, number>()
  for (const thing of all) counts.set(typeOf(thing), (counts.get(typeOf(thing)) ?? 0) + 1)
  const ranked = all.map((thing, n) => {
    const isFrame = thing['@type'].length === 0 || thing['@type'].every((type) => isFrameType(type))
    const name = toComparablePhrase(String(thing.name ?? thing.headline ?? thing.title ?? ''))
    const isShown = name !== '' && heads.some((head) => head.includes(name) || (head.length > 8 && name.includes(head)))
    const isOne = counts.get(typeOf(thing)) === 1
    const score = (isFrame ? 0 : 2) + (isShown ? 2 : 0) + (isOne ? 1 : 0) - n * 0.001
    return { thing, score, isKept: isShown || isOne }
  })
  return ranked
    .filter(({ isKept }) => isKept)
    .sort((a, b) => b.score - a.score)
    .map(({ thing }) => thing)
}

const isThing = (one: unknown): one is SchemaOrgThing => isObject(one) && Array.isArray(one['@type'])

const FAMILIES: readonly (readonly [RegExp, string])[] = [
  [/(?:Article|BlogPosting|Report|article|blog)$/, 'Article'],
  [/^(?:QAPage|Question|DiscussionForumPosting)$/, 'DiscussionForumPosting'],
  [/^(?:Product|ProductGroup|product(?:\.\w+)?|og:product)$/, 'Product'],
  [/Event$/, 'Event'],
  [ORGANISATION, 'Organization'],
]

export function schemaTypesOf({ '@type': types }: StructuredObject): string[] {
  const all = Array.isArray(types) ? types.map(String) : []
  return all.map((type) => FAMILIES.find(([form]) => form.test(type))?.[1] ?? type)
}

/** Whether an object describes the page or site, so that its name is not the subject's. */
export const describesPageOrSite = ({ '@type': types }: StructuredObject): boolean =>
  Array.isArray(types) && types.every((type) => isFrameType(String(type)))

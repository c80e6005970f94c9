// Where answers to one object's fields may lie: objects of the page, a part of what it shows, what its head says.
import type { AnyNode } from 'domhandler'
import type { Metadata } from '../../content/metadata.ts'
import type { Facts } from '../facts/facts.ts'
import type { Candidate } from './candidate.ts'
import { type Found, findIn } from './find.ts'
import type { Ground } from './ground.ts'
import type { Maker } from './maker.ts'
import type { Scope } from './scope.ts'
import { type Data, isData, scalarIn } from './things.ts'
import { valueFor } from './value-for.ts'
import { FRAME_TYPES } from './vocabulary.ts'
import type { Wanted } from './wanted.ts'

export interface PageGround {
  root: AnyNode
  url: string
  metadata: Metadata
  facts: Facts
  /** What the page calls itself: main heading, title. */
  titles: readonly string[]
  /** Who stands behind it. */
  maker: Maker | undefined
}

export interface Places {
  /** Objects to look into, the one asked about first. */
  data: readonly Data[]
  scope: Scope | undefined
  /** Set for the page as a whole: its head and its state may answer too. */
  page: PageGround | undefined
  /** The heading that an item of a list stands under. */
  under?: string | undefined
  /** Names of the objects that the fields lie in. */
  around: readonly string[]
}

/** Told by everything that frames a page, and then of the frame. */
const OF_THE_FRAME = new Set([
  'name',
  'url',
  'description',
  'image',
  'rating',
  'price',
  'address',
  'published',
  'category',
])
const OF_A_PAGE = new Set(['description', 'image', 'published', 'modified', 'language', 'author'])
/** Fields of an item that the heading above it answers. */
const GROUPINGS = new Set(['section', 'category', 'group', 'course'])
/** A heading that is a day says on which. */
const DAY =
  /^(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag|lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche|lunes|martes|miércoles|jueves|viernes|sábado|domingo|day \d{1,2})(?:$|[,\s])/iu
const SURE = 0.9

export function scalarFor(places: Places, wanted: Wanted, ground: Ground): Found | undefined {
  let best: Found | undefined
  const offer = (found: Found | undefined) => {
    if (found && (!best || found.score > best.score)) best = found
  }
  for (const [n, data] of places.data.entries()) {
    if ((n > 0 || isOther(data, wanted, places, ground)) && !mayAnswer(data, wanted)) continue
    const found = scalarIn(data, wanted, ground)
    if (found && !isOwnAddress(found.value, data, wanted))
      offer({
        value: bareName(found.value, wanted, places.page),
        score:
          found.score *
          (n === 0 ? 1 : 0.85) *
          (isByline(data, wanted) ? 0.8 : 1) *
          ownership(found.value, data, wanted, places, ground),
        source: 'data',
      })
    // A number that the page labels with the very words is another than the one in the data.
    const isLabelled = isCode(wanted) && wanted.phrases.some((phrase) => places.scope?.pairs.has(phrase))
    if (best && isLabelled) best = { ...best, score: best.score * 0.9 }
    if (best && best.score >= SURE) return best
  }
  if (places.page) offer(fromHead(places.page, wanted, ground, places.scope))
  const shown = places.scope && findIn(places.scope, wanted, ground)
  // A page that shows nothing but an empty cart names no price.
  if (!(shown?.value === 0 && wanted.concepts[0]?.id === 'price' && places.page)) offer(shown)
  // A list of none is one that is drawn later.
  if (best?.value === 0 && wanted.concepts[0]?.id === 'totalResults') return undefined
  const isDay = wanted.concepts[0]?.id === 'day' && DAY.test(places.under ?? '')
  const isGroup = isDay || wanted.phrases.some((phrase) => GROUPINGS.has(phrase))
  if (!best && places.under !== undefined && isGroup)
    return { value: places.under, score: isDay ? SURE : 0.65, source: 'heading' }
  return best
}

const isCode = ({ concepts }: Wanted): boolean => concepts[0]?.id === 'sku' || concepts[0]?.id === 'mpn'

/** How surely a name in data is that of what the page is about, not of its site or of something else on it. */
function ownership(value: unknown, data: Data, wanted: Wanted, places: Places, ground: Ground): number {
  if (isOfSite(data, wanted)) return 0.7
  if (!isOfOther(value, wanted, places, ground)) return 1
  return isFrame(data) ? 0.7 : 0.85
}

/** A name that neither the heading nor the title shows is that of the house, or of something else on the page. */
function isOfOther(value: unknown, { concepts }: Wanted, { page, scope }: Places, ground: Ground): boolean {
  const title = scope?.main?.text ?? page?.titles[0]
  if (concepts[0]?.id !== 'name' || !page || title === undefined || typeof value !== 'string') return false
  const [own, heading] = [ground.phrase(value), ground.phrase(title)]
  return own !== '' && heading.length > 3 && !heading.includes(own) && !own.includes(heading)
}

const isFrame = ({ '@type': types }: Data): boolean =>
  Array.isArray(types) && types.length > 0 && types.every((type) => FRAME_TYPES.has(String(type)))

/** Who wrote the page or stands behind it is told of in its data, and is not what it is about. */
function isOther(data: Data, { concepts }: Wanted, { page }: Places, ground: Ground): boolean {
  const id = concepts[0]?.id
  if (!page || !(id === 'description' || id === 'image') || !isFrame(data)) return false
  const name = ground.phrase(String(data.name ?? ''))
  return !page.titles.some((title) => name !== '' && ground.phrase(title).includes(name))
}

/** Where a post lives is not the website of anybody. */
const isOwnAddress = (value: unknown, { '@type': types }: Data, { concepts }: Wanted): boolean =>
  concepts[0]?.id === 'website' &&
  URL.canParse(String(value)) &&
  new URL(String(value)).pathname.length > 1 &&
  !(Array.isArray(types) && types.some((type) => ORGANISATION.test(String(type)) || type === 'Person'))

/** What a site is called is not what its page is called. */
const isOfSite = ({ '@type': types }: Data, { concepts }: Wanted): boolean =>
  concepts[0]?.id === 'name' && Array.isArray(types) && types.length === 1 && types[0] === 'WebSite'

/** Sites that name themselves as the author of everything: whom the page names is more likely. */
const isByline = ({ author }: Data, { concepts }: Wanted): boolean =>
  concepts[0]?.id === 'author' && isData(author) && String(author['@type']).includes('Organization')

const CUT = 60

/** A name with the site's name behind it is the name alone. */
function bareName(value: unknown, { concepts }: Wanted, page: PageGround | undefined): unknown {
  if (typeof value !== 'string' || concepts[0]?.id !== 'name' || !page) return value
  // Data cut long names short; the heading does not.
  const [heading = ''] = page.titles
  if (value.length > CUT && heading.length > value.length && heading.startsWith(value)) return heading
  const bare = value.replace(/\s[|–—-]\s.{1,60}$/u, '')
  const isSite =
    bare !== value && (bare === page.titles[0] || (page.maker !== undefined && value.endsWith(page.maker.name)))
  return isSite ? bare : value
}

/** An object that frames the page answers for itself only: a site's name is not the product's. */
function mayAnswer(data: Data, { concepts }: Wanted): boolean {
  const id = concepts[0]?.id ?? ''
  const types = Array.isArray(data['@type']) ? data['@type'].map(String) : []
  if (types.some((type) => type.endsWith('Page'))) return OF_A_PAGE.has(id)
  return !OF_THE_FRAME.has(id)
}

const ORGANISATION = /Organization|Corporation|Business|Store|Restaurant|School|University|Service$/

/** Fields that ask who stands behind the page. */
const MAKERS = new Set(
  'company restaurant shop store school university institution museum hotel organization organisation publisher site blog business gym clinic practice club studio gallery theatre library church charity brewery cafe bar magazine newspaper funder bank hospital nursery winery farm agency salon bookshop pub spa zoo cinema airline'.split(
    ' ',
  ),
)
/** `museumName`, `gym`: a house, by its word. */
export const houseIn = (phrases: readonly string[]): string | undefined =>
  phrases
    .map((phrase) => phrase.replace(/ name$/, ''))
    .find((word) => MAKERS.has(word) || word === 'auction house' || word === 'publishing house')

/** Headings of pages that every house has: none of them is its name. */
export const GENERIC =
  /^(?:the |our )?(?:menu|contact(?: us)?|about(?: us)?|home|team|meet the team|visit(?: us)?|plan your visit|faqs?|pricing|prices|imprint|impressum|kontakt|opening (?:hours|times)|(?:class )?timetable|locations?|shops|stores|get in touch|find us|services|products|jobs|careers|open positions|what[’']?s on|welcome|blog|news|events|carte|menü|speisekarte|carta|equipo|contacto)$/i

const SITE = 'ogSiteName'

/** The name of the site, or of its address, is nobody's. */
const isHouse = (value: string, url: string, maker: string | undefined, ground: Ground): boolean =>
  ground.phrase(value) === ground.phrase(maker ?? '') ||
  (URL.canParse(url) && new URL(url).hostname.split('.').includes(value.toLowerCase().replace(/\W/g, '')))
const MAX_SLOGAN = 80

/** A short text that shares no word with the titles but the name of the site is said of every page. */
function isSlogan(text: string, titles: readonly string[], maker: string | undefined, ground: Ground): boolean {
  if (text.length > MAX_SLOGAN || titles.length === 0) return false
  const site = new Set(ground.phrase(maker ?? '').split(' '))
  const own = new Set(titles.flatMap((title) => ground.phrase(title).split(' ')).filter((word) => !site.has(word)))
  return (
    own.size > 0 &&
    !ground
      .phrase(text)
      .split(' ')
      .some((word) => own.has(word))
  )
}

function fromHead(
  { metadata, url, titles, facts, maker: made }: PageGround,
  wanted: Wanted,
  ground: Ground,
  scope: Scope | undefined,
): Found | undefined {
  const candidates: Candidate[] = []
  const maker = made?.name
  const add = (value: string | string[] | undefined, score: number) => {
    const one = Array.isArray(value) ? value.join(', ') : value
    if (one) candidates.push({ value: one, src: one, href: one, when: one, isData: true, score, source: 'head' })
  }
  for (const [n, concept] of wanted.concepts.slice(0, 2).entries()) {
    for (const key of concept.meta)
      add(concept.id === 'name' ? titles.at(-1) : key === SITE ? maker : metadata[key], 0.78 - n * 0.1)
    if (concept.id === 'url') add(url, 0.7 - n * 0.1)
  }
  if (wanted.concepts[0]?.id === 'company') {
    const owner = facts.things.find((thing) => thing['@type'].some((type) => ORGANISATION.test(type)))
    if (typeof owner?.name === 'string') add(owner.name, 0.74)
  }
  if (houseIn(wanted.phrases) && !wanted.concepts.some(({ id }) => id === 'section')) {
    const isFirst = wanted.concepts[0]?.id === 'name' && !GENERIC.test(titles[0] ?? '')
    if (!isFirst && !made?.isDoubtful) add(maker, wanted.concepts[0]?.id === 'name' ? 0.86 : made?.isSure ? 0.72 : 0.66)
  }
  if (wanted.concepts[0]?.id === 'company' && made?.isSure) add(maker, 0.72)
  for (const key of Object.keys(metadata)) {
    const phrase = ground.phrase(key.replace(/^(?:og|twitter|article|product|citation|dc|dcterms)[:._]/i, ''))
    const named = wanted.phrases.indexOf(phrase)
    if (named >= 0 && wanted.concepts[0]?.id !== 'name') add(metadata[key], named === 0 ? 0.76 : 0.7)
  }
  for (const candidate of candidates.sort((a, b) => b.score - a.score)) {
    const value = valueFor(candidate, wanted, ground)
    if (wanted.concepts[0]?.id === 'author' && isHouse(String(value), url, maker, ground)) continue
    // What the page itself says as well is its own.
    const isSaid = () =>
      scope?.lines.some(({ text, isMain }) => isMain && text.startsWith(String(value).replace(/[.…]+$/u, ''))) === true
    if (wanted.concepts[0]?.id === 'description' && isSlogan(String(value), titles, maker, ground) && !isSaid())
      continue
    if (value !== undefined && value !== '') return { value, score: candidate.score, source: 'head' }
  }
  return undefined
}

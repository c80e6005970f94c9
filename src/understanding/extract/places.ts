// Where answers to one object's fields may lie: objects of the page, a part of what it shows, what its head says.
import type { AnyNode } from 'domhandler'
import type { Metadata } from '../../content/metadata.ts'
import type { StatedFacts } from '../facts/facts.ts'
import type { Candidate, Data, FieldContext, Head, Rules, WantedField } from './asking.ts'
import { type FoundValue, findIn } from './find.ts'
import type { Maker } from './maker.ts'
import type { PagePart } from './page-part.ts'
import { isFrame, scalarIn } from './things.ts'
import { valueFor } from './value-for.ts'
import { ORGANISATION } from './vocabulary.ts'

export interface ExtractPageContext {
  root: AnyNode
  url: string
  metadata: Metadata
  facts: StatedFacts
  /** What the page calls itself: main heading, title. */
  titles: readonly string[]
  /** Who stands behind it. */
  maker: Maker | undefined
}

export interface Places {
  /** Objects to look into, the one asked about first. */
  data: readonly Data[]
  scope: PagePart | undefined
  /** Set for the page as a whole: its head and its state may answer too. */
  page: ExtractPageContext | undefined
  /** The heading that an item of a list stands under. */
  under?: string | undefined
  /** Names of the objects that the fields lie in. */
  around: readonly string[]
}

/** A part of the page, or an object, that answers by itself. */
export const placesIn = (part: Partial<Places>): Places => ({
  data: [],
  scope: undefined,
  page: undefined,
  around: [],
  ...part,
})

/** Fields of an item that the heading above it answers. */
const GROUPINGS = new Set(['section', 'category', 'group', 'course'])
const SURE = 0.9

export function scalarFor(places: Places, wanted: WantedField, ground: FieldContext): FoundValue | undefined {
  const { rules } = wanted
  const heading = places.page && (places.scope?.main?.text ?? places.page.titles[0])
  let best: FoundValue | undefined
  const offer = (found: FoundValue | undefined) => {
    if (found && (!best || found.score > best.score)) best = found
  }
  for (const [n, data] of places.data.entries()) {
    if ((n > 0 || isOther(data, rules, places, ground)) && !mayAnswer(data, rules)) continue
    const found = scalarIn(data, wanted, ground)
    const trust = found && rules.trust ? rules.trust(found.value, data, heading, ground) : 1
    if (found && trust > 0)
      offer({
        value: rules.isName ? bareName(found.value, places.page) : found.value,
        score: found.score * (n === 0 ? 1 : 0.85) * trust,
        source: 'data',
      })
    // A number that the page labels with the very words is another than the one in the data.
    const isLabelled = rules.isOfSeller && wanted.phrases.some((phrase) => places.scope?.pairs.has(phrase))
    if (best && isLabelled) best = { ...best, score: best.score * 0.9 }
    if (best && best.score >= SURE) return best
  }
  if (places.page) offer(fromHead(places.page, wanted, ground, places.scope))
  const shown = places.scope && findIn(places.scope, wanted, ground)
  // A page that shows nothing but an empty cart names no price.
  if (!(shown?.value === 0 && rules.emptyAtZero === 'shown' && places.page)) offer(shown)
  if (best?.value === 0 && rules.emptyAtZero === 'anywhere') return undefined
  const isSaid = rules.overItem?.test(places.under ?? '') === true
  const isGroup = isSaid || wanted.phrases.some((phrase) => GROUPINGS.has(phrase))
  if (!best && places.under !== undefined && isGroup)
    return { value: places.under, score: isSaid ? SURE : 0.65, source: 'heading' }
  return best
}

/** Who wrote the page or stands behind it is told of in its data, and is not what it is about. */
function isOther(data: Data, { isOfMaker }: Rules, { page }: Places, ground: FieldContext): boolean {
  if (!page || !isOfMaker || !isFrame(data)) return false
  const name = ground.phrase(String(data.name ?? ''))
  return !page.titles.some((title) => name !== '' && ground.phrase(title).includes(name))
}

const CUT = 60

/** A name with the site's name behind it is the name alone. */
function bareName(value: unknown, page: ExtractPageContext | undefined): unknown {
  if (typeof value !== 'string' || !page) return value
  // Data cut long names short; the heading does not.
  const [heading = ''] = page.titles
  if (value.length > CUT && heading.length > value.length && heading.startsWith(value)) return heading
  const bare = value.replace(/\s[|–—-]\s.{1,60}$/u, '')
  const isSite =
    bare !== value && (bare === page.titles[0] || (page.maker !== undefined && value.endsWith(page.maker.name)))
  return isSite ? bare : value
}

/** An object that frames the page answers for itself only: a site's name is not the product's. */
function mayAnswer(data: Data, { isOfPage, isOfFrame }: Rules): boolean {
  const types = Array.isArray(data['@type']) ? data['@type'].map(String) : []
  return types.some((type) => type.endsWith('Page')) ? isOfPage === true : !isOfFrame
}

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

function fromHead(
  { metadata, url, titles, facts, maker: made }: ExtractPageContext,
  wanted: WantedField,
  ground: FieldContext,
  scope: PagePart | undefined,
): FoundValue | undefined {
  const candidates: Candidate[] = []
  const maker = made?.name
  const { rules } = wanted
  const add = (value: string | string[] | undefined, score: number) => {
    const one = Array.isArray(value) ? value.join(', ') : value
    if (one) candidates.push({ value: one, src: one, href: one, when: one, isData: true, score, source: 'head' })
  }
  for (const [n, concept] of wanted.concepts.slice(0, 2).entries()) {
    for (const key of concept.meta)
      add(concept.rules.isName ? titles.at(-1) : key === SITE ? maker : metadata[key], 0.78 - n * 0.1)
    if (concept.rules.isPageAddress) add(url, 0.7 - n * 0.1)
  }
  if (rules.isMaker) {
    const owner = facts.things.find((thing) => thing['@type'].some((type) => ORGANISATION.test(type)))
    if (typeof owner?.name === 'string') add(owner.name, 0.74)
  }
  if (houseIn(wanted.phrases) && !wanted.concepts.some((concept) => concept.rules.isPartOfSite)) {
    const isFirst = rules.isName && !GENERIC.test(titles[0] ?? '')
    if (!isFirst && !made?.isDoubtful) add(maker, rules.isName ? 0.86 : made?.isSure ? 0.72 : 0.66)
  }
  if (rules.isMaker && made?.isSure) add(maker, 0.72)
  for (const key of Object.keys(metadata)) {
    const phrase = ground.phrase(key.replace(/^(?:og|twitter|article|product|citation|dc|dcterms)[:._]/i, ''))
    const named = wanted.phrases.indexOf(phrase)
    if (named >= 0 && !rules.isName) add(metadata[key], named === 0 ? 0.76 : 0.7)
  }
  // What the page itself says as well is its own.
  const isSaid = (text: string) =>
    scope?.lines.some((line) => line.isMain && line.text.startsWith(text.replace(/[.…]+$/u, ''))) === true
  const head: Head = { url, titles, maker, isSaid }
  for (const candidate of candidates.sort((a, b) => b.score - a.score)) {
    const value = valueFor(candidate, wanted, ground)
    if (value === undefined || value === '' || rules.acceptHead?.(String(value), head, ground) === false) continue
    return { value, score: candidate.score, source: 'head' }
  }
  return undefined
}

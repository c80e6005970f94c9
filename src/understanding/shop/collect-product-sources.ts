// Everything a page says about its product, by source, and whether it is a product page. read-product.ts decides which
// source wins for each field.
import type { AnyNode, Document } from 'domhandler'
import { isObject, once } from '../../base/values.ts'
import type { PageMetadata } from '../../content/metadata.ts'
import { makeLinkResolver, type ResolveLink } from '../../content/resolve-links.ts'
import { type MoneyHint, normalizeCurrencyCode } from '../currencies.ts'
import { findTermsByPhrase } from '../extract/field-terms.ts'
import { labelToPhrase } from '../extract/normalise-labels.ts'
import { findLabelValuePairs } from '../facts/find-label-value-pairs.ts'
import { readStructuredData } from '../facts/read-structured-data.ts'
import { readVisibleLines } from '../facts/read-visible-lines.ts'
import type { PlacedElement } from './find-amounts.ts'
import { buyButtonPattern, parseStockText, preorderButtonPattern } from './parse-stock.ts'
import { asList, type LooseObject, type ProductDraft, toTextOrName, toTextWithoutMarkup } from './product-draft.ts'
import { parseJsonObject, readScriptStateProducts, type ScriptStateProduct } from './read-script-state-products.ts'
import {
  isProductThing,
  type ProductContext,
  readStructuredProduct,
  scoreProductCompleteness,
} from './read-structured-product.ts'
import { HOLDS, isOutsideProduct, type ProductScan, scanProductPage } from './scan-product-page.ts'
import { type ShownPrice, selectShownPrice } from './select-price.ts'

export type PageTreeAndMetadata = { url: string; tree: Document; base: string; metadata: PageMetadata }

export interface ProductSources {
  hint: MoneyHint
  resolve: ResolveLink
  scan: ProductScan
  heading: PlacedElement | undefined
  linked: ProductDraft | undefined
  state: ScriptStateProduct | undefined
  shown: ShownPrice
  breadcrumbs: readonly string[]
  /** Computed on demand: most pages have these values elsewhere. */
  labelled(): LabelledProductValues
  /** Why this is a product page; empty: it is not. */
  evidence: readonly string[]
}

const MAX_SEARCHED = 5000

export function collectProductSources({ url, tree, base, metadata }: PageTreeAndMetadata): ProductSources {
  const facts = readStructuredData({ tree, base })
  const resolve = makeLinkResolver(base)
  const things = listReachable(facts.things)
  const hint: MoneyHint = {
    currency: metaCurrency(metadata),
    language: toTextOrName(metadata.language),
    host: new URL(url).hostname,
  }
  const context: ProductContext = { resolve, hint }
  const scan = scanProductPage(tree, hint)
  const named = [toTextOrName(metadata.ogTitle), toTextOrName(metadata.title)].flatMap((text) => (text ? [text] : []))
  const first = mainHeading(scan, named)
  const titles = first ? [first.text, ...named] : named
  const thing = mainProduct(things.filter(isProductThing), titles, url)
  const linked = thing && readStructuredProduct(thing, context)
  hint.currency ??= linked?.variants.find(({ price }) => price?.currency)?.price?.currency
  const known = linked?.title ? [linked.title, ...titles] : titles
  const states = readScriptStateProducts([...facts.states, ...readHeldData(scan)], context)
  const state = mainState(states, known, url)
  const heading = headingOf(scan, linked?.title ?? state?.draft.title) ?? first
  const shown = selectShownPrice(scan, heading)
  return {
    hint,
    resolve,
    scan,
    heading,
    linked,
    state,
    shown,
    breadcrumbs: breadcrumbs(things),
    labelled: once(() => findLabelledProductValues(tree)),
    evidence: evidenceOf({ linked, state, metadata, scan, heading, shown, article: things.some(isArticle) }),
  }
}

/** The first heading that the page's title repeats, else the first. */
function mainHeading({ headings }: ProductScan, titles: readonly string[]): PlacedElement | undefined {
  const top = headings.filter(({ element, away, text }) => element.name === 'h1' && !away && text)
  return top.find(({ text }) => titles.some((title) => similarity(title, text) > 0.6)) ?? top[0]
}

const isArticle = (thing: LooseObject): boolean =>
  asList(thing['@type']).some((type) => typeof type === 'string' && /Article$|^BlogPosting$/.test(type))

/** Objects that a page describes, including those that are the subject of another; list members are not the subject. */
function listReachable(things: readonly LooseObject[]): LooseObject[] {
  const found: LooseObject[] = []
  const open: unknown[] = [...things]
  for (let at = 0; at < open.length && at < MAX_SEARCHED; at++) {
    const one = open[at]
    if (Array.isArray(one)) open.push(...one.slice(0, 100))
    else if (isObject(one)) {
      found.push(one)
      open.push(one.mainEntity, one.mainEntityOfPage, one.about, one.hasPart, one.subjectOf, one.breadcrumb)
    }
  }
  return found
}

const metaCurrency = (metadata: PageMetadata): string | undefined =>
  normalizeCurrencyCode(
    toTextOrName(metadata['product:price:currency'] ?? metadata['og:price:currency'] ?? metadata.priceCurrency),
  )

/** The page's product: the one that its title names, or the only well described one. */
function mainProduct(products: readonly LooseObject[], titles: readonly string[], url: string) {
  const path = new URL(url).pathname
  const rated = products.slice(0, 500).map((thing) => {
    const name = toTextWithoutMarkup(thing.name)
    const same = name ? Math.max(0, ...titles.map((title) => similarity(title, name))) : 0
    const here = toTextOrName(thing.url)?.includes(path) && path.length > 1 ? 1 : 0
    return { thing, same, score: scoreProductCompleteness(thing) + 8 * same + 3 * here }
  })
  const best = rated.sort((a, b) => b.score - a.score)[0]
  if (!best || (rated.length > 3 && best.same < 0.3)) return undefined
  return best.thing
}

/** The state of the page's product; recommended products are state too. */
function mainState(states: readonly ScriptStateProduct[], titles: readonly string[], url: string) {
  const parts = new URL(url).pathname.split('/')
  let best: { state: ScriptStateProduct; score: number } | undefined
  for (const state of states) {
    const { title, variants, description } = state.draft
    const same = title ? Math.max(0, ...titles.map((one) => similarity(one, title))) : 0.5
    const named = state.handle !== undefined && parts.includes(state.handle) ? 1 : 0
    if (named === 0 && same < 0.5) continue
    const priced = variants.filter(({ price }) => price).length
    const detail = Math.min(priced, 50) / 50 + (description ? 0.5 : 0) + (state.isDetailed ? 2 : 0)
    const stocked = variants.some(({ inStock }) => inStock !== undefined) ? 1 : 0
    const score = 4 * named + 3 * same + detail + stocked
    if (!best || score > best.score) best = { state, score }
  }
  return best?.state
}

function readHeldData({ holders }: ProductScan): { name: string; value: unknown }[] {
  return holders.flatMap(({ attribs }) =>
    HOLDS.flatMap((name) => {
      const text = attribs[name]
      const value = text && text.length < 5_000_000 ? parseJsonObject(text) : undefined
      return value ? [{ name, value }] : []
    }),
  )
}

function headingOf({ headings }: ProductScan, title: string | undefined): PlacedElement | undefined {
  if (title === undefined) return undefined
  return headings.find(({ away, text }) => !away && similarity(text, title) > 0.6)
}

function breadcrumbs(things: readonly LooseObject[]): string[] {
  const list = things.find((thing) => asList(thing['@type']).includes('BreadcrumbList'))
  if (!list) return []
  return asList(list.itemListElement)
    .filter(isObject)
    .slice(0, 20)
    .sort((a, b) => Number(a.position ?? 0) - Number(b.position ?? 0))
    .flatMap((entry) => {
      const name =
        toTextWithoutMarkup(entry.name) ?? (isObject(entry.item) ? toTextWithoutMarkup(entry.item.name) : undefined)
      return name ? [name] : []
    })
}

type Witness = Pick<ProductSources, 'linked' | 'state' | 'scan' | 'heading' | 'shown'> & {
  metadata: PageMetadata
  article: boolean
}

function evidenceOf(witness: Witness): string[] {
  const { linked, state, metadata, shown } = witness
  const evidence: string[] = []
  // A name with a rating also describes services; an offer describes only products.
  if (linked?.variants.some(({ price, inStock }) => price ?? inStock !== undefined)) evidence.push('structured data')
  if (state) evidence.push('the state of the page')
  const inMetadata = metadata['product:price:amount'] ?? metadata['og:price:amount']
  if (inMetadata || (/^(?:og:)?product(?:\.item)?$/i.test(String(metadata['og:type'] ?? '')) && shown.price))
    evidence.push('its metadata')
  return evidence.length > 0 ? evidence : shownEvidence(witness)
}

/** Visible evidence: name, then price, then button, with nothing else named in between. */
function shownEvidence({ linked, metadata, scan, heading, shown, article }: Witness): string[] {
  if (!heading || article || /article/i.test(String(metadata['og:type'] ?? ''))) return []
  const buys = scan.buttons.filter(({ away, text }) => !away && text.length < 60 && buyButtonPattern.test(text))
  const described = linked?.title !== undefined && similarity(linked.title, heading.text) > 0.6
  if (described && (shown.price ?? buys[0])) return ['structured data without an offer, and what is shown']
  // A list of products has a button for each.
  if (!shown.price || buys.length > MAX_BUTTONS) return []
  const place = scan.amounts.find(({ money }) => money === shown.price)?.at ?? 0
  const from = Math.min(place, heading.at)
  const until = Math.max(place, heading.at)
  const between = scan.headings.filter(({ at, away, text }) => at > from && at < until && !away && text)
  if (between.length > 1) return []
  const called = /product/i.test(`${heading.element.attribs.class ?? ''} ${heading.element.attribs.itemprop ?? ''}`)
  // A button that says why it cannot be bought now marks a product page too.
  const soldOutOrPreorder = scan.buttons.filter(
    ({ away, text }) =>
      !away && text.length < 60 && (preorderButtonPattern.test(text) || parseStockText(text)?.inStock === false),
  )
  const bought = [...buys, ...soldOutOrPreorder].some(({ at }) => Math.abs(at - until) < 500)
  return bought || called ? ['a heading with a price, and a button that buys'] : []
}

const MAX_BUTTONS = 6

/** Similarity of two titles by words, 0 to 1, since shops add their name, sizes and colours. */
function similarity(a: string, b: string): number {
  const one = wordsOf(a)
  const two = wordsOf(b)
  if (one.size === 0 || two.size === 0) return 0
  let shared = 0
  for (const word of one) if (two.has(word)) shared++
  return shared / Math.min(one.size, two.size) - (shared === 1 && Math.max(one.size, two.size) > 3 ? 0.5 : 0)
}

const wordsOf = (text: string): Set<string> =>
  new Set(
    text
      .slice(0, 300)
      .toLowerCase()
      .split(/[^\p{L}\p{N}]+/u)
      .filter((word) => word !== ''),
  )

type LabelledProductValues = { brand: string | undefined; number: string | undefined; stock: string | undefined }

const MAX_VALUE = 60

function findLabelledProductValues(tree: AnyNode): LabelledProductValues {
  const { lines } = readVisibleLines(tree, (element) => isOutsideProduct(element, false))
  const pairs = findLabelValuePairs(lines.filter(({ isMain }) => isMain))
  const beside = (...terms: string[]): string | undefined =>
    pairs
      .find(({ label, value }) => {
        const meant = findTermsByPhrase(labelToPhrase(label))[0]?.id ?? ''
        return terms.includes(meant) && value.length <= MAX_VALUE && !/[.!?]\s+\p{L}/u.test(value)
      })
      ?.value.trim()
  const number = beside('sku', 'mpn')
  return {
    brand: beside('brand'),
    // A product number has a digit and at most one space.
    number: number && /^(?=.*\d)\S+(?: \S+)?$/.test(number) ? number : undefined,
    stock: beside('availability'),
  }
}

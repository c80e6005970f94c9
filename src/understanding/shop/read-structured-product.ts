// A product from structured data: schema.org Product, ProductGroup, Offer and AggregateOffer, from JSON-LD, microdata
// or RDFa.
import { isObject } from '../../base/values.ts'
import type { ResolveLink } from '../../content/resolve-links.ts'
import { isHttpUrl } from '../../content/resolve-links.ts'
import { type MoneyHint, normalizeCurrencyCode } from '../currencies.ts'
import { type Money, parseMoney, parseMoneyAmount } from '../money.ts'
import { parseStockTerm } from './parse-stock.ts'
import {
  asList,
  type LooseObject,
  MAX_IMAGES,
  MAX_VARIANTS,
  type ProductDraft,
  type ProductPicture,
  toTextOrName,
  toTextWithoutMarkup,
  type VariantDraft,
} from './product-draft.ts'

export type ProductContext = { resolve: ResolveLink; hint: MoneyHint }

const typesOf = (thing: LooseObject): string[] =>
  asList(thing['@type']).flatMap((type) => (typeof type === 'string' ? [type.replace(/^.*[/#:]/, '')] : []))

const isA = (thing: LooseObject, pattern: RegExp): boolean => typesOf(thing).some((type) => pattern.test(type))

export const isProductThing = (thing: LooseObject): boolean =>
  isA(thing, /^(Product|ProductGroup|ProductModel|IndividualProduct|SomeProducts|Vehicle|Car)$/)

/** How completely an object is described: the page's own product has more data than recommended ones. */
export function scoreProductCompleteness(thing: LooseObject): number {
  const said = ['offers', 'hasVariant', 'description', 'sku', 'brand', 'image', 'aggregateRating', 'model', 'category']
  return said.filter((key) => thing[key] !== undefined).length + (thing.hasVariant === undefined ? 0 : 2)
}

export function readStructuredProduct(thing: LooseObject, context: ProductContext): ProductDraft {
  const members = asList(thing.hasVariant ?? (isA(thing, /^ProductGroup$/) ? thing.model : undefined)).filter(isObject)
  const parent = isObject(thing.isVariantOf) ? thing.isVariantOf : undefined
  const variants =
    members.length > 0
      ? members.slice(0, MAX_VARIANTS).map((one) => memberOf(one, thing, context))
      : readOffers(thing, context)
  return {
    title: toTextWithoutMarkup(thing.name),
    brand: toTextOrName(thing.brand) ?? toTextOrName(thing.manufacturer) ?? (parent && toTextOrName(parent.brand)),
    category: categoryOf(thing.category),
    description: toTextWithoutMarkup(thing.description) ?? (parent && toTextWithoutMarkup(parent.description)),
    url: addressOf(thing.url ?? thing['@id'], context),
    images: readPictures(thing.image, context),
    variants,
    left: Math.max(0, members.length - MAX_VARIANTS),
  }
}

/** A member of a group; missing fields come from the group. */
function memberOf(member: LooseObject, group: LooseObject, context: ProductContext): VariantDraft {
  const [offer] = offersOf(member.offers)
  const own = offer ? offerDraft(offer, context) : {}
  const images = readPictures(member.image, context)
  return {
    ...own,
    id: own.id ?? toTextOrName(member.productID) ?? undefined,
    sku: toTextOrName(member.sku) ?? own.sku ?? toTextOrName(member.mpn),
    title: removeProductTitlePrefix(toTextWithoutMarkup(member.name), toTextWithoutMarkup(group.name)),
    values: valuesOf(member, group),
    images: images.length > 0 ? images : undefined,
  }
}

/** `Harbour Jacket - Navy / M` of `Harbour Jacket` → `Navy / M`. */
export function removeProductTitlePrefix(name: string | undefined, whole: string | undefined): string | undefined {
  if (name === undefined || whole === undefined || name === whole) return name
  if (!name.toLowerCase().startsWith(whole.toLowerCase())) return name
  const rest = name.slice(whole.length).replace(/^[\s\-–—:,|/(]+|[\s)]+$/g, '')
  return rest || name
}

/** The variants of a product without members: one per offer that is an item of its own, one for all others. */
function readOffers(thing: LooseObject, context: ProductContext): VariantDraft[] {
  const base: VariantDraft = {
    sku: toTextOrName(thing.sku) ?? toTextOrName(thing.mpn),
    id: toTextOrName(thing.productID),
    values: valuesOf(thing, thing),
  }
  const offers = offersOf(thing.offers)
  const drafts = offers.slice(0, MAX_VARIANTS).map((offer) => ({ offer, draft: offerDraft(offer, context) }))
  const named = drafts.filter(({ offer, draft }) => draft.sku ?? draft.title ?? toTextOrName(offer.name))
  const distinct = new Set(named.map(({ draft }) => `${draft.sku ?? ''}|${draft.title ?? ''}`))
  if (named.length > 1 && distinct.size === named.length)
    return named.map(({ draft }) => ({
      ...draft,
      title: removeProductTitlePrefix(draft.title, toTextWithoutMarkup(thing.name)),
    }))
  const first =
    drafts.find(({ draft }) => draft.price && draft.inStock !== false) ??
    drafts.find(({ draft }) => draft.price) ??
    drafts[0]
  const { title: _title, ...draft } = first?.draft ?? {}
  return [{ ...draft, sku: base.sku ?? draft.sku, id: base.id ?? draft.id, values: base.values }]
}

/** Offers, with aggregates expanded. An aggregate without offers is an offer at its lowest price. */
function offersOf(value: unknown): LooseObject[] {
  return asList(value)
    .filter(isObject)
    .flatMap((offer) => {
      const inner = asList(offer.offers).filter(isObject)
      if (inner.length === 0) return [offer]
      return inner.map(
        (one): LooseObject => ({ priceCurrency: offer.priceCurrency, availability: offer.availability, ...one }),
      )
    })
}

function offerDraft(offer: LooseObject, context: ProductContext): VariantDraft {
  const { now, was } = pricesOf(offer, context)
  const stock = parseStockTerm(toTextOrName(offer.availability) ?? undefined)
  const item = isObject(offer.itemOffered) ? offer.itemOffered : {}
  const images = readPictures(offer.image ?? item.image, context)
  return {
    sku: toTextOrName(offer.sku) ?? toTextOrName(item.sku) ?? toTextOrName(offer.mpn),
    id: variantParameter(toTextOrName(offer.url)),
    title: toTextWithoutMarkup(offer.name) ?? toTextWithoutMarkup(item.name),
    ...(now ? { price: now } : {}),
    ...(was ? { was } : {}),
    ...(stock ? { inStock: stock.inStock, stockText: stock.text } : {}),
    ...(images.length > 0 ? { images } : {}),
  }
}

const variantParameter = (url: string | undefined): string | undefined =>
  url === undefined ? undefined : /[?&](?:variant|variation_id|vid)=(\d{1,20})/.exec(url.slice(0, 2000))?.[1]

function pricesOf(offer: LooseObject, context: ProductContext): { now?: Money | undefined; was?: Money | undefined } {
  const currency = normalizeCurrencyCode(toTextOrName(offer.priceCurrency))
  const read = (value: unknown, code = currency) => parsePrice(value, code, context)
  let now = read(offer.price) ?? read(offer.lowPrice)
  let was: Money | undefined
  for (const one of asList(offer.priceSpecification).filter(isObject).slice(0, 20)) {
    const price = read(one.price ?? one.minPrice, normalizeCurrencyCode(toTextOrName(one.priceCurrency)) ?? currency)
    const kind = toTextOrName(one.priceType) ?? toTextOrName(one.name) ?? ''
    if (/list|strike|msrp|rrp|srp|regular|original/i.test(kind)) was ??= price
    // A unit price or a subscription is not the price.
    else if (one.referenceQuantity === undefined && one.billingDuration === undefined) now ??= price
  }
  return { now, was: was && now && was.amount > now.amount ? was : undefined }
}

/** Prices in data are plain numbers, `12.90`; other notations are parsed as text. */
export function parsePrice(value: unknown, currency: string | undefined, { hint }: ProductContext): Money | undefined {
  const code = currency ?? hint.currency
  const withCode = (amount: number): Money => ({ amount, ...(code ? { currency: code } : {}) })
  if (typeof value === 'number') return Number.isFinite(value) && value >= 0 ? withCode(value) : undefined
  const text = toTextOrName(value)
  if (text === undefined) return undefined
  if (/^\d{1,12}(?:\.\d{1,6})?$/.test(text)) return withCode(Number(text))
  const money = parseMoney(text, { ...hint, currency: code })
  if (money)
    return { amount: money.amount, ...((code ?? money.currency) ? { currency: code ?? money.currency } : {}) } as Money
  const amount = /^[\d.,'\s]{1,20}$/.test(text) ? parseMoneyAmount(text, code) : undefined
  return amount === undefined ? undefined : withCode(amount)
}

const OPTIONS = ['color', 'size', 'material', 'pattern', 'suggestedGender', 'suggestedAge'] as const

/** The option values of a variant, under the names that the group gives. */
function valuesOf(member: LooseObject, group: LooseObject): Record<string, string> | undefined {
  const varies = asList(group.variesBy).flatMap((one) => {
    const name = toTextOrName(one)?.replace(/^.*[/#]/, '')
    return name ? [name] : []
  })
  const values: Record<string, string> = {}
  const keys = varies.length > 0 ? varies : group === member ? [] : OPTIONS
  for (const key of keys) {
    const value = toTextOrName(member[key])
    if (value && !isHttpUrl(value)) values[capitalize(key)] = value
  }
  for (const property of asList(member.additionalProperty).filter(isObject).slice(0, 50)) {
    const name = toTextOrName(property.name)
    const value = toTextOrName(property.value)
    if (name && value && varies.some((key) => key.toLowerCase() === name.toLowerCase()))
      values[capitalize(name)] = value
  }
  return Object.keys(values).length > 0 ? values : undefined
}

export const capitalize = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1)

function categoryOf(value: unknown): string | undefined {
  const names = asList(value)
    .slice(0, 10)
    .map(toTextOrName)
    .filter((name) => name !== undefined)
  const [first] = names
  if (first === undefined) return undefined
  // A list of paths is several categories; a list of words is one path.
  const path = first.includes('>') || first.includes('/') ? first : names.join(' > ')
  return isHttpUrl(path) ? undefined : path.replace(/\s*(?:>|»|›|&gt;)\s*/g, ' > ')
}

function addressOf(value: unknown, { resolve }: ProductContext): string | undefined {
  const url = resolve(toTextOrName(value))
  return url !== undefined && isHttpUrl(url) && !url.includes('#') ? url : undefined
}

export function readPictures(value: unknown, { resolve }: ProductContext): ProductPicture[] {
  const found = new Map<string, ProductPicture>()
  for (const one of asList(value).slice(0, MAX_IMAGES)) {
    const source = isObject(one) ? toTextOrName(one.contentUrl ?? one.url ?? one['@id']) : toTextOrName(one)
    const url = resolve(source)
    if (url === undefined || !isHttpUrl(url)) continue
    const alt = isObject(one) ? toTextWithoutMarkup(one.caption ?? one.description ?? one.alternateName) : undefined
    found.set(url, { url, ...(alt ? { alt } : {}) })
  }
  return [...found.values()]
}

// Builds the product's variants: the richest list, completed from the other sources, in the API's format.
import { isHttpUrl } from '../../content/resolve-links.ts'
import { threeDecimalCurrencies } from '../currencies.ts'
import { formatMoney, type Money } from '../money.ts'
import type { PageTreeAndMetadata, ProductSources } from './collect-product-sources.ts'
import { findProductImages, removeSizeFromImageUrl } from './find-product-images.ts'
import {
  buyButtonPattern,
  LIMITED_AVAILABILITY,
  parseStockText,
  preorderButtonPattern,
  type Stock,
} from './parse-stock.ts'
import { MAX_IMAGES, type ProductDraft, type ProductPicture, toTextOrName, type VariantDraft } from './product-draft.ts'
import { removeProductTitlePrefix } from './read-structured-product.ts'
import { findMatchingAmount } from './select-price.ts'

export interface ProductVariant {
  id?: string
  sku?: string
  title?: string
  values?: Record<string, string>
  price?: Money
  sale?: { originalPrice: Money }
  availability: { inStock: boolean; text?: string }
  images?: ProductPicture[]
}

export function buildVariants(
  sources: ProductSources,
  title: string,
  metadata: PageTreeAndMetadata['metadata'],
): ProductVariant[] {
  const { linked } = sources
  const state = scaleAmounts(sources)
  const lists = [state, linked].map((draft) => draft?.variants ?? [])
  const fullest = lists.find((list) => list.length > 1)
  const base = fullest ?? [mergeDrafts(lists.flat())]
  const others = lists.filter((list) => list !== fullest).flat()
  const shown = findShownStock(sources)
  const pictures = findProductPictures(sources, state)
  return base.map((draft) => {
    const twin = fullest ? others.find((other) => sameVariant(draft, other)) : undefined
    const full = twin ? mergeDrafts([draft, twin]) : draft
    const count = base.length
    return finishVariant(full, { sources, metadata, title, alone: count === 1, count, stock: shown, pictures })
  })
}

/** Converts cents to whole units, where the page or the data show that the state is in cents. */
function scaleAmounts({ state, scan, linked }: ProductSources): ProductDraft | undefined {
  if (!state) return undefined
  const amounts = state.draft.variants.flatMap(({ price }) => (price ? [price.amount] : []))
  const shown = new Set(scan.amounts.map(({ money }) => money.amount))
  for (const { price } of linked?.variants ?? []) if (price) shown.add(price.amount)
  const whole = amounts.some((amount) => shown.has(amount))
  const hundredth = amounts.some((amount) => shown.has(amount / 100))
  if (state.cents === 'no' || (whole && !hundredth) || (!hundredth && state.cents !== 'sure')) return state.draft
  const divideByHundred = (money: Money | undefined) => money && { ...money, amount: Math.round(money.amount) / 100 }
  return {
    ...state.draft,
    variants: state.draft.variants.map((one) => {
      return { ...one, price: divideByHundred(one.price), was: divideByHundred(one.was) }
    }),
  }
}

/** Merges drafts of one variant: the first value wins. */
function mergeDrafts(drafts: readonly VariantDraft[]): VariantDraft {
  const made: VariantDraft = {}
  for (const draft of drafts)
    for (const [key, value] of Object.entries(draft) as [keyof VariantDraft, never][])
      if (value !== undefined && made[key] === undefined) made[key] = value
  const priced = drafts.find(({ price }) => price)
  const stocked = drafts.find(({ inStock }) => inStock !== undefined)
  const text = drafts.find(({ inStock, stockText }) => stockText && inStock === stocked?.inStock)?.stockText
  // A previous price belongs to the price of its own source, and a stock text to its own stock value.
  return { ...made, ...(priced?.was ? { was: priced.was } : {}), stockText: text }
}

const sameVariant = (a: VariantDraft, b: VariantDraft): boolean =>
  (a.sku !== undefined && a.sku === b.sku) ||
  (a.id !== undefined && (a.id === b.id || a.id === b.sku)) ||
  (a.sku !== undefined && a.sku === b.id) ||
  (a.title !== undefined && a.title === b.title)

interface Finish {
  sources: ProductSources
  metadata: PageTreeAndMetadata['metadata']
  title: string
  alone: boolean
  count: number
  stock: Stock | undefined
  pictures: readonly ProductPicture[]
}

function finishVariant(draft: VariantDraft, finish: Finish): ProductVariant {
  const { sources, title, alone, count, pictures } = finish
  const short = removeProductTitlePrefix(draft.title, title)
  const name = short === title && draft.values && !alone ? Object.values(draft.values).join(' / ') : short
  const sku = draft.sku || (alone ? findVisibleProductNumber(sources) : undefined)
  const images = imagesFor(draft, pictures, alone, count)
  return {
    ...(draft.id ? { id: draft.id } : {}),
    ...(sku ? { sku } : {}),
    ...(name && !(alone && name === title) ? { title: name } : {}),
    ...(draft.values ? { values: { ...draft.values } } : {}),
    ...pricesOf(draft, finish),
    availability: availabilityOf(draft, finish),
    ...(images.length > 0 ? { images } : {}),
  }
}

function pricesOf(draft: VariantDraft, { sources, metadata }: Finish): Pick<ProductVariant, 'price' | 'sale'> {
  const { shown, hint } = sources
  const base = draft.price ?? metaPrice(metadata) ?? shown.price
  const price = completePrice(base, sources)
  if (!base || !price) return {}
  const shownWas = shown.price?.amount === base.amount ? shown.was : undefined
  const was = draft.was && draft.was.amount > base.amount ? draft.was : shownWas
  const original = was && completePrice({ ...was, ...(price.currency ? { currency: price.currency } : {}) }, sources)
  return {
    price: formatPrice(price, hint.language),
    ...(original ? { sale: { originalPrice: formatPrice(original, hint.language) } } : {}),
  }
}

function availabilityOf(draft: VariantDraft, { alone, stock }: Finish): ProductVariant['availability'] {
  // Some shops mark sold-out items as limited; the page shows which.
  const known = alone && draft.stockText === LIMITED_AVAILABILITY && stock?.inStock === false ? false : draft.inStock
  const inStock = known ?? stock?.inStock ?? true
  const said = stock?.inStock === inStock && (alone || draft.inStock === undefined) ? stock.text : undefined
  const text = said || (known === inStock && draft.inStock === inStock ? draft.stockText : undefined)
  return { inStock, ...(text ? { text } : {}) }
}

function metaPrice(metadata: PageTreeAndMetadata['metadata']): Money | undefined {
  const text = toTextOrName(
    metadata['product:sale_price:amount'] ?? metadata['product:price:amount'] ?? metadata['og:price:amount'],
  )
  const amount =
    text && /^\d{1,10}(?:\.\d{1,4})?$/.test(text.replaceAll(',', '')) ? Number(text.replaceAll(',', '')) : undefined
  return amount ? { amount } : undefined
}

/** Removes floating point error: no currency has 198.99996. */
const roundToCurrency = (amount: number, currency: string | undefined): number => {
  const parts = currency && threeDecimalCurrencies.has(currency) ? 1000 : 100
  return Math.round(amount * parts) / parts
}

function completePrice(money: Money | undefined, { scan, hint, shown }: ProductSources): Money | undefined {
  if (!money) return undefined
  const currency = money.currency ?? hint.currency ?? shown.price?.currency
  const whole: Money = { amount: roundToCurrency(money.amount, currency), ...(currency ? { currency } : {}) }
  if (money.formatted) return { ...whole, formatted: money.formatted }
  return { ...findMatchingAmount(scan.amounts, whole), ...whole }
}

function formatPrice(money: Money, language: string | undefined): Money {
  const formatted = money.formatted ?? formatMoney(money, language)
  return formatted ? { ...money, formatted } : money
}

/** The variant's own images, or the product's; limited when many variants share them, to bound the response. */
function imagesFor({ images = [] }: VariantDraft, pictures: readonly ProductPicture[], alone: boolean, count: number) {
  if (!alone && images.length > 0) return [...images]
  const known = new Set(images.map(({ url }) => removeSizeFromImageUrl(url)))
  const all = [...images, ...pictures.filter(({ url }) => !known.has(removeSizeFromImageUrl(url)))].filter(({ url }) =>
    isHttpUrl(url),
  )
  return all.slice(0, count <= 10 ? MAX_IMAGES : 3)
}

/** Stock text near the product; an enabled buy button means in stock. */
function findShownStock({ scan, heading, labelled }: ProductSources): Stock | undefined {
  const start = heading?.at ?? 0
  const filterNear = <T extends { at: number; away: boolean }>(list: readonly T[]) =>
    list.filter(({ at, away }) => !away && at > start - 100 && at - start < 900)
  const buttons = filterNear(scan.buttons).filter(({ text }) => text.length < 60)
  const buys = buttons.find(({ text, disabled }) => buyButtonPattern.test(text) && !disabled)
  const marked = filterNear(scan.stock)
  for (const { text, element } of marked) {
    const said = text && text.length < 120 ? parseStockText(text) : undefined
    // Themes include a `Sold out` badge in every page and show it when it applies.
    if (said && !(buys && !said.inStock && BADGE.test(element.attribs.class ?? '')))
      return { ...said, text: findInnermost(said, marked) }
  }
  const { stock } = labelled()
  const stockText = stock ? parseStockText(stock) : undefined
  if (stockText) return stockText
  const early = buttons.find(({ text }) => preorderButtonPattern.test(text))
  if (early && !buys) return { inStock: false, text: early.text }
  const gone = buttons.map(({ text }) => parseStockText(text)).find((said) => said?.inStock === false)
  if (gone && !buys) return gone
  const noted = nearButton(scan.notes, buttons.find(({ text }) => buyButtonPattern.test(text))?.at ?? heading?.at)
  if (noted) return noted
  return buys ? { inStock: true, text: '' } : undefined
}

const BADGE = /badge|label|flag|ribbon|sticker|(?:^|[\s_-])tag(?:$|[\s_-])/i

/** A box named after stock may contain more than the stock text: the price, another such box. */
function findInnermost({ inStock, text }: Stock, marked: readonly { text: string }[]): string {
  let best = text
  for (const { text: other } of marked)
    if (other && other.length < best.length && best.includes(other) && parseStockText(other)?.inStock === inStock)
      best = other
  return best
}

/** A short text beside the button that is only about stock. */
function nearButton(notes: ProductSources['scan']['notes'], place: number | undefined): Stock | undefined {
  if (place === undefined) return undefined
  for (const { at, text } of notes) {
    if (Math.abs(at - place) > 60) continue
    const said = parseStockText(text)
    if (said && (said.words * 2 >= text.length || said.leads)) return said
  }
  return undefined
}

function findVisibleProductNumber({ scan: { numbers }, labelled }: ProductSources): string | undefined {
  const here = numbers.filter(({ away, text }) => !away && /\d/.test(text) && text.length < 60)
  // A surrounding box may have the same name ("stock-sku"), so the marked or shortest text is used.
  const found =
    here.find(({ element }) => element.attribs.itemprop === 'sku') ??
    here.filter(({ text }) => here[0]!.text.includes(text)).sort((a, b) => a.text.length - b.text.length)[0]
  const text = found?.text.replace(/^.*?[:#]\s*/, '').replace(/^(?:sku|mpn|art\.?-?nr\.?|ref\.?|item)\s+/i, '')
  return text || labelled().number
}

/** State has the whole gallery; data often only its first image, which then precedes the visible ones. */
function findProductPictures(sources: ProductSources, state: ProductDraft | undefined): ProductPicture[] {
  const { linked, scan, heading, resolve } = sources
  const gallery = findProductImages(scan, heading, resolve)
  const alts = new Map(gallery.flatMap(({ url, alt }) => (alt ? [[removeSizeFromImageUrl(url), alt]] : [])))
  const listed = state?.images?.length ? state.images : (linked?.images ?? [])
  const known = new Set(listed.map(({ url }) => removeSizeFromImageUrl(url)))
  const rest = listed.length > 1 ? [] : gallery.filter(({ url }) => !known.has(removeSizeFromImageUrl(url)))
  return [...listed, ...rest].slice(0, MAX_IMAGES).map(({ url, alt }) => {
    const text = alt ?? alts.get(removeSizeFromImageUrl(url))
    return { url, ...(text ? { alt: text } : {}) }
  })
}

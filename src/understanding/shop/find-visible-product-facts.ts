// Visible facts besides the price: stock, product number, images.

import type { ProductSources } from './collect-product-sources.ts'
import { findProductImages, removeSizeFromImageUrl } from './find-product-images.ts'
import { buyButtonPattern, parseStockText, preorderButtonPattern, type Stock } from './parse-stock.ts'
import { MAX_IMAGES, type ProductDraft, type ProductPicture } from './product-draft.ts'

/** Stock text near the product; an enabled buy button means in stock. */
export function findShownStock({ scan, heading, labelled }: ProductSources): Stock | undefined {
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

export function findVisibleProductNumber({ scan: { numbers }, labelled }: ProductSources): string | undefined {
  const here = numbers.filter(({ away, text }) => !away && /\d/.test(text) && text.length < 60)
  // A surrounding box may have the same name ("stock-sku"), so the marked or shortest text is used.
  const found =
    here.find(({ element }) => element.attribs.itemprop === 'sku') ??
    here.filter(({ text }) => here[0]!.text.includes(text)).sort((a, b) => a.text.length - b.text.length)[0]
  const text = found?.text.replace(/^.*?[:#]\s*/, '').replace(/^(?:sku|mpn|art\.?-?nr\.?|ref\.?|item)\s+/i, '')
  return text || labelled().number
}

/** State has the whole gallery; data often only its first image, which then precedes the visible ones. */
export function findProductPictures(sources: ProductSources, state: ProductDraft | undefined): ProductPicture[] {
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

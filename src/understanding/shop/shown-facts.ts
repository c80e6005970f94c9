// Visible facts besides the price: stock, product number, images.

import { galleryOf, stemOf } from './gallery.ts'
import { type Draft, MAX_IMAGES, type ProductPicture } from './product-draft.ts'
import type { Sources } from './sources.ts'
import { buyWords, preorderWords, type Stock, stockWords } from './stock.ts'

/** Stock text near the product; an enabled buy button means in stock. */
export function shownStock({ scan, heading, labelled }: Sources): Stock | undefined {
  const start = heading?.at ?? 0
  const near = <T extends { at: number; away: boolean }>(list: readonly T[]) =>
    list.filter(({ at, away }) => !away && at > start - 100 && at - start < 900)
  const buttons = near(scan.buttons).filter(({ text }) => text.length < 60)
  const buys = buttons.find(({ text, disabled }) => buyWords.test(text) && !disabled)
  const marked = near(scan.stock)
  for (const { text, element } of marked) {
    const said = text && text.length < 120 ? stockWords(text) : undefined
    // Themes include a `Sold out` badge in every page and show it when it applies.
    if (said && !(buys && !said.inStock && BADGE.test(element.attribs.class ?? '')))
      return { ...said, text: innermost(said, marked) }
  }
  const { stock } = labelled()
  const stockText = stock ? stockWords(stock) : undefined
  if (stockText) return stockText
  const early = buttons.find(({ text }) => preorderWords.test(text))
  if (early && !buys) return { inStock: false, text: early.text }
  const gone = buttons.map(({ text }) => stockWords(text)).find((said) => said?.inStock === false)
  if (gone && !buys) return gone
  const noted = nearButton(scan.notes, buttons.find(({ text }) => buyWords.test(text))?.at ?? heading?.at)
  if (noted) return noted
  return buys ? { inStock: true, text: '' } : undefined
}

const BADGE = /badge|label|flag|ribbon|sticker|(?:^|[\s_-])tag(?:$|[\s_-])/i

/** A box named after stock may contain more than the stock text: the price, another such box. */
function innermost({ inStock, text }: Stock, marked: readonly { text: string }[]): string {
  let best = text
  for (const { text: other } of marked)
    if (other && other.length < best.length && best.includes(other) && stockWords(other)?.inStock === inStock)
      best = other
  return best
}

/** A short text beside the button that is only about stock. */
function nearButton(notes: Sources['scan']['notes'], place: number | undefined): Stock | undefined {
  if (place === undefined) return undefined
  for (const { at, text } of notes) {
    if (Math.abs(at - place) > 60) continue
    const said = stockWords(text)
    if (said && (said.words * 2 >= text.length || said.leads)) return said
  }
  return undefined
}

export function shownNumber({ scan: { numbers }, labelled }: Sources): string | undefined {
  const here = numbers.filter(({ away, text }) => !away && /\d/.test(text) && text.length < 60)
  // A surrounding box may have the same name ("stock-sku"), so the marked or shortest text is used.
  const found =
    here.find(({ element }) => element.attribs.itemprop === 'sku') ??
    here.filter(({ text }) => here[0]!.text.includes(text)).sort((a, b) => a.text.length - b.text.length)[0]
  const text = found?.text.replace(/^.*?[:#]\s*/, '').replace(/^(?:sku|mpn|art\.?-?nr\.?|ref\.?|item)\s+/i, '')
  return text || labelled().number
}

/** State has the whole gallery; data often only its first image, which then precedes the visible ones. */
export function productPictures(sources: Sources, state: Draft | undefined): ProductPicture[] {
  const { linked, scan, heading, resolve } = sources
  const gallery = galleryOf(scan, heading, resolve)
  const alts = new Map(gallery.flatMap(({ url, alt }) => (alt ? [[stemOf(url), alt]] : [])))
  const listed = state?.images?.length ? state.images : (linked?.images ?? [])
  const known = new Set(listed.map(({ url }) => stemOf(url)))
  const rest = listed.length > 1 ? [] : gallery.filter(({ url }) => !known.has(stemOf(url)))
  return [...listed, ...rest].slice(0, MAX_IMAGES).map(({ url, alt }) => {
    const text = alt ?? alts.get(stemOf(url))
    return { url, ...(text ? { alt: text } : {}) }
  })
}

// The product of a page, laid together from all that is said of it: data before state, state before what is only shown,
// and the page's own words where data are silent. Nothing is made up: a field nobody names is left out.
import { isWeb } from '../address.ts'
import { type Money, writeMoney } from '../money.ts'
import { collapse, textOf } from '../tree.ts'
import { combined } from './choices.ts'
import { type Draft, MAX_IMAGES, MAX_VARIANTS, type Picture, proseOf, type VariantDraft, wordOf } from './draft.ts'
import { galleryOf, stemOf } from './gallery.ts'
import { shortTitle } from './linked.ts'
import { formattedAs } from './price.ts'
import { type ShopView, type Sources, sourcesOf } from './sources.ts'
import { buyWords, type Stock, stockWords } from './stock.ts'

export interface Variant {
  id?: string
  sku?: string
  title?: string
  values?: Record<string, string>
  price?: Money
  sale?: { originalPrice: Money }
  availability: { inStock: boolean; text?: string }
  images?: Picture[]
}

export interface Product {
  title: string
  brand?: string
  category?: string
  url: string
  description?: string
  variants: Variant[]
}

export interface ProductReading {
  /** Absent: the page has none. */
  product?: Product
  warnings: string[]
}

export function productOf(view: ShopView): ProductReading {
  const sources = sourcesOf(view)
  const { linked, state, heading, form } = sources
  const title = withoutSite(
    linked?.title ?? state?.draft.title ?? heading?.text ?? wordOf(view.metadata.ogTitle),
    heading?.text,
  )
  if (sources.evidence.length === 0 || !title) return { warnings: ['No product found on this page.'] }
  const { metadata, url } = view
  const brand =
    linked?.brand ??
    state?.draft.brand ??
    shownBrand(sources) ??
    wordOf(metadata['product:brand'] ?? metadata['og:brand'])
  const category = categoryOf(sources, title, wordOf(metadata.ogSiteName))
  const description = [
    linked?.description,
    state?.draft.description,
    proseOf(metadata.ogDescription),
    proseOf(metadata.description),
  ].find((text) => text !== undefined && text.length > 3)
  const variants = variantsOf(sources, title, metadata)
  const left = (form ?? state?.draft ?? linked)?.left ?? 0
  const product: Product = {
    title,
    ...(brand ? { brand } : {}),
    ...(category ? { category } : {}),
    url: wordOf(metadata.canonical) ?? linked?.url ?? url,
    ...(description ? { description } : {}),
    variants,
  }
  const warnings =
    left > 0 ? [`The product has ${MAX_VARIANTS + left} variants; the first ${MAX_VARIANTS} are listed.`] : []
  return { product, warnings }
}

/** Data repeat the window's title at times, `White Mug — Ghost Wares`; the heading does not. */
function withoutSite(title: string | undefined, heading: string | undefined): string | undefined {
  if (!title || !heading || !title.toLowerCase().startsWith(heading.toLowerCase())) return title
  return /^\s+[—–|·-]\s+\S/.test(title.slice(heading.length)) ? title.slice(0, heading.length) : title
}

function shownBrand({ scan: { brands }, heading }: Sources): string | undefined {
  const near = brands.filter(
    ({ away, at, text, element }) =>
      !away && text && text.length <= 50 && element.name !== 'button' && (!heading || Math.abs(at - heading.at) < 80),
  )
  return near[0]?.text.replace(/^(?:by|brand|marke|marque|marca|von|de|hersteller|vendor)\s*:?\s+/i, '') || undefined
}

const HOME =
  /^(?:home|homepage|start|startseite|accueil|inicio|início|hem|hjem|etusivu|kezdőlap|főoldal|strona główna|domů|главная|ホーム|トップ|首页|首頁|홈|shop|store|all|all products|products)$/i

function categoryOf(
  { linked, state, crumbs, scan, hint }: Sources,
  title: string,
  site: string | undefined,
): string | undefined {
  if (linked?.category && !/^\d+$/.test(linked.category)) return linked.category
  const shown = crumbs.length > 0 ? crumbs : state?.draft.path?.length ? state.draft.path : shownCrumbs(scan)
  const tight = (text: string) => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')
  const own = [title, site ?? '', hint.host?.replace(/^www\.|\.\w+$/g, '') ?? ''].map(tight)
  const path = shown.filter(
    (name, n) => !HOME.test(name) && !own.includes(tight(name)) && !(n === 0 && isHost(name, hint.host)),
  )
  return path.join(' > ') || state?.draft.category
}

/** `BH Photo` at bhphotovideo.com. */
const isHost = (name: string, host = ''): boolean =>
  name.length > 3 && host.replace(/^www\./, '').startsWith(name.toLowerCase().replace(/[^a-z0-9]/g, ''))

function shownCrumbs({ crumbs }: Sources['scan']): string[] {
  const [box] = crumbs
  if (!box) return []
  const text = collapse(textOf(box.element, 1000))
  const linked = linksIn(box.element)
  return linked.length > 0 ? linked : text.length < 200 ? text.split(/\s*[>»›/|]\s*/).filter(Boolean) : []
}

function linksIn(root: Sources['scan']['crumbs'][number]['element']): string[] {
  const names: string[] = []
  const open = [...root.children].reverse()
  for (let steps = 0; open.length > 0 && steps < 500 && names.length < 20; steps++) {
    const node = open.pop()
    if (!node || !('children' in node)) continue
    if ('name' in node && node.name === 'a') {
      const name = collapse(textOf(node, 100))
      if (name) names.push(name)
    } else open.push(...[...node.children].reverse())
  }
  return names
}

/** The list of variants that says most, each filled up with what the others know of it. */
function variantsOf(sources: Sources, title: string, metadata: ShopView['metadata']): Variant[] {
  const { linked, form, choices } = sources
  const state = scaled(sources)
  const lists = [form, state, linked].map((draft) => draft?.variants ?? [])
  const fullest = lists.find((list) => list.length > 1)
  const chosen = fullest ? [] : combined(choices)
  const single = merged(lists.flat())
  const base = fullest ?? (chosen.length > 1 ? chosen.map((one) => inherit(one, single)) : [single])
  const others = lists.filter((list) => list !== fullest).flat()
  const shown = shownStock(sources)
  const pictures = productPictures(sources, state)
  return base.map((draft) => {
    const twin = fullest ? others.find((other) => sameVariant(draft, other)) : undefined
    const full = twin ? merged([draft, twin]) : draft
    return finished(full, {
      sources,
      metadata,
      title,
      alone: base.length === 1,
      count: base.length,
      stock: shown,
      pictures,
    })
  })
}

/** A state in cents becomes one in whole coins, where the page or the data show that it is one. */
function scaled({ state, scan, linked }: Sources): Draft | undefined {
  if (!state) return undefined
  const amounts = state.draft.variants.flatMap(({ price }) => (price ? [price.amount] : []))
  const shown = new Set(scan.amounts.map(({ money }) => money.amount))
  for (const { price } of linked?.variants ?? []) if (price) shown.add(price.amount)
  const whole = amounts.some((amount) => shown.has(amount))
  const hundredth = amounts.some((amount) => shown.has(amount / 100))
  if (!state.cents || (whole && !hundredth) || (!hundredth && state.by !== 'Shopify')) return state.draft
  const less = (money: Money | undefined) => money && { ...money, amount: Math.round(money.amount) / 100 }
  return {
    ...state.draft,
    variants: state.draft.variants.map((one) => ({ ...one, price: less(one.price), was: less(one.was) })),
  }
}

/** What several say of one variant: the first to speak is believed. */
function merged(drafts: readonly VariantDraft[]): VariantDraft {
  const made: VariantDraft = {}
  for (const draft of drafts)
    for (const [key, value] of Object.entries(draft) as [keyof VariantDraft, never][])
      if (value !== undefined && made[key] === undefined) made[key] = value
  const priced = drafts.find(({ price }) => price)
  const stocked = drafts.find(({ inStock }) => inStock !== undefined)
  const text = drafts.find(({ inStock, stockText }) => stockText && inStock === stocked?.inStock)?.stockText
  // The price before belongs to the price it stands beside, and words on stock to the fact they speak of.
  return { ...made, ...(priced?.was ? { was: priced.was } : {}), stockText: text }
}

function inherit(one: VariantDraft, whole: VariantDraft): VariantDraft {
  const own =
    whole.values && Object.entries(whole.values).every(([name, value]) => one.values?.[name] === value)
      ? whole
      : undefined
  const { price, was, inStock, stockText } = whole
  return {
    price,
    was: one.price ? undefined : was,
    ...(one.inStock === false ? {} : { inStock, stockText }),
    ...(own ? { id: own.id, sku: own.sku } : {}),
    ...drop(one),
  }
}

const drop = (draft: VariantDraft): VariantDraft =>
  Object.fromEntries(Object.entries(draft).filter(([, value]) => value !== undefined))

const sameVariant = (a: VariantDraft, b: VariantDraft): boolean =>
  (a.sku !== undefined && a.sku === b.sku) ||
  (a.id !== undefined && (a.id === b.id || a.id === b.sku)) ||
  (a.sku !== undefined && a.sku === b.id) ||
  (a.title !== undefined && a.title === b.title)

interface Finish {
  sources: Sources
  metadata: ShopView['metadata']
  title: string
  alone: boolean
  count: number
  stock: Stock | undefined
  pictures: readonly Picture[]
}

function finished(draft: VariantDraft, { sources, metadata, title, alone, count, stock, pictures }: Finish): Variant {
  const { shown, hint } = sources
  const price = priced(draft.price ?? metaPrice(metadata) ?? shown.price, sources)
  const shownWas = price && shown.price?.amount === price.amount ? shown.was : undefined
  const was = draft.was && price && draft.was.amount > price.amount ? draft.was : shownWas
  const original = was && price && priced({ ...was, ...(price.currency ? { currency: price.currency } : {}) }, sources)
  const short = shortTitle(draft.title, title)
  const name = short === title && draft.values && !alone ? Object.values(draft.values).join(' / ') : short
  const images = imagesFor(draft, pictures, alone, count)
  const inStock = draft.inStock ?? stock?.inStock ?? true
  const said = stock?.inStock === inStock && (alone || draft.inStock === undefined) ? stock.text : undefined
  const text = said || (draft.inStock === inStock ? draft.stockText : undefined)
  return {
    ...(draft.id ? { id: draft.id } : {}),
    ...(draft.sku ? { sku: draft.sku } : alone && shownNumber(sources) ? { sku: shownNumber(sources)! } : {}),
    ...(name && !(alone && name === title) ? { title: name } : {}),
    ...(draft.values ? { values: { ...draft.values } } : {}),
    ...(price ? { price: written(price, hint.language) } : {}),
    ...(original && price ? { sale: { originalPrice: written(original, hint.language) } } : {}),
    availability: { inStock, ...(text ? { text } : {}) },
    ...(images.length > 0 ? { images } : {}),
  }
}

function metaPrice(metadata: ShopView['metadata']): Money | undefined {
  const text = wordOf(
    metadata['product:sale_price:amount'] ?? metadata['product:price:amount'] ?? metadata['og:price:amount'],
  )
  const amount =
    text && /^\d{1,10}(?:\.\d{1,4})?$/.test(text.replaceAll(',', '')) ? Number(text.replaceAll(',', '')) : undefined
  return amount ? { amount } : undefined
}

/** The amount with its currency and the way the page writes it, when it shows it. */
function priced(money: Money | undefined, { scan, hint, shown }: Sources): Money | undefined {
  if (!money) return undefined
  const currency = money.currency ?? hint.currency ?? shown.price?.currency
  const whole: Money = { amount: money.amount, ...(currency ? { currency } : {}) }
  const formatted = money.formatted ?? formattedAs(scan.amounts, whole)
  return formatted ? { ...whole, formatted } : whole
}

function written(money: Money, language: string | undefined): Money {
  const formatted = money.formatted ?? writeMoney(money, language)
  return formatted ? { ...money, formatted } : money
}

/** What the page says about stock near the product; a button that buys says that there is some. */
function shownStock({ scan, heading }: Sources): Stock | undefined {
  const start = heading?.at ?? 0
  const near = <T extends { at: number; away: boolean }>(list: readonly T[]) =>
    list.filter(({ at, away }) => !away && at > start - 100 && at - start < 900)
  const buttons = near(scan.buttons).filter(({ text }) => text.length < 60)
  const buys = buttons.find(({ text, disabled }) => buyWords.test(text) && !disabled)
  for (const { text, element } of near(scan.stock)) {
    const said = text && text.length < 120 ? stockWords(text) : undefined
    // Themes keep a badge `Sold out` in every page and show it when it is true.
    if (said && !(buys && !said.inStock && /badge/i.test(element.attribs.class ?? ''))) return said
  }
  const gone = buttons.map(({ text }) => stockWords(text)).find((said) => said?.inStock === false)
  if (gone && !buys) return gone
  const noted = nearButton(scan.notes, buttons.find(({ text }) => buyWords.test(text))?.at ?? heading?.at)
  if (noted) return noted
  return buys ? { inStock: true, text: '' } : undefined
}

/** A few words beside the button that say nothing but whether there is stock. */
function nearButton(notes: Sources['scan']['notes'], place: number | undefined): Stock | undefined {
  if (place === undefined) return undefined
  for (const { at, text } of notes) {
    if (Math.abs(at - place) > 60) continue
    const said = stockWords(text)
    if (said && said.words * 2 >= text.length) return said
  }
  return undefined
}

function shownNumber({ scan: { numbers } }: Sources): string | undefined {
  const [found] = numbers.filter(({ away, text }) => !away && /\d/.test(text) && text.length < 60)
  return found?.text.replace(/^.*?[:#]\s*/, '').replace(/^(?:sku|mpn|art\.?-?nr\.?|ref\.?|item)\s+/i, '') || undefined
}

/** State has the whole gallery; data often only its first picture, which then leads the ones that are shown. */
function productPictures(sources: Sources, state: Draft | undefined): Picture[] {
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

/** Pictures of its own, or those of the product; many variants share few, or the answer would be all pictures. */
function imagesFor(
  { images = [] }: VariantDraft,
  pictures: readonly Picture[],
  alone: boolean,
  count: number,
): Picture[] {
  if (!alone && images.length > 0) return [...images]
  const known = new Set(images.map(({ url }) => stemOf(url)))
  const all = [...images, ...pictures.filter(({ url }) => !known.has(stemOf(url)))].filter(({ url }) => isWeb(url))
  return all.slice(0, count <= 10 ? MAX_IMAGES : 3)
}

// Products in the state that a page leaves for its scripts. Shop systems differ in the names of their properties, which
// product-keys.json lists; an object with a name and a price, or with priced variants, is a product.
import { parseJson } from '../../base/attempt.ts'
import { isObject } from '../../base/values.ts'
import { normalizeCurrencyCode } from '../currencies.ts'
import type { ScriptState } from '../facts/read-json-ld.ts'
import type { Money } from '../money.ts'
import { parseStockTerm, parseStockText } from './parse-stock.ts'
import {
  asBoolean,
  asList,
  type LooseObject,
  MAX_VARIANTS,
  type ProductDraft,
  type ProductPicture,
  toTextOrName,
  toTextWithoutMarkup,
  type VariantDraft,
} from './product-draft.ts'
import productKeys from './product-keys.json' with { type: 'json' }
import { capitalize, type ProductContext, parsePrice, readPictures } from './read-structured-product.ts'

export interface ScriptStateProduct {
  draft: ProductDraft
  /** The last part of the product's URL, if the state has it. */
  handle?: string | undefined
  /** Whole numbers may be cents; Shopify's templates write nothing else. */
  cents: 'no' | 'maybe' | 'sure'
  /** The object names its variants or options, so it is no teaser of another product. */
  isDetailed: boolean
}

type KeyList = Exclude<keyof typeof productKeys, 'source'>
const KEYS = Object.fromEntries(
  Object.entries(productKeys).map(([list, names]) => [list, names.split(' ')]),
) as unknown as Readonly<Record<KeyList, readonly string[]>>

const MAX_OBJECTS = 40_000
const MAX_CANDIDATES = 60
const MAX_OPTIONS = 20

const normalKeys = new Map<string, string>()
const normalKey = (key: string): string => {
  const known = normalKeys.get(key)
  if (known !== undefined) return known
  const made = key.replaceAll('_', '').replaceAll('-', '').toLowerCase()
  if (normalKeys.size < 20_000) normalKeys.set(key, made)
  return made
}

/** The first property of a list that `read` accepts. */
function pick<T>(object: LooseObject, list: KeyList, read: (value: unknown, key: string) => T | undefined) {
  const own = new Map<string, unknown>()
  for (const [key, value] of Object.entries(object).slice(0, 200))
    if (value !== null && value !== undefined && value !== '') own.set(normalKey(key), value)
  for (const key of KEYS[list]) {
    const found = own.has(key) ? read(own.get(key), key) : undefined
    if (found !== undefined) return found
  }
  return undefined
}

const has = (object: LooseObject, list: KeyList): boolean => pick(object, list, () => true) === true
const textIn = (value: unknown): string | undefined =>
  typeof value === 'string' ? toTextWithoutMarkup(value) : undefined

/** Breadth first with an object limit, so that ten megabytes of state take no longer than one. */
export function readScriptStateProducts(states: readonly ScriptState[], context: ProductContext): ScriptStateProduct[] {
  const found: ScriptStateProduct[] = []
  const open: unknown[] = states.map(({ value }) => value)
  for (let at = 0, looked = 0; at < open.length && looked < MAX_OBJECTS && found.length < MAX_CANDIDATES; at++) {
    const one = Array.isArray(open[at]) ? { variants: open[at] } : open[at]
    if (!isObject(one)) continue
    looked++
    const draft = magentoProduct(one, context) ?? stateProduct(one, context)
    if (draft) found.push(draft)
    // A product contains no other, unless it is a list of products.
    if (draft?.isDetailed) continue
    for (const inner of Array.isArray(open[at]) ? (open[at] as unknown[]).slice(0, 2000) : Object.values(one)) {
      if (inner !== null && typeof inner === 'object') open.push(inner)
      // Nested state: JSON text in a property.
      else if (typeof inner === 'string' && inner.length > 200 && inner.length < 500_000 && /^\s*[{[]/.test(inner)) {
        const parsed = parseJsonObject(inner)
        if (parsed) open.push(parsed)
      }
    }
  }
  return found
}

export function parseJsonObject(text: string): object | undefined {
  const value = parseJson(text)
  return value !== null && typeof value === 'object' ? value : undefined
}

function stateProduct(value: LooseObject, context: ProductContext): ScriptStateProduct | undefined {
  const inner = isObject(value.product_attributes) ? value.product_attributes : value
  const title = pick(inner, 'name', textIn)
  if (title !== undefined && title.length > 300) return undefined
  const members = membersOf(inner, context)
  const base = variantOf(inner, [], context)
  const isNamed = title !== undefined || (members ? isPicker(members) : inner !== value)
  if (!isNamed || (!members && !isDescribed(inner, base))) return undefined
  const names = asList(value.options).flatMap((one) => toTextOrName(one) ?? [])
  const variants = members?.slice(0, MAX_VARIANTS).map((one) => {
    const own = variantOf(one, names, context)
    return { ...own, price: own.price ?? base.price, was: own.was ?? (own.price ? undefined : base.was) }
  })
  return {
    handle: pick(inner, 'handle', toTextOrName),
    cents: centsIn(variants ?? [base], members?.[0]),
    isDetailed: (members !== undefined && isPicker(members)) || base.values !== undefined || inner !== value,
    draft: {
      title: title ?? (members && nameOfVariants(members[0]!)),
      brand: pick(inner, 'brand', toTextOrName),
      category: pick(inner, 'category', (one) => (typeof one === 'number' ? undefined : toTextOrName(one))),
      description: pick(inner, 'text', textIn),
      path: pick(inner, 'path', pathIn),
      images: base.images,
      variants: variants ?? [{ ...base, title: base.values ? base.title : undefined }],
      left: Math.max(0, (members?.length ?? 0) - MAX_VARIANTS),
    },
  }
}

/** A price alone is not a product. */
function isDescribed(value: LooseObject, { price }: VariantDraft): boolean {
  const told = (['text', 'images', 'brand', 'sku', 'stock'] as const).filter((list) => has(value, list)).length
  return price !== undefined && told >= 2
}

function centsIn(variants: readonly VariantDraft[], first: LooseObject | undefined): ScriptStateProduct['cents'] {
  const amounts = variants.flatMap(({ price }) => (price ? [price.amount] : []))
  const isWhole = amounts.length > 0 && amounts.every((amount) => Number.isInteger(amount) && amount >= 100)
  return !isWhole ? 'no' : first && 'compare_at_price' in first ? 'sure' : 'maybe'
}

/** Entries that have a price and something that tells them apart. */
function membersOf(value: LooseObject, context: ProductContext): LooseObject[] | undefined {
  return pick(value, 'variants', (list) => {
    const members = entries(list)
    const isMember = (one: LooseObject) =>
      moneyIn(one, 'price', context) !== undefined && (has(one, 'id') || has(one, 'sku'))
    return members.slice(0, 5).some(isMember) ? members : undefined
  })
}

const isPicker = ([first]: readonly LooseObject[]): boolean =>
  first !== undefined && (has(first, 'options') || 'option1' in first)

function entries(value: unknown): LooseObject[] {
  if (Array.isArray(value)) return value.filter(isObject)
  if (!isObject(value)) return []
  const list = [value.edges, value.nodes, value.items].find(Array.isArray) ?? []
  return list.filter(isObject).map((one: LooseObject) => (isObject(one.node) ? one.node : one))
}

/** Shopify's `meta.product` has the title only as part of each variant's name. */
function nameOfVariants(variant: LooseObject): string | undefined {
  const [name, rest] = [toTextOrName(variant.name), toTextOrName(variant.public_title) ?? toTextOrName(variant.title)]
  return name && rest && name.endsWith(` - ${rest}`) ? name.slice(0, -rest.length - 3) : name
}

function variantOf(value: LooseObject, names: readonly string[], context: ProductContext): VariantDraft {
  const values = optionValues(value, names)
  const full = moneyIn(value, 'price', context)
  const reduced = full && pick(value, 'onSale', asBoolean) !== false ? moneyIn(value, 'reduced', context) : undefined
  const isReduced = reduced !== undefined && reduced.amount > 0 && reduced.amount < full!.amount
  const price = isReduced ? reduced : full
  const was = moneyIn(value, 'was', context) ?? nestedWas(value, context) ?? (isReduced ? full : undefined)
  const note = pick(value, 'stockText', textIn)
  const joined = values && Object.values(values).join(' / ')
  const title = toTextOrName(value.public_title) ?? pick(value, 'name', textIn) ?? joined
  return {
    id: pick(value, 'id', idOf),
    sku: pick(value, 'sku', (one) => (isObject(one) ? undefined : toTextOrName(one))),
    title: title === DEFAULT_TITLE ? undefined : title,
    values,
    price,
    was: was && price && was.amount > price.amount ? was : undefined,
    ...stockOf(value),
    ...(note ? { stockText: note.length <= 60 ? note : parseStockText(note)?.text } : {}),
    images: pick(value, 'images', (one) => picturesIn(one, context)),
  }
}

const DEFAULT_TITLE = 'Default Title'

/** `[{ name: 'Lamps' }, { name: 'Lanterns' }]` */
function pathIn(value: unknown): string[] | undefined {
  const names = Array.isArray(value) && value.length <= 8 ? value.flatMap((one) => toTextOrName(one) ?? []) : []
  return names.length > 0 ? names : undefined
}

const idOf = (value: unknown): string | undefined => {
  const id = toTextOrName(value)?.replace(/^gid:\/\/[\w/]+\//, '')
  return id === '' || id === '0' ? undefined : id
}

function picturesIn(value: unknown, context: ProductContext): ProductPicture[] | undefined {
  const inner = entries(value)
  const list = (inner.length > 0 ? inner : asList(value)).map((one) => {
    if (!isObject(one)) return one
    const image = [one.image, one.large, one.preview_image].find(isObject) ?? one
    const url = pick(image, 'imageUrl', (address) => (typeof address === 'string' ? address : undefined))
    return { url, caption: pick(one, 'imageText', toTextOrName) ?? pick(image, 'imageText', toTextOrName) }
  })
  const found = readPictures(list, context)
  return found.length > 0 ? found : undefined
}

/** Option values: pairs of name and value, a map of them, or values in the order of the product's option names. */
function optionValues(value: LooseObject, names: readonly string[]): Record<string, string> | undefined {
  const values: Record<string, string> = {}
  const add = (name: string | undefined, word: string | undefined) => {
    if (name && word && word !== DEFAULT_TITLE) values[name] = word
  }
  pick(value, 'options', (given) => {
    const all = Object.entries(isObject(given) || Array.isArray(given) ? given : {})
    for (const [key, one] of all.slice(0, MAX_OPTIONS)) {
      if (isObject(one))
        add(capitalize(pick(one, 'optionName', toTextOrName) ?? ''), pick(one, 'optionValue', toTextOrName))
      else if (!Array.isArray(given)) add(...formOption(key, toTextOrName(one) ?? ''))
      else if (names.length > 0) add(names[Number(key)], toTextOrName(one))
    }
    return Object.keys(values).length > 0 ? true : undefined
  })
  if (Object.keys(values).length === 0)
    for (const [n, one] of [value.option1, value.option2, value.option3].entries())
      add(names[n] ?? `Option ${n + 1}`, toTextOrName(one))
  if (Object.keys(values).length === 0)
    for (const key of KEYS.plainOptions) {
      const word = toTextOrName(value[key])
      if (word && word.length < 80) add(capitalize(key), word)
    }
  return Object.keys(values).length > 0 ? values : undefined
}

/** Forms name options by keys of their own: `attribute_pa_color`, `sea-blue`. */
function formOption(key: string, value: string): [name: string, value: string] {
  const name = key.replace(/^attribute_(?:pa_)?/, '').replace(/[-_]+/g, ' ')
  const isSlug = key.startsWith('attribute_') && /^[a-z\d]+(?:-[a-z\d]+)*$/.test(value)
  return [capitalize(name), isSlug ? value.split('-').map(capitalize).join(' ') : value]
}

const currencyIn = (value: LooseObject): string | undefined =>
  pick(value, 'currency', (one) => normalizeCurrencyCode(toTextOrName(isObject(one) ? (one.iso_code ?? one) : one)))

function moneyIn(value: LooseObject, list: KeyList, context: ProductContext): Money | undefined {
  const code = currencyIn(value)
  return pick(value, list, (one) => loosePrice(one, code, context, 0))
}

function loosePrice(
  value: unknown,
  code: string | undefined,
  context: ProductContext,
  depth: number,
): Money | undefined {
  if (typeof value === 'number' || typeof value === 'string') return parsePrice(value, code, context)
  if (!isObject(value) || depth > 2) return undefined
  const own = currencyIn(value) ?? code
  if (typeof value.centAmount === 'number') {
    const digits = typeof value.fractionDigits === 'number' ? Math.min(4, Math.max(0, value.fractionDigits)) : 2
    return parsePrice(value.centAmount / 10 ** digits, own, context)
  }
  return pick(value, 'amount', (one) => loosePrice(one, own, context, depth + 1))
}

/** `price: { current: 20, original: 30 }` */
const nestedWas = (value: LooseObject, context: ProductContext): Money | undefined =>
  pick(value, 'price', (one) =>
    isObject(one) ? (moneyIn(one, 'nestedWas', context) ?? moneyIn(one, 'was', context)) : undefined,
  )

function stockOf(value: LooseObject): Pick<VariantDraft, 'inStock' | 'stockText'> {
  if (pick(value, 'unlimited', asBoolean) === true) return { inStock: true }
  const truth = (one: unknown) => (typeof one === 'number' ? one > 0 : asBoolean(one))
  const found = pick(value, 'stock', (one, key) => {
    const isThere = truth(one)
    if (isThere !== undefined) return { inStock: key.includes('sold') ? !isThere : isThere }
    const stock = parseStockTerm(toTextOrName(one))
    if (stock) return { inStock: stock.inStock, stockText: stock.text }
    const inside = isObject(one) ? pick(one, 'stockInside', truth) : undefined
    return inside === undefined ? undefined : { inStock: inside }
  })
  return found ?? {}
}

/** Magento's configurable product: options by attribute, prices, images and stock by product id. */
function magentoProduct(value: LooseObject, context: ProductContext): ScriptStateProduct | undefined {
  const { attributes, optionPrices } = value
  if (!isObject(attributes) || !isObject(optionPrices)) return undefined
  const table = (one: unknown): LooseObject => (isObject(one) ? one : {})
  const [skus, images, salable] = [table(value.skus ?? value.sku), table(value.images), table(value.salable)]
  const ids = Object.keys(optionPrices)
  const variants = ids.slice(0, MAX_VARIANTS).map((id): VariantDraft => {
    const prices = table(optionPrices[id])
    const values: Record<string, string> = {}
    let inStock: boolean | undefined
    for (const [attribute, one] of Object.entries(attributes)) {
      if (!isObject(one)) continue
      const chosen = toTextOrName(table(table(value.index)[id])[attribute])
      const option = asList(one.options)
        .filter(isObject)
        .find((entry) => toTextOrName(entry.id) === chosen || asList(entry.products).map(toTextOrName).includes(id))
      if (!option) continue
      values[toTextOrName(one.label) ?? capitalize(toTextOrName(one.code) ?? attribute)] =
        toTextOrName(option.label) ?? ''
      const sold = table(salable[attribute])[toTextOrName(option.id) ?? '']
      if (sold !== undefined) inStock = asList(sold).map(toTextOrName).includes(id)
    }
    const price = (one: unknown) => loosePrice(one, undefined, context, 0)
    return {
      id,
      sku: toTextOrName(skus[id]),
      title: Object.values(values).join(' / ') || undefined,
      values: Object.keys(values).length > 0 ? values : undefined,
      price: price(prices.finalPrice),
      was: price(prices.oldPrice ?? prices.baseOldPrice),
      inStock: asBoolean(table(table(value.stockInfo)[id]).is_in_stock) ?? inStock,
      images: picturesIn(
        asList(images[id]).map((one) => (isObject(one) ? { url: one.full ?? one.img, caption: one.caption } : one)),
        context,
      ),
    }
  })
  return { cents: 'no', isDetailed: true, draft: { variants, left: Math.max(0, ids.length - MAX_VARIANTS) } }
}

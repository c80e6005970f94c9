// A product in the state of a custom shop (Next, Nuxt and similar), which has no fixed format: an object with a name
// and a price, or with priced variants, is a product.
import { currencyCode } from '../currencies.ts'
import type { Money } from '../money.ts'
import { type Draft, isLoose, type Loose, MAX_VARIANTS, proseOf, truthOf, type VariantDraft, wordOf } from './draft.ts'
import { capital, type ProductContext, picturesOf, priceOf } from './linked.ts'
import type { ShopReader } from './shop-systems.ts'
import { stockTerm } from './stock.ts'

const NAME = ['title', 'name', 'productName', 'displayName', 'product_name']
const BRAND = ['brand', 'vendor', 'manufacturer', 'brandName', 'brand_name']
const CATEGORY = ['category', 'productType', 'product_type', 'categoryName', 'primaryCategory']
const TEXT = ['description', 'shortDescription', 'descriptionHtml', 'longDescription', 'body', 'summary']
const PRICE = [
  'price',
  'currentPrice',
  'salePrice',
  'sale_price',
  'finalPrice',
  'final_price',
  'sellingPrice',
  'priceV2',
  'unitPrice',
  'amount',
  'prices',
  'pricing',
]
const WAS = [
  'compareAtPrice',
  'compare_at_price',
  'compareAtPriceV2',
  'listPrice',
  'list_price',
  'originalPrice',
  'original_price',
  'regularPrice',
  'regular_price',
  'msrp',
  'rrp',
  'oldPrice',
  'wasPrice',
  'strikePrice',
  'fullPrice',
  'basePrice',
]
const STOCK = [
  'available',
  'availableForSale',
  'inStock',
  'in_stock',
  'isAvailable',
  'isInStock',
  'purchasable',
  'availability',
  'stockStatus',
  'stock_status',
  'stock',
  'quantity',
  'inventory',
  'quantityAvailable',
  'soldOut',
  'isSoldOut',
]
const SKU = ['sku', 'skuCode', 'sku_code', 'mpn', 'ean', 'gtin', 'articleNumber', 'productCode', 'code']
const ID = ['id', 'variantId', 'productId', 'skuId', '_id', 'objectID', 'uid']
const VARIANTS = [
  'variants',
  'skus',
  'variations',
  'productVariants',
  'children',
  'options_variants',
  'items',
  'products',
]
const IMAGES = [
  'images',
  'media',
  'gallery',
  'pictures',
  'photos',
  'image',
  'featuredImage',
  'imageUrl',
  'image_url',
  'thumbnail',
]
const OPTIONS = [
  'color',
  'colour',
  'size',
  'material',
  'style',
  'flavor',
  'flavour',
  'length',
  'width',
  'capacity',
  'storage',
  'finish',
  'scent',
  'weight',
]

const firstOf = <T>(
  value: Loose,
  keys: readonly string[],
  read: (value: unknown, key: string) => T | undefined,
): T | undefined => {
  for (const key of keys) {
    const found = value[key] === undefined || value[key] === null ? undefined : read(value[key], key)
    if (found !== undefined) return found
  }
  return undefined
}

/** A list, a GraphQL connection of edges or nodes, or an object of objects. */
function entries(value: unknown): Loose[] {
  if (Array.isArray(value)) return value.filter(isLoose)
  if (!isLoose(value)) return []
  if (Array.isArray(value.edges))
    return value.edges.flatMap((edge) => (isLoose(edge) && isLoose(edge.node) ? [edge.node] : []))
  if (Array.isArray(value.nodes)) return value.nodes.filter(isLoose)
  if (Array.isArray(value.items)) return value.items.filter(isLoose)
  return []
}

export const looseProduct: ShopReader = (value, context) => {
  const title = firstOf(value, NAME, (one) => (typeof one === 'string' ? proseOf(one) : undefined))
  if (title === undefined || title.length > 300) return undefined
  const price = moneyIn(value, PRICE, context)
  const members = firstOf(value, VARIANTS, (one) => {
    const list = entries(one)
    return list.length > 0 &&
      list.some((entry) => moneyIn(entry, PRICE, context) && (entry.sku ?? entry.id ?? entry.title))
      ? list
      : undefined
  })
  const statedCount = [TEXT, IMAGES, BRAND, SKU, STOCK].filter((keys) =>
    keys.some((key) => value[key] !== undefined),
  ).length
  if (!(price && statedCount >= 2) && !(members && statedCount >= 1)) return undefined
  const base = variantOf(value, context)
  const draft: Draft = {
    title,
    brand: firstOf(value, BRAND, wordOf),
    category: firstOf(value, CATEGORY, (one) => (typeof one === 'string' || isLoose(one) ? wordOf(one) : undefined)),
    description: firstOf(value, TEXT, (one) => (typeof one === 'string' ? proseOf(one) : undefined)),
    path: firstOf(value, ['categories', 'breadcrumbs', 'categoryPath'], pathIn),
    images: base.images,
    variants: members
      ? members.slice(0, MAX_VARIANTS).map((one) => {
          const own = variantOf(one, context)
          return { ...own, price: own.price ?? base.price, was: own.was ?? (own.price ? undefined : base.was) }
        })
      : [{ ...base, title: undefined }],
    left: Math.max(0, (members?.length ?? 0) - MAX_VARIANTS),
  }
  const amounts = draft.variants.flatMap(({ price }) => (price ? [price.amount] : []))
  return {
    by: 'state',
    handle: wordOf(value.handle ?? value.slug ?? value.urlKey ?? value.url_key),
    cents: amounts.length > 0 && amounts.every((amount) => Number.isInteger(amount) && amount >= 100),
    draft,
  }
}

function variantOf(value: Loose, context: ProductContext): VariantDraft {
  const images = firstOf(value, IMAGES, (one) => {
    const found = picturesOf(imageEntries(one), context)
    return found.length > 0 ? found : undefined
  })
  const values = optionValues(value)
  const full = moneyIn(value, PRICE, context)
  const reduced = reducedPrice(value, full, context)
  const price = reduced ?? full
  const was = moneyIn(value, WAS, context) ?? nestedWas(value, context) ?? (reduced ? full : undefined)
  return {
    id: firstOf(value, ID, idOf),
    sku: firstOf(value, SKU, (one) => (isLoose(one) ? undefined : wordOf(one))),
    title:
      firstOf(value, NAME, (one) => (typeof one === 'string' ? proseOf(one) : undefined)) ??
      (values && Object.values(values).join(' / ')),
    values,
    price,
    was: was && price && was.amount > price.amount ? was : undefined,
    ...stockOf(value),
    images,
  }
}

const REDUCED = [
  'discountedPrice',
  'discounted_price',
  'salePrice',
  'sale_price',
  'specialPrice',
  'special_price',
  'promoPrice',
  'promotionalPrice',
  'offerPrice',
]

/** `price` is the full price where a lower one has its own field, unless the data say that there is no sale. */
function reducedPrice(value: Loose, full: Money | undefined, context: ProductContext): Money | undefined {
  if (!full || [value.onSale, value.isOnSale, value.on_sale].some((one) => truthOf(one) === false)) return undefined
  const reduced = moneyIn(value, REDUCED, context)
  return reduced && reduced.amount > 0 && reduced.amount < full.amount ? reduced : undefined
}

/** `[{ name: 'Lamps' }, { name: 'Lanterns' }]` */
function pathIn(value: unknown): string[] | undefined {
  if (!Array.isArray(value) || value.length > 8) return undefined
  const names = value.flatMap((one) => wordOf(one) ?? [])
  return names.length > 0 ? names : undefined
}

const idOf = (value: unknown): string | undefined =>
  typeof value === 'string' ? value.replace(/^gid:\/\/[\w/]+\//, '') || undefined : wordOf(value)

function imageEntries(value: unknown): unknown[] {
  const list = Array.isArray(value) ? value : entries(value).length > 0 ? entries(value) : [value]
  return list.map((one) => {
    if (!isLoose(one)) return one
    const inner = isLoose(one.image) ? one.image : one
    return {
      url: inner.url ?? inner.src ?? inner.originalSrc ?? inner.transformedSrc ?? inner.large ?? inner.href,
      caption: inner.alt ?? inner.altText ?? inner.caption,
    }
  })
}

function optionValues(value: Loose): Record<string, string> | undefined {
  const values: Record<string, string> = {}
  for (const key of ['selectedOptions', 'attributes', 'options', 'optionValues', 'variantAttributes', 'values']) {
    const given = value[key]
    if (Array.isArray(given)) {
      for (const one of given.slice(0, 20)) {
        if (!isLoose(one)) continue
        const name = wordOf(one.name ?? one.label ?? one.optionName ?? one.code ?? one.key)
        const word = wordOf(one.value ?? one.valueName ?? one.displayValue)
        if (name && word) values[capital(name)] = word
      }
    } else if (isLoose(given)) {
      for (const [name, one] of Object.entries(given).slice(0, 20))
        if (typeof one === 'string' && one) values[capital(name)] = one
    }
    if (Object.keys(values).length > 0) return values
  }
  for (const key of OPTIONS) {
    const word = wordOf(value[key])
    if (word && word.length < 80) values[capital(key)] = word
  }
  return Object.keys(values).length > 0 ? values : undefined
}

function moneyIn(value: Loose, keys: readonly string[], context: ProductContext): Money | undefined {
  const code = currencyCode(wordOf(value.currency ?? value.currencyCode ?? value.priceCurrency ?? value.currency_code))
  return firstOf(value, keys, (one) => loosePrice(one, code, context, 0))
}

const AMOUNT = [
  'amount',
  'value',
  'current',
  'sale',
  'now',
  'final',
  'selling',
  'price',
  'regular',
  'minVariantPrice',
  'min',
  'gross',
]

function loosePrice(
  value: unknown,
  code: string | undefined,
  context: ProductContext,
  depth: number,
): Money | undefined {
  if (typeof value === 'number' || typeof value === 'string') return priceOf(value, code, context)
  if (!isLoose(value) || depth > 2) return undefined
  const own =
    currencyCode(wordOf(value.currency ?? value.currencyCode ?? value.currency_code ?? value.priceCurrency)) ?? code
  if (typeof value.centAmount === 'number') {
    const digits = typeof value.fractionDigits === 'number' ? Math.min(4, Math.max(0, value.fractionDigits)) : 2
    return priceOf(value.centAmount / 10 ** digits, own, context)
  }
  return firstOf(value, AMOUNT, (one) => loosePrice(one, own, context, depth + 1))
}

/** `price: { current: 20, original: 30 }` */
function nestedWas(value: Loose, context: ProductContext): Money | undefined {
  return firstOf(value, ['price', 'prices', 'pricing'], (one) => {
    if (!isLoose(one)) return undefined
    const code = currencyCode(wordOf(one.currency ?? one.currencyCode))
    return firstOf(one, ['original', 'was', 'list', 'old', 'regular', 'compareAt', 'msrp', 'before', ...WAS], (inner) =>
      loosePrice(inner, code, context, 1),
    )
  })
}

function stockOf(value: Loose): Pick<VariantDraft, 'inStock' | 'stockText'> {
  const found = firstOf(value, STOCK, (one, key) => {
    const gone = /sold/i.test(key)
    const truth = typeof one === 'number' ? one > 0 : truthOf(one)
    if (truth !== undefined) return { inStock: gone ? !truth : truth }
    const stock = stockTerm(wordOf(one))
    if (stock) return { inStock: stock.inStock, stockText: stock.text }
    return isLoose(one) ? inner(one) : undefined
  })
  return found ?? {}
}

const inner = (value: Loose): Pick<VariantDraft, 'inStock'> | undefined => {
  const truth = firstOf(
    value,
    ['inStock', 'available', 'isAvailable', 'isInStock', 'isOnStock', 'availableQuantity', 'quantity', 'stockLevel'],
    (one) => (typeof one === 'number' ? one > 0 : truthOf(one)),
  )
  return truth === undefined ? undefined : { inStock: truth }
}

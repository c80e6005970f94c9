// Variants from Squarespace's picker and page state. It accepts that one object shape and returns undefined for others.
import { currencyCode } from '../currencies.ts'
import type { Money } from '../money.ts'
import { isLoose, type Loose, listOf, MAX_VARIANTS, proseOf, truthOf, type VariantDraft, wordOf } from './draft.ts'
import { type ProductContext, priceOf } from './linked.ts'
import type { ShopReader } from './shop-systems.ts'

export const squarespace: ShopReader = (value, context) => {
  const variants = listOf(value.variants).filter(isLoose)
  if (!variants[0] || !isLoose(variants[0].priceMoney)) return undefined
  return {
    by: 'Squarespace',
    cents: false,
    handle: wordOf(value.urlId),
    draft: {
      title: proseOf(value.title),
      description: proseOf(value.excerpt) ?? proseOf(value.description),
      variants: variants.slice(0, MAX_VARIANTS).map((one) => variantOf(one, context)),
      left: Math.max(0, variants.length - MAX_VARIANTS),
    },
  }
}

function variantOf(one: Loose, context: ProductContext): VariantDraft {
  const values = Object.fromEntries(
    Object.entries(isLoose(one.attributes) ? one.attributes : {}).flatMap(([name, given]) => {
      const word = wordOf(given)
      return word ? [[name, word]] : []
    }),
  )
  const full = moneyOf(one.priceMoney, context)
  const reduced = truthOf(one.onSale) ? moneyOf(one.salePriceMoney, context) : undefined
  return {
    id: wordOf(one.id),
    sku: wordOf(one.sku),
    title: Object.values(values).join(' / ') || undefined,
    values: Object.keys(values).length > 0 ? values : undefined,
    price: reduced ?? full,
    was: reduced ? full : undefined,
    inStock: truthOf(one.unlimited) || (one.qtyInStock === undefined ? undefined : Number(one.qtyInStock) > 0),
  }
}

const moneyOf = (value: unknown, context: ProductContext): Money | undefined =>
  isLoose(value) ? priceOf(value.value, currencyCode(wordOf(value.currency)), context) : undefined

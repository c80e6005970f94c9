// Products that shop systems leave in a page for their scripts: Shopify, WooCommerce, Magento, BigCommerce and
// PrestaShop. Each reader accepts one object shape and returns undefined for others.
import { currencyCode } from '../currencies.ts'
import type { Money } from '../money.ts'
import {
  type Draft,
  isLoose,
  type Loose,
  listOf,
  MAX_VARIANTS,
  type ProductPicture,
  proseOf,
  truthOf,
  type VariantDraft,
  wordOf,
} from './draft.ts'
import { capital, type ProductContext, picturesOf, priceOf } from './linked.ts'
import { stockWords } from './stock.ts'

export interface StateDraft {
  draft: Draft
  /** The shop system. */
  by: string
  /** The last part of the product's URL, if the state has it. */
  handle?: string | undefined
  /** Whole numbers may be cents. */
  cents: boolean
}

export type ShopReader = (value: Loose, context: ProductContext) => StateDraft | undefined

/** Shopify's product from Liquid: `product | json`, `meta.product`, or the response of `products/x.json`. */
export const shopify: ShopReader = (value, context) => {
  const variants = listOf(value.variants).filter(isLoose)
  const [first] = variants
  if (!first || !SHOPIFY.some((key) => key in first) || 'selectedOptions' in first) return undefined
  const names = listOf(value.options).map((one) => wordOf(one) ?? '')
  const cents = variants.every((one) => one.price === null || Number.isInteger(one.price))
  const images = shopifyPictures(value.media ?? value.images, context)
  const title = proseOf(value.title) ?? shopifyName(first)
  return {
    by: 'Shopify',
    handle: wordOf(value.handle),
    cents,
    draft: {
      title,
      brand: wordOf(value.vendor),
      category: wordOf(value.type ?? value.product_type),
      description: proseOf(value.description ?? value.body_html),
      images,
      variants: variants.slice(0, MAX_VARIANTS).map((one) => shopifyVariant(one, names, context)),
      left: Math.max(0, variants.length - MAX_VARIANTS),
    },
  }
}

const counted = (n: number): string => `Option ${n + 1}`
export const isCounted = (name: string): boolean => /^Option \d$/.test(name)

const SHOPIFY = ['option1', 'public_title', 'compare_at_price', 'inventory_management']

/** `meta.product` has the title only as part of each variant's name. */
function shopifyName(variant: Loose): string | undefined {
  const name = wordOf(variant.name)
  const rest = wordOf(variant.public_title) ?? wordOf(variant.title)
  return name && rest && name.endsWith(` - ${rest}`) ? name.slice(0, -rest.length - 3) : name
}

function shopifyVariant(one: Loose, names: readonly string[], context: ProductContext): VariantDraft {
  const values: Record<string, string> = {}
  const given = Array.isArray(one.options) ? one.options : [one.option1, one.option2, one.option3]
  given.slice(0, names.length || 3).forEach((value, n) => {
    const word = wordOf(value)
    if (word && word !== 'Default Title') values[names[n] || counted(n)] = word
  })
  const title = wordOf(one.public_title) ?? wordOf(one.title)
  const image = one.featured_image ?? one.featured_media ?? one.image
  const images = shopifyPictures(image, context)
  return {
    id: wordOf(one.id),
    sku: wordOf(one.sku),
    title: title === 'Default Title' ? undefined : title,
    values: Object.keys(values).length > 0 ? values : undefined,
    price: priceOf(one.price, undefined, context),
    was: priceOf(one.compare_at_price, undefined, context),
    inStock: truthOf(one.available),
    images: images.length > 0 ? images : undefined,
  }
}

function shopifyPictures(value: unknown, context: ProductContext): ProductPicture[] {
  const flat = listOf(value).map((one) => {
    if (!isLoose(one)) return one
    const preview = isLoose(one.preview_image) ? one.preview_image.src : undefined
    return { url: one.src ?? preview ?? one.url, caption: one.alt }
  })
  return picturesOf(flat, context)
}

/** WooCommerce's `data-product_variations`. Option names come from its selects; see choices.ts. */
export function wooVariants(
  value: unknown,
  context: ProductContext,
  nameOf: (key: string, value: string) => [string, string],
): Draft | undefined {
  const list = listOf(value).filter(isLoose)
  if (!list[0] || !('variation_id' in list[0] || 'display_price' in list[0])) return undefined
  const variants = list.slice(0, MAX_VARIANTS).map((one): VariantDraft => {
    const attributes = isLoose(one.attributes) ? Object.entries(one.attributes) : []
    const values = Object.fromEntries(
      attributes.flatMap(([key, given]) => {
        const word = wordOf(given)
        return word ? [nameOf(key, word)] : []
      }),
    )
    const image = isLoose(one.image) ? one.image : undefined
    const note = proseOf(one.availability_html)
    return {
      id: wordOf(one.variation_id),
      sku: wordOf(one.sku),
      title: Object.values(values).join(' / ') || undefined,
      values: Object.keys(values).length > 0 ? values : undefined,
      price: priceOf(one.display_price, undefined, context),
      was: priceOf(one.display_regular_price, undefined, context),
      inStock: truthOf(one.is_in_stock),
      stockText: note && note.length <= 60 ? note : note && stockWords(note)?.text,
      images: image
        ? picturesOf([{ url: image.full_src || image.url || image.src, caption: image.alt || image.title }], context)
        : undefined,
    }
  })
  return { variants, left: Math.max(0, list.length - MAX_VARIANTS) }
}

/** Magento's configuration of a configurable product (`spConfig`, `jsonConfig`). */
export const magento: ShopReader = (value, context) => {
  const { attributes, optionPrices, index } = value
  if (!isLoose(attributes) || !isLoose(optionPrices)) return undefined
  const known = Object.entries(attributes).flatMap(([id, one]) => (isLoose(one) ? [{ id, one }] : []))
  const products = isLoose(index) ? index : productsByOption(known)
  const skus = isLoose(value.skus ?? value.sku) ? ((value.skus ?? value.sku) as Loose) : {}
  const images = isLoose(value.images) ? value.images : {}
  const salable = isLoose(value.salable) ? value.salable : undefined
  const ids = Object.keys(optionPrices)
  const variants = ids.slice(0, MAX_VARIANTS).map((id): VariantDraft => {
    const prices = isLoose(optionPrices[id]) ? (optionPrices[id] as Loose) : {}
    const chosen = isLoose(products[id]) ? (products[id] as Loose) : {}
    const values: Record<string, string> = {}
    for (const { id: attribute, one } of known) {
      const option = listOf(one.options).find(
        (entry) => isLoose(entry) && wordOf(entry.id) === wordOf(chosen[attribute]),
      )
      const label = isLoose(option) ? wordOf(option.label) : undefined
      if (label) values[wordOf(one.label) ?? capital(wordOf(one.code) ?? attribute)] = label
    }
    const pictures = picturesOf(
      listOf(images[id]).map((one) => (isLoose(one) ? { url: one.full ?? one.img, caption: one.caption } : one)),
      context,
    )
    return {
      id,
      sku: wordOf(skus[id]),
      title: Object.values(values).join(' / ') || undefined,
      values: Object.keys(values).length > 0 ? values : undefined,
      price: magentoPrice(prices.finalPrice, context),
      was: magentoPrice(prices.oldPrice ?? prices.baseOldPrice, context),
      inStock: salableNow(salable, chosen, id, value),
      images: pictures.length > 0 ? pictures : undefined,
    }
  })
  return { by: 'Magento', cents: false, draft: { variants, left: Math.max(0, ids.length - MAX_VARIANTS) } }
}

const magentoPrice = (value: unknown, context: ProductContext): Money | undefined =>
  priceOf(isLoose(value) ? value.amount : value, undefined, context)

/** Older stores list the products under each option instead of the options under each product. */
function productsByOption(attributes: readonly { id: string; one: Loose }[]): Loose {
  const products: Record<string, Record<string, string>> = {}
  for (const { id, one } of attributes)
    for (const option of listOf(one.options).filter(isLoose).slice(0, MAX_VARIANTS))
      for (const product of listOf(option.products).slice(0, MAX_VARIANTS)) {
        const key = wordOf(product)
        if (key) products[key] = { ...products[key], [id]: wordOf(option.id) ?? '' }
      }
  return products
}

function salableNow(salable: Loose | undefined, chosen: Loose, id: string, config: Loose): boolean | undefined {
  const stock =
    isLoose(config.stockInfo) && isLoose(config.stockInfo[id]) ? config.stockInfo[id].is_in_stock : undefined
  if (stock !== undefined) return truthOf(stock)
  if (!salable) return undefined
  for (const [attribute, option] of Object.entries(chosen)) {
    const byOption = salable[attribute]
    const list = isLoose(byOption) ? byOption[wordOf(option) ?? ''] : undefined
    if (list !== undefined) return listOf(list).map(wordOf).includes(id)
  }
  return undefined
}

/** BigCommerce's `BCData`: the currently selected product. */
export const bigCommerce: ShopReader = (value, context) => {
  const facts = value.product_attributes
  if (!isLoose(facts) || !isLoose(facts.price)) return undefined
  const { price } = facts
  const read = (...keys: string[]): Money | undefined => {
    const found = keys.map((key) => price[key]).find(isLoose)
    return found && priceOf(found.value, currencyCode(wordOf(found.currency)), context)
  }
  return {
    by: 'BigCommerce',
    cents: false,
    draft: {
      variants: [
        {
          sku: wordOf(facts.sku),
          price: read('with_tax', 'without_tax'),
          was: read('non_sale_price_with_tax', 'non_sale_price_without_tax', 'rrp_with_tax', 'rrp_without_tax'),
          inStock: truthOf(facts.instock) === false ? false : truthOf(facts.purchasable),
        },
      ],
    },
  }
}

/** PrestaShop's `data-product` on the product details. */
export const prestaShop: ShopReader = (value, context) => {
  if (!('id_product' in value) || !('price_amount' in value || 'price' in value)) return undefined
  const values: Record<string, string> = {}
  for (const one of isLoose(value.attributes) ? Object.values(value.attributes) : [])
    if (isLoose(one) && wordOf(one.group) && wordOf(one.name)) values[wordOf(one.group)!] = wordOf(one.name)!
  const currency = isLoose(value.currency) ? currencyCode(wordOf(value.currency.iso_code)) : undefined
  const stock = truthOf(value.available_for_order)
  const quantity = Number(value.quantity)
  return {
    by: 'PrestaShop',
    cents: false,
    draft: {
      title: proseOf(value.name),
      brand: wordOf(value.manufacturer_name),
      category: wordOf(value.category_name),
      description: proseOf(value.description_short) ?? proseOf(value.description),
      url: wordOf(value.canonical_url),
      images: picturesOf(
        listOf(value.images).map((one) => {
          const sizes = isLoose(one) && isLoose(one.large) ? one.large : undefined
          return isLoose(one) ? { url: sizes?.url, caption: one.legend } : one
        }),
        context,
      ),
      variants: [
        {
          id:
            wordOf(value.id_product_attribute) === '0'
              ? wordOf(value.id_product)
              : (wordOf(value.id_product_attribute) ?? wordOf(value.id_product)),
          sku: wordOf(value.reference_to_display) ?? wordOf(value.reference),
          values: Object.keys(values).length > 0 ? values : undefined,
          title: Object.values(values).join(' / ') || undefined,
          price: priceOf(value.price_amount, currency, context) ?? priceOf(value.price, currency, context),
          was: priceOf(value.regular_price_amount ?? value.price_without_reduction, currency, context),
          inStock: stock === false ? false : quantity > 0 || truthOf(value.allow_oosp) === true || stock,
          stockText: proseOf(value.availability_message),
        },
      ],
    },
  }
}

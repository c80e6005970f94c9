// Reads menus from schema.org data: Restaurant, Menu, MenuSection, MenuItem. Depth and count are bounded.
import { isObject } from '../../base/values.ts'
import { isWeb } from '../../content/address.ts'
import { currencyCode } from '../currencies.ts'
import { type LooseObject, listOf, proseOf, wordOf } from '../shop/product-draft.ts'
import { stockTerm } from '../shop/stock.ts'
import { type ProductContext, picturesOf, priceOf } from '../shop/structured-product.ts'
import { caloriesOf, type DishDraft, dietOf, dietTerm, type SectionDraft } from './dish.ts'

export interface Merchant {
  name: string
  type: string | null
  location: unknown
}

const EATERY =
  /Restaurant|CafeOrCoffeeShop|BarOrPub|Bakery|Brewery|IceCreamShop|FoodEstablishment|Winery|Distillery|Hotel/
const MAX_SECTIONS = 200
const MAX_ITEMS = 2000
const MAX_DEPTH = 5

const typesOf = (thing: LooseObject): string[] => listOf(thing['@type']).filter((type) => typeof type === 'string')
const isA = (thing: LooseObject, pattern: RegExp): boolean => typesOf(thing).some((type) => pattern.test(type))

export function linkedMerchant(things: readonly LooseObject[]): Merchant | undefined {
  const thing = things.find((one) => isA(one, EATERY)) ?? things.find((one) => isA(one, /^LocalBusiness$/))
  const name = thing && proseOf(thing.name)
  if (!thing || !name) return undefined
  const { address } = thing
  return {
    name,
    type: wordOf(thing.servesCuisine) ?? typesOf(thing).find((type) => EATERY.test(type)) ?? null,
    location: isObject(address) ? withoutType(address) : (proseOf(address) ?? null),
  }
}

const withoutType = ({ '@type': _type, ...rest }: LooseObject): LooseObject => rest

/** Sections of all menus in order; a menu without sections counts as one. */
export function linkedSections(things: readonly LooseObject[], context: ProductContext): SectionDraft[] {
  const sections: SectionDraft[] = []
  let items = 0
  const itemsOf = (value: unknown): DishDraft[] =>
    listOf(value)
      .filter(isObject)
      .flatMap((one) => (items++ < MAX_ITEMS ? (dishOf(one, context) ?? []) : []))
  const visit = (section: LooseObject, name: string | undefined, depth: number): void => {
    if (depth > MAX_DEPTH || sections.length >= MAX_SECTIONS) return
    const own = proseOf(section.name) ?? name ?? 'Menu'
    const description = proseOf(section.description)
    const dishes = itemsOf(section.hasMenuItem)
    if (dishes.length > 0)
      sections.push({ name: own, ...(description && depth > 0 ? { description } : {}), items: dishes })
    for (const inner of listOf(section.hasMenuSection).filter(isObject)) visit(inner, own, depth + 1)
  }
  for (const menu of menusOf(things)) visit(menu, undefined, 0)
  const loose = things.filter((thing) => isA(thing, /^MenuSection$/))
  if (sections.length === 0) for (const section of loose.slice(0, MAX_SECTIONS)) visit(section, undefined, 1)
  if (sections.length === 0) {
    const dishes = itemsOf(things.filter((thing) => isA(thing, /^MenuItem$/)))
    if (dishes.length > 0) sections.push({ name: 'Menu', items: dishes })
  }
  return sections
}

function menusOf(things: readonly LooseObject[]): LooseObject[] {
  const named = things.filter((thing) => isA(thing, /^Menu$/))
  const owned = things.flatMap((thing) => listOf(thing.hasMenu ?? thing.menu).filter(isObject))
  return [...new Set([...named, ...owned])].slice(0, 50)
}

function dishOf(item: LooseObject, context: ProductContext): DishDraft | undefined {
  const name = proseOf(item.name)
  if (!name) return undefined
  const offer = listOf(item.offers).find(isObject)
  const price = offer && priceOf(offer.price ?? offer.lowPrice, currencyCode(wordOf(offer.priceCurrency)), context)
  const stock = offer && stockTerm(wordOf(offer.availability))
  const marked = dietOf(name)
  const description = proseOf(item.description)
  const diets = listOf(item.suitableForDiet).flatMap((one) => {
    const term = dietTerm(isObject(one) ? (wordOf(one['@id'] ?? one.name) ?? '') : (wordOf(one) ?? ''))
    return term ? [term] : []
  })
  const energy = isObject(item.nutrition) ? wordOf(item.nutrition.calories) : undefined
  const calories = energy
    ? (caloriesOf(energy) ?? (/^\d{1,5}$/.test(energy) ? Number(energy) : undefined))
    : description && caloriesOf(description)
  const url = context.resolve(wordOf(item.url))
  const id = wordOf(item.identifier ?? item.sku)
  return {
    name: marked.text,
    ...(description ? { description } : {}),
    ...(price ? { price } : {}),
    ...(calories === undefined || calories === '' ? {} : { calories }),
    images: picturesOf(item.image, context),
    dietary: [...new Set([...diets, ...marked.dietary])],
    ...(stock ? { availability: { inStock: stock.inStock, text: stock.text } } : {}),
    ...(url && isWeb(url) ? { url } : {}),
    ...(id ? { identifiers: { merchantItemId: id } } : {}),
  }
}

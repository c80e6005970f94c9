// Reads menus from schema.org data: Restaurant, Menu, MenuSection, MenuItem. Depth and count are bounded.
import { isObject } from '../../base/values.ts'
import { isHttpUrl } from '../../content/resolve-links.ts'
import { normalizeCurrencyCode } from '../currencies.ts'
import { parseStockTerm } from '../shop/parse-stock.ts'
import { asList, type LooseObject, toTextOrName, toTextWithoutMarkup } from '../shop/product-draft.ts'
import { type ProductContext, parsePrice, readPictures } from '../shop/read-structured-product.ts'
import { type DishDraft, parseCalories, parseDietMarks, type SectionDraft, schemaOrgDietToName } from './menu-types.ts'

export type Merchant = { name: string; type: string | null; location: unknown }

const EATERY =
  /Restaurant|CafeOrCoffeeShop|BarOrPub|Bakery|Brewery|IceCreamShop|FoodEstablishment|Winery|Distillery|Hotel/
const MAX_SECTIONS = 200
const MAX_ITEMS = 2000
const MAX_DEPTH = 5

const typesOf = (thing: LooseObject): string[] => asList(thing['@type']).filter((type) => typeof type === 'string')
const isA = (thing: LooseObject, pattern: RegExp): boolean => typesOf(thing).some((type) => pattern.test(type))

export function readMerchant(things: readonly LooseObject[]): Merchant | undefined {
  const thing = things.find((one) => isA(one, EATERY)) ?? things.find((one) => isA(one, /^LocalBusiness$/))
  const name = thing && toTextWithoutMarkup(thing.name)
  if (!thing || !name) return undefined
  const { address } = thing
  return {
    name,
    type: toTextOrName(thing.servesCuisine) ?? typesOf(thing).find((type) => EATERY.test(type)) ?? null,
    location: isObject(address) ? withoutType(address) : (toTextWithoutMarkup(address) ?? null),
  }
}

const withoutType = ({ '@type': _type, ...rest }: LooseObject): LooseObject => rest

/** Sections of all menus in order; a menu without sections counts as one. */
export function readStructuredSections(things: readonly LooseObject[], context: ProductContext): SectionDraft[] {
  const sections: SectionDraft[] = []
  let items = 0
  const itemsOf = (value: unknown): DishDraft[] =>
    asList(value)
      .filter(isObject)
      .flatMap((one) => (items++ < MAX_ITEMS ? (dishOf(one, context) ?? []) : []))
  const visit = (section: LooseObject, name: string | undefined, depth: number): void => {
    if (depth > MAX_DEPTH || sections.length >= MAX_SECTIONS) return
    const own = toTextWithoutMarkup(section.name) ?? name ?? 'Menu'
    const description = toTextWithoutMarkup(section.description)
    const dishes = itemsOf(section.hasMenuItem)
    if (dishes.length > 0)
      sections.push({ name: own, ...(description && depth > 0 ? { description } : {}), items: dishes })
    for (const inner of asList(section.hasMenuSection).filter(isObject)) visit(inner, own, depth + 1)
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
  const owned = things.flatMap((thing) => asList(thing.hasMenu ?? thing.menu).filter(isObject))
  return [...new Set([...named, ...owned])].slice(0, 50)
}

function dishOf(item: LooseObject, context: ProductContext): DishDraft | undefined {
  const name = toTextWithoutMarkup(item.name)
  if (!name) return undefined
  const offer = asList(item.offers).find(isObject)
  const price =
    offer &&
    parsePrice(offer.price ?? offer.lowPrice, normalizeCurrencyCode(toTextOrName(offer.priceCurrency)), context)
  const stock = offer && parseStockTerm(toTextOrName(offer.availability))
  const marked = parseDietMarks(name)
  const description = toTextWithoutMarkup(item.description)
  const diets = asList(item.suitableForDiet).flatMap((one) => {
    const term = schemaOrgDietToName(
      isObject(one) ? (toTextOrName(one['@id'] ?? one.name) ?? '') : (toTextOrName(one) ?? ''),
    )
    return term ? [term] : []
  })
  const energy = isObject(item.nutrition) ? toTextOrName(item.nutrition.calories) : undefined
  const calories = energy
    ? (parseCalories(energy) ?? (/^\d{1,5}$/.test(energy) ? Number(energy) : undefined))
    : description && parseCalories(description)
  const url = context.resolve(toTextOrName(item.url))
  const id = toTextOrName(item.identifier ?? item.sku)
  return {
    name: marked.text,
    ...(description ? { description } : {}),
    ...(price ? { price } : {}),
    ...(calories === undefined || calories === '' ? {} : { calories }),
    images: readPictures(item.image, context),
    dietary: [...new Set([...diets, ...marked.dietary])],
    ...(stock ? { availability: { inStock: stock.inStock, text: stock.text } } : {}),
    ...(url && isHttpUrl(url) ? { url } : {}),
    ...(id ? { identifiers: { merchantItemId: id } } : {}),
  }
}

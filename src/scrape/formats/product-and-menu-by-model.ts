// Fills gaps in products, and reads menus that the rules did not find, with a model. An amount must occur on the page:
// an invented price is worse than none.
import type { Llm, ModelAnswer } from '../../llm/llm.ts'
import type { RestaurantMenu } from '../../understanding/menu/read-restaurant-menu.ts'
import type { Product } from '../../understanding/shop/read-product.ts'
import schemas from './product-and-menu-schemas.json' with { type: 'json' }

interface SaidProduct {
  isProduct?: boolean | null
  title?: string | null
  brand?: string | null
  category?: string | null
  description?: string | null
  price?: { amount?: number | null; currency?: string | null } | null
  inStock?: boolean | null
}

interface ModelReading<T> {
  value: T | undefined
  answer: ModelAnswer<unknown>
}

const hasPrice = ({ variants }: Product): boolean => variants.some(({ price }) => price !== undefined)

export const isProductIncomplete = (product: Product | undefined): boolean =>
  !product?.brand || !product.description || !hasPrice(product)

export async function fillProductGapsWithModel(
  llm: Llm,
  found: Product | undefined,
  url: string,
  markdown: () => string,
  signal: AbortSignal,
): Promise<ModelReading<Product>> {
  const answer = await llm.extract(
    { schema: schemas.product, prompt: 'The product that this page offers.', text: markdown, found: null },
    signal,
  )
  const said = (answer.by === 'model' ? answer.value : null) as SaidProduct | null
  if (!said || (!found && said.isProduct !== true)) return { value: found, answer }
  const title = found?.title ?? said.title
  if (!title) return { value: found, answer }
  const price = moneyOf(said.price, markdown())
  const stock = { inStock: said.inStock ?? true }
  const variants = found?.variants ?? []
  const value: Product = {
    title,
    ...fill('brand', found?.brand, said.brand),
    ...fill('category', found?.category, said.category),
    url: found?.url ?? url,
    ...fill('description', found?.description, said.description),
    variants:
      variants.length === 0
        ? [{ ...(price ? { price } : {}), availability: stock }]
        : variants.length === 1 && price && !variants[0]!.price
          ? [{ ...variants[0]!, price }]
          : variants,
  }
  return { value, answer }
}

interface SaidMenu {
  isMenu?: boolean | null
  merchant?: string | null
  sections?:
    | {
        name?: string | null
        items?: { name?: string | null; description?: string | null; price?: SaidProduct['price'] }[] | null
      }[]
    | null
}

const SURE = 0.7

export async function readMenuWithModel(
  llm: Llm,
  found: RestaurantMenu,
  markdown: () => string,
  signal: AbortSignal,
): Promise<ModelReading<RestaurantMenu>> {
  const answer = await llm.extract(
    { schema: schemas.menu, prompt: 'The menu on this page, dish by dish.', text: markdown, found: null },
    signal,
  )
  const said = (answer.by === 'model' ? answer.value : null) as SaidMenu | null
  if (said?.isMenu !== true) return { value: undefined, answer }
  const page = markdown()
  const sections = (said.sections ?? []).flatMap(({ name, items }, n) => {
    const dishes = (items ?? []).flatMap((item, at) => {
      // Drop dishes that the page does not name.
      if (!item.name || !page.toLowerCase().includes(item.name.toLowerCase())) return []
      const price = moneyOf(item.price, page)
      return [
        {
          id: `${n + 1}.${at + 1}`,
          name: item.name,
          ...(item.description ? { description: item.description } : {}),
          images: [],
          ...(price ? { price } : {}),
          availability: { inStock: true },
          dietary: [],
          optionGroups: [],
          identifiers: {},
          sourceUrl: found.sourceUrl,
        },
      ]
    })
    return dishes.length > 0 ? [{ id: String(n + 1), name: name ?? '', items: dishes }] : []
  })
  if (sections.length === 0) return { value: undefined, answer }
  const merchant = found.merchant.name ? found.merchant : { ...found.merchant, name: said.merchant ?? '' }
  const currency = sections.flatMap(({ items }) => items).find(({ price }) => price?.currency)?.price?.currency ?? null
  return { value: { ...found, isMenu: true, confidence: SURE, merchant, currency, sections }, answer }
}

function fill<N extends string>(name: N, found: string | undefined, said: string | null | undefined) {
  const value = found ?? said?.trim()
  return (value ? { [name]: value } : {}) as { [K in N]?: string }
}

function moneyOf(said: SaidProduct['price'], page: string): { amount: number; currency?: string } | undefined {
  const amount = said?.amount
  if (typeof amount !== 'number' || !(amount > 0)) return undefined
  const digits = (amount % 1 === 0 ? String(amount) : amount.toFixed(2)).replace('.', '')
  const written = new RegExp([...digits].join("[.,'’\\s\\u00a0\\u202f]?"))
  if (!written.test(page)) return undefined
  const currency = said?.currency?.trim().toUpperCase()
  return { amount, ...(currency && /^[A-Z]{3}$/.test(currency) ? { currency } : {}) }
}

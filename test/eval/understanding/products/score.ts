// How well a `product` meets the known one, field by field (docs: the product object of the API). Variants are paired by
// id, SKU or option values. It must not know shops or how products are read.
import { isNothing, plain, sameAddress, sameNumber, sameText } from '../equal.ts'
import { count, type Score, type Tally } from '../tally.ts'

export interface Price {
  amount: number
  currency?: string
  formatted?: string
}

export interface Variant {
  id?: string
  sku?: string
  title?: string
  values?: Record<string, string>
  price?: Price
  sale?: { originalPrice: Price } | null
  availability?: { inStock: boolean; text?: string }
  images?: { url: string; alt?: string }[]
}

export interface Product {
  title: string
  url: string
  brand?: string | null
  category?: string | null
  description?: string | null
  variants: Variant[]
}

/** A page of our own. A field that is not expected is not judged; one that is expected to be `null` must be absent. */
export interface ProductCase {
  id: string
  system: string
  kind: 'plain' | 'sale' | 'soldout' | 'variants'
  url: string
  expected: Product
}

/** A shared page: what is said of the product, and of the variant that the page shows. */
export interface SharedProductCase {
  id: string
  expected: { title: string; brand?: string }
  /** Other titles and brands that a careful reader could give. */
  titles?: string[]
  brands?: string[]
  /** Must hold for at least one variant. `originalAmount: null`: no variant may claim to be on sale. */
  any: { amount?: number; currency: string; inStock?: boolean; originalAmount: number | null }
}

export function scoreProduct({ expected }: ProductCase, got: Product | null | undefined): Score {
  const score: Score = new Map()
  const judge = judgeInto(score)
  judge('title', expected.title, got?.title, sameText)
  judge('url', expected.url, got?.url, sameAddress)
  judge('brand', expected.brand, got?.brand, sameText)
  judge('category', expected.category, got?.category, sameCategory)
  judge('description', expected.description, got?.description, sameText)
  const variants = [...(got?.variants ?? [])]
  for (const wanted of expected.variants) scoreVariant(wanted, takeAlike(wanted, variants), judge)
  // Variants that the shop does not have.
  for (const _ of variants) count(score, 'variants', 'wrong')
  return score
}

type Judge = <Value>(
  field: string,
  want: Value | null | undefined,
  got: Value | null | undefined,
  same: (want: Value, got: Value) => boolean,
) => void

const judgeInto =
  (score: Score): Judge =>
  (field, want, got, same) => {
    if (want === undefined) return
    let outcome: keyof Tally = 'wrong'
    if (isNothing(got)) outcome = want === null ? 'right' : 'empty'
    else if (want !== null && same(want, got!)) outcome = 'right'
    count(score, field, outcome)
  }

function scoreVariant(want: Variant, got: Variant | undefined, judge: Judge): void {
  judge('variant.id', want.id, got?.id, sameText)
  judge('variant.sku', want.sku, got?.sku, sameText)
  judge('variant.values', want.values, got?.values, sameValues)
  judge('price.amount', want.price?.amount, got?.price?.amount, sameNumber)
  judge('price.currency', want.price?.currency, got?.price?.currency, sameText)
  judge('price.formatted', want.price?.formatted, got?.price?.formatted, sameFormatted)
  judge('sale', original(want), original(got), sameNumber)
  judge('availability.inStock', want.availability?.inStock, got?.availability?.inStock, Object.is)
  judge('availability.text', want.availability?.text, got?.availability?.text, sameText)
  judge('images', want.images, got?.images, sameImages)
}

const original = (variant: Variant | undefined): number | null | undefined =>
  variant?.sale === null ? null : variant?.sale?.originalPrice?.amount

/** Takes the variant out of those left that has the same id, else the same SKU, else the same values, else the first. */
function takeAlike(want: Variant, left: Variant[]): Variant | undefined {
  const ways: ((got: Variant) => boolean)[] = [
    (got) => want.id !== undefined && got.id === want.id,
    (got) => want.sku !== undefined && got.sku === want.sku,
    (got) => want.values !== undefined && sameValues(want.values, got.values ?? {}),
    () => want.values === undefined,
  ]
  for (const isAlike of ways) {
    const place = left.findIndex(isAlike)
    if (place >= 0) return left.splice(place, 1)[0]
  }
  return undefined
}

/** The same options, whatever the case of their names. */
function sameValues(want: Record<string, string>, got: Record<string, string>): boolean {
  const rows = (values: Record<string, string>): string =>
    Object.entries(values)
      .map(([name, value]) => `${plain(name)}=${plain(value)}`)
      .sort()
      .join('\n')
  return rows(want) === rows(got)
}

/** A path or its last part: `Kitchen > Pans`, `Kitchen / Pans` and `Pans` name one category. */
function sameCategory(want: string, got: string): boolean {
  const parts = (path: string): string[] => path.split(/\s*[>/›»|]\s*/).map(plain)
  const [wanted, given] = [parts(want), parts(got)]
  return wanted.at(-1) === given.at(-1) && given.every((part) => wanted.includes(part))
}

/** Spaces inside a price are a matter of fonts. */
const sameFormatted = (want: string, got: string): boolean =>
  plain(want).replace(/ /g, '') === plain(got).replace(/ /g, '')

/** Every expected picture is there, with its text when one is expected; more pictures of the product do no harm. */
function sameImages(want: NonNullable<Variant['images']>, got: NonNullable<Variant['images']>): boolean {
  return want.every(({ url, alt }) =>
    got.some((image) => sameAddress(url, image.url) && (alt === undefined || sameText(alt, image.alt ?? ''))),
  )
}

export function scoreSharedProduct(one: SharedProductCase, got: Product | null | undefined): Score {
  const score: Score = new Map()
  const judge = judgeInto(score)
  const amongst = (others: string[] | undefined) => (want: string, text: string) =>
    [want, ...(others ?? [])].some((title) => sameText(title, text))
  judge('title', one.expected.title, got?.title, amongst(one.titles))
  judge('brand', one.expected.brand, got?.brand, amongst(one.brands))
  const variants = got?.variants ?? []
  const { amount, currency, inStock, originalAmount } = one.any
  judgeAny(
    judge,
    'price.amount',
    amount,
    variants.map((variant) => variant.price?.amount),
    sameNumber,
  )
  judgeAny(
    judge,
    'price.currency',
    currency,
    variants.map((variant) => variant.price?.currency),
    sameText,
  )
  judgeAny(
    judge,
    'availability.inStock',
    inStock,
    variants.map((variant) => variant.availability?.inStock),
    Object.is,
  )
  judgeAny(judge, 'sale', originalAmount, variants.map(original), sameNumber)
  return score
}

/** One of several answers is enough; without one that fits, the first answer is judged. */
function judgeAny<Value>(
  judge: Judge,
  field: string,
  want: Value | null | undefined,
  got: (Value | null | undefined)[],
  same: (want: Value, got: Value) => boolean,
): void {
  const given = got.filter((value) => !isNothing(value)) as Value[]
  judge(field, want, given.find((value) => !isNothing(want) && same(want!, value)) ?? given[0], same)
}

// Reads from a page's JSON-LD what its subject is, and which of its texts and amounts the page should show.
import { parseJson } from '../../base/attempt.ts'
import { isObject } from '../../base/values.ts'
import { toLettersAndDigits } from './find-page-title.ts'
import type { HeadMetadata } from './head-metadata.ts'

type SubjectType = 'Product' | 'Recipe' | 'Event' | 'JobPosting' | 'LocalBusiness'

export type PageSubject = { type: SubjectType; texts: string[]; amounts: number[] }

type Thing = Record<string, unknown>

const TYPES: readonly (readonly [RegExp, SubjectType])[] = [
  [/^(?:Product|ProductGroup|IndividualProduct|ProductModel|Vehicle|Car)$/, 'Product'],
  [/^Recipe$/, 'Recipe'],
  [/Event$/, 'Event'],
  [/^JobPosting$/, 'JobPosting'],
  [/^(?:LocalBusiness|Restaurant|Store|Hotel|FoodEstablishment|LodgingBusiness|MedicalClinic)$/, 'LocalBusiness'],
]
const MENTIONS = /"(?:[\w:/.#]*\/)?(?:Product\w*|Recipe|\w*Event|JobPosting|LocalBusiness|Restaurant|Store|Hotel)"/
const MAX_CHARS = 300_000
const MAX_THINGS = 300
const MAX_TEXTS = 300
const MIN_NAME = 4

/** The first thing of such a type that the page's title names; a business also gives its name to pages about other things. */
export function readPageSubject(
  { data, names }: Pick<HeadMetadata, 'data' | 'names'>,
  heading: string,
): PageSubject | undefined {
  const texts = data.filter((text) => text.length <= MAX_CHARS && MENTIONS.test(text))
  if (texts.length === 0) return undefined
  const titles = [...names.map(toLettersAndDigits), heading].filter((name) => name.length >= MIN_NAME)
  for (const text of texts)
    for (const thing of thingsIn(parseJson(text))) {
      const type = typeOf(thing)
      const name = toLettersAndDigits(String(thing.name ?? thing.title ?? '').slice(0, 400))
      if (!type || name.length < MIN_NAME || (type === 'LocalBusiness' && !heading.includes(name))) continue
      if (titles.some((title) => title.includes(name) || name.includes(title))) return readAs(type, thing)
    }
  return undefined
}

function thingsIn(value: unknown): Thing[] {
  const open: unknown[] = [value]
  const found: Thing[] = []
  for (let at = 0; at < open.length && at < MAX_THINGS; at++) {
    const one = open[at]
    if (Array.isArray(one)) open.push(...one.slice(0, MAX_THINGS))
    else if (isObject(one)) {
      found.push(one)
      open.push(one['@graph'], one.mainEntity, one.mainEntityOfPage)
    }
  }
  return found
}

const list = (value: unknown): unknown[] =>
  value === undefined || value === null ? [] : [value].flat().slice(0, MAX_TEXTS)
const things = (value: unknown): Thing[] => list(value).filter(isObject)
const strings = (value: unknown): string[] => list(value).filter((one) => typeof one === 'string')
const numbers = (values: readonly unknown[]): number[] =>
  values
    .map((value) => (typeof value === 'number' ? value : Number(String(value ?? '').replace(/,(?=\d{3}\b)/g, ''))))
    .filter((amount) => Number.isFinite(amount) && amount > 0)

function typeOf(thing: Thing): SubjectType | undefined {
  for (const name of strings(thing['@type'])) {
    const own = name.replace(/^.*[/#:]/, '')
    const found = TYPES.find(([form]) => form.test(own))
    if (found) return found[1]
  }
  return undefined
}

function readAs(type: SubjectType, thing: Thing): PageSubject {
  const offers = things(thing.offers).slice(0, 1)
  const prices = offers.flatMap((offer) => {
    const specified = things(offer.priceSpecification)[0]?.price
    return numbers([offer.price ?? offer.lowPrice ?? specified, offer.highPrice])
  })
  switch (type) {
    case 'Product':
      return { type, texts: [], amounts: [...prices, ...numbers([things(thing.aggregateRating)[0]?.ratingValue])] }
    case 'Recipe':
      return {
        type,
        texts: [
          ...strings(thing.recipeIngredient ?? thing.ingredients),
          ...stepsIn(thing.recipeInstructions),
          ...strings(thing.recipeYield),
        ],
        amounts: [],
      }
    case 'Event':
      return {
        type,
        texts: things(thing.location).flatMap((place) => [...strings(place.name), ...addressOf(place)]),
        amounts: prices,
      }
    case 'JobPosting': {
      const [pay] = things(thing.baseSalary)
      const [value] = things(pay?.value)
      const places = things(thing.jobLocation).flatMap((place) => things(place.address))
      return {
        type,
        texts: places.flatMap(({ addressLocality }) => strings(addressLocality)),
        amounts: numbers([value?.minValue ?? value?.value ?? pay?.value, value?.maxValue]),
      }
    }
    case 'LocalBusiness':
      return { type, texts: [...addressOf(thing), ...strings(thing.telephone)], amounts: [] }
  }
}

const addressOf = ({ address }: Thing): string[] => [
  ...strings(address),
  ...things(address).flatMap(({ streetAddress }) => strings(streetAddress)),
]

function stepsIn(value: unknown, depth = 0): string[] {
  if (depth > 3) return []
  return list(value).flatMap((one) =>
    typeof one === 'string'
      ? [one]
      : isObject(one)
        ? [...strings(one.text), ...stepsIn(one.itemListElement, depth + 1)]
        : [],
  )
}

/** The amount of `$1,168.00` or `168.00`. */
export const parseAmount = (text: string): number | undefined => numbers([text.replace(/^[^\d]+|[^\d]+$/g, '')])[0]

/** As people write it: 1234.5, 1,234.50, 1.234,50, 1 234. */
export function amountPattern(amount: number): RegExp {
  const grouped = String(Math.trunc(amount)).replace(/\B(?=(?:\d{3})+$)/g, "[.,'\\s\\u00a0\\u202f]?")
  const cents = amount.toFixed(2).slice(-2)
  const end = cents === '00' ? '(?:[.,](?:00?|-))?' : `[.,]${cents.replace(/0$/, '0?')}`
  return new RegExp(`(?<![\\d.,])${grouped}${end}(?![\\d]|[.,]\\d)`)
}

const SIGN =
  '[$€£¥₹₽₩₺₴₫₪฿]|R\\$|zł|Kč|kr\\.?|Fr\\.?|руб\\.?|р\\.|USD|EUR|GBP|CHF|AUD|CAD|PLN|SEK|NOK|DKK|JPY|INR|円|元'
const NUMBER = "\\d[\\d.,'\\s\\u00a0\\u202f]{0,14}"
const AMOUNT = new RegExp(`(?:${SIGN})\\s?${NUMBER}|${NUMBER}(?:,-|\\s?(?:${SIGN}))`, 'u')

/** An amount of money with its currency; no share and no rate, such as a month's part of it. */
export const isAmount = (text: string): boolean => !/[%/]/.test(text) && hasAmount(text)

export const hasAmount = (text: string): boolean => /\d/.test(text) && AMOUNT.test(text)

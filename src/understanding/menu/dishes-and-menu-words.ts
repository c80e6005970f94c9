// Menu types, and parsing of diet marks, allergens and calories.
import type { Money } from '../money.ts'
import menuWords from './menu-words.json' with { type: 'json' }

export interface Dish {
  id: string
  name: string
  description?: string
  images: { url: string; alt?: string }[]
  price?: Money
  availability: { inStock: boolean; text?: string }
  dietary: string[]
  calories?: number
  optionGroups: OptionGroup[]
  identifiers: { merchantItemId?: string }
  url?: string
  sourceUrl: string
}

interface OptionGroup {
  name: string
  options: { name: string; price?: Money }[]
}

export interface MenuSection {
  id: string
  name: string
  description?: string
  items: Dish[]
}

/** A dish from one source, before id and page are set. */
export type DishDraft = Omit<
  Dish,
  'id' | 'sourceUrl' | 'optionGroups' | 'identifiers' | 'images' | 'dietary' | 'availability'
> &
  Partial<Pick<Dish, 'images' | 'dietary' | 'availability' | 'optionGroups' | 'identifiers'>>

export interface SectionDraft {
  name: string
  description?: string
  items: DishDraft[]
}

const DIET_OF = new Map(
  Object.entries(menuWords.diets).flatMap(([diet, names]) => names.split(' ').map((name) => [name, diet] as const)),
)
const words = (list: string): ReadonlySet<string> => new Set(list.split(' '))
export const MENU_WORDS = words(menuWords.menu)
export const FOOD_WORDS = words(menuWords.food)
export const COURSE_WORDS = words(menuWords.course)
export const SIZE_WORDS = words(menuWords.sizes)

export const lowerCaseWords = (text: string): string[] => text.toLowerCase().split(/[^\p{L}\p{N}]+/u)

interface MarkedDish {
  text: string
  dietary: string[]
}

const BRACKETED = /[([]([^()[\]]{1,60})[)\]]/gu
const LAST_MARKS = /(?:\s(?:VGN|VG|VE|GF|DF|NF|V))+$/u

/** Diets that a text names, and the text without marks in brackets and at its end: `Falafel (V, GF)`, `Dal VG GF`. */
export function parseDietMarks(text: string): MarkedDish {
  const found = new Set<string>()
  const take = (marks: string): boolean => {
    const names = marks
      .toLowerCase()
      .split(/[\s,/|&·•]+/u)
      .filter(Boolean)
    const diets = [DIET_OF.get(names.join('-')), ...names.map((name) => DIET_OF.get(name))].filter((one) => one)
    if (diets.length === 0 || (diets.length < names.length && !DIET_OF.has(names.join('-')))) return false
    for (const diet of diets) found.add(diet!)
    return true
  }
  const bare = text
    .replace(BRACKETED, (whole, inside: string) => (take(inside) ? ' ' : whole))
    .replace(LAST_MARKS, (whole) => (take(whole) ? '' : whole))
  const tokens = bare.toLowerCase().split(/[\s,.;()]+/u)
  // Letters count only as marks of their own.
  for (const [n, token] of tokens.entries())
    for (const name of [token, `${token}-${tokens[n + 1]}`]) if (name.length > 3 || /\p{So}/u.test(name)) take(name)
  return {
    text: bare
      .replace(/\p{So}|\ufe0f/gu, '')
      .replace(/\s+/g, ' ')
      .trim(),
    dietary: [...found],
  }
}

const CALORIES = /(\d{1,2}[,. ]\d{3}|\d{1,4})\s*(?:k?cal\p{L}*|kilokalorien|大卡|卡路里|キロカロリー)/iu

export function parseCalories(text: string): number | undefined {
  const found = CALORIES.exec(text.slice(0, 2000))?.[1]
  return found === undefined ? undefined : Number(found.replace(/[,. ]/g, ''))
}

export const removeCalories = (text: string): string =>
  text
    .replace(CALORIES, '')
    .replace(/\(\s*\)|[|·•,]\s*$/g, '')
    .trim()

/** `https://schema.org/GlutenFreeDiet` becomes `gluten-free`. */
export function schemaOrgDietToName(value: string): string {
  const term = value.replace(/^.*[/#]/, '').replace(/Diet$/i, '')
  const dashed = term.replace(/([a-z])([A-Z])/g, '$1-$2').toLowerCase()
  return dashed === 'low-lactose' ? 'dairy-free' : dashed
}

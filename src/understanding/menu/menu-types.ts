// Menu types, and parsing of diet marks and calories.
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
  optionGroups: { name: string; options: { name: string; price?: Money }[] }[]
  identifiers: { merchantItemId?: string }
  url?: string
  sourceUrl: string
}

export type MenuSection = { id: string; name: string; description?: string; items: Dish[] }

type WithDefaults = 'images' | 'dietary' | 'availability' | 'optionGroups' | 'identifiers'

/** A dish from one source, before id and page are set. */
export type DishDraft = Omit<Dish, 'id' | 'sourceUrl' | WithDefaults> & Partial<Pick<Dish, WithDefaults>>

export type SectionDraft = { name: string; description?: string; items: DishDraft[] }

const DIET_OF = new Map(
  Object.entries(menuWords.diets).flatMap(([diet, names]) => names.split(' ').map((name) => [name, diet] as const)),
)
const BRACKETED = /[([]([^()[\]]{1,60})[)\]]/gu

/** Diets in brackets, and the text without them: `Falafel (V, GF)`. Brackets with other words stay. */
export function parseDietMarks(text: string): { text: string; dietary: string[] } {
  const found = new Set<string>()
  const bare = text.replace(BRACKETED, (whole, inside: string) => {
    const marks = inside.toLowerCase().split(/[\s,/|&·•]+/u)
    const diets = [marks.join('-'), ...marks].flatMap((mark) => DIET_OF.get(mark) ?? [])
    if (diets.length < marks.length && !DIET_OF.has(marks.join('-'))) return whole
    for (const diet of diets) found.add(diet)
    return ' '
  })
  return { text: bare.replace(/\s+/g, ' ').trim(), dietary: [...found] }
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

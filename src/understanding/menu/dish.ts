// Menu types, and parsing of diet marks, allergens and calories.

import { tableOf } from '../../base/table.ts'
import type { Money } from '../money.ts'

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

const DIETS: readonly (readonly [name: string, words: RegExp])[] = [
  ['vegan', /\bvegan[aoe]?s?\b|végan|ビーガン|纯素|веган/iu],
  [
    'vegetarian',
    /\bveget[aá]rian[ao]?s?\b|\bvegetarisch\w*|végétarien\w*|\bveggie\b|vegetarisk|wegetariańsk\w*|ベジタリアン|素食|вегетариан/iu,
  ],
  [
    'gluten-free',
    /gluten[ -]?free|glutenfrei|sans gluten|sin gluten|senza glutine|glutenvrij|glutenfri|bezglutenow\w*|без глютена/iu,
  ],
  [
    'dairy-free',
    /dairy[ -]?free|lactose[ -]?free|laktosefrei|sans lactose|sin lactosa|senza lattosio|lactosevrij|laktosfri/iu,
  ],
  ['nut-free', /nut[ -]?free|nussfrei/iu],
  ['halal', /\bhalal\b/iu],
  ['kosher', /\b(?:kosher|koscher|casher)\b/iu],
  ['organic', /\b(?:organic|bio|biologique|ecológico|biologico|ekologisk)\b/iu],
  ['keto', /\bketo\b/iu],
  ['low-carb', /\blow[ -]?carb\b/iu],
  ['raw', /\braw\b(?= food| vegan)/iu],
  ['spicy', /🌶|\bspicy\b|\bscharf\b|\bpicante\b|\bpiccante\b|\bépicée?\b|🔥/iu],
]

// Letters count only when separate: (V), (GF), [VG].
const MARKS = tableOf<string>({
  v: 'vegetarian',
  veg: 'vegetarian',
  vg: 'vegan',
  ve: 'vegan',
  vgn: 'vegan',
  gf: 'gluten-free',
  df: 'dairy-free',
  lf: 'dairy-free',
  nf: 'nut-free',
  h: 'halal',
  k: 'kosher',
  'v+': 'vegan',
  '🌱': 'vegan',
  'Ⓥ': 'vegan',
})
// Marks in brackets or at the end of a name: `Falafel (V, GF)`, `Dal VG GF`.
const BRACKETED = /[([]\s*((?:[a-z+]{1,4}|🌱|Ⓥ)(?:\s*[,/|&·•]\s*|\s+(?=[A-Z]{1,3}\b)|\s*(?=[)\]]))){1,6}[)\]]/giu
const LOOSE = /(?:\s(?:VGN|VG|VE|GF|DF|NF|V)){1,5}$/u

/** `Tomato soup (vegan, gluten-free)`. */
const IN_WORDS = /[([]([^()[\]]{2,60})[)\]]/gu
const isOnlyDiets = (inside: string): boolean =>
  inside.split(/\s*[,/&+]\s*/).every((part) => DIETS.some(([, words]) => part.replace(words, '').trim() === ''))

interface MarkedDish {
  text: string
  dietary: string[]
}

/** Diet marks of a text, and the text without letter marks. */
export function dietOf(text: string): MarkedDish {
  const found = new Set<string>()
  const take = (marks: string): boolean => {
    const parts = marks
      .toLowerCase()
      .split(/[^a-z+🌱ⓥ]+/u)
      .filter(Boolean)
    const known = parts.map((part) => MARKS[part])
    if (parts.length === 0 || known.some((diet) => diet === undefined)) return false
    for (const diet of known) found.add(diet as string)
    return true
  }
  let bare = text.replace(BRACKETED, (whole) => (take(whole) ? ' ' : whole))
  bare = bare.replace(LOOSE, (whole) => (take(whole) ? '' : whole))
  for (const [name, words] of DIETS) if (words.test(bare)) found.add(name)
  bare = bare.replace(IN_WORDS, (whole, inside: string) => (isOnlyDiets(inside) ? ' ' : whole))
  for (const sign of ['🌱', 'Ⓥ']) if (bare.includes(sign)) found.add('vegan')
  return {
    text: bare
      .replace(/🌱|Ⓥ|🌶\ufe0f?|🔥/gu, '')
      .replace(/\s+/g, ' ')
      .trim(),
    dietary: [...found],
  }
}

const CALORIES =
  /(\d{1,2}[,. ]\d{3}|\d{1,4})\s*(?:-\s*\d{1,4}\s*)?(?:k?cal(?:ories|orías|orie|s)?\b|kilokalorien|calorías|大卡|卡路里|キロカロリー)/iu

export function caloriesOf(text: string): number | undefined {
  const found = CALORIES.exec(text.slice(0, 2000))?.[1]
  return found === undefined ? undefined : Number(found.replace(/[,. ]/g, ''))
}

export const withoutCalories = (text: string): string =>
  text
    .replace(CALORIES, '')
    .replace(/\(\s*\)|[|·•,]\s*$/g, '')
    .trim()

/** schema.org's RestrictedDiet: `https://schema.org/GlutenFreeDiet`. */
export function dietTerm(value: string): string | undefined {
  const term = value.replace(/^.*[/#]/, '').replace(/Diet$/i, '')
  if (!/^[A-Za-z]{3,30}$/.test(term)) return undefined
  const dashed = term.replace(/([a-z])([A-Z])/g, '$1-$2').toLowerCase()
  return dashed === 'low-lactose' ? 'dairy-free' : dashed
}

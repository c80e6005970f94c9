// Month names in many languages, long and short, with and without accents. They come from Intl and are built on first
// use.
import { once } from './values.ts'

/** Languages whose short names are no common words elsewhere, unlike Czech `pro` (December). */
const LANGUAGES_OF_SHORT_NAMES = 'en en-GB de fr es it pt nl sv da nb fi pl'
/** Languages in which a word means another month are omitted, such as Croatian with `listopad`. */
const LANGUAGES_OF_LONG_NAMES = `${LANGUAGES_OF_SHORT_NAMES} ru uk cs sk hu el ro tr id bg ca et lv sl lt sr ga hy ar ar-MA fa he hi ne ta th`
/** Common abbreviations that Intl lacks. */
const FURTHER_ABBREVIATIONS: readonly (readonly [name: string, month: number])[] = [
  ['fev', 2],
  ['mrz', 3],
  ['mrt', 3],
  ['sept', 9],
]

const months = once(
  () =>
    new Map([
      ...namesOf(LANGUAGES_OF_LONG_NAMES, 'long'),
      ...namesOf(LANGUAGES_OF_SHORT_NAMES, 'short'),
      ...FURTHER_ABBREVIATIONS,
    ]),
)

/** 1 to 12; undefined for any other word. */
export const parseMonthName = (word: string): number | undefined => months().get(removeAccents(word))

function* namesOf(languages: string, month: 'long' | 'short'): Generator<readonly [name: string, month: number]> {
  for (const language of languages.split(' ')) {
    // Alone and beside a day: many languages write them differently.
    for (const day of [undefined, 'numeric'] as const) {
      const format = new Intl.DateTimeFormat(language, { month, day, calendar: 'gregory', timeZone: 'UTC' })
      for (let n = 0; n < 12; n++) {
        const name = format.formatToParts(Date.UTC(2024, n, 5)).find(({ type }) => type === 'month')?.value ?? ''
        const letters = removeAccents(name.replace(/\.$/, ''))
        if (/^(?:\p{L}{3,}|[^\p{Script=Latin}\d]{2})$/u.test(letters)) yield [letters, n + 1]
      }
    }
  }
}

/** Letters only: no accents, lower case. */
const removeAccents = (word: string): string => word.toLowerCase().normalize('NFD').replace(/\p{M}/gu, '')

// Month names in many languages, long and short, with and without accents. They come from Intl and are built on first
// use.

/** Languages whose short names are no common words elsewhere, unlike Czech `pro` (December). */
const SHORT = 'en en-GB de fr es it pt nl sv da nb fi pl'
/** Languages in which a word means another month are omitted, such as Croatian with `listopad`. */
const WHOLE = `${SHORT} ru uk cs sk hu el ro tr id bg ca et lv sl`
/** Common abbreviations that Intl lacks. */
const ALSO: readonly (readonly [name: string, month: number])[] = [
  ['fev', 2],
  ['mrz', 3],
  ['mrt', 3],
  ['sept', 9],
]

let known: ReadonlyMap<string, number> | undefined

/** 1 to 12; undefined for any other word. */
export function monthNamed(word: string): number | undefined {
  known ??= new Map([...namesOf(WHOLE, 'long'), ...namesOf(SHORT, 'short'), ...ALSO])
  return known.get(bare(word))
}

function* namesOf(languages: string, month: 'long' | 'short'): Generator<readonly [name: string, month: number]> {
  for (const language of languages.split(' ')) {
    // Alone and beside a day: many languages write them differently.
    for (const day of [undefined, 'numeric'] as const) {
      const format = new Intl.DateTimeFormat(language, { month, day, timeZone: 'UTC' })
      for (let n = 0; n < 12; n++) {
        const name = format.formatToParts(Date.UTC(2024, n, 5)).find(({ type }) => type === 'month')?.value ?? ''
        const letters = bare(name.replace(/\.$/, ''))
        if (/^\p{L}{3,}$/u.test(letters)) yield [letters, n + 1]
      }
    }
  }
}

/** Letters only: no accents, lower case. */
const bare = (word: string): string => word.toLowerCase().normalize('NFD').replace(/\p{M}/gu, '')

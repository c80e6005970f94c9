// The names of months in many languages, as they stand in dates: whole and short, with and without accents. They are the
// platform's own; made when the first date is read.

/** Their short names are no everyday words of the others: `pro` is December in Czech. */
const SHORT = 'en en-GB de fr es it pt nl sv da nb fi pl'
/** In some languages the same word means another month, as `listopad` does in Croatian: they are left out. */
const WHOLE = `${SHORT} ru uk cs sk hu el ro tr id bg ca et lv sl`
/** What people write and the platform does not. */
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

/** As letters alone: no accents, no capitals. */
const bare = (word: string): string => word.toLowerCase().normalize('NFD').replace(/\p{M}/gu, '')

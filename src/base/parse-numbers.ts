// Parses numbers in any locale, and amounts with a unit; money.ts parses money. Returns undefined rather than guess.
import units from './units.json' with { type: 'json' }

const COMMA_LANGUAGES = new Set(
  'de fr es it nl pt pl cs sk sv da nb no fi ru uk tr id ro hu el bg hr sl sr lt lv et ca gl eu is'.split(' '),
)

const DIGITS = String.raw`\d{1,3}(?:[ .,'’\u00a0\u202f]\d{3})+(?![\d])(?:[.,]\d{1,6})?|\d{1,15}(?:[.,]\d{1,10})?`
const NUMBER = new RegExp(
  String.raw`(?<![\p{L}\d.,])([-+−]\s?)?(${DIGITS})([kKmM](?![\p{L}\d²³/])|\s(?:thousand|million|billion)\b)?`,
  'gu',
)

interface FoundNumber {
  value: number
  at: number
  end: number
}

/** Every number of a text in order; at most `most`. */
export function parseNumbersIn(text: string, language = '', most = 50): FoundNumber[] {
  const found: FoundNumber[] = []
  for (const match of text.slice(0, 5000).matchAll(NUMBER)) {
    const digits = readDigits(match[2]!, language)
    if (digits === undefined) continue
    const value = (match[1]?.trim() === '-' || match[1]?.trim() === '−' ? -1 : 1) * digits * scaleOf(match[3])
    found.push({ value: round(value), at: match.index, end: match.index + match[0].length })
    if (found.length >= most) break
  }
  return found
}

const round = (value: number): number => Number(value.toPrecision(15))

function scaleOf(suffix: string | undefined): number {
  const word = suffix?.trim().toLowerCase()
  if (!word) return 1
  if (word === 'k' || word === 'thousand') return 1e3
  return word === 'billion' ? 1e9 : 1e6
}

function readDigits(text: string, language: string): number | undefined {
  const bare = text.replace(/[ '’\u00a0\u202f]/g, '')
  const comma = bare.lastIndexOf(',')
  const dot = bare.lastIndexOf('.')
  if (comma < 0 && dot < 0) return Number(bare)
  if (comma >= 0 && dot >= 0) {
    const decimal = comma > dot ? ',' : '.'
    const thousands = decimal === ',' ? /\./g : /,/g
    return Number(bare.replace(thousands, '').replace(',', '.'))
  }
  const sign = comma >= 0 ? ',' : '.'
  const parts = bare.split(sign)
  if (parts.length > 2) return Number(parts.join(''))
  const [whole = '', rest = ''] = parts
  if (rest.length !== 3 || whole === '0') return Number(`${whole}.${rest}`)
  // `1,234` and `1.234` depend on the language.
  const commaIsDecimal = COMMA_LANGUAGES.has(language.slice(0, 2).toLowerCase())
  return sign === (commaIsDecimal ? ',' : '.') ? Number(`${whole}.${rest}`) : Number(whole + rest)
}

// --- units -----------------------------------------------------------------------------------------------------------

/** Units by dimension; each as a multiple of the first. */
const UNITS_BY_DIMENSION: readonly ReadonlyMap<string, number>[] = Object.entries(units)
  .filter(([dimension]) => dimension !== 'source')
  .map(
    ([, list]) =>
      new Map(list.split(', ').map((unit) => [unit.split(' ')[0]!.replaceAll('_', ' '), Number(unit.split(' ')[1])])),
  )

export function findUnit(word: string): { kind: number; factor: number } | undefined {
  const name = word.toLowerCase()
  const kind = UNITS_BY_DIMENSION.findIndex((unit) => unit.has(name))
  return kind < 0 ? undefined : { kind, factor: UNITS_BY_DIMENSION[kind]!.get(name)! }
}

export const isUnit = (word: string): boolean => UNITS_BY_DIMENSION.some((unit) => unit.has(word.toLowerCase()))

/** Undefined when the units have different dimensions. */
export function convertUnit(value: number, from: string, to: string): number | undefined {
  const [a, b] = [from.toLowerCase(), to.toLowerCase()]
  if (a === b) return value
  const table = UNITS_BY_DIMENSION.find((unit) => unit.has(a) && unit.has(b))
  return table ? round((value * table.get(a)!) / table.get(b)!) : undefined
}

// Parses numbers in any locale, and amounts with a unit; money.ts parses money. Pure; returns undefined rather than
// guess between two readings.

/** Languages with a decimal comma. */
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
export function numbersIn(text: string, language = '', most = 50): FoundNumber[] {
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
const UNITS: readonly Readonly<Record<string, number>>[] = [
  {
    g: 1,
    gram: 1,
    grams: 1,
    kg: 1000,
    kilogram: 1000,
    kilograms: 1000,
    mg: 0.001,
    lb: 453.59237,
    lbs: 453.59237,
    pounds: 453.59237,
    oz: 28.349523125,
    ounces: 28.349523125,
    t: 1e6,
    tonnes: 1e6,
  },
  {
    mm: 1,
    cm: 10,
    m: 1000,
    km: 1e6,
    meters: 1000,
    metres: 1000,
    meter: 1000,
    in: 25.4,
    inch: 25.4,
    inches: 25.4,
    ft: 304.8,
    feet: 304.8,
    miles: 1609344,
    mi: 1609344,
    kilometers: 1e6,
    kilometres: 1e6,
  },
  {
    s: 1,
    sec: 1,
    secs: 1,
    second: 1,
    seconds: 1,
    min: 60,
    mins: 60,
    minute: 60,
    minutes: 60,
    minuten: 60,
    h: 3600,
    hr: 3600,
    hrs: 3600,
    hour: 3600,
    hours: 3600,
    stunden: 3600,
    d: 86400,
    day: 86400,
    days: 86400,
    week: 604800,
    weeks: 604800,
    month: 2629800,
    months: 2629800,
    year: 31557600,
    years: 31557600,
  },
  { b: 1, byte: 1, bytes: 1, kb: 1024, mb: 1048576, gb: 1073741824, tb: 1099511627776 },
  { ml: 1, cl: 10, dl: 100, l: 1000, liter: 1000, liters: 1000, litre: 1000, litres: 1000 },
  {
    sqm: 1,
    qm: 1,
    'm²': 1,
    m2: 1,
    sqft: 0.09290304,
    'ft²': 0.09290304,
    'sq ft': 0.09290304,
    ha: 10000,
    hectares: 10000,
    acres: 4046.8564224,
  },
  { kmh: 1, 'km/h': 1, kph: 1, mph: 1.609344, knots: 1.852, kn: 1.852, 'm/s': 3.6 },
  { w: 1, kw: 1000, watt: 1, watts: 1 },
  { mah: 1, wh: 1, kwh: 1000 },
]

/** The dimension of a unit, and its factor to the smallest unit. */
export function unitOf(word: string): { kind: number; factor: number } | undefined {
  const name = word.toLowerCase()
  const kind = UNITS.findIndex((unit) => Object.hasOwn(unit, name))
  return kind < 0 ? undefined : { kind, factor: UNITS[kind]![name]! }
}

export const isUnit = (word: string): boolean => UNITS.some((unit) => Object.hasOwn(unit, word.toLowerCase()))

/** Undefined when the units have different dimensions. */
export function converted(value: number, from: string, to: string): number | undefined {
  const [a, b] = [from.toLowerCase(), to.toLowerCase()]
  if (a === b) return value
  const table = UNITS.find((unit) => Object.hasOwn(unit, a) && Object.hasOwn(unit, b))
  return table ? round((value * table[a]!) / table[b]!) : undefined
}

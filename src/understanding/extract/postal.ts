// Postal addresses in running lines: found by their postal code, read back to the street, and taken apart. Pure.
import type { Line } from '../facts/lines.ts'

export interface Postal {
  /** As the page writes it, its lines joined by commas. */
  text: string
  street: string | undefined
  city: string | undefined
  region: string | undefined
  code: string | undefined
  isMain: boolean
  at: number
}

/** What stands after a town in addresses of some countries. */
export const STATES =
  'AL AK AZ AR CA CO CT DE FL GA HI ID IL IN IA KS KY LA ME MD MA MI MN MS MO MT NE NV NH NJ NM NY NC ND OH OK OR PA RI SC SD TN TX UT VT VA WA WV WI WY DC PR ON QC BC AB MB SK NS NB NSW VIC QLD WA SA TAS ACT'
const STATE_NAMES =
  'Alabama|Alaska|Arizona|Arkansas|California|Colorado|Connecticut|Delaware|Florida|Georgia|Hawaii|Idaho|Illinois|Indiana|Iowa|Kansas|Kentucky|Louisiana|Maine|Maryland|Massachusetts|Michigan|Minnesota|Mississippi|Missouri|Montana|Nebraska|Nevada|New Hampshire|New Jersey|New Mexico|New York|North Carolina|North Dakota|Ohio|Oklahoma|Oregon|Pennsylvania|Rhode Island|South Carolina|South Dakota|Tennessee|Texas|Utah|Vermont|Virginia|Washington|West Virginia|Wisconsin|Wyoming|Ontario|Quebec|British Columbia|Alberta'
const REGION = `(?:${STATES.split(' ').join('|')}|${STATE_NAMES})`
const TOWN = String.raw`\p{Lu}[\p{L}.'’-]*(?:\s(?:\p{Lu}|de\s|am\s|an\sder\s|upon\s|on\s|la\s|le\s|les\s|del\s)[\p{L}.'’-]*){0,4}`
/** City, region and code; code and city; city and code. */
const ENDINGS: readonly RegExp[] = [
  new RegExp(
    String.raw`(?<city>${TOWN}),?\s+(?<region>${REGION})\.?,?\s+(?<code>\d{5}(?:-\d{4})?|[A-Z]\d[A-Z]\s?\d[A-Z]\d|\d{4})(?![\d\p{L}])`,
    'u',
  ),
  new RegExp(String.raw`(?<city>${TOWN}),?\s+(?<code>[A-Z]{1,2}\d[A-Z\d]?\s\d[A-Z]{2})(?![\d\p{L}])`, 'u'),
  new RegExp(
    String.raw`(?<![\d-])(?:[A-Z]{1,2}-)?(?<code>\d{5}|\d{4}\s?[A-Z]{2}|\d{2}-\d{3}|\d{4}-\d{3}|\d{4})\s+(?<city>${TOWN})(?!\p{L})`,
    'u',
  ),
]
/** A town and its state without a code need the street in the same line. */
const CODELESS = new RegExp(String.raw`,\s*(?<city>${TOWN}),\s+(?<region>${REGION})\.?(?![\p{L}\d])`, 'u')
const STREET_WORD =
  '(?:st|str|street|rd|road|ave|avenue|blvd|boulevard|dr|drive|ln|lane|way|hwy|highway|ct|court|pl|place|pkwy|parkway|sq|square|ter|terrace|cir|circle|trail|trl|row|close|crescent|gardens|plaza|loop|pike)'
/**
 * Number first, as in 12 High Street; or a street word with the number behind, as in Lange Straße 4, with no more before it
 * than names and articles: "Becker wohnt in der …" is no part of an address.
 */
const STREET: readonly RegExp[] = [
  /(?<![\d\p{L}$€£.,])\d{1,6}[A-Za-z]?(?:-\d{1,5})?,?\s(?:[NSEW]\.?\s)?[\p{L}\d][\p{L}\d.'’#&-]*(?:\s[\p{L}\d#.'’&-]+){0,7}/u,
  /(?<!\p{L})\p{Lu}[\p{L}.'’-]*(?:\s(?:\p{Lu}[\p{L}.'’-]*|de[rnms]|am|im|an|auf|zu[mr]|van|de|het|ten|ter)){0,4}?\s?(?:[Ss]tra(?:ß|ss)e|[Ss]tr\.|[Ww]eg|[Pp]latz|[Aa]llee|[Gg]asse|[Ss]traat|[Ll]aan|[Pp]lein|[Kk]ade|[Dd]ijk|[Gg]racht|[Rr]ing|[Uu]fer|STRA(?:ß|SS)E|STR\.|WEG|PLATZ|ALLEE)\s\d{1,4}\s?[a-z]?(?!\p{L})/u,
  /(?<!\p{L})(?:via|viale|piazza|corso|calle|c\/|avenida|av\.|avda\.|plaza|paseo|rua|praça|rue|ul\.|al\.|пр\.|ул\.)\s[\p{L}\d][^,;|]{1,50}?,?\s\d{1,4}\s?[a-z]?(?!\p{L})/iu,
]
const MAX_LINE = 250
const LINES_BACK = 3
const MAX_FOUND = 30

/** Every address that the lines hold. */
export function postalIn(lines: readonly Line[]): Postal[] {
  const found: Postal[] = []
  for (let n = 0; n < lines.length && found.length < MAX_FOUND; n++) {
    const { text, isMain, at } = lines[n]!
    if (text.length > MAX_LINE || !/\d{3}|\d[A-Z]{2}|\d.*, [A-Z]{2}\b/.test(text)) continue
    const end = endingOf(text)
    if (!end) continue
    const whole = withStreet(lines, n, text, end)
    if (whole) found.push({ ...whole, isMain, at })
  }
  return found
}

interface Ending {
  city: string
  region: string | undefined
  code: string | undefined
  at: number
  end: number
}

function endingOf(text: string): Ending | undefined {
  for (const pattern of [...ENDINGS, CODELESS]) {
    const match = pattern.exec(text)
    const { city, region, code } = match?.groups ?? {}
    if (!match || !city || (!code && !region)) continue
    // The dot that ends the sentence is not the town's.
    const whole = match[0].replace(/\.$/, '')
    return { city: city.replace(/\.$/, ''), region, code, at: match.index, end: match.index + whole.length }
  }
  return undefined
}

/** The street stands before the town, in the same line or in one of those above. */
function withStreet(
  lines: readonly Line[],
  n: number,
  text: string,
  ending: Ending,
): Omit<Postal, 'isMain' | 'at'> | undefined {
  const { city, region, code, at, end } = ending
  const head = text.slice(0, end)
  const tail = COUNTRY.exec(text.slice(end))?.[0] ?? ''
  // A town may have swallowed the end of its street; a code in front of it has not.
  const isCodeFirst = code !== undefined && head.indexOf(code, at) < head.indexOf(city, at)
  const own = streetIn(head, isCodeFirst ? at : at + city.length)
  if (own) {
    const parted = apart(head.slice(own.at), city)
    return { text: head.slice(own.at) + tail, region, code, ...parted }
  }
  if (code === undefined) return undefined
  const above: string[] = []
  for (let back = 1; back <= LINES_BACK && n - back >= 0; back++) {
    const before = lines[n - back]!.text
    if (before.length > 80) break
    above.unshift(before)
    const street = streetIn(before, before.length)
    if (!street) continue
    const [first = '', ...rest] = above
    const line = first.slice(street.at).replace(/[,\s]+$/, '')
    const middle = rest.map((one) => one.replace(/[,\s]+$/, ''))
    return { text: [line, ...middle, head + tail].join(', '), street: line, city, region, code }
  }
  return undefined
}

const COUNTRY =
  /^[,\s]+(?:USA|U\.S\.A\.|United States(?: of America)?|UK|United Kingdom|Canada|Australia|Germany|Deutschland|France|Nederland|Netherlands|Italia|Italy|España|Spain)(?!\p{L})/u

function streetIn(text: string, before: number): { at: number } | undefined {
  for (const pattern of STREET) {
    const match = pattern.exec(text)
    if (match && match.index < before - 3 && isStreet(match[0])) return { at: match.index }
  }
  return undefined
}

/** A number and a word are a street when they end like one or are few: "24 hours a day" is none. */
const isStreet = (text: string): boolean =>
  new RegExp(String.raw`(?<!\p{L})${STREET_WORD}(?!\p{L})`, 'iu').test(text) ||
  /stra(?:ß|ss)e|str\.|weg\s|platz|straat|laan|plein|via\s|piazza|calle|avenida|rue\s|rua\s|ul\.|broadway/iu.test(text)

/** `612 Canino Rd. Houston`: the street ends with its word and what counts rooms; the rest is the town. */
function apart(text: string, city: string): { street: string | undefined; city: string } {
  const comma = new RegExp(String.raw`^(.{3,80}?),\s*(${TOWN})(?=,|\s+${REGION}|\s+[A-Z]{1,2}\d|\s*$)`, 'u').exec(text)
  if (comma && !/\d/.test(comma[2]!)) return { street: comma[1]!.trim(), city: comma[2]! }
  const worded = new RegExp(
    String.raw`^(.{3,60}?\s${STREET_WORD}\b\.?(?:,?\s(?:suite|ste|unit|apt|floor|fl|room|#)\.?\s?[\w-]{1,5})?),?\s+(${TOWN})`,
    'iu',
  ).exec(text)
  if (worded && /^\p{Lu}/u.test(worded[2]!)) return { street: worded[1]!, city: worded[2]! }
  const before = text.slice(0, Math.max(0, text.indexOf(city))).replace(/[,\s]+(?:\d{4,5})?[,\s]*$/, '')
  return { street: before || undefined, city }
}

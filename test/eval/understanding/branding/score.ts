// How well a `branding` meets the known style sheet of its page. Colours are compared as colours, sizes as pixels, fonts
// by family, addresses by path. It must not know how styles are read.
import { isNothing, plain, sameText } from '../equal.ts'
import { count, type Score, type Tally } from '../tally.ts'

/** Parts of the branding object of the API that are judged. Left out: not judged. `null`: must be absent. */
export interface Branding {
  colorScheme?: string
  colors?: Record<string, string | null>
  fonts?: string[]
  typography?: { fontFamilies?: Record<string, string>; fontSizes?: Record<string, string> }
  spacing?: { borderRadius?: string }
  components?: Record<string, Record<string, string>>
  /** Paths, since the pages are served from wherever a test likes. */
  logo?: string | null
  images?: Record<string, string>
}

export interface BrandingCase {
  id: string
  url: string
  expected: Branding
  /** By field, dotted: other answers that a careful designer could give. */
  accept?: Record<string, string[]>
}

export function scoreBranding({ expected, accept = {} }: BrandingCase, got: unknown): Score {
  const score: Score = new Map()
  for (const [field, want] of leaves(expected, '')) {
    const have = field.split('.').reduce(member, got)
    if (field === 'fonts') scoreFonts(want as string[], have, accept[field] ?? [], score)
    else count(score, field, judge(field, [want as string | null, ...(accept[field] ?? [])], have))
  }
  return score
}

function judge(field: string, wanted: (string | null)[], got: unknown): keyof Tally {
  if (isNothing(got)) return wanted.includes(null) ? 'right' : 'empty'
  return wanted.some((want) => want !== null && same(field, want, String(got))) ? 'right' : 'wrong'
}

function same(field: string, want: string, got: string): boolean {
  if (field === 'logo' || field.startsWith('images.')) return pathOf(want) === pathOf(got)
  if (field.includes('fontFamilies')) return sameText(familyOf(want), familyOf(got))
  const [one, two] = [colourOf(want), colourOf(got)]
  if (one !== undefined && two !== undefined) return closeColours(one, two)
  const [size, other] = [pixels(want), pixels(got)]
  return size !== undefined && other !== undefined ? samePixels(field, size, other) : sameText(want, got)
}

/** The share of the families that are there; others are wrong, but for generic ones and fallbacks of a stack. */
function scoreFonts(want: string[], got: unknown, harmless: string[], score: Score): void {
  const families = (Array.isArray(got) ? got : []).map((font) => familyOf(String(member(font, 'family') ?? font)))
  const wanted = want.map(familyOf)
  const found = wanted.filter((family) => families.includes(family)).length
  const known = new Set([...wanted, ...harmless.map(familyOf)])
  const extra = families.filter((family) => !known.has(family) && !generic.test(family)).length
  const all = wanted.length + extra
  count(score, 'fonts', 'right', found / all)
  count(score, 'fonts', 'wrong', extra / all)
  count(score, 'fonts', 'empty', (wanted.length - found) / all)
}

const generic = /^((ui-)?(sans-serif|serif|monospace)|system-ui|arial|georgia)$/

/** The first family of a stack, without quotes. */
const familyOf = (stack: string): string => plain(stack.split(',')[0]!.replace(/["']/g, ''))

interface Colour {
  rgb: [number, number, number]
  /** 0 for what is transparent, however it is written. */
  alpha: number
}

/** `#abc`, `#aabbcc`, `#aabbccdd`, `rgb(…)`, `rgba(…)`, `transparent`. */
export function colourOf(text: string): Colour | undefined {
  const value = text.trim().toLowerCase()
  if (value === 'transparent') return { rgb: [0, 0, 0], alpha: 0 }
  const hex = /^#([0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})$/.exec(value)?.[1]
  if (hex !== undefined) {
    const long = hex.length < 6 ? [...hex].map((digit) => digit + digit).join('') : hex
    const part = (place: number): number => Number.parseInt(long.slice(place, place + 2), 16)
    return { rgb: [part(0), part(2), part(4)], alpha: long.length === 8 ? part(6) / 255 : 1 }
  }
  const parts = /^rgba?\(([^)]+)\)$/
    .exec(value)?.[1]
    ?.split(/[\s,/]+/)
    .map(Number)
  if (parts === undefined || parts.length < 3 || parts.some(Number.isNaN)) return undefined
  return { rgb: [parts[0]!, parts[1]!, parts[2]!], alpha: parts[3] ?? 1 }
}

/** Two steps of 255 in each channel: what rounding between colour spaces costs, and no eye can see. */
const closeColours = (one: Colour, two: Colour): boolean =>
  one.alpha === 0 || two.alpha === 0
    ? one.alpha === two.alpha
    : one.rgb.every((channel, place) => Math.abs(channel - two.rgb[place]!) <= 2)

const pixels = (text: string): number | undefined => {
  const found = /^(-?[\d.]+)(px|rem)?$/.exec(text.trim())
  return found === null ? undefined : Number(found[1]) * (found[2] === 'rem' ? 16 : 1)
}

/** A pill is a pill: any radius that is larger than a button is high. */
const samePixels = (field: string, a: number, b: number): boolean =>
  Math.abs(a - b) < 0.6 || (field.endsWith('borderRadius') && Math.min(a, b) >= 100)

function pathOf(address: string): string {
  return URL.canParse(address) ? new URL(address).pathname : address
}

function leaves(value: object, path: string): [string, unknown][] {
  return Object.entries(value).flatMap(([name, part]): [string, unknown][] => {
    const field = path === '' ? name : `${path}.${name}`
    return typeof part === 'object' && part !== null && !Array.isArray(part) ? leaves(part, field) : [[field, part]]
  })
}

function member(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined
}

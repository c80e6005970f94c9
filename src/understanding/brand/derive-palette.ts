// Assigns colour roles by painted area, by element type and by CSS variable names.
import type { ComputedStyle } from '../../base/computed-style.ts'
import type { MainButtons } from './button-and-input-styles.ts'
import { contrastRatio, isDarkColour, isNearColour, isVividColour, measureColour } from './colour.ts'

export interface Palette {
  primary?: string
  secondary?: string
  accent?: string
  background: string
  textPrimary: string
  textSecondary?: string
  link?: string
  success?: string
  warning?: string
  error?: string
}

type Role = 'primary' | 'secondary' | 'accent' | 'success' | 'warning' | 'error' | 'link'

// CSS variable names per role; `on-primary`, `primary-hover` and `primary-text` are excluded.
const VARIABLE_NAMES_OF_ROLE: Readonly<Record<Role, RegExp>> = {
  primary:
    /^--(?:[a-z]{1,12}-)?(?:colou?rs?-)?(?:brand-)?(?:primary|brand|main)(?:-(?:colou?r|base|500|600|default))?$/i,
  secondary: /^--(?:[a-z]{1,12}-)?(?:colou?rs?-)?(?:brand-)?secondary(?:-(?:colou?r|base|500|600|default))?$/i,
  accent:
    /^--(?:[a-z]{1,12}-)?(?:colou?rs?-)?(?:brand-)?(?:accent|highlight|tertiary)(?:-(?:colou?r|base|500|600|default))?$/i,
  success: /^--(?:[a-z]{1,12}-)?(?:colou?rs?-)?(?:success|positive)(?:-(?:colou?r|base|500|600|default))?$/i,
  warning: /^--(?:[a-z]{1,12}-)?(?:colou?rs?-)?(?:warning|caution|warn)(?:-(?:colou?r|base|500|600|default))?$/i,
  error:
    /^--(?:[a-z]{1,12}-)?(?:colou?rs?-)?(?:error|danger|destructive|negative)(?:-(?:colou?r|base|500|600|default))?$/i,
  link: /^--(?:[a-z]{1,12}-)?(?:colou?rs?-)?link(?:-colou?r)?$/i,
}

/** Hue ranges, because a box named `error` often has a grey background. */
const HUE_RANGES_DEGREES: Readonly<Record<'success' | 'warning' | 'error', readonly [from: number, to: number]>> = {
  success: [75, 185],
  warning: [18, 70],
  error: [335, 380],
}

export function derivePalette(style: ComputedStyle, buttons: MainButtons): Palette {
  const background = backgroundOf(style)
  const colourOfVariable = (role: Role): string | undefined =>
    style.variables.find(({ name }) => VARIABLE_NAMES_OF_ROLE[role].test(name))?.colour
  const seen = new Set(colourUse(style, buttons).map(({ colour }) => colour))
  const colourInUse = (role: Role): string | undefined => {
    const colour = colourOfVariable(role)
    return colour && seen.has(colour) ? colour : undefined
  }
  const ranked = colourUse(style, buttons).filter(({ colour }) => !isNearColour(colour, background))
  const vivid = ranked.filter(({ colour }) => isVividColour(colour)).map(({ colour }) => colour)
  const link = linkOf(style)
  const button = buttons.primary?.background
  const primary =
    colourInUse('primary') ??
    (button && isVividColour(button) && !isNearColour(button, background) ? button : vivid[0]) ??
    (button && !isNearColour(button, background) ? button : undefined) ??
    link
  const signal = (kind: 'success' | 'warning' | 'error') => colourOfVariable(kind) ?? signalColourOf(style, kind)
  const signals = { success: signal('success'), warning: signal('warning'), error: signal('error') }
  // The colour of a notice belongs to its message, not to the brand.
  const isSignal = (colour: string): boolean => Object.values(signals).includes(colour)
  const beside = (colour: string): boolean =>
    isVividColour(colour) && !isSignal(colour) && (!primary || !isNearColour(colour, primary, 0.15))
  const { secondary: second } = buttons
  const { secondary, accent } = companions({
    grounds: style.painted
      .map(({ colour }) => colour)
      .filter((colour) => beside(colour) && !isNearColour(colour, background)),
    extras: vivid.filter(beside),
    link: link && beside(link) ? link : undefined,
    named: { secondary: colourInUse('secondary'), accent: colourInUse('accent') },
    plain: [second?.background, second?.border, darkBackground(style, background, primary)].find(
      (colour) => colour && !isNearColour(colour, background) && (!primary || !isNearColour(colour, primary)),
    ),
  })
  const texts = textsOf(style, background)
  const roles = { primary, secondary, accent, link, ...signals }
  return {
    background,
    textPrimary: texts.first,
    ...(texts.second ? { textSecondary: texts.second } : {}),
    ...Object.fromEntries(Object.entries(roles).filter(([, colour]) => colour !== undefined)),
  }
}

interface Companions {
  /** Painted colours other than primary, largest area first. */
  grounds: readonly string[]
  /** All colours other than primary, by weight. */
  extras: readonly string[]
  link: string | undefined
  named: { secondary: string | undefined; accent: string | undefined }
  plain: string | undefined
}

/** The secondary colour has a large painted area, the accent a small one. */
function companions({ grounds, extras, link, named, plain }: Companions): {
  secondary?: string | undefined
  accent?: string | undefined
} {
  const isFarFrom = (from: string | undefined) => (colour: string) => !from || !isNearColour(colour, from, 0.15)
  const free = grounds.filter(isFarFrom(named.secondary))
  const accent = named.accent ?? free.at(-1) ?? link ?? extras.find(isFarFrom(named.secondary))
  const secondary = named.secondary ?? grounds.find(isFarFrom(accent)) ?? plain ?? extras.find(isFarFrom(accent))
  return { secondary, accent }
}

function backgroundOf({ painted }: ComputedStyle): string {
  const main = painted.filter(({ where }) => where === 'main')
  return (main.sort((a, b) => b.area - a.area)[0] ?? painted[0])?.colour ?? '#ffffff'
}

/** Weighted by background area, buttons, links, headings and icons. */
function colourUse(style: ComputedStyle, buttons: MainButtons): { colour: string; weight: number }[] {
  const total = style.painted.reduce((sum, { area }) => sum + Math.max(0, area), 1)
  const weight = new Map<string, number>()
  const add = (colour: string | undefined, by: number): void => {
    if (colour) weight.set(colour, (weight.get(colour) ?? 0) + by)
  }
  for (const { colour, area, where } of style.painted)
    add(colour, Math.sqrt(Math.max(0, area) / total) * (where === 'header' ? 4 : 2))
  for (const { background, border, colour } of style.buttons.slice(0, 30)) {
    add(background, 0.25)
    if (!background) add(border ?? colour, 0.15)
  }
  add(buttons.primary?.background, 2)
  add(buttons.secondary?.background ?? buttons.secondary?.border, 0.8)
  for (const { colour, count } of style.links) add(colour, Math.min(0.8, count * 0.08))
  for (const type of [style.types.h1, style.types.h2, style.types.h3]) add(type?.colour, 0.5)
  for (const { colour, count } of style.icons.colours) add(colour, Math.min(0.3, count * 0.05))
  for (const { colour, chars } of style.texts) add(colour, Math.min(0.3, chars / 2000))
  return [...weight].map(([colour, by]) => ({ colour, weight: by })).sort((a, b) => b.weight - a.weight)
}

/** A second neutral background, such as a black footer. */
function darkBackground({ painted }: ComputedStyle, background: string, primary: string | undefined) {
  return painted.find(
    ({ colour, area }) =>
      area > 20_000 && contrastRatio(colour, background) > 3 && (!primary || !isNearColour(colour, primary)),
  )?.colour
}

/** Prefers links in running text over menus and footers. */
function linkOf({ links, texts }: ComputedStyle): string | undefined {
  const plain = new Set(texts.slice(0, 2).map(({ colour }) => colour))
  const main = links.filter(({ where }) => where === 'main')
  return (main.find(({ colour }) => !plain.has(colour)) ?? main[0] ?? links.find(({ colour }) => isVividColour(colour)))
    ?.colour
}

function textsOf({ texts, types }: ComputedStyle, background: string): { first: string; second?: string | undefined } {
  const byColour = new Map<string, number>()
  for (const { colour, chars } of texts)
    if (contrastRatio(colour, background) > 1.6) byColour.set(colour, (byColour.get(colour) ?? 0) + chars)
  const ranked = [...byColour].sort((a, b) => b[1] - a[1]).map(([colour]) => colour)
  const body = types.body?.colour
  // The body's colour wins if it is used often enough; paragraphs may be lighter.
  const first =
    body && byColour.has(body) && (byColour.get(body) ?? 0) >= 0.15 * (byColour.get(ranked[0] ?? '') ?? 1)
      ? body
      : (ranked[0] ?? body ?? (isDarkColour(background) ? '#ffffff' : '#000000'))
  const second =
    ranked.find((colour) => !isNearColour(colour, first, 0.05) && !isVividColour(colour)) ??
    ranked.find((colour) => !isNearColour(colour, first, 0.05))
  return { first, second }
}

function signalColourOf({ signals }: ComputedStyle, kind: 'success' | 'warning' | 'error'): string | undefined {
  const [from, to] = HUE_RANGES_DEGREES[kind]
  return signals.find(({ kind: one, colour }) => {
    const { hue, lightness } = measureColour(colour)
    const turned = hue < from && hue + 360 <= to ? hue + 360 : hue
    return (
      one === kind && isVividColour(colour) && turned >= from && turned <= to && lightness > 0.15 && lightness < 0.75
    )
  })?.colour
}

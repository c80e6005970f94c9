// Derives a brand from a page's computed styles (base/computed-style.ts) and metadata: colours, fonts, spacing,
// components, logo and personality.

import { getDomainWithoutSuffix } from 'tldts'
import type { ComputedStyle, LogoStyle, TextStyle } from '../../base/computed-style.ts'
import { countEach } from '../../base/values.ts'
import { buttonStyleOf, findMainButtons, inputStyleOf } from './button-and-input-styles.ts'
import { isDarkColour, isVividColour } from './colour.ts'
import { derivePalette, type Palette } from './derive-palette.ts'

interface Branding extends Personality {
  colors: object
  fonts: readonly { family: string }[]
  [part: string]: unknown
}

export function deriveBranding(style: ComputedStyle, facts: BrandFacts): Branding {
  const buttons = findMainButtons(style)
  const colors = derivePalette(style, buttons)
  const logo = findLogo(style, facts)
  const name = findBrandName(style, facts)
  const input = inputStyleOf(style)
  const primary = buttonStyleOf(buttons.primary)
  const secondary = buttonStyleOf(buttons.secondary)
  const { header, footer, columns, maxWidth, gap } = style.layout
  const [transition] = style.transitions
  return {
    colorScheme: isDarkColour(colors.background) ? 'dark' : 'light',
    ...(name ? { brandName: name } : {}),
    logo: logo ?? null,
    colors,
    fonts: fontsOf(style).map((family) => ({ family })),
    typography: typographyOf(style),
    spacing: spacingOf(style, gap),
    components: {
      ...(primary ? { buttonPrimary: primary } : {}),
      ...(secondary ? { buttonSecondary: secondary } : {}),
      ...(input ? { input } : {}),
    },
    icons: iconsOf(style),
    images: {
      ...(logo ? { logo } : {}),
      ...(style.favicon ? { favicon: style.favicon } : {}),
      ...(style.ogImage ? { ogImage: style.ogImage } : {}),
    },
    animations: transition ? { transitionDuration: transition.duration, easing: transition.easing } : {},
    layout: {
      ...(columns || maxWidth
        ? { grid: { ...(columns ? { columns } : {}), ...(maxWidth ? { maxWidth: `${maxWidth}px` } : {}) } }
        : {}),
      ...(header ? { headerHeight: `${header}px` } : {}),
      ...(footer ? { footerHeight: `${footer}px` } : {}),
    },
    ...derivePersonality(style, colors),
  }
}

const GENERIC =
  /^(?:serif|sans-serif|monospace|cursive|fantasy|system-ui|ui-[\w-]+|-apple-system|blinkmacsystemfont|emoji|math|inherit|initial|apple color emoji|segoe ui emoji|segoe ui symbol|noto color emoji)$/i

/** Font families by amount of text, without generic names. */
function fontsOf({ families, types }: ComputedStyle): string[] {
  const first = [...families.map(({ fonts }) => fonts), ...Object.values(types).map((type) => type?.fonts ?? [])]
  const named = first.flatMap((fonts) => fonts.find((family) => !GENERIC.test(family)) ?? fonts[0] ?? [])
  return [...new Set(named)].slice(0, 10)
}

const leadingFontOf = (type: TextStyle | undefined): string | undefined =>
  type?.fonts.find((family) => !GENERIC.test(family)) ?? type?.fonts[0]
const pixels = (size: number): string => `${Math.round(size * 100) / 100}px`

function typographyOf({ types, weights }: ComputedStyle): object {
  const { body, paragraph = body, h1, h2, h3, code, small, strong } = types
  const heading = h1 ?? h2 ?? h3
  const sizes = { h1: h1?.size, h2: h2?.size, h3: h3?.size, body: paragraph?.size ?? body?.size, small: small?.size }
  const used = weights.map(({ weight }) => weight)
  const bold =
    heading && heading.weight >= 600 ? heading.weight : (strong?.weight ?? used.find((weight) => weight >= 600))
  const fontWeights = {
    light: used.find((weight) => weight <= 300),
    regular: paragraph?.weight ?? body?.weight,
    medium: used.find((weight) => weight === 500),
    bold,
  }
  const lineHeights = { heading: ratio(heading), body: ratio(paragraph) ?? ratio(body) }
  return {
    fontFamilies: dropEmptyFields({
      primary: leadingFontOf(body),
      heading: leadingFontOf(heading) ?? leadingFontOf(body),
      code: leadingFontOf(code),
    }),
    fontStacks: dropEmptyFields({
      primary: body?.fonts,
      heading: heading?.fonts,
      body: body?.fonts,
      paragraph: paragraph?.fonts,
      code: code?.fonts,
    }),
    fontSizes: dropEmptyFields(
      Object.fromEntries(
        Object.entries(sizes).map(([name, size]) => [name, size === undefined ? undefined : pixels(size)]),
      ),
    ),
    fontWeights: dropEmptyFields(fontWeights),
    lineHeights: dropEmptyFields(lineHeights),
  }
}

const dropEmptyFields = (object: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined))

/** Unitless line height, as in CSS. */
function ratio(type: TextStyle | undefined): string | undefined {
  if (!type?.lineHeight || type.size === 0) return undefined
  return String(Math.round((type.lineHeight / type.size) * 100) / 100)
}

function spacingOf(style: ComputedStyle, gap: number | undefined): object {
  const { types } = style
  const [button] = style.buttons
  return {
    baseUnit: baseUnit(style.spaces),
    borderRadius: radiusOf(style),
    padding: dropEmptyFields({
      button: button?.paddingX,
      buttonVertical: button?.paddingY,
      input: style.inputs[0]?.paddingX,
    }),
    margins: dropEmptyFields({ paragraph: types.paragraph?.below, heading: (types.h1 ?? types.h2)?.below }),
    ...(gap ? { gridGutter: gap } : {}),
  }
}

function baseUnit(spaces: ComputedStyle['spaces']): number {
  const total = spaces.reduce((sum, { count }) => sum + count, 0)
  if (total === 0) return 8
  const share = (unit: number): number =>
    spaces.reduce((sum, { pixels, count }) => sum + (pixels % unit === 0 ? count : 0), 0) / total
  return [10, 8, 6, 5, 4].find((unit) => share(unit) >= 0.8) ?? (share(4) >= 0.5 ? 4 : 8)
}

/** Prefers the radius of buttons and inputs over that of pictures and cards. */
function radiusOf({ buttons, inputs, radii }: ComputedStyle): string {
  const count = countEach([...buttons, ...inputs].map(({ radius }) => radius))
  for (const { radius, count: times } of radii) count.set(radius, (count.get(radius) ?? 0) + Math.min(3, times * 0.5))
  const ranked = [...count].sort((a, b) => b[1] - a[1]).map(([radius]) => radius)
  return ranked.find((radius) => radius !== '0px' && radius !== '50%') ?? ranked[0] ?? '0px'
}

function iconsOf({ icons: { stroked, filled, colours } }: ComputedStyle): object {
  if (stroked + filled === 0) return {}
  return { style: stroked > filled ? 'outline' : 'solid', ...(colours[0] ? { primaryColor: colours[0].colour } : {}) }
}

export const BRAND_TONES = ['professional', 'playful', 'modern', 'traditional', 'minimalist', 'bold'] as const
export const BRAND_ENERGIES = ['low', 'medium', 'high'] as const

interface Personality {
  personality: { tone: (typeof BRAND_TONES)[number]; energy: (typeof BRAND_ENERGIES)[number]; targetAudience: string }
  tone: { voice: string; emojiUsage: string }
}

function derivePersonality({ words, types, buttons }: ComputedStyle, colors: Palette): Personality {
  const heading = types.h1 ?? types.h2
  const isSerif = heading?.fonts.includes('serif') === true
  const isRound = Number.parseFloat(buttons[0]?.radius ?? '0') >= 8
  const isLarge = (heading?.size ?? 0) >= 56
  const isLively = words.exclamations / Math.max(40, words.count) > 0.01 || words.emojis > 3
  const vivid = [colors.primary, colors.secondary, colors.accent].filter(
    (colour) => colour && isVividColour(colour),
  ).length
  const plain = vivid === 0 ? 'minimalist' : isRound ? 'modern' : 'professional'
  const tone = isLively ? 'playful' : isLarge ? 'bold' : isSerif ? 'traditional' : plain
  const force = Number(isLively) + Number(isLarge) + vivid
  const emojiUsage = words.emojis === 0 ? 'none' : words.emojis > 10 ? 'frequent' : 'occasional'
  return {
    personality: {
      tone,
      energy: force >= 3 ? 'high' : force >= 1 ? 'medium' : 'low',
      targetAudience: 'general public',
    },
    tone: { voice: isLively ? 'friendly' : isSerif ? 'formal' : 'neutral', emojiUsage },
  }
}

export type BrandFacts = { host?: string | undefined; logo?: string | undefined; name?: string | undefined }

export function findLogo({ logos, ogImage }: ComputedStyle, facts: BrandFacts): string | undefined {
  const best = [...logos].sort((a, b) => scoreOf(b) - scoreOf(a))[0]
  if (best && scoreOf(best) >= 4) return best.src
  return facts.logo ?? best?.src ?? (/logo/i.test(ogImage) ? ogImage : undefined)
}

function scoreOf({ where, linksHome, names, kind, width, height, top, lost }: LogoStyle): number {
  return (
    (where === 'header' ? 4 : where === 'footer' ? -2 : 0) +
    (linksHome ? 4 : 0) +
    (/logo|wordmark/i.test(names) ? 3 : /brand/i.test(names) ? 1.5 : 0) +
    (kind === 'background' ? -1 : 0) +
    (lost || (width >= 24 && height >= 12) ? 1 : -2) +
    (width > 700 || height > 300 ? -3 : 0) -
    // Logos of customers and partners are further down.
    Math.min(3, top / 400) -
    (/partner|client|customer|sponsor|payment|press|footer/i.test(names) ? 3 : 0)
  )
}

export function findBrandName({ siteName, logos, title }: ComputedStyle, facts: BrandFacts): string | undefined {
  const alt = [...logos]
    .sort((a, b) => scoreOf(b) - scoreOf(a))[0]
    ?.alt.replace(/\b(?:logo|homepage|home ?page|home|go to|back to)\b/gi, '')
    .replace(/^[\s\-–—|:]+|[\s\-–—|:]+$/g, '')
  // Some systems put the page's title into the site name.
  const site = siteName && (siteName !== title || siteName.length <= MAX_BRAND_NAME_CHARS) ? siteName : ''
  return site || facts.name || (alt && alt.length < 60 ? alt : '') || partOf(title, facts.host)
}

/** A longer undivided title describes the page, not the brand. */
const MAX_BRAND_NAME_CHARS = 24

/**
 * Picks the brand from title parts such as `Prices – Harbour Tools`: the part that matches the domain, else the
 * shortest. A long undivided title is ignored in favour of the domain.
 */
function partOf(title: string, host: string | undefined): string | undefined {
  const parts = title.split(/\s+[|–—·:-]\s+/).filter(Boolean)
  const label = host ? getDomainWithoutSuffix(host)?.replace(/-/g, '') : undefined
  const spelt = label && parts.find((part) => part.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '') === label)
  if (spelt) return spelt
  const shortest = parts.sort((a, b) => a.length - b.length)[0]
  if (parts.length > 1 || !label || (shortest && shortest.length <= MAX_BRAND_NAME_CHARS)) return shortest || undefined
  return label.charAt(0).toUpperCase() + label.slice(1)
}

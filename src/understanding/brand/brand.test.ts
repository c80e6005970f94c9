import { describe, expect, it } from 'vitest'
import type { BoxStyle, ComputedStyle } from '../../base/computed-style.ts'
import { findMainButtons, inputStyleOf } from './button-and-input-styles.ts'
import { contrastRatio, isDarkColour, isNearColour, isVividColour, measureColour } from './colour.ts'
import { deriveBranding, findBrandName, findLogo } from './derive-branding.ts'
import { derivePalette } from './derive-palette.ts'

const box = (over: Partial<BoxStyle>): BoxStyle => ({
  text: 'Start',
  names: 'btn',
  colour: '#111111',
  radius: '4px',
  paddingX: 16,
  paddingY: 8,
  area: 4000,
  top: 300,
  where: 'main',
  submits: false,
  ...over,
})

const style = (over: Partial<ComputedStyle>): ComputedStyle => ({
  title: 'Prices – Harbour Tools',
  siteName: '',
  favicon: '',
  ogImage: '',
  painted: [{ colour: '#ffffff', area: 900_000, where: 'main' }],
  texts: [{ colour: '#222222', chars: 900, size: 16 }],
  links: [],
  families: [{ fonts: ['Inter', 'sans-serif'], chars: 900 }],
  weights: [{ weight: 400, chars: 900 }],
  types: {
    body: { colour: '#222222', fonts: ['Inter', 'sans-serif'], size: 16, weight: 400, lineHeight: 24, below: 0 },
  },
  buttons: [],
  inputs: [],
  radii: [],
  spaces: [],
  logos: [],
  variables: [],
  signals: [],
  icons: { stroked: 0, filled: 0, colours: [] },
  transitions: [],
  layout: {},
  words: { count: 200, emojis: 0, exclamations: 0, sample: '' },
  ...over,
})

const palette = (over: Partial<ComputedStyle>) => {
  const made = style(over)
  return derivePalette(made, findMainButtons(made))
}

describe('colours', () => {
  it('are told apart as a person would', () => {
    expect(measureColour('#ff0000')).toMatchObject({ hue: 0, saturation: 1, lightness: 0.5 })
    expect([
      isVividColour('#0b5fff'),
      isVividColour('#6b7280'),
      isVividColour('#000000'),
      isVividColour('#fdfdff'),
    ]).toEqual([true, false, false, false])
    expect([isDarkColour('#0d1117'), isDarkColour('#f7f5ef')]).toEqual([true, false])
    expect(isNearColour('#ffffff', '#fefefe')).toBe(true)
    expect(contrastRatio('#000000', '#ffffff')).toBeCloseTo(21)
  })

  it('the button leads; without one, what most is painted in does', () => {
    expect(palette({ buttons: [box({ background: '#0b5fff', colour: '#ffffff' })] }).primary).toBe('#0b5fff')
    const painted = [...style({}).painted, { colour: '#7a1fa2', area: 90_000, where: 'header' as const }]
    expect(palette({ painted }).primary).toBe('#7a1fa2')
  })

  it('a name counts only for a colour that is used, and signals need none', () => {
    const variables = [
      { name: '--primary', colour: '#123456' },
      { name: '--color-success', colour: '#12a150' },
      { name: '--primary-hover', colour: '#0b5fff' },
    ]
    const buttons = [box({ background: '#0b5fff', colour: '#ffffff' })]
    expect(palette({ variables, buttons })).toMatchObject({ primary: '#0b5fff', success: '#12a150' })
  })

  it('a box called error gives its red, not its grey', () => {
    const signals = [
      { kind: 'error' as const, colour: '#f3f4f6' },
      { kind: 'error' as const, colour: '#b42318' },
    ]
    expect(palette({ signals }).error).toBe('#b42318')
  })

  it('the colour of a notice is no accent', () => {
    const buttons = [box({ background: '#0b5fff', colour: '#ffffff' })]
    const painted = [...style({}).painted, { colour: '#b42318', area: 20_000, where: 'main' as const }]
    expect(palette({ buttons, painted }).accent).toBe('#b42318')
    const signals = [{ kind: 'error' as const, colour: '#b42318' }]
    expect(palette({ buttons, painted, signals }).accent).toBeUndefined()
  })

  it('a page without any colour has no accent, and says so by leaving it out', () => {
    expect(palette({})).toEqual({ background: '#ffffff', textPrimary: '#222222' })
  })
})

describe('components', () => {
  it('the filled button is primary, the outlined one secondary, chores and consent are neither', () => {
    const { primary, secondary } = findMainButtons(
      style({
        buttons: [
          box({ text: 'Menu', names: 'menu-toggle', background: '#000000' }),
          box({ text: 'Accept all', names: 'btn btn-primary', background: '#00aa00' }),
          box({ text: 'More', names: 'btn btn-outline', border: '#0b5fff', colour: '#0b5fff' }),
          box({ text: 'Start', names: 'btn btn-primary', background: '#0b5fff', colour: '#ffffff' }),
        ],
      }),
    )
    expect([primary?.text, secondary?.text]).toEqual(['Start', 'More'])
  })

  it('the look of most inputs is the look of inputs', () => {
    const field = (border: string, where: BoxStyle['where']) => ({ ...box({ border, where }), focusBorder: undefined })
    const inputs = [field('#000000', 'header'), field('#d0d5dd', 'main'), field('#d0d5dd', 'main')]
    expect(inputStyleOf(style({ inputs }))).toMatchObject({ borderColor: '#d0d5dd', borderRadius: '4px' })
  })
})

describe('logo and name', () => {
  const logo = (over: object) => ({
    src: 'https://a.example/x.svg',
    alt: '',
    names: '',
    where: 'main' as const,
    linksHome: false,
    width: 120,
    height: 40,
    top: 20,
    kind: 'img' as const,
    lost: false,
    ...over,
  })

  it('the picture in the header that leads home, before those of customers', () => {
    const logos = [
      logo({ src: 'https://a.example/customer.svg', names: 'customer-logo', top: 1800 }),
      logo({ src: 'https://a.example/own.svg', where: 'header', linksHome: true }),
    ]
    expect(findLogo(style({ logos }), { logo: 'https://a.example/data.svg' })).toBe('https://a.example/own.svg')
    expect(findLogo(style({}), { logo: 'https://a.example/data.svg' })).toBe('https://a.example/data.svg')
    expect(findLogo(style({}), {})).toBeUndefined()
  })

  it('the name comes from what the page says of itself, last from its title', () => {
    expect(findBrandName(style({ siteName: 'Pier 4' }), { name: 'Other' })).toBe('Pier 4')
    expect(findBrandName(style({ logos: [logo({ alt: 'Pier 4 logo' })] }), {})).toBe('Pier 4')
    expect(findBrandName(style({ title: 'Prices and plans – Harbour Tools' }), {})).toBe('Harbour Tools')
    const host = 'www.harbour-tools.example'
    expect(findBrandName(style({ title: 'Harbour Tools – Rope' }), { host })).toBe('Harbour Tools')
    const title = 'Everything a small boat needs for the season'
    expect(findBrandName(style({ title }), { host: 'pier4.example' })).toBe('Pier4')
    expect(findBrandName(style({ title, siteName: title }), { name: 'Pier 4' })).toBe('Pier 4')
  })
})

it('measures become words of the API: steps, corners, line heights as strings', () => {
  const branding = deriveBranding(
    style({
      spaces: [8, 16, 24, 32].map((pixels) => ({ pixels, count: 5 })),
      buttons: [box({ background: '#0b5fff', radius: '8px' })],
    }),
    {},
  )
  expect(branding).toMatchObject({
    colorScheme: 'light',
    logo: null,
    fonts: [{ family: 'Inter' }],
    spacing: { baseUnit: 8, borderRadius: '8px' },
    typography: { fontFamilies: { primary: 'Inter' }, lineHeights: { body: '1.5' }, fontSizes: { body: '16px' } },
    personality: { tone: 'modern', energy: 'medium', targetAudience: 'general public' },
  })
})

// The scorer of the branding set, and the set itself: every colour, font and size expected stands in its style sheet.
import { describe, expect, it } from 'vitest'
import { readCases, readPage } from '../cases.ts'
import { total } from '../tally.ts'
import { type BrandingCase, colourOf, scoreBranding } from './score.ts'

const cases = readCases<BrandingCase>(new URL('own.json', import.meta.url))
const shop = cases.find(({ id }) => id === 'shop')!

describe('scoreBranding', () => {
  it.each(cases.map((one) => [one.id, one] as const))('%s: gives every field to the expected brand', (_, one) => {
    const { wrong, empty } = total([scoreBranding(one, one.expected)])
    expect({ wrong, empty }).toEqual({ wrong: 0, empty: 0 })
  })

  it('leaves everything empty when there is no answer, but for what should be absent', () => {
    const { right, wrong } = total([scoreBranding(shop, null)])
    expect({ right, wrong }).toEqual({ right: 0, wrong: 0 })
    expect(scoreBranding(cases.find(({ id }) => id === 'minimal')!, {}).get('logo')?.right).toBe(1)
  })

  it('compares colours, however they are written, and no others', () => {
    const link = (text: string) => scoreBranding(shop, { colors: { link: text } }).get('colors.link')
    expect(link('rgb(15, 92, 122)')?.right).toBe(1)
    expect(link('#105C7B')?.right).toBe(1)
    expect(link('#33302c')?.right).toBe(1)
    expect(link('#0f5caa')?.wrong).toBe(1)
    expect(colourOf('rgba(0, 0, 0, 0)')?.alpha).toBe(colourOf('transparent')?.alpha)
  })

  it('takes an absolute address for its path, and a stack for its first family', () => {
    const got = {
      logo: 'http://127.0.0.1:4000/cdn/logo.png',
      typography: { fontFamilies: { primary: '"Nunito Sans", Arial' } },
      fonts: [{ family: 'Nunito Sans' }, { family: 'Comic Sans MS' }],
    }
    const score = scoreBranding(shop, got)
    expect(score.get('logo')?.right).toBe(1)
    expect(score.get('typography.fontFamilies.primary')?.right).toBe(1)
    const { right, wrong, empty } = score.get('fonts')!
    expect([right, wrong, empty].map((share) => Math.round(share * 3))).toEqual([1, 1, 1])
  })
})

describe('the branding set', () => {
  it('has ten pages', () => {
    expect(cases).toHaveLength(10)
  })

  it.each(cases.map((one) => [one.id, one] as const))(
    '%s: its style sheet says what is expected',
    (id, { expected }) => {
      const page = readPage(new URL(`pages/${id}.html`, import.meta.url))
      const hexes = [...page.matchAll(/#[0-9a-f]{3,8}\b/gi)].map(([hex]) => colourOf(hex)?.rgb.join())
      const colours = Object.values(expected.colors ?? {}).filter((colour) => colour !== null)
      expect(colours.filter((colour) => !hexes.includes(colourOf(colour)?.rgb.join()))).toEqual([])
      const words = [...(expected.fonts ?? []), ...Object.values(expected.typography?.fontSizes ?? {}), expected.logo]
      expect(words.filter((word) => word && !page.includes(word))).toEqual([])
    },
  )
})

// The branding format through the released SDK: what a browser sees of pages whose style sheets are known.
import { describe, expect, it } from 'vitest'
import { brandPages } from '../site/brands.ts'
import type { Json } from './service.ts'
import { shared } from './shared.ts'

const { site, service } = shared(brandPages)

const brandingOf = async (path: string, options: object = {}): Promise<Json> =>
  ((await service.sdk.scrape(site.url + path, { formats: ['branding'], maxAge: 0, ...options })) as Json).branding

describe('branding', () => {
  it('finds colours by role, type, components, logo and names of a page with a known style sheet', async () => {
    const branding = await brandingOf('/brand/light')
    expect(branding).toMatchObject({
      colorScheme: 'light',
      brandName: 'Harbour Tools',
      logo: `${site.url}/img/logo.svg`,
      colors: {
        primary: '#0b5fff',
        secondary: '#0a2540',
        accent: '#ff7a00',
        background: '#ffffff',
        textPrimary: '#1f2937',
        textSecondary: '#6b7280',
        link: '#ff7a00',
        success: '#12a150',
        error: '#d92d20',
      },
      typography: {
        fontFamilies: { primary: 'Inter', heading: 'Source Serif 4', code: 'JetBrains Mono' },
        fontStacks: { primary: ['Inter', 'Helvetica', 'sans-serif'] },
        fontSizes: { h1: '48px', h2: '32px', h3: '24px', body: '16px' },
        fontWeights: { regular: 400, bold: 700 },
        lineHeights: { heading: '1.2', body: '1.5' },
      },
      spacing: { baseUnit: 8, borderRadius: '8px' },
      components: {
        buttonPrimary: { background: '#0b5fff', textColor: '#ffffff', borderRadius: '8px' },
        buttonSecondary: {
          background: 'transparent',
          textColor: '#0b5fff',
          borderColor: '#0b5fff',
          borderRadius: '8px',
        },
        input: { borderColor: '#d0d5dd', focusBorderColor: '#0b5fff', borderRadius: '8px' },
      },
      images: {
        logo: `${site.url}/img/logo.svg`,
        favicon: `${site.url}/img/favicon.svg`,
        ogImage: `${site.url}/img/og.png`,
      },
      animations: { transitionDuration: '0.2s', easing: 'ease-in-out' },
      layout: { grid: { maxWidth: '1120px' }, headerHeight: '72px' },
    })
    expect(branding.fonts.map(({ family }: Json) => family)).toEqual(
      expect.arrayContaining(['Inter', 'Source Serif 4', 'JetBrains Mono']),
    )
    expect(branding.personality).toMatchObject({ tone: expect.any(String), energy: expect.any(String) })
  })

  it('reads variables that hold the parts of a colour or its name', async () => {
    expect((await brandingOf('/brand/parts')).colors).toMatchObject({ primary: '#0066cc', accent: '#ff6347' })
  })

  it('reads a dark page that declares nothing', async () => {
    const branding = await brandingOf('/brand/dark')
    expect(branding).toMatchObject({
      colorScheme: 'dark',
      logo: null,
      colors: { primary: '#238636', background: '#0d1117', textPrimary: '#e6edf3', link: '#58a6ff' },
      components: { buttonPrimary: { background: '#238636', textColor: '#ffffff', borderRadius: '6px' } },
      typography: { fontFamilies: { primary: 'Roboto' }, lineHeights: { body: '1.6' } },
    })
  })

  it('is not told lies by the page, and measures no more than it must', async () => {
    const branding = await brandingOf('/brand/liar')
    expect(branding.colors).toMatchObject({ background: '#102030', primary: '#ff0000' })
  })

  it('comes with other formats from one visit', async () => {
    const before = site.hits('/brand/light')
    const document = (await service.sdk.scrape(`${site.url}/brand/light`, {
      formats: ['markdown', 'branding'],
      maxAge: 0,
    })) as Json
    expect(document.markdown).toMatch(/# Tools for every harbour/)
    expect(document.branding.colorScheme).toBe('light')
    expect(site.hits('/brand/light')).toBe(before + 1)
  })

  it('a file has no look: the field is null and the warning says why', async () => {
    const document = (await service.sdk.scrape(`${site.url}/paper.pdf`, { formats: ['branding'], maxAge: 0 })) as Json
    expect(document.branding ?? null).toBeNull()
    expect(document.warning).toMatch(/branding could not be made/)
  })

  it('fastMode and uploads refuse it by name', async () => {
    const fast = await service.call('POST', '/v2/scrape', {
      url: `${site.url}/brand/light`,
      formats: ['branding'],
      fastMode: true,
    })
    expect([fast.status, fast.json.error]).toEqual([400, expect.stringMatching(/fastMode.*branding/)])
  })
})

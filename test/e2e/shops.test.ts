// Products and menus through the released SDK.
import { describe, expect, it } from 'vitest'
import { shopPages } from '../site/shops.ts'
import type { Json } from './service.ts'
import { shared } from './shared.ts'

const { site, service } = shared(shopPages)

const scrape = async (path: string, formats: ('product' | 'menu' | 'markdown')[]): Promise<Json> =>
  service.sdk.scrape(site.url + path, { formats, maxAge: 0 })

describe('product', () => {
  it('is read from what a page shows, sale included', async () => {
    const { product, warning } = await scrape('/shop/pullover', ['product'])
    expect(warning).toBeUndefined()
    const shared = {
      price: { amount: 84, currency: 'USD', formatted: '$84.00' },
      sale: { originalPrice: { amount: 120, currency: 'USD', formatted: '$120.00' } },
      images: [
        { url: `${site.url}/img/1.png`, alt: 'Front' },
        { url: `${site.url}/img/2.png`, alt: 'Back' },
      ],
    }
    expect(product).toMatchObject({
      title: 'Deckhand Pullover',
      category: 'Knitwear',
      url: `${site.url}/shop/pullover`,
      variants: [{ ...shared, availability: { inStock: true } }],
    })
  })

  it('is left out, with a warning, where there is none', async () => {
    const document = await scrape('/article', ['product', 'markdown'])
    expect('product' in document).toBe(false)
    expect(document.warning).toMatch(/No product found/)
    expect(document.markdown).toBeTruthy()
  })

  it('comes through ten megabytes of state about other things', async () => {
    expect((await scrape('/shop/heap', ['product'])).product).toMatchObject({
      title: 'Heap',
      variants: [{ price: { amount: 5, currency: 'USD' } }],
    })
  })

  it('of a file there is none', async () => {
    const document = await scrape('/paper.pdf', ['product'])
    expect(document.warning).toMatch(/No product found/)
  })

  it('is read from labels', async () => {
    const { product } = await scrape('/shop/lens', ['product'])
    expect(product).toMatchObject({
      title: 'Anchor Lens 50',
      brand: 'Anchor Optics',
      variants: [{ price: { amount: 90, currency: 'USD' }, availability: { inStock: true, text: 'In Stock' } }],
    })
  })
})

describe('menu', () => {
  it('has sections, dishes, diets and calories', async () => {
    const { menu, warning } = await scrape('/tavern/menu', ['menu'])
    expect(warning).toBeUndefined()
    expect(menu).toMatchObject({
      isMenu: true,
      merchant: { name: 'The Anchor' },
      currency: 'GBP',
      sourceUrl: `${site.url}/tavern/menu`,
    })
    expect(menu.confidence).toBeGreaterThan(0.6)
    expect(menu.sections.map(({ name, items }: Json) => [name, items.map((item: Json) => item.name)])).toEqual([
      ['Starters', ['Leek soup', 'Whitebait']],
      ['Mains', ['Fish pie', 'Mushroom risotto']],
    ])
    expect(menu.sections[1].items).toMatchObject([
      { price: { amount: 16, currency: 'GBP' }, calories: 720, dietary: [] },
      { dietary: ['vegan', 'gluten-free'], availability: { inStock: true }, optionGroups: [] },
    ])
  })

  it('a page that is none says so', async () => {
    const { menu, warning } = await scrape('/article', ['menu'])
    expect(menu).toMatchObject({ isMenu: false, sections: [] })
    expect(warning).toMatch(/No menu found/)
  })
})

import { describe, expect, it } from 'vitest'
import { expectCost, sized } from '../../../test/cost.ts'
import { parsePage } from '../../content/parsed-page.ts'
import { readRestaurantMenu } from './read-restaurant-menu.ts'

const read = (html: string, url = 'https://osteria.example/menu') =>
  readRestaurantMenu(
    parsePage(
      { bytes: Buffer.from(html), contentType: 'text/html; charset=utf-8', url },
      { onlyMainContent: true, includeTags: [], excludeTags: [], removeBase64Images: true },
    ),
  )
const dishes = (html: string) =>
  read(html).menu.sections.map(({ name, items }) => [name, ...items.map((item) => [item.name, item.price?.amount])])

describe('menus in structured data', () => {
  const data = {
    '@context': 'https://schema.org',
    '@type': 'Restaurant',
    name: 'Osteria Faro',
    servesCuisine: 'Italian',
    address: { '@type': 'PostalAddress', addressLocality: 'Trieste' },
    hasMenu: {
      '@type': 'Menu',
      hasMenuSection: [
        {
          '@type': 'MenuSection',
          name: 'Primi',
          description: 'Fresh every day',
          hasMenuItem: [
            {
              '@type': 'MenuItem',
              name: 'Gnocchi',
              description: 'With butter and sage',
              offers: { '@type': 'Offer', price: '12.50', priceCurrency: 'EUR' },
              suitableForDiet: 'https://schema.org/VegetarianDiet',
              nutrition: { '@type': 'NutritionInformation', calories: '640 calories' },
              image: '/img/gnocchi.jpg',
            },
            {
              '@type': 'MenuItem',
              name: 'Bigoli',
              offers: { price: 14, priceCurrency: 'EUR', availability: 'https://schema.org/SoldOut' },
            },
          ],
          hasMenuSection: { '@type': 'MenuSection', name: 'Zuppe', hasMenuItem: { '@type': 'MenuItem', name: 'Jota' } },
        },
      ],
    },
  }

  it('keep sections, diets, calories and who serves them', () => {
    const { menu, warnings } = read(
      `<html lang="it"><script type="application/ld+json">${JSON.stringify(data)}</script>`,
    )
    expect(warnings).toEqual([])
    expect(menu).toMatchObject({
      isMenu: true,
      confidence: 0.98,
      currency: 'EUR',
      merchant: { name: 'Osteria Faro', type: 'Italian', location: { addressLocality: 'Trieste' } },
      sourceUrl: 'https://osteria.example/menu',
    })
    expect(menu.sections.map(({ id, name, items }) => [id, name, items.length])).toEqual([
      ['1', 'Primi', 2],
      ['2', 'Zuppe', 1],
    ])
    expect(menu.sections[0]?.items[0]).toMatchObject({
      id: '1.1',
      name: 'Gnocchi',
      description: 'With butter and sage',
      price: { amount: 12.5, currency: 'EUR' },
      dietary: ['vegetarian'],
      calories: 640,
      images: [{ url: 'https://osteria.example/img/gnocchi.jpg' }],
      availability: { inStock: true },
      optionGroups: [],
      identifiers: {},
    })
    expect(menu.sections[0]?.items[1]?.availability).toEqual({ inStock: false, text: 'Sold out' })
  })

  it('are read from microdata as well', () => {
    const html = `<div itemscope itemtype="https://schema.org/Menu"><div itemprop="hasMenuSection" itemscope itemtype="https://schema.org/MenuSection">
      <h2 itemprop="name">Soups</h2><div itemprop="hasMenuItem" itemscope itemtype="https://schema.org/MenuItem"><b itemprop="name">Leek soup (V, GF)</b>
      <span itemprop="offers" itemscope itemtype="https://schema.org/Offer"><span itemprop="price" content="6.50">£6.50</span><meta itemprop="priceCurrency" content="GBP"></span></div></div></div>`
    expect(read(html).menu.sections[0]?.items[0]).toMatchObject({
      name: 'Leek soup',
      price: { amount: 6.5, currency: 'GBP' },
      dietary: ['vegetarian', 'gluten-free'],
    })
  })
})

describe('menus that are only shown', () => {
  const page = (body: string) => `<html lang="en"><title>Menu | The Anchor</title><h1>Our menu</h1>${body}`

  it('headed lists', () => {
    expect(
      dishes(
        page(`<h2>Starters</h2><ul><li><strong>Soup of the day</strong> <span>£6.50</span><p>With sourdough, 320 kcal</p></li><li><strong>Scallops</strong> <span>£11</span></li></ul>
        <h2>Mains</h2><ul><li><strong>Fish pie</strong> <span>£16.00</span></li><li><strong>Mushroom risotto (VG)</strong> <span>£14.50</span></li></ul>`),
      ),
    ).toEqual([
      ['Starters', ['Soup of the day', 6.5], ['Scallops', 11]],
      ['Mains', ['Fish pie', 16], ['Mushroom risotto', 14.5]],
    ])
  })

  it('lists of terms, and cards with a description and marks', () => {
    expect(
      dishes(
        page(
          `<h3>Desserts</h3><dl><dt>Apple crumble</dt><dd>£7</dd><dt>Cheese board</dt><dd>£9.50</dd><dt>Sorbet</dt><dd>£5</dd></dl>`,
        ),
      ),
    ).toEqual([['Desserts', ['Apple crumble', 7], ['Cheese board', 9.5], ['Sorbet', 5]]])
    const { menu } = read(
      page(
        `<section><h2>Salads</h2>${['Greek', 'Caesar', 'Niçoise']
          .map(
            (name) =>
              `<div class="item"><h3 class="item-name">${name} salad</h3><p class="item-desc">Leaves and more. 410 kcal</p><div class="item-price">$12.00</div></div>`,
          )
          .join('')}</section>`,
      ),
    )
    expect(menu.sections).toHaveLength(1)
    expect(menu.sections[0]?.name).toBe('Salads')
    expect(menu.sections[0]?.items[1]).toMatchObject({
      name: 'Caesar salad',
      description: 'Leaves and more.',
      price: { amount: 12, currency: 'USD', formatted: '$12.00' },
      calories: 410,
    })
  })

  it('what is no menu is none, and the answer says so', () => {
    const { menu, warnings } = read(
      '<title>Harbour news</title><h1>Tide tables</h1><p>The ferry costs $4.</p>',
      'https://news.example/tides',
    )
    expect(menu).toMatchObject({ isMenu: false, sections: [] })
    expect(warnings).toEqual(['No menu found on this page.'])
  })
})

describe('hostile menus', () => {
  it('take time in proportion to their size', () => {
    const time = (html: string): number => {
      const started = performance.now()
      read(html)
      return performance.now() - started
    }
    const list = (count: number) => `<title>Menu</title><ul>${'<li><b>Dish</b> $5.00</li>'.repeat(count)}</ul>`
    const deep = (count: number) => `<title>Menu</title>${'<div>'.repeat(count)}$5${'<span>$6</span>'.repeat(count)}`
    for (const shape of [list, deep]) {
      time(shape(sized(2000)))
      expectCost(time(shape(sized(20_000)))).toBeLessThan(15 * Math.max(200, time(shape(sized(2000)))))
    }
    const { menu, warnings } = read(
      `<title>Menu</title><h2>Soups</h2><ul>${'<li><b>Dish</b> $5.00</li>'.repeat(1500)}</ul>`,
    )
    expect(menu.sections[0]?.items).toHaveLength(1000)
    expect(warnings[0]).toMatch(/1500 dishes; the first 1000/)
  })
})

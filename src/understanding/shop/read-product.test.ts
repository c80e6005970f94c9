import { describe, expect, it } from 'vitest'
import { expectCost } from '../../../test/cost.ts'
import { parsePage } from '../../content/parsed-page.ts'
import { readProduct } from './read-product.ts'

const read = (html: string, url = 'https://shop.example/products/harbour-jacket') =>
  readProduct(
    parsePage(
      { bytes: Buffer.from(html), contentType: 'text/html; charset=utf-8', url },
      { onlyMainContent: true, includeTags: [], excludeTags: [], removeBase64Images: true },
    ),
  )
const linked = (data: object) =>
  `<script type="application/ld+json">${JSON.stringify({ '@context': 'https://schema.org', ...data })}</script>`

describe('structured data', () => {
  it('a product with one offer, a list price and a breadcrumb', () => {
    const { product, warnings } = read(
      `<html lang="en">${linked({
        '@type': 'Product',
        name: 'Harbour Jacket',
        brand: { '@type': 'Brand', name: 'Pier 4' },
        description: 'Keeps <b>rain</b> out.&nbsp;Always.',
        sku: 'HJ-1',
        image: ['/img/a.jpg', { '@type': 'ImageObject', contentUrl: '/img/b.jpg', caption: 'Back' }],
        offers: {
          '@type': 'Offer',
          price: '89.00',
          priceCurrency: 'EUR',
          availability: 'https://schema.org/InStock',
          priceSpecification: {
            '@type': 'UnitPriceSpecification',
            priceType: 'https://schema.org/ListPrice',
            price: 120,
            priceCurrency: 'EUR',
          },
        },
      })}${linked({
        '@type': 'BreadcrumbList',
        itemListElement: ['Home', 'Clothing', 'Jackets', 'Harbour Jacket'].map((name, n) => ({
          '@type': 'ListItem',
          position: n + 1,
          name,
        })),
      })}<link rel="canonical" href="/products/harbour-jacket"><h1>Harbour Jacket</h1><p class="price">€89.00</p>`,
    )
    expect(warnings).toEqual([])
    expect(product).toEqual({
      title: 'Harbour Jacket',
      brand: 'Pier 4',
      category: 'Clothing > Jackets',
      description: 'Keeps rain out. Always.',
      url: 'https://shop.example/products/harbour-jacket',
      variants: [
        {
          sku: 'HJ-1',
          price: { amount: 89, currency: 'EUR', formatted: '€89.00' },
          sale: { originalPrice: { amount: 120, currency: 'EUR', formatted: '€120.00' } },
          availability: { inStock: true, text: 'In stock' },
          images: [{ url: 'https://shop.example/img/a.jpg' }, { url: 'https://shop.example/img/b.jpg', alt: 'Back' }],
        },
      ],
    })
  })

  it('a group whose members are the variants', () => {
    const member = (size: string, price: number, availability: string) => ({
      '@type': 'Product',
      name: `Harbour Jacket - ${size}`,
      sku: `HJ-${size}`,
      size,
      offers: { '@type': 'Offer', price, priceCurrency: 'USD', availability: `https://schema.org/${availability}` },
    })
    const { product } = read(
      linked({
        '@type': 'ProductGroup',
        name: 'Harbour Jacket',
        variesBy: ['https://schema.org/size'],
        hasVariant: [member('S', 80, 'InStock'), member('M', 85, 'OutOfStock')],
      }),
    )
    expect(product?.variants).toMatchObject([
      {
        sku: 'HJ-S',
        title: 'S',
        values: { Size: 'S' },
        price: { amount: 80, currency: 'USD' },
        availability: { inStock: true },
      },
      {
        sku: 'HJ-M',
        title: 'M',
        values: { Size: 'M' },
        price: { amount: 85 },
        availability: { inStock: false, text: 'Out of stock' },
      },
    ])
  })

  it('microdata, and offers of one product by several sellers are one variant', () => {
    const { product } =
      read(`<div itemscope itemtype="https://schema.org/Product"><h1 itemprop="name">Lantern</h1><span itemprop="brand">Glim</span>
      <div itemprop="offers" itemscope itemtype="https://schema.org/AggregateOffer"><span itemprop="lowPrice" content="12.5">$12.50</span><meta itemprop="priceCurrency" content="USD"></div></div>`)
    expect(product).toMatchObject({
      title: 'Lantern',
      brand: 'Glim',
      variants: [{ price: { amount: 12.5, currency: 'USD', formatted: '$12.50' } }],
    })
  })
})

describe('what is only shown', () => {
  const shown = (body: string, lang = 'de') =>
    read(
      `<html lang="${lang}"><body><nav>Menü 1 €</nav><main><h1>Seemannspullover</h1>${body}</main><footer>Versand ab 4,90 €</footer>`,
    )

  it('the price after the heading, the old one crossed out, stock in the words of the page', () => {
    const { product } = shown(
      `<p>UVP <del>1.299,00 €</del> <b class="price">999,00 €</b> <small>(12,49 € / 100 g)</small></p><p class="stock">Nur noch 3 auf Lager</p><button>In den Warenkorb</button>
      <div class="gallery"><img src="/p/1.jpg" alt="Vorne"><img src="/p/1-300x300.jpg"><img src="/p/2.jpg"></div><section class="related"><h3>Andere</h3><span class="price">5,00 €</span><img src="/other.jpg"></section>`,
    )
    expect(product?.variants).toEqual([
      {
        price: { amount: 999, currency: 'EUR', formatted: '999,00 €' },
        sale: { originalPrice: { amount: 1299, currency: 'EUR', formatted: '1.299,00 €' } },
        availability: { inStock: true, text: 'Nur noch 3 auf Lager' },
        images: [{ url: 'https://shop.example/p/1.jpg', alt: 'Vorne' }, { url: 'https://shop.example/p/2.jpg' }],
      },
    ])
  })

  it.each([
    ['de', 'Ausverkauft'],
    ['fr', 'Rupture de stock'],
    ['es', 'Agotado'],
    ['it', 'Esaurito'],
    ['sv', 'Slutsåld'],
    ['pl', 'Produkt niedostępny'],
    ['ja', '売り切れ'],
    ['zh', '已售罄'],
    ['ko', '품절'],
    ['ru', 'Нет в наличии'],
    ['tr', 'Tükendi'],
  ])('sold out in %s: %s', (lang, text) => {
    const { product } = shown(
      `<span class="product-price">20 €</span><form><button>Buy now</button></form><div class="availability">${text}</div>`,
      lang,
    )
    expect(product?.variants[0]?.availability).toEqual({ inStock: false, text })
  })

  it('raised cents, prices in halves, and savings that are no price', () => {
    const { product } = shown(
      '<div class="price"><span>$</span><span>19</span><sup>99</sup></div><p>You save $5.00</p><p>or 4 payments of $5.00</p><button>Add to cart</button>',
      'en',
    )
    expect(product?.variants[0]?.price).toMatchObject({ amount: 19.99, currency: 'USD' })
    expect(product?.variants[0]?.sale).toBeUndefined()
  })

  it('articles, lists and plain pages have no product, and the warning says so', () => {
    const list = Array.from(
      { length: 12 },
      (_, n) =>
        `<li><h3><a href="/p/${n}">Thing ${n}</a></h3><span class="price">$${n + 1}.00</span><button>Add to cart</button></li>`,
    ).join('')
    for (const body of ['<p>It cost $20 then.</p>', `<ul>${list}</ul>`, '']) {
      const { product, warnings } = shown(body, 'en')
      expect(product).toBeUndefined()
      expect(warnings).toEqual([expect.stringContaining('No product found')])
    }
  })
})

describe('hostile shops', () => {
  const cpuMs = (work: () => void): number => {
    const started = process.cpuUsage().user
    work()
    return (process.cpuUsage().user - started) / 1000
  }

  it('thousands of variants are cut, with a warning', () => {
    const variants = Array.from({ length: 3000 }, (_, n) => ({
      id: n,
      title: `V${n}`,
      option1: `V${n}`,
      price: 100,
      available: true,
    }))
    const { product, warnings } = read(
      `<h1>Many</h1><script type="application/json">${JSON.stringify({ title: 'Many', options: ['V'], variants })}</script>`,
    )
    expect(product?.variants).toHaveLength(500)
    expect(warnings).toEqual(['The product has 3000 variants; the first 500 are listed.'])
  })

  it('deep and wide state, and pages of prices, take no time to speak of', () => {
    const deep = `${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}`
    const wide = JSON.stringify(
      Array.from({ length: 60_000 }, (_, n) => ({ name: `Thing ${n}`, price: n, sku: 's', image: '/x.jpg' })),
    )
    const prices = '<span class="price">$1.00</span>'.repeat(20_000)
    const nested = `${'<div class="price">'.repeat(3000)}$1${'</div>'.repeat(3000)}`
    const radios = '<input type="radio" name="color" value="x">'.repeat(20_000)
    read('<h1>Warm</h1>')
    for (const body of [deep, wide]
      .map((text) => `<script type="application/json">${text}</script>`)
      .concat(prices, nested, radios))
      expectCost(cpuMs(() => read(`<h1>Heap</h1>${body}`))).toBeLessThan(3000)
  })

  it('names that are traps stay names', () => {
    const { product } = read(
      `<h1>Trap</h1>${linked({ '@type': 'Product', name: 'Trap', offers: { price: '__proto__', priceCurrency: 'constructor', availability: 'toString' }, brand: { name: { name: { name: 'Deep' } } } })}<b class="price">$3</b><button>Buy now</button>`,
    )
    expect(product).toMatchObject({
      title: 'Trap',
      brand: 'Deep',
      variants: [{ price: { amount: 3, currency: 'USD' } }],
    })
  })
})

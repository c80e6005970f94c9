import { describe, expect, it } from 'vitest'
import { openPage } from '../page.ts'
import { productOf } from './product.ts'

const read = (html: string, url = 'https://shop.example/products/harbour-jacket') =>
  productOf(
    openPage(
      { bytes: Buffer.from(html), contentType: 'text/html; charset=utf-8', url },
      { onlyMainContent: true, includeTags: [], excludeTags: [], removeBase64Images: true },
    ),
  )
const linked = (data: object) =>
  `<script type="application/ld+json">${JSON.stringify({ '@context': 'https://schema.org', ...data })}</script>`
const attribute = (value: unknown) => JSON.stringify(value).replaceAll('&', '&amp;').replaceAll('"', '&quot;')

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

describe('shop systems', () => {
  it('Shopify: cents become money, options have their names, a default variant has none', () => {
    const state = {
      id: 1,
      title: 'Harbour Jacket',
      handle: 'harbour-jacket',
      description: '<p>Warm.</p>',
      vendor: 'Pier 4',
      type: 'Jackets',
      options: ['Colour', 'Size'],
      images: ['//cdn.example/a.jpg', '//cdn.example/b.jpg'],
      variants: [
        {
          id: 11,
          title: 'Navy / M',
          option1: 'Navy',
          option2: 'M',
          sku: 'N-M',
          price: 8900,
          compare_at_price: 12000,
          available: true,
          featured_image: { src: '//cdn.example/navy.jpg', alt: 'Navy' },
        },
        {
          id: 12,
          title: 'Red / M',
          option1: 'Red',
          option2: 'M',
          sku: 'R-M',
          price: 8900,
          compare_at_price: null,
          available: false,
        },
      ],
    }
    const { product } = read(
      `<meta property="og:price:currency" content="EUR"><h1>Harbour Jacket</h1><span class="price">€89,00</span><script type="application/json" data-product-json>${JSON.stringify(state)}</script>`,
    )
    expect(product).toMatchObject({
      title: 'Harbour Jacket',
      brand: 'Pier 4',
      category: 'Jackets',
      description: 'Warm.',
    })
    expect(product?.variants).toEqual([
      {
        id: '11',
        sku: 'N-M',
        title: 'Navy / M',
        values: { Colour: 'Navy', Size: 'M' },
        price: { amount: 89, currency: 'EUR', formatted: '€89,00' },
        sale: { originalPrice: { amount: 120, currency: 'EUR', formatted: '€120.00' } },
        availability: { inStock: true },
        images: [{ url: 'https://cdn.example/navy.jpg', alt: 'Navy' }],
      },
      {
        id: '12',
        sku: 'R-M',
        title: 'Red / M',
        values: { Colour: 'Red', Size: 'M' },
        price: { amount: 89, currency: 'EUR', formatted: '€89,00' },
        availability: { inStock: false },
        images: [{ url: 'https://cdn.example/a.jpg' }, { url: 'https://cdn.example/b.jpg' }],
      },
    ])
  })

  it('WooCommerce: variations of the form, named by its selects', () => {
    const variations = [
      {
        variation_id: 5,
        sku: 'B-5',
        attributes: { attribute_pa_color: 'sea-blue' },
        display_price: 30,
        display_regular_price: 40,
        is_in_stock: true,
        availability_html: '<p class="stock">3 in stock</p>',
        image: { full_src: '/i/blue.jpg', alt: 'Blue' },
      },
      {
        variation_id: 6,
        sku: 'B-6',
        attributes: { attribute_pa_color: 'red' },
        display_price: 40,
        display_regular_price: 40,
        is_in_stock: false,
        availability_html: '<p class="stock out-of-stock">Out of stock</p>',
        image: { full_src: '/i/red.jpg', alt: '' },
      },
    ]
    const { product } = read(`<html lang="en-GB"><h1 class="product_title">Mug</h1><p class="price">£30.00 – £40.00</p>
      <form class="variations_form cart" data-product_variations="${attribute(variations)}"><label for="pa_color">Colour</label>
      <select id="pa_color" name="attribute_pa_color"><option value="">Choose an option</option><option value="sea-blue">Sea Blue</option><option value="red">Red</option></select><button type="submit">Add to basket</button></form>`)
    expect(product?.variants).toMatchObject([
      {
        id: '5',
        sku: 'B-5',
        title: 'Sea Blue',
        values: { Colour: 'Sea Blue' },
        price: { amount: 30, currency: 'GBP', formatted: '£30.00' },
        sale: { originalPrice: { amount: 40 } },
        availability: { inStock: true, text: '3 in stock' },
        images: [{ url: 'https://shop.example/i/blue.jpg', alt: 'Blue' }],
      },
      {
        id: '6',
        values: { Colour: 'Red' },
        price: { amount: 40 },
        availability: { inStock: false, text: 'Out of stock' },
      },
    ])
    expect(product?.variants[1]?.sale).toBeUndefined()
  })

  it('Magento: products by their options, with final and old prices', () => {
    const config = {
      attributes: {
        '93': {
          id: '93',
          code: 'color',
          label: 'Color',
          options: [
            { id: '50', label: 'Blue', products: ['1'] },
            { id: '51', label: 'Red', products: ['2'] },
          ],
        },
      },
      optionPrices: {
        '1': { oldPrice: { amount: 50 }, finalPrice: { amount: 35 } },
        '2': { oldPrice: { amount: 50 }, finalPrice: { amount: 50 } },
      },
      index: { '1': { '93': '50' }, '2': { '93': '51' } },
      images: { '1': [{ full: '/m/blue.jpg', caption: 'Blue', isMain: true }] },
      salable: { '93': { '50': ['1'], '51': [] } },
    }
    const { product } = read(
      `<html lang="en"><h1 class="page-title">Bag</h1><meta property="product:price:currency" content="USD"><span class="price">$35.00</span><script type="text/x-magento-init">${JSON.stringify({ '[data-role=swatch-options]': { 'Magento_Swatches/js/swatch-renderer': { jsonConfig: config } } })}</script>`,
    )
    expect(product?.variants).toMatchObject([
      {
        id: '1',
        values: { Color: 'Blue' },
        price: { amount: 35, currency: 'USD' },
        sale: { originalPrice: { amount: 50 } },
        availability: { inStock: true },
        images: [{ url: 'https://shop.example/m/blue.jpg', alt: 'Blue' }],
      },
      { id: '2', values: { Color: 'Red' }, price: { amount: 50 }, availability: { inStock: false } },
    ])
  })

  it('PrestaShop and BigCommerce: the chosen one, and the choices beside it', () => {
    const data = {
      id_product: 3,
      id_product_attribute: 9,
      name: 'Mat',
      reference: 'MAT-9',
      price_amount: 19.9,
      regular_price_amount: 24.9,
      quantity: 4,
      available_for_order: '1',
      attributes: { '1': { group: 'Taille', name: 'S' } },
      availability_message: 'En stock',
    }
    const presta = read(
      `<html lang="fr"><h1>Mat</h1><span class="current-price">19,90 €</span><div class="product-variants"><div><span class="control-label">Taille</span><select name="group[1]"><option value="1">S</option><option value="2">M</option></select></div></div><div id="product-details" data-product="${attribute(data)}"></div>`,
    )
    expect(presta.product?.variants).toMatchObject([
      {
        id: '9',
        sku: 'MAT-9',
        values: { Taille: 'S' },
        price: { amount: 19.9, currency: 'EUR', formatted: '19,90 €' },
        sale: { originalPrice: { amount: 24.9 } },
        availability: { inStock: true, text: 'En stock' },
      },
      { values: { Taille: 'M' }, price: { amount: 19.9 } },
    ])
    const big = read(
      `<html lang="en"><h1>Rope</h1><script>var BCData = ${JSON.stringify({ product_attributes: { sku: 'ROPE', instock: true, purchasable: true, price: { without_tax: { formatted: '$9.50', value: 9.5, currency: 'USD' }, rrp_without_tax: { value: 12, currency: 'USD' } } } })};</script>`,
    )
    expect(big.product).toMatchObject({
      title: 'Rope',
      variants: [
        {
          sku: 'ROPE',
          price: { amount: 9.5, currency: 'USD' },
          sale: { originalPrice: { amount: 12 } },
          availability: { inStock: true },
        },
      ],
    })
  })

  it('a shop built by hand: the product in the state of its framework, not the ones it recommends', () => {
    const state = {
      props: {
        pageProps: {
          recommended: [{ name: 'Other', price: 5, sku: 'O', image: '/o.jpg', description: 'x' }],
          product: {
            name: 'Harbour Jacket',
            slug: 'harbour-jacket',
            brand: { name: 'Pier 4' },
            description: 'Warm',
            images: [{ url: '/a.jpg', altText: 'Front' }],
            variants: {
              edges: [
                {
                  node: {
                    id: 'gid://shop/Variant/7',
                    sku: 'S7',
                    price: { amount: '80.0', currencyCode: 'USD' },
                    compareAtPrice: { amount: '99.0', currencyCode: 'USD' },
                    availableForSale: true,
                    selectedOptions: [{ name: 'Size', value: 'M' }],
                  },
                },
              ],
            },
          },
        },
      },
    }
    const { product } = read(
      `<h1>Harbour Jacket</h1><script id="__NEXT_DATA__" type="application/json">${JSON.stringify(state)}</script>`,
    )
    expect(product).toMatchObject({
      title: 'Harbour Jacket',
      brand: 'Pier 4',
      variants: [
        {
          id: '7',
          sku: 'S7',
          values: { Size: 'M' },
          price: { amount: 80, currency: 'USD' },
          sale: { originalPrice: { amount: 99 } },
          availability: { inStock: true },
        },
      ],
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

  it('choices become variants; what cannot be chosen is out of stock', () => {
    const { product } = shown(
      `<b class="price">25 €</b><label for="g">Größe</label><select id="g" name="size"><option>Bitte wählen</option><option>S</option><option disabled>M – ausverkauft</option></select><button>In den Warenkorb</button>`,
    )
    expect(product?.variants).toMatchObject([
      { title: 'S', values: { Größe: 'S' }, price: { amount: 25 }, availability: { inStock: true } },
      { title: 'M', values: { Größe: 'M' }, price: { amount: 25 }, availability: { inStock: false } },
    ])
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
      expect(cpuMs(() => read(`<h1>Heap</h1>${body}`))).toBeLessThan(3000)
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

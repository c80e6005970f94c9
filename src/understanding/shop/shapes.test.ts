// Pages in shapes that the sets do not have: newer ways of saying a group of variants, a range of prices or a price that
// was crossed out, and shop systems beyond the five. Each stands among the cards of other products.
import { describe, expect, it } from 'vitest'
import { linked, read } from '../../../test/site/quay-boot.ts'

const attribute = (value: unknown) => JSON.stringify(value).replaceAll('&', '&amp;').replaceAll('"', '&quot;')
const usd = (amount: number) => expect.objectContaining({ amount, currency: 'USD' })
const stock = (inStock: boolean) => expect.objectContaining({ inStock })

describe('structured data', () => {
  it('a group in a graph: members by id, what they share on the group, one sold out and one to come', () => {
    const member = (id: string, size: string, color: string, availability: string) => ({
      ...{ '@type': 'Product', '@id': `#${id}`, sku: id, size, color, name: `Quay Boot ${color} ${size}` },
      isVariantOf: { '@id': '#group' },
      image: `https://cdn.example/${id}.jpg`,
      offers: {
        '@type': 'Offer',
        price: 129,
        priceCurrency: 'USD',
        availability: `https://schema.org/${availability}`,
      },
    })
    const product = read(
      '<p>$129.00</p>',
      linked({
        '@graph': [
          {
            ...{ '@type': 'ProductGroup', '@id': '#group', name: 'Quay Boot', productGroupID: 'QB' },
            brand: { '@type': 'Brand', name: 'Pier 4' },
            variesBy: ['https://schema.org/size', 'https://schema.org/color'],
            hasVariant: [{ '@id': '#a' }, { '@id': '#b' }, { '@id': '#c' }],
          },
          member('a', '41', 'Tan', 'InStock'),
          member('b', '42', 'Tan', 'OutOfStock'),
          member('c', '42', 'Black', 'PreOrder'),
        ],
      }),
    )
    expect(product).toMatchObject({ title: 'Quay Boot', brand: 'Pier 4' })
    expect(product?.variants).toMatchObject([
      { sku: 'a', values: { Size: '41', Color: 'Tan' }, price: usd(129), availability: { inStock: true } },
      { sku: 'b', values: { Size: '42', Color: 'Tan' }, availability: { inStock: false } },
      {
        sku: 'c',
        values: { Size: '42', Color: 'Black' },
        availability: { text: expect.stringMatching(/pre-?order/i) },
      },
    ])
  })

  it('a range of prices without its offers', () => {
    const offers = {
      ...{ '@type': 'AggregateOffer', lowPrice: '89.00', highPrice: '129.00', offerCount: 6, priceCurrency: 'USD' },
      availability: 'InStock',
    }
    const product = read('<p>From $89.00</p>', linked({ '@type': 'Product', name: 'Quay Boot', offers }))
    expect(product?.variants).toEqual([expect.objectContaining({ price: usd(89), availability: stock(true) })])
  })

  it('a range of prices with its offers', () => {
    const offers = {
      ...{ '@type': 'AggregateOffer', lowPrice: 89, highPrice: 129, priceCurrency: 'USD' },
      offers: [
        { '@type': 'Offer', sku: 'low', name: 'Low', price: 89, availability: 'http://schema.org/InStock' },
        { '@type': 'Offer', sku: 'high', name: 'High', price: 129, availability: 'http://schema.org/SoldOut' },
      ],
    }
    const product = read('<p>$89 – $129</p>', linked({ '@type': 'Product', name: 'Quay Boot', offers }))
    expect(product?.variants).toMatchObject([
      { sku: 'low', price: usd(89), availability: { inStock: true } },
      { sku: 'high', price: usd(129), availability: { inStock: false } },
    ])
  })

  it('a price that was crossed out, in the words of the vocabulary', () => {
    const offers = {
      '@type': 'Offer',
      availability: 'https://schema.org/LimitedAvailability',
      priceSpecification: [
        { '@type': 'UnitPriceSpecification', price: 99, priceCurrency: 'USD' },
        {
          ...{ '@type': 'UnitPriceSpecification', price: 129, priceCurrency: 'USD' },
          priceType: 'https://schema.org/StrikethroughPrice',
        },
      ],
    }
    const product = read('<p>$99.00</p>', linked({ '@type': 'Product', name: 'Quay Boot', offers }))
    expect(product?.variants).toMatchObject([
      { price: usd(99), sale: { originalPrice: usd(129) }, availability: { inStock: true } },
    ])
  })

  it('microdata of a range', () => {
    const product = read(
      '<div itemscope itemtype="https://schema.org/Product"><span itemprop="name">Quay Boot</span><div itemprop="offers" itemscope itemtype="https://schema.org/AggregateOffer">From <span itemprop="lowPrice" content="89.00">$89.00</span><meta itemprop="priceCurrency" content="USD"><link itemprop="availability" href="https://schema.org/OutOfStock"></div></div>',
    )
    expect(product?.variants).toEqual([expect.objectContaining({ price: usd(89), availability: stock(false) })])
  })

  it('what can be ordered before it is there', () => {
    const offers = { '@type': 'Offer', price: 129, priceCurrency: 'USD', availability: 'https://schema.org/PreOrder' }
    const product = read(
      '<p>$129.00</p><button>Pre-order now</button>',
      linked({ '@type': 'Product', name: 'Quay Boot', offers }),
    )
    expect(product?.variants[0]?.availability.text).toMatch(/pre-?order/i)
    const backorder = { ...offers, availability: 'BackOrder' }
    expect(
      read('<p>$129.00</p>', linked({ '@type': 'Product', name: 'Quay Boot', offers: backorder }))?.variants[0]
        ?.availability.text,
    ).toMatch(/back.?order/i)
  })
})

describe('shop systems', () => {
  it('Shopify: a list of variants alone, inside its picker', () => {
    const variant = (id: number, size: string, available: boolean, was: number | null) => ({
      ...{ id, title: size, option1: size, option2: null, option3: null, sku: `QB-${size}`, requires_shipping: true },
      ...{
        available,
        name: `Quay Boot - ${size}`,
        price: 9900,
        compare_at_price: was,
        inventory_management: 'shopify',
      },
    })
    const product = read(
      `<span class="price-item price-item--sale">$99.00</span><s class="price-item--regular">$129.00</s><variant-selects><script type="application/json">${JSON.stringify(
        [variant(1, '41', true, 12900), variant(2, '42', false, 12900)],
      )}</script></variant-selects><button name="add">Add to cart</button>`,
      '<meta property="og:type" content="product"><meta property="og:price:amount" content="99.00"><meta property="og:price:currency" content="USD">',
    )
    expect(product?.variants).toMatchObject([
      {
        sku: 'QB-41',
        values: { 'Option 1': '41' },
        price: usd(99),
        sale: { originalPrice: usd(129) },
        availability: { inStock: true },
      },
      { sku: 'QB-42', values: { 'Option 1': '42' }, price: usd(99), availability: { inStock: false } },
    ])
  })

  it('WooCommerce: prices that stand in a specification, tax and all', () => {
    const offers = [
      {
        '@type': 'Offer',
        priceSpecification: [
          { '@type': 'UnitPriceSpecification', price: '129.00', priceCurrency: 'USD', valueAddedTaxIncluded: false },
        ],
        availability: 'http://schema.org/InStock',
      },
    ]
    const product = read(
      '<p class="price">$129.00</p>',
      linked({ '@graph': [{ '@type': 'Product', name: 'Quay Boot', sku: 'QB', offers }] }),
    )
    expect(product?.variants).toMatchObject([{ sku: 'QB', price: usd(129), availability: { inStock: true } }])
  })

  it('Magento: swatches', () => {
    const config = {
      '[data-role=swatch-options]': {
        'Magento_Swatches/js/swatch-renderer': {
          jsonConfig: {
            attributes: {
              '93': {
                ...{ id: '93', code: 'color', label: 'Color', position: '0' },
                options: [
                  { id: '50', label: 'Tan', products: ['11'] },
                  { id: '51', label: 'Black', products: ['12'] },
                ],
              },
            },
            optionPrices: {
              '11': { oldPrice: { amount: 129 }, basePrice: { amount: 99 }, finalPrice: { amount: 99 } },
              '12': { oldPrice: { amount: 129 }, basePrice: { amount: 129 }, finalPrice: { amount: 129 } },
            },
            prices: { finalPrice: { amount: 99 } },
            images: { '11': [{ full: 'https://cdn.example/tan.jpg', isMain: true, caption: 'Tan' }] },
            salable: { '93': { '50': ['11'] } },
            sku: { '11': 'QB-TAN', '12': 'QB-BLK' },
          },
        },
      },
    }
    const product = read(
      `<span class="price">$99.00</span><script type="text/x-magento-init">${JSON.stringify(config)}</script>`,
      '<meta property="product:price:currency" content="USD"><meta property="og:type" content="product">',
    )
    expect(product?.variants).toMatchObject([
      {
        values: { Color: 'Tan' },
        price: usd(99),
        sale: { originalPrice: usd(129) },
        images: [{ url: 'https://cdn.example/tan.jpg' }],
      },
      { values: { Color: 'Black' }, price: usd(129) },
    ])
    expect(product?.variants[1]?.sale).toBeUndefined()
  })

  it('BigCommerce: what the page keeps for its scripts', () => {
    const data = {
      product_attributes: {
        ...{ sku: 'QB-1', upc: null, instock: false, purchasable: false, stock_message: 'Sold out' },
        price: {
          without_tax: { formatted: '$99.00', value: 99, currency: 'USD' },
          rrp_without_tax: { formatted: '$129.00', value: 129, currency: 'USD' },
        },
      },
    }
    const product = read(
      `<div class="productView"><span data-product-rrp-price-without-tax class="price price--rrp">$129.00</span><span data-product-price-without-tax class="price price--withoutTax">$99.00</span></div><script>var BCData = ${JSON.stringify(data)};</script>`,
      '<meta property="og:type" content="product">',
    )
    expect(product?.variants).toMatchObject([
      { sku: 'QB-1', price: usd(99), sale: { originalPrice: usd(129) }, availability: { inStock: false } },
    ])
  })

  it('Squarespace: variants in an attribute', () => {
    const variant = (sku: string, size: string, quantity: number, onSale: boolean) => ({
      ...{ id: `id-${sku}`, sku, attributes: { Size: size }, onSale, qtyInStock: quantity, unlimited: false },
      priceMoney: { value: '129.00', currency: 'USD' },
      salePriceMoney: { value: onSale ? '99.00' : '0.00', currency: 'USD' },
    })
    const product = read(
      `<div class="product-price"><span class="sqs-money-native">99.00</span></div><div class="product-variants" data-item-id="x" data-variants="${attribute([variant('A', '41', 3, true), variant('B', '42', 0, false)])}"><select data-variant-option-name="Size"><option>41</option><option>42</option></select></div><div class="sqs-add-to-cart-button">Add To Cart</div>`,
      '<meta property="og:type" content="product"><meta property="product:price:currency" content="USD"><meta property="product:price:amount" content="99.00">',
    )
    expect(product?.variants).toMatchObject([
      {
        sku: 'A',
        values: { Size: '41' },
        price: usd(99),
        sale: { originalPrice: usd(129) },
        availability: { inStock: true },
      },
      { sku: 'B', values: { Size: '42' }, price: usd(129), availability: { inStock: false } },
    ])
    expect(product?.variants[1]?.sale).toBeUndefined()
  })

  it('Wix: the product in the data the page was rendered with', () => {
    const data = {
      appsWarmupData: {
        'app-1': {
          productPage_USD_quay: {
            catalog: {
              product: {
                ...{ id: 'w1', name: 'Quay Boot', sku: 'QB', price: 129, discountedPrice: 99, currency: 'USD' },
                ...{ formattedPrice: '$129.00', formattedDiscountedPrice: '$99.00', isInStock: true },
                inventory: { status: 'in_stock', quantity: 4 },
                media: [{ fullUrl: 'https://static.example/boot.jpg', title: 'Boot' }],
              },
            },
          },
        },
      },
    }
    const product = read(
      `<div><s data-hook="formatted-primary-price">$129.00</s> <span data-hook="formatted-secondary-price">$99.00</span></div><button data-hook="add-to-cart">Add to Cart</button><script type="application/json" id="wix-warmup-data">${JSON.stringify(data)}</script>`,
      '<meta property="og:type" content="product"><meta property="product:price:currency" content="USD">',
    )
    expect(product?.variants).toMatchObject([
      { price: usd(99), sale: { originalPrice: usd(129) }, availability: { inStock: true } },
    ])
  })
})

describe('the page alone', () => {
  it('sold out, said by the button', () => {
    const product = read('<p class="price">$129.00</p><button disabled>Sold out</button><p>Leather, made to last.</p>')
    expect(product?.variants).toMatchObject([{ price: usd(129), availability: { inStock: false } }])
  })

  it('a sale between del and ins, with what is saved beside it', () => {
    const product = read(
      '<p class="price"><del>$129.00</del> <ins>$99.00</ins> <span class="badge">Save $30.00 (23%)</span></p><button>Add to basket</button><p>or 4 payments of $24.75</p>',
    )
    expect(product?.variants).toMatchObject([
      { price: usd(99), sale: { originalPrice: usd(129) }, availability: { inStock: true } },
    ])
  })

  it('to be ordered before it is there', () => {
    const product = read('<p class="price">$129.00</p><button>Pre-order</button><p>Ships in October.</p>')
    expect(product?.variants[0]).toMatchObject({ price: usd(129) })
    expect(product?.variants[0]?.availability.text).toMatch(/pre-?order/i)
  })
})

describe('what stands beside a label', () => {
  it('a list of facts: brand, code, stock', () => {
    const product = read(`
      <ul><li>Brand: <a href="/anchor">Anchor Boots</a></li><li>Product Code: AB50</li><li>Availability: In Stock</li></ul>
      <ul><li><span style="text-decoration: line-through;">$100.00</span></li><li><h2>$90.00</h2></li><li>Ex Tax: $75.00</li></ul>
      <button>Add to Cart</button>`)
    expect(product?.brand).toBe('Anchor Boots')
    expect(product?.variants).toEqual([
      expect.objectContaining({
        price: usd(90),
        sale: { originalPrice: usd(100) },
        availability: { inStock: true, text: 'In Stock' },
      }),
    ])
  })

  it('a table, without any name that tells', () => {
    const product = read(`<div><span>$64.00</span></div><p>In stock – ships tomorrow</p><button>Add to cart</button>
      <table><tr><th>SKU</th><td>QB-01</td></tr><tr><th>Weight</th><td>900 g</td></tr></table>`)
    expect(product?.variants).toEqual([
      expect.objectContaining({ sku: 'QB-01', availability: { inStock: true, text: 'In stock – ships tomorrow' } }),
    ])
  })
})

describe('shops of other makes', () => {
  it('a store page: who makes it, the list price that is struck by an attribute', () => {
    const product = read(`<a id="bylineInfo" href="/stores/quay">Visit the Quay & Sons Store</a>
      <span class="a-price priceToPay"><span class="a-offscreen">$49.99</span></span>
      <span class="basisPrice">List Price: <span class="a-price a-text-price" data-a-strike="true"><span class="a-offscreen">$64.99</span></span></span>
      <div id="availability"><span> In Stock </span></div><input type="submit" value="Add to Cart">`)
    expect(product?.brand).toBe('Quay & Sons')
    expect(product?.variants).toEqual([
      expect.objectContaining({
        price: usd(49.99),
        sale: { originalPrice: usd(64.99) },
        availability: { inStock: true, text: 'In Stock' },
      }),
    ])
  })

  it('a number in a box that is named after it and after stock', () => {
    const product =
      read(`<span class="price">$45.00</span><div class="product-info-stock-sku"><div class="stock available"><span>In stock</span></div>
      <div class="product attribute sku"><strong>SKU</strong><div class="value" itemprop="sku">FL-1</div></div></div><button>Add to Cart</button>`)
    expect(product?.variants).toEqual([
      expect.objectContaining({ sku: 'FL-1', availability: { inStock: true, text: 'In stock' } }),
    ])
  })
})

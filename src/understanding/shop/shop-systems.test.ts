import { describe, expect, it } from 'vitest'
import { parsePage } from '../../content/parsed-page.ts'
import { readProduct } from './read-product.ts'

const read = (html: string, url = 'https://shop.example/products/harbour-jacket') =>
  readProduct(
    parsePage(
      { bytes: Buffer.from(html), contentType: 'text/html; charset=utf-8', url },
      { onlyMainContent: true, includeTags: [], excludeTags: [], removeBase64Images: true },
    ),
  )
const attribute = (value: unknown) => JSON.stringify(value).replaceAll('&', '&amp;').replaceAll('"', '&quot;')

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

  it('WooCommerce: variations of the form, named by their keys', () => {
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
      <form class="variations_form cart" data-product_variations="${attribute(variations)}"><button type="submit">Add to basket</button></form>`)
    expect(product?.variants).toMatchObject([
      {
        id: '5',
        sku: 'B-5',
        title: 'Sea Blue',
        values: { Color: 'Sea Blue' },
        price: { amount: 30, currency: 'GBP', formatted: '£30.00' },
        sale: { originalPrice: { amount: 40 } },
        availability: { inStock: true, text: '3 in stock' },
        images: [{ url: 'https://shop.example/i/blue.jpg', alt: 'Blue' }],
      },
      {
        id: '6',
        values: { Color: 'Red' },
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

  it('PrestaShop and BigCommerce: the chosen one', () => {
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
      `<html lang="fr"><h1>Mat</h1><span class="current-price">19,90 €</span><div id="product-details" data-product="${attribute(data)}"></div>`,
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

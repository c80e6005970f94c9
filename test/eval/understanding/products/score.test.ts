// The scorer of the product set, and the set itself: each expected text and amount stands on its page.
import { describe, expect, it } from 'vitest'
import { readCases, readPage } from '../cases.ts'
import { plain } from '../equal.ts'
import { hasSharedPages, sharedPages } from '../shared-pages.ts'
import { total } from '../tally.ts'
import { readable } from '../visible.ts'
import { type Product, type ProductCase, type SharedProductCase, scoreProduct, scoreSharedProduct } from './score.ts'

const own = readCases<ProductCase>(new URL('own.json', import.meta.url))
const shared = readCases<SharedProductCase>(new URL('wceb.json', import.meta.url))
const variants = own.find(({ id }) => id === 'shopify-variants')!
const plainOne = own.find(({ id }) => id === 'woocommerce-plain')!

describe('scoreProduct', () => {
  it.each(own.map((one) => [one.id, one] as const))('%s: gives every field to the expected product', (_, one) => {
    const { wrong, empty } = total([scoreProduct(one, one.expected)])
    expect({ wrong, empty }).toEqual({ wrong: 0, empty: 0 })
  })

  it('leaves every field empty when no product was found', () => {
    const { wrong, empty } = total([scoreProduct(plainOne, null)])
    expect(wrong).toBe(0)
    expect(empty).toBeGreaterThan(8)
  })

  it('pairs variants by their options, in any order, and counts those the shop does not have', () => {
    const turned = variants.expected.variants.map(({ id: _, sku: __, ...rest }) => rest).reverse()
    const score = scoreProduct(variants, { ...variants.expected, variants: [...turned, { values: { Size: 'Huge' } }] })
    expect(score.get('price.amount')).toEqual({ right: 4, wrong: 0, empty: 0 })
    expect(score.get('variant.sku')).toEqual({ right: 0, wrong: 0, empty: 4 })
    expect(score.get('variants')?.wrong).toBe(1)
  })

  it('does not forgive a sale that is none, nor one that is missed', () => {
    const [first, ...rest] = plainOne.expected.variants
    const claimed: Product = {
      ...plainOne.expected,
      variants: [{ ...first, sale: { originalPrice: { amount: 99 } } }, ...rest],
    }
    expect(scoreProduct(plainOne, claimed).get('sale')).toEqual({ right: 0, wrong: 1, empty: 0 })
    const missed = variants.expected.variants.map((variant) => ({ ...variant, sale: null }))
    expect(scoreProduct(variants, { ...variants.expected, variants: missed }).get('sale')?.empty).toBe(1)
  })

  it('takes a category as a path or as its last part', () => {
    const score = (category: string) => scoreProduct(plainOne, { ...plainOne.expected, category }).get('category')
    expect(score('Sortenhonig')?.right).toBe(1)
    expect(score('Honig / Sortenhonig')?.right).toBe(1)
    expect(score('Kerzen')?.wrong).toBe(1)
  })
})

describe('scoreSharedProduct', () => {
  const one: SharedProductCase = {
    id: 'x',
    expected: { title: 'Mug', brand: 'Ghost' },
    any: { amount: 60, currency: 'AUD', inStock: false, originalAmount: null },
  }
  it('wants one variant that fits, and no sale where there is none', () => {
    const got: Product = {
      title: 'mug',
      url: 'https://a.example',
      variants: [
        { price: { amount: 50, currency: 'AUD' }, availability: { inStock: true } },
        { price: { amount: 60, currency: 'AUD' }, availability: { inStock: false } },
      ],
    }
    expect(total([scoreSharedProduct(one, got)])).toEqual({ right: 5, wrong: 0, empty: 1 })
    got.variants[0]!.sale = { originalPrice: { amount: 70 } }
    expect(scoreSharedProduct(one, got).get('sale')?.wrong).toBe(1)
  })
})

describe('the product set', () => {
  it('has five shop systems in four states each, and more than ten shared pages', () => {
    expect(new Set(own.map(({ system, kind }) => `${system} ${kind}`)).size).toBe(20)
    expect(shared.length).toBeGreaterThan(10)
  })

  it.each(own.map((one) => [one.id, one] as const))(
    '%s: everything expected stands on the page',
    (id, { expected }) => {
      const text = readable(readPage(new URL(`pages/${id}.html`, import.meta.url)))
      const words = [expected.title, expected.brand, expected.description, expected.category?.split(' > ').at(-1)]
      const ofVariants = expected.variants.flatMap(({ sku, values, price, availability, images }) => [
        sku,
        price?.formatted,
        availability?.text,
        ...Object.values(values ?? {}),
        ...(images ?? []).map(({ alt }) => alt),
      ])
      expect([...words, ...ofVariants].filter((word) => word && !text.includes(plain(word)))).toEqual([])
    },
  )

  it.skipIf(!hasSharedPages)('shared pages have their titles (skipped where ../shared/bench is absent)', async () => {
    const pages = await sharedPages()
    const missing = shared.filter(({ id, expected, titles = [] }) => {
      const text = readable(pages.get(id)!.html())
      return ![expected.title, ...titles].some((title) => text.includes(plain(title)))
    })
    expect(missing.map(({ id }) => id)).toEqual([])
  })
})

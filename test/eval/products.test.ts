// Products, judged on the set in understanding/products: twenty pages in the shapes of five shop systems, and public
// product pages by id. The floors are raised by the commit that earns it.
import { describe, expect, it } from 'vitest'
import { openPage } from '../../src/content/page.ts'
import { productOf } from '../../src/content/shop/product.ts'
import floors from './product-floors.json' with { type: 'json' }
import { readCases, readPage } from './understanding/cases.ts'
import {
  type Product,
  type ProductCase,
  type SharedProductCase,
  scoreProduct,
  scoreSharedProduct,
} from './understanding/products/score.ts'
import { hasSharedPages, sharedPages } from './understanding/shared-pages.ts'
import { faults, shares, total } from './understanding/tally.ts'

const choices = { onlyMainContent: true, includeTags: [], excludeTags: [], removeBase64Images: true }
const read = (html: string, url: string): Product | undefined =>
  productOf(openPage({ bytes: Buffer.from(html), contentType: 'text/html; charset=utf-8', url }, choices)).product

const set = (name: string) => new URL(`understanding/products/${name}`, import.meta.url)

it('every field of the products of five shop systems is right', () => {
  const scores = readCases<ProductCase>(set('own.json')).map(
    (one) => [one.id, scoreProduct(one, read(readPage(set(`pages/${one.id}.html`)), one.url))] as const,
  )
  const { right } = shares(total(scores.map(([, score]) => score)))
  expect(right, faults(scores).join('\n')).toBeGreaterThanOrEqual(floors.own)
})

describe.skipIf(!hasSharedPages)('public product pages (skipped where ../shared/bench is absent)', () => {
  it('title, brand, price, stock and sale are right', { timeout: 120_000 }, async () => {
    const pages = await sharedPages()
    const scores = readCases<SharedProductCase>(set('wceb.json')).map((one) => {
      const page = pages.get(one.id)!
      return [one.id, scoreSharedProduct(one, read(page.html(), page.url))] as const
    })
    const { right, wrong } = shares(total(scores.map(([, score]) => score)))
    expect(right, faults(scores).join('\n')).toBeGreaterThanOrEqual(floors.shared)
    expect(wrong).toBeLessThanOrEqual(floors.sharedWrong)
  })
})

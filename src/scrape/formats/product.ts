// The product of a page, with its variants. Read in the worker; a page that has none leaves the field out and says so.
import { z } from 'zod'
import { defineFormat } from './format.ts'
import { absent, outcome } from './outcome.ts'

export const product = defineFormat({
  name: 'product',
  help: 'The product of a page: title, brand, category, and variants with price, sale, availability and images.',
  reply: z.looseObject({ title: z.string(), url: z.string(), variants: z.array(z.looseObject({})) }),
  needs: [],
  options: {},
  read: async (page) =>
    page.kind === 'html'
      ? (await import('../../understanding/shop/product.ts')).productOf(page)
      : { warnings: ['No product found: this is not a web page.'], evidence: [] },
  produce: ({ read: { product, warnings, evidence } }) =>
    product
      ? outcome({ value: product, warnings, steps: [{ from: evidence }] })
      : absent(warnings[0] ?? 'No product found on this page.'),
})

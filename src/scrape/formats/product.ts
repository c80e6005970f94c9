// The product of a page with its variants, by rules in the worker; a model fills the gaps.
import { z } from 'zod'
import { defineFormat } from './format.ts'
import { makeAbsentFormatOutcome, makeFormatOutcome } from './format-outcome.ts'
import { fillProductGapsWithModel, isProductIncomplete } from './product-and-menu-by-model.ts'

export const productFormat = defineFormat({
  name: 'product',
  help: 'The product of a page: title, brand, category, and variants with price, sale, availability and images.',
  reply: z.looseObject({ title: z.string(), url: z.string(), variants: z.array(z.looseObject({})) }),
  needs: ['markdown', 'llm'],
  options: {},
  read: async (page) => ({
    url: page.url,
    ...(page.kind === 'html'
      ? (await import('../../understanding/shop/read-product.ts')).readProduct(page)
      : { warnings: ['No product found: this is not a web page.'], evidence: [] }),
  }),
  async produce({ read: { product, warnings, evidence, url }, markdown, llm }, _options, signal) {
    const steps = [{ from: evidence }]
    if (llm.by === 'model' && isProductIncomplete(product)) {
      const { value, answer } = await fillProductGapsWithModel(llm, product, url, () => markdown.value(), signal)
      const said = [...steps, { by: answer.by, ...answer.usage }]
      const parts = { warnings: [...warnings.filter(() => value === undefined), ...answer.warnings], steps: said }
      return makeFormatOutcome({ ...parts, doNotCache: answer.doNotCache, ...(value ? { value } : {}) })
    }
    return product
      ? makeFormatOutcome({ value: product, warnings, steps })
      : makeAbsentFormatOutcome(warnings[0] ?? 'No product found on this page.')
  },
})

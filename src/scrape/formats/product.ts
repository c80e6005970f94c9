// The product of a page with its variants, by rules in the worker; a model fills the gaps.
import { z } from 'zod'
import { defineFormat } from './format.ts'
import { absent, outcome } from './outcome.ts'
import { completedProduct, lacksSomething } from './shop-model.ts'

export const product = defineFormat({
  name: 'product',
  help: 'The product of a page: title, brand, category, and variants with price, sale, availability and images.',
  reply: z.looseObject({ title: z.string(), url: z.string(), variants: z.array(z.looseObject({})) }),
  needs: ['markdown', 'llm'],
  options: {},
  read: async (page) => ({
    url: page.url,
    ...(page.kind === 'html'
      ? (await import('../../understanding/shop/product.ts')).productOf(page)
      : { warnings: ['No product found: this is not a web page.'], evidence: [] }),
  }),
  async produce({ read: { product, warnings, evidence, url }, markdown, llm }, _options, signal) {
    const steps = [{ from: evidence }]
    if (llm.by === 'model' && lacksSomething(product)) {
      const { value, answer } = await completedProduct(llm, product, url, () => markdown.value(), signal)
      const said = [...steps, { by: answer.by, ...answer.usage }]
      const parts = { warnings: [...warnings.filter(() => value === undefined), ...answer.warnings], steps: said }
      return outcome({ ...parts, fleeting: answer.fleeting, ...(value ? { value } : {}) })
    }
    return product
      ? outcome({ value: product, warnings, steps })
      : absent(warnings[0] ?? 'No product found on this page.')
  },
})

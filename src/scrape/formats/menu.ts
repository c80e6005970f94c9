// A restaurant's menu, by rules in the worker, or by a model where the rules find none.
import { z } from 'zod'
import { defineFormat } from './format.ts'
import { makeFormatOutcome } from './format-outcome.ts'
import { readMenuWithModel } from './product-and-menu-by-model.ts'

export const menuFormat = defineFormat({
  name: 'menu',
  help: 'The menu of a restaurant: sections with dishes, prices, diets and calories.',
  reply: z.looseObject({ isMenu: z.boolean(), confidence: z.number(), sections: z.array(z.looseObject({})) }),
  needs: ['markdown', 'llm'],
  options: {},
  read: async (page) => (await import('../../understanding/menu/read-restaurant-menu.ts')).readRestaurantMenu(page),
  async produce({ read: { menu, warnings }, markdown, llm }, _options, signal) {
    if (menu.isMenu || llm.by === 'extractive') return makeFormatOutcome({ value: menu, warnings })
    const { value, answer } = await readMenuWithModel(llm, menu, () => markdown.value(), signal)
    return makeFormatOutcome({
      value: value ?? menu,
      warnings: [...(value ? [] : warnings), ...answer.warnings],
      steps: [{ by: answer.by, ...answer.usage }],
      doNotCache: answer.doNotCache,
    })
  },
})

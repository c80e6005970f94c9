// A restaurant's menu, by rules in the worker, or by a model where the rules find none.
import { z } from 'zod'
import { defineFormat } from './format.ts'
import { outcome } from './outcome.ts'
import { completedMenu } from './shop-model.ts'

export const menu = defineFormat({
  name: 'menu',
  help: 'The menu of a restaurant: sections with dishes, prices, diets and calories.',
  reply: z.looseObject({ isMenu: z.boolean(), confidence: z.number(), sections: z.array(z.looseObject({})) }),
  needs: ['markdown', 'llm'],
  options: {},
  read: async (page) => (await import('../../understanding/menu/menu.ts')).menuOf(page),
  async produce({ read: { menu, warnings }, markdown, llm }, _options, signal) {
    if (menu.isMenu || llm.by === 'extractive') return outcome({ value: menu, warnings })
    const { value, answer } = await completedMenu(llm, menu, () => markdown.value(), signal)
    return outcome({
      value: value ?? menu,
      warnings: [...(value ? [] : warnings), ...answer.warnings],
      steps: [{ by: answer.by, ...answer.usage }],
      fleeting: answer.fleeting,
    })
  },
})

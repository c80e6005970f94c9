// The menu of a restaurant's page. Read in the worker; where the rules see none a model is asked, when there is one. A page
// that is no menu says so in the field itself and in a warning.
import { defineFormat } from './format.ts'
import { outcome } from './outcome.ts'
import { completedMenu } from './shop-model.ts'

export const menu = defineFormat({
  name: 'menu',
  help: 'The menu of a restaurant: sections with dishes, prices, diets and calories.',
  needs: ['markdown', 'llm'],
  options: {},
  read: async (page) => (await import('../../understanding/menu/menu.ts')).menuOf(page),
  async produce({ read: { menu, warnings }, markdown, llm }, _options, signal) {
    if (menu.isMenu || llm.by === 'extractive') return outcome({ value: menu, warnings })
    const { value, told } = await completedMenu(llm, menu, () => markdown.value(), signal)
    return outcome({
      value: value ?? menu,
      warnings: [...(value ? [] : warnings), ...told.warnings],
      steps: [{ by: told.by, ...told.usage }],
      fleeting: told.fleeting,
    })
  },
})

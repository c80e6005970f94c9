// The menu of a restaurant's page. Read in the worker; a page that is no menu says so in the field itself and in a warning.
import { defineFormat } from './format.ts'
import { outcome } from './outcome.ts'

export const menu = defineFormat({
  name: 'menu',
  help: 'The menu of a restaurant: sections with dishes, prices, diets and calories.',
  needs: [],
  options: {},
  read: async (page) => (await import('../../understanding/menu/menu.ts')).menuOf(page),
  produce: ({ read: { menu, warnings } }) => outcome({ value: menu, warnings }),
})

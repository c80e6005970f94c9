// The menu of a restaurant's page. Read in the worker; a page that is no menu says so in the field itself and in a warning.
import { z } from 'zod'
import { defineFormat } from './format.ts'
import { outcome } from './outcome.ts'

export const menu = defineFormat({
  name: 'menu',
  help: 'The menu of a restaurant: sections with dishes, prices, diets and calories.',
  reply: z.looseObject({ isMenu: z.boolean(), confidence: z.number(), sections: z.array(z.looseObject({})) }),
  needs: [],
  options: {},
  read: async (page) => (await import('../../understanding/menu/menu.ts')).menuOf(page),
  produce: ({ read: { menu, warnings } }) => outcome({ value: menu, warnings }),
})

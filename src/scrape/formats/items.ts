// The entries of a list page, such as articles, products or jobs.
import { z } from 'zod'
import { defineFormat } from './format.ts'

export const itemsFormat = defineFormat({
  name: 'items',
  help: 'The entries of a list page (articles, products, jobs), found by its structure.',
  reply: z.array(
    z.object({
      title: z.string(),
      url: z.string(),
      date: z.string().optional(),
      image: z.string().optional(),
      price: z.object({ amount: z.number(), currency: z.string() }).optional(),
      text: z.string().optional(),
    }),
  ),
  needs: [],
  options: {},
  read: async (page) => (await import('../../understanding/extract/find-list-items.ts')).findListItems(page),
  produce: ({ read }) => read,
})

// All image URLs of the page.
import { z } from 'zod'
import { defineFormat } from './format.ts'

export const imagesFormat = defineFormat({
  name: 'images',
  help: 'All image URLs of the page: absolute, without duplicates.',
  reply: z.array(z.string()),
  needs: ['images'],
  options: {},
  produce: (have) => have.images,
})

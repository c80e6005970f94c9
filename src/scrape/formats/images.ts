// Every image the page shows or names.
import { defineFormat } from './format.ts'

export const images = defineFormat({
  name: 'images',
  help: 'All image addresses of the page: absolute, without duplicates.',
  needs: ['images'],
  options: {},
  produce: (have) => have.images,
})

// The decoded HTML as received.
import { z } from 'zod'
import { defineFormat } from './format.ts'

export const rawHtmlFormat = defineFormat({
  name: 'rawHtml',
  help: 'The unmodified html as received.',
  reply: z.string(),
  needs: ['rawHtml'],
  options: {},
  produce: (have) => have.rawHtml,
})

// The raw response body.
import { z } from 'zod'
import { defineFormat } from './format.ts'

export const rawBase64Format = defineFormat({
  name: 'rawBase64',
  help: 'Base64 of the original response body. Cannot be combined with other formats.',
  reply: z.string(),
  needs: ['base64'],
  alone: true,
  options: {},
  produce: (have) => have.base64,
})

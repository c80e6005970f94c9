// The bytes of the answer themselves, whatever kind of file they are.
import { defineFormat } from './format.ts'

export const rawBase64 = defineFormat({
  name: 'rawBase64',
  help: 'Base64 of the original response body. Cannot be combined with other formats.',
  needs: ['bytes'],
  alone: true,
  options: {},
  produce: ({ bytes }) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64'),
})

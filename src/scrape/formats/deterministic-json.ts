// The data of `json`, always by extraction, so that the same page gives the same result.
import { z } from 'zod'
import { defineFormat } from './format.ts'
import { jsonShape, readJson } from './json.ts'
import { outcome } from './outcome.ts'

export const deterministicJson = defineFormat({
  name: 'deterministicJson',
  field: 'json',
  help: 'Data of the page as JSON by rules alone: the same page gives the same answer.',
  reply: z.unknown(),
  needs: [],
  options: jsonShape,
  read: (view, options) => readJson(view, options),
  produce: ({ read }) =>
    outcome({ value: read.value, warnings: read.warnings, steps: [{ by: 'extractive', fields: read.fields }] }),
})

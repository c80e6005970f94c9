// The data of `json`, always by extraction, so that the same page gives the same result.
import { z } from 'zod'
import { defineFormat } from './format.ts'
import { makeFormatOutcome } from './format-outcome.ts'
import { jsonShape, readJsonByRules } from './json.ts'

export const deterministicJsonFormat = defineFormat({
  name: 'deterministicJson',
  field: 'json',
  help: 'Data of the page as JSON by rules alone: the same page gives the same result.',
  reply: z.unknown(),
  needs: [],
  options: jsonShape,
  read: (view, options) => readJsonByRules(view, options),
  produce: ({ read }) =>
    makeFormatOutcome({
      value: read.value,
      warnings: read.warnings,
      steps: [{ by: 'extractive', fields: read.fields }],
    }),
})

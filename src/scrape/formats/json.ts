// Structured data in the caller's schema, by a model or by extraction.
import { z } from 'zod'
import { jsonSchemaOption } from '../../base/json-schema.ts'
import { Problem } from '../../base/problem.ts'
import type { ExtractTask, ModelAnswer } from '../../llm/llm.ts'
import type { ExplainedField } from '../../understanding/extract/explain-fields.ts'
import type { Extraction } from '../../understanding/extract/extract-json.ts'
import { assertNoPromptInjection } from '../prompt-injection-check.ts'
import { defineFormat, type FormatInputPage, joinMetadataText } from './format.ts'
import { makeFormatOutcome, outcomeOfModelAnswer } from './format-outcome.ts'
import { writeStructuredData } from './structured-data-text.ts'

export const jsonShape = {
  schema: jsonSchemaOption.optional(),
  prompt: z.string().max(10_000).optional().describe('What to extract, in words.'),
}

interface JsonFormatOptions {
  schema?: Record<string, unknown> | undefined
  prompt?: string | undefined
}

interface JsonReading extends Extraction {
  facts: string
  head: string
  fields: readonly ExplainedField[]
}

export async function readJsonByRules(
  view: FormatInputPage,
  { schema, prompt }: JsonFormatOptions,
): Promise<JsonReading> {
  const [{ extractJson }, { explainFields }] = await Promise.all([
    import('../../understanding/extract/extract-json.ts'),
    import('../../understanding/extract/explain-fields.ts'),
  ])
  const facts = writeStructuredData(view)
  const found = extractJson(view, schema, prompt?.trim() || undefined)
  return {
    ...found,
    facts,
    head: joinMetadataText(view),
    fields: explainFields(found.value, found.sources, view.markdown),
  }
}

export const makeJsonTask = (
  read: JsonReading,
  { schema, prompt }: JsonFormatOptions,
  text: () => string,
): ExtractTask => ({
  schema,
  prompt: prompt?.trim() || undefined,
  text,
  facts: () => read.facts,
  found: read.value,
  foundWarnings: read.warnings,
})

/** Characters of the page searched on the main thread to verify a model's values. */
const MAX_SEARCHED_HERE = 60_000

/** Verifies a model's answer against the page; unsupported values are marked and reported in a warning. */
export async function verifyModelJson(
  answer: ModelAnswer<unknown>,
  read: JsonReading,
  schema: unknown,
  markdown: string,
) {
  if (answer.misfit !== undefined)
    throw new Problem('unprocessable', { because: `the language model gave no data of this schema (${answer.misfit})` })
  if (answer.by === 'extractive') return { answer, fields: read.fields, checks: [] }
  const [{ explainFields }, { makeEvidenceIndex }, { verifyValue, writeVerifyWarnings }] = await Promise.all([
    import('../../understanding/extract/explain-fields.ts'),
    import('../../understanding/verify/page-evidence.ts'),
    import('../../understanding/verify/verify-values.ts'),
  ])
  const { value, checks } = verifyValue(answer.value, makeEvidenceIndex([read.head, markdown, read.facts]), schema)
  const doubted = new Set(checks.flatMap(({ isVerified, path }) => (isVerified ? [] : [path])))
  const fields = explainFields(value, {}, markdown, MAX_SEARCHED_HERE).map((field) =>
    doubted.has(field.path.replaceAll(/\[(\d+)\]/g, '.$1').replace(/^\./, ''))
      ? { ...field, verified: false as const }
      : field,
  )
  return {
    answer: { ...answer, value, warnings: [...answer.warnings, ...writeVerifyWarnings(checks)] },
    fields,
    checks,
  }
}

export const jsonFormat = defineFormat({
  name: 'json',
  help: 'Data of the page as JSON, by schema, by prompt, or its main facts when neither is given.',
  reply: z.unknown(),
  needs: ['markdown', 'llm'],
  options: {
    ...jsonShape,
    checkPromptInjection: z
      .boolean()
      .optional()
      .meta({ deprecated: true, description: 'Use `checkPromptInjection` of the request: it holds for all formats.' }),
  },
  async read(view, options) {
    if (options.checkPromptInjection) await assertNoPromptInjection(view)
    return readJsonByRules(view, options)
  },
  async produce({ read, markdown, llm }, options, signal) {
    const modelAnswer = await llm.extract(
      makeJsonTask(read, options, () => markdown.value()),
      signal,
    )
    const { answer, fields, checks } = await verifyModelJson(modelAnswer, read, options.schema, markdown.value())
    const { parts } = outcomeOfModelAnswer(answer)
    const dropped = checks.flatMap(({ path, isDropped }) => (isDropped ? [path] : []))
    const made = { fields, ...(dropped.length > 0 ? { dropped } : {}) }
    return makeFormatOutcome({ ...parts, steps: (parts.steps ?? []).map((step) => ({ ...step, ...made })) })
  },
})

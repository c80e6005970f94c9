// Structured data in the caller's schema, by a model or by extraction.
import { z } from 'zod'
import { jsonSchemaOption } from '../../base/json-schema.ts'
import { Problem } from '../../base/problem.ts'
import type { ExtractAsk, ModelAnswer } from '../../llm/llm.ts'
import type { ExplainedField } from '../../understanding/extract/explained.ts'
import type { Extraction } from '../../understanding/extract/extract.ts'
import { assertNoInjection } from '../injection-check.ts'
import { defineFormat, headOf, type PageView } from './format.ts'
import { answeredBy, outcome } from './outcome.ts'
import { structuredDataText } from './structured-data-text.ts'

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

export async function readJson(view: PageView, { schema, prompt }: JsonFormatOptions): Promise<JsonReading> {
  const [{ extractJson }, { explainedFields }] = await Promise.all([
    import('../../understanding/extract/extract.ts'),
    import('../../understanding/extract/explained.ts'),
  ])
  const facts = structuredDataText(view)
  const found = extractJson(view, schema, prompt?.trim() || undefined)
  return { ...found, facts, head: headOf(view), fields: explainedFields(found.value, found.sources, view.markdown) }
}

export const jsonAsk = (read: JsonReading, { schema, prompt }: JsonFormatOptions, text: () => string): ExtractAsk => ({
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
export async function heldAgainst(answer: ModelAnswer<unknown>, read: JsonReading, schema: unknown, markdown: string) {
  if (answer.misfit !== undefined)
    throw new Problem('unprocessable', { because: `the language model gave no data of this schema (${answer.misfit})` })
  if (answer.by === 'extractive') return { answer, fields: read.fields, checks: [] }
  const [{ explainedFields }, { openEvidence }, { verified, verifyWarnings }] = await Promise.all([
    import('../../understanding/extract/explained.ts'),
    import('../../understanding/verify/evidence.ts'),
    import('../../understanding/verify/verify.ts'),
  ])
  const { value, checks } = verified(answer.value, openEvidence([read.head, markdown, read.facts]), schema)
  const doubted = new Set(checks.flatMap(({ isVerified, path }) => (isVerified ? [] : [path])))
  const fields = explainedFields(value, {}, markdown, MAX_SEARCHED_HERE).map((field) =>
    doubted.has(field.path.replaceAll(/\[(\d+)\]/g, '.$1').replace(/^\./, ''))
      ? { ...field, verified: false as const }
      : field,
  )
  return { answer: { ...answer, value, warnings: [...answer.warnings, ...verifyWarnings(checks)] }, fields, checks }
}

export const json = defineFormat({
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
    if (options.checkPromptInjection) await assertNoInjection(view)
    return readJson(view, options)
  },
  async produce({ read, markdown, llm }, options, signal) {
    const modelAnswer = await llm.extract(
      jsonAsk(read, options, () => markdown.value()),
      signal,
    )
    const { answer, fields, checks } = await heldAgainst(modelAnswer, read, options.schema, markdown.value())
    const { parts } = answeredBy(answer)
    const dropped = checks.flatMap(({ path, isDropped }) => (isDropped ? [path] : []))
    const made = { fields, ...(dropped.length > 0 ? { dropped } : {}) }
    return outcome({ ...parts, steps: (parts.steps ?? []).map((step) => ({ ...step, ...made })) })
  },
})

// Structured data in the caller's schema, by a model or by extraction.
import { z } from 'zod'
import { jsonSchemaOption } from '../../base/json-schema.ts'
import { isObject } from '../../base/values.ts'
import type { ExtractTask, ModelAnswer } from '../../llm/llm.ts'
import type { ExplainedField } from '../../understanding/extract/explain-fields.ts'
import type { Extraction } from '../../understanding/extract/extract-json.ts'
import type { LearntExtractor } from '../learnt-extractor.ts'
import { assertNoPromptInjection } from '../prompt-injection-check.ts'
import { completeModelOutcome, schemaLeftToAsk, withoutPaths } from './complete-with-model.ts'
import { fillFromRules } from './fill-from-rules.ts'
import { defineFormat, type FormatInputPage, joinMetadataText } from './format.ts'
import { makeFormatOutcome, outcomeOfModelAnswer } from './format-outcome.ts'
import { outcomeOfReading, type ReadingByExtractor, readByBestFit, readByExtractor } from './read-by-extractor.ts'
import { writeStructuredData } from './structured-data-text.ts'

export const jsonShape = {
  schema: jsonSchemaOption.optional(),
  prompt: z.string().max(10_000).optional().describe('What to extract, as a prompt.'),
  extractor: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .describe('Id or name of an extractor that replaces the model; `auto`: the one that matches the page.'),
}

export interface JsonFormatOptions {
  schema?: Record<string, unknown> | undefined
  prompt?: string | undefined
}

export interface JsonReading extends Extraction {
  facts: string
  head: string
  fields: readonly ExplainedField[]
  /** What a program that a model taught read with less than confidence in all fields. */
  taught?: ReadingByExtractor | undefined
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
    fields: explainFields(found.value, found.found, view.markdown),
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

/**
 * Verifies a model's answer against the page, and completes it with what the rules read: they fill its gaps, and their
 * value on the page replaces one that is not there.
 */
export async function verifyModelJson(
  answer: ModelAnswer<unknown>,
  read: JsonReading,
  { schema, prompt }: JsonFormatOptions,
  markdown: string,
) {
  if (answer.by === 'extractive') return { answer, fields: read.fields, checks: [] }
  const [{ explainFields }, { makeEvidenceIndex }, { verifyValue, writeVerifyWarnings }] = await Promise.all([
    import('../../understanding/extract/explain-fields.ts'),
    import('../../understanding/verify/page-evidence.ts'),
    import('../../understanding/verify/verify-values.ts'),
  ])
  const evidence = makeEvidenceIndex([read.head, markdown, read.facts])
  const verified = verifyValue(answer.value, evidence, schema)
  const doubted = new Set(verified.checks.flatMap(({ isVerified, path }) => (isVerified ? [] : [path])))
  // Without a schema the rules name their fields otherwise than the model.
  const isComparable = hasFields(schema) || isEmptyAnswer(verified.value)
  const { value, byRules, replaced } = fillFromRules(verified.value, isComparable ? read.value : null, {
    isDoubted: (path) => doubted.has(path),
    isOnPage: (one, name) => evidence.find(one, name) !== undefined,
    hasPrompt: Boolean(prompt?.trim()),
  })
  const ruled = new Set(byRules)
  const checks = verified.checks.filter(({ path }) => !ruled.has(path))
  const fields = explainFields(value, read.found, markdown, MAX_SEARCHED_HERE).map(({ from, ...field }) => {
    const path = dottedPath(field.path)
    if (ruled.has(path)) return { ...field, ...(from ? { from } : {}), by: 'rules' as const }
    return doubted.has(path) ? { ...field, verified: false as const } : field
  })
  const corrected =
    replaced.length > 0
      ? [
          `The page does not state the model's value of ${replaced.slice(0, MAX_NAMED).join(', ')}: the rules' value is used.`,
        ]
      : []
  return {
    answer: { ...answer, value, warnings: [...answer.warnings, ...corrected, ...writeVerifyWarnings(checks)] },
    fields,
    checks,
  }
}

const dottedPath = (path: string): string => path.replaceAll(/\[(\d+)\]/g, '.$1').replace(/^\./, '')

const MAX_NAMED = 8

const hasFields = (schema: Record<string, unknown> | undefined): boolean =>
  isObject(schema?.properties) || isObject(schema?.items)

const isEmptyAnswer = (value: unknown): boolean =>
  value === null || (typeof value === 'object' && Object.values(value).every((one) => one === null))

export const jsonFormat = defineFormat({
  name: 'json',
  isOfModel: true,
  help: 'Data of the page as JSON, by schema, by prompt, or its main facts when neither is given.',
  reply: z.unknown(),
  needs: ['markdown', 'llm'],
  options: {
    ...jsonShape,
    checkPromptInjection: z.boolean().optional().meta({
      deprecated: true,
      description: 'Use `checkPromptInjection` of the request instead; it applies to all formats.',
    }),
  },
  async read(view, options): Promise<JsonReading | ReadingByExtractor> {
    if (options.checkPromptInjection) await assertNoPromptInjection(view)
    const { learnt, taught = [] } = options as { learnt?: LearntExtractor; taught?: LearntExtractor[] }
    if (learnt) return readByExtractor(view, learnt)
    const fitting = await readByBestFit(view, taught)
    if (fitting && !schemaLeftToAsk(options.schema ?? {}, fitting)) return fitting
    return { ...(await readJsonByRules(view, options)), taught: fitting }
  },
  async produce({ read, markdown, llm }, options, signal) {
    if ('learnt' in read) return outcomeOfReading(read)
    // `auto` found no extractor: the rules read, so that a page costs the same with one and without.
    if (options.extractor) {
      const said = 'No extractor of the team fits this page: the values were read by rules.'
      return makeFormatOutcome({
        value: read.value,
        metadata: { json: { extractor: null, fields: read.found } },
        warnings: [...read.warnings, said],
      })
    }
    const asked = { ...options, schema: options.schema && schemaLeftToAsk(options.schema, read.taught) }
    const modelAnswer = await llm.extract(
      makeJsonTask(read, asked, () => markdown.value()),
      signal,
    )
    const { answer, fields, checks } = await verifyModelJson(modelAnswer, read, asked, markdown.value())
    const { parts } = outcomeOfModelAnswer(answer)
    const dropped = checks.flatMap(({ path, isDropped }) => (isDropped ? [path] : []))
    const made = { fields, ...(dropped.length > 0 ? { dropped } : {}) }
    // The model names its fields itself; the explain record marks those that rules found.
    const metadata = answer.by === 'model' ? {} : { metadata: { json: { fields: read.found } } }
    const outcome = makeFormatOutcome({
      ...parts,
      ...metadata,
      steps: (parts.steps ?? []).map((step) => ({ ...step, ...made })),
    })
    if (answer.by !== 'model') return completeModelOutcome(outcome, options, read.taught, undefined, 'rule')
    const doubted = new Set([
      ...checks.flatMap(({ isVerified, path }) => (isVerified ? [] : [path])),
      ...fields.flatMap(({ path, by }) => (by === 'rules' ? [dottedPath(path)] : [])),
    ])
    return completeModelOutcome(outcome, options, read.taught, withoutPaths(answer.value, doubted))
  },
})

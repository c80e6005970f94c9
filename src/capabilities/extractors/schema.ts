// Bodies and replies of the routes of extractors, and the form of a program.

import { z } from 'zod'
import { makeBoundedRecordSchema } from '../../base/bounded-record-schema.ts'
import { jsonSchemaOption } from '../../base/json-schema.ts'
import { webhookOption } from '../../jobs/webhook-option.ts'
import { webUrlSchema } from '../../scrape/scrape-options.ts'
import { selectorFault } from '../../understanding/learn/follow-ways.ts'
import { VALUE_FORMS } from '../../understanding/learn/program-types.ts'
import { successReply } from '../schema-parts.ts'

const MAX_FIELDS = 100
const text = (most: number) => z.string().min(1).max(most)

const LANGUAGES = { css: 'a CSS selector', xpath: 'an XPath 1.0 expression' }

function reportFault(given: string, kind: 'css' | 'xpath', context: z.RefinementCtx<string>): void {
  const fault = selectorFault(given, kind)
  if (fault)
    context.addIssue({ code: 'custom', message: `${JSON.stringify(given)} is not ${LANGUAGES[kind]}: ${fault}` })
}

const selector = text(1000).superRefine((given, context) => reportFault(given, 'css', context))
const xpath = text(1000).superRefine((given, context) => reportFault(given, 'xpath', context))

const PLACES = ['data', 'state', 'css', 'xpath', 'label', 'column'] as const

const wayObject = z
  .strictObject({
    data: text(500).optional().describe('A path in structured data: `Product.offers.price`.'),
    state: text(200).optional().describe('The name of a value in a script, with `path`.'),
    path: z.string().max(500).optional(),
    css: selector.optional(),
    xpath: xpath.optional().describe('XPath 1.0; in a record, relative to it.'),
    label: text(200).optional().describe('The text before the value, or the header of its table column.'),
    column: z.int().min(0).max(199).optional().describe('In a record that is a table row: the column, from 0.'),
    nth: z.int().min(-1000).max(1000).optional().describe('The match to take, from 0; negative: from the end.'),
    take: text(100)
      .regex(
        /^(?:text|lines|own|bare|siblings|present|absent|@[\w:.-]+)$/,
        'is `text`, `lines`, `own`, `bare`, `siblings`, `present`, `absent`, or `@` and the name of an attribute',
      )
      .optional(),
    above: z.boolean().optional().describe('In a record: the last match above it, such as the heading of its group.'),
    after: text(200).optional(),
    before: text(200).optional(),
    split: text(20).optional(),
    skip: z.array(z.string().max(200)).max(20).optional(),
    as: z.enum(VALUE_FORMS).optional().describe('How the text becomes a value.'),
    trust: z.number().min(0).max(1).optional(),
  })
  .superRefine((way, context) => {
    const given = PLACES.filter((name) => way[name] !== undefined)
    if (given.length !== 1)
      context.addIssue({
        code: 'custom',
        message: `needs exactly one of ${PLACES.map((one) => `\`${one}\``).join(', ')}`,
      })
  })

const isXPath = (selector: string): boolean => /^(?:\.?\/|\(+\.?\/)/.test(selector)
/** A text alone is a CSS selector, or an XPath expression, which begins with `/`, `./` or a bracket before these. */
const eitherSelector = text(1000)
  .superRefine((given, context) => reportFault(given, isXPath(given) ? 'xpath' : 'css', context))
  .transform((given): { css: string } | { xpath: string } => (isXPath(given) ? { xpath: given } : { css: given }))

const way = z.union([eitherSelector, wayObject])

const SCALARS = ['string', 'number', 'integer', 'boolean'] as const

const fieldShape = {
  items: z.enum(SCALARS).optional(),
  ways: z.array(way).max(20).describe('Ways to the value, tried in this order; none: the site no longer gives it.'),
  headings: z.boolean().optional(),
  shared: z.boolean().optional(),
  usual: z.boolean().optional(),
  signs: z
    .array(z.strictObject({ css: selector, open: z.string().max(5), close: z.string().max(5) }))
    .max(5)
    .optional(),
  seen: z.looseObject({ longest: z.number(), missing: z.number(), shape: z.string().max(200) }).optional(),
}
const only = eitherSelector.transform((way) => ({ type: 'string' as const, ways: [way] }))
const flatField = z.union([
  only,
  z.strictObject({ type: z.enum([...SCALARS, 'list']).default('string'), ...fieldShape }),
])

/** A CSS selector, or ways; fields of records are relative to their record. */
const field = z.union([
  only,
  z.strictObject({
    type: z.enum([...SCALARS, 'list', 'records']).default('string'),
    ...fieldShape,
    fields: makeBoundedRecordSchema(flatField, MAX_FIELDS, z.string().max(200)).optional(),
  }),
])

const fieldsSchema = makeBoundedRecordSchema(field, MAX_FIELDS, z.string().min(1).max(200))

const programSchema = z.strictObject({
  records: field.nullable().default(null),
  fields: fieldsSchema.default({}),
  marks: z.array(selector).max(100).default([]),
})

const exampleSchema = z
  .strictObject({
    url: webUrlSchema.optional(),
    scrapeId: text(100).optional().describe('Instead of `url`: a page that was scraped.'),
    data: z
      .union([makeBoundedRecordSchema(z.unknown(), MAX_FIELDS), z.array(z.unknown()).min(1).max(100)])
      .describe('The values that the page has.'),
  })
  .refine((one) => (one.url === undefined) !== (one.scrapeId === undefined), 'needs `url` or `scrapeId`')

const name = z
  .string()
  .min(1)
  .max(100)
  .regex(/^[\w.-]+$/, 'may have letters, digits, `_`, `-` and `.`')
  .refine((given) => given !== 'auto' && given !== 'settings', '`auto` and `settings` are taken')

const webhook = webhookOption('extractor', ['drifted'])

export const extractorBody = z
  .strictObject({
    name: name.optional(),
    schema: jsonSchemaOption.optional(),
    examples: z.array(exampleSchema).min(1).max(10).optional().describe('Pages with their values, to learn from.'),
    fields: fieldsSchema.optional().describe('Instead of examples: ways by hand.'),
    records: field.optional().describe('Instead of examples: a list of records by hand.'),
    program: programSchema.optional().describe('Instead of examples: a program, as an export has it.'),
    hosts: z.array(text(253)).max(50).optional(),
    webhook: webhook.optional().describe('Where `extractor.drifted` is sent.'),
  })
  .superRefine((body, context) => {
    const given = (['examples', 'program'] as const).filter((one) => body[one] !== undefined)
    const byHand = body.fields !== undefined || body.records !== undefined
    if (given.length + (byHand ? 1 : 0) !== 1)
      context.addIssue({ code: 'custom', message: 'needs `examples`, or `fields` (or `records`), or `program`' })
  })

export const changeBody = z.strictObject({
  name: name.optional(),
  schema: jsonSchemaOption.optional(),
  program: programSchema.optional(),
  hosts: z.array(text(253)).max(50).optional(),
  webhook: webhook.nullable().optional(),
  version: z.int().min(1).optional().describe('Make this older version the newest again.'),
})

export const examplesBody = z.strictObject({ examples: z.array(exampleSchema).min(1).max(10) })
export const testBody = z.strictObject({ urls: z.array(webUrlSchema).min(1).max(20) })
export const settingsBody = z.strictObject({
  learn: z.boolean().describe('Whether model results for `json` teach extractors that read later pages.'),
})
export const versionQuery = z.object({ version: z.coerce.number().int().min(1).optional() })

const shown = z.looseObject({
  id: z.string(),
  name: z.string().nullable(),
  version: z.int(),
  made: z.enum(['taught', 'edited', 'model', 'healed']),
  scope: z.object({ hosts: z.array(z.string()), like: z.string() }),
  fields: z.array(z.string()),
  pages: z.int().describe('Pages that this version read.'),
  drifted: z.array(z.string()).describe('Fields that the site no longer has.'),
  createdAt: z.string(),
})

export const extractorReply = successReply({
  id: z.string(),
  data: shown.extend({
    schema: z.record(z.string(), z.unknown()).nullable(),
    program: z.looseObject({}),
    examples: z.array(z.object({ url: z.string(), data: z.unknown() })),
    notFound: z.array(z.string()).optional().describe('Taught values that do not occur in their page.'),
    versions: z.array(z.object({ version: z.int(), made: z.string(), createdAt: z.string() })).optional(),
  }),
})
export const extractorListReply = successReply({ data: z.array(shown) })
export const settingsReply = successReply({ data: z.object({ learn: z.boolean() }) })
export const removedReply = successReply()
export const testReply = successReply({
  data: z.array(
    z.object({
      url: z.string(),
      json: z.unknown(),
      fit: z.number().nullable(),
      fields: z.record(z.string(), z.looseObject({})),
      error: z.string().optional(),
    }),
  ),
  creditsUsed: z.int(),
})

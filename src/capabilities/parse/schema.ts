// The options of an upload: scrape options without those of a visit.

import { z } from 'zod'
import { makeLookupTable } from '../../base/lookup-table.ts'
import { parseJsonBody } from '../../base/parse-json-body.ts'
import { asProblem, Problem } from '../../base/problem.ts'
import { validateInput } from '../../base/validate-input.ts'
import { isObject } from '../../base/values.ts'
import { documentSchema } from '../../scrape/document-schema.ts'
import {
  checkScrapeOptions,
  clientShape,
  type ScrapeBody,
  type ScrapeOptions,
  scrapeOptionsShape,
} from '../../scrape/scrape-options.ts'
import { successReply } from '../schema-parts.ts'

const {
  waitFor: _waitFor,
  mobile: _mobile,
  actions: _actions,
  location: _location,
  maxAge: _maxAge,
  minAge: _minAge,
  storeInCache: _storeInCache,
  lockdown: _lockdown,
  ...shape
} = scrapeOptionsShape

const parseOptions = z.strictObject({ ...shape, ...clientShape })

const uploadRef = z
  .string()
  .min(1)
  .max(4096)
  .optional()
  .describe('The reference of a file that was announced and uploaded before.')

/** Options are checked once the file is known (`parseUploadOptions`); this schema only documents them. */
export const parseBody = z.looseObject({ uploadRef }).meta({
  description:
    'Multipart with a `file` and optional `options` (JSON text), or JSON with an `uploadRef` and the options.',
  get properties() {
    return z.toJSONSchema(z.object({ uploadRef, ...parseOptions.shape }), { io: 'input' }).properties as never
  },
})

const FORBIDDEN_FORMATS = makeLookupTable<string>({
  screenshot: 'screenshot output',
  branding: 'branding output',
  changeTracking: 'change tracking',
  rawBase64: 'rawBase64 output',
  audio: 'audio output',
  video: 'video output',
})

/** Rejects options that an upload cannot have, unless their value has no effect. */
export function parseUploadOptions(given: Record<string, unknown>, name: string): ScrapeBody {
  const refuse = (what: string): never => {
    throw new Problem('parse_options', { instead: `Parse uploads do not support ${what}.` })
  }
  const { waitFor, mobile, actions, location, ...rest } = given
  if (Array.isArray(actions) ? actions.length > 0 : actions !== undefined) refuse('actions')
  for (const format of Array.isArray(rest.formats) ? rest.formats : []) {
    const type = typeof format === 'string' ? format : String((format as { type?: unknown } | null)?.type)
    if (Object.hasOwn(FORBIDDEN_FORMATS, type)) refuse(FORBIDDEN_FORMATS[type]!)
    if (type.startsWith('screenshot@')) refuse('screenshot output')
  }
  if (waitFor !== undefined && waitFor !== 0) refuse('waitFor')
  if (location !== undefined) refuse('location overrides')
  if (mobile !== undefined && mobile !== false) refuse('mobile rendering')
  if (rest.proxy !== undefined && rest.proxy !== 'auto' && rest.proxy !== 'basic')
    throw new Problem('parse_options', { instead: 'Parse uploads only support proxy values of auto or basic.' })
  const neutral = { waitFor: 0, mobile: false, maxAge: 0, storeInCache: false, lockdown: false }
  const rules = parseOptions.superRefine((options, context) =>
    checkScrapeOptions({ ...options, ...neutral } as ScrapeOptions, context),
  )
  return { ...validateInput(rules, rest), ...neutral, url: name }
}

export function parseOptionsJson(text: string | undefined): Record<string, unknown> {
  if (text === undefined || text.trim() === '') return {}
  const value = readOptions(text)
  if (!isObject(value))
    throw new Problem('bad_request', { instead: "The 'options' field must parse to a JSON object." })
  return value as Record<string, unknown>
}

function readOptions(text: string): unknown {
  try {
    return parseJsonBody(text)
  } catch (error) {
    if (asProblem(error).kind !== 'invalid_json') throw error
    throw new Problem('bad_request', { instead: "Invalid JSON in the 'options' field. Provide a valid JSON string." })
  }
}

export const uploadUrlBody = z.strictObject({
  filename: z.string().min(1).max(512).describe('Name of the file; its extension determines the type.'),
  contentType: z.string().min(1).max(255).optional(),
  declaredSizeBytes: z.int().min(1).max(52_428_800).optional(),
  ...clientShape,
})

export const uploadQuery = z.object({
  uploadRef: z.string().min(1).max(4096).describe('The reference that names and signs the upload.'),
})

const integerSchema = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d{1,5}$/, { error: `must be a whole number between ${min} and ${max}` })
    .transform(Number)
    .refine((value) => value >= min && value <= max, {
      error: `must be between ${min} and ${max}`,
      params: { named: true },
    })

function isArea(bbox: string): boolean {
  const [left = 0, top = 0, right = 0, bottom = 0] = bbox.split(',').map(Number)
  return left < right && top < bottom
}

export const pagePictureQuery = z.object({
  page: integerSchema(1, 10_000).default(1).describe('Which page, from 1.'),
  dpi: integerSchema(36, 200).default(110).describe('Dots per inch.'),
  bbox: z
    .string()
    .regex(
      /^(?:(?:0(?:\.\d{1,9})?|1(?:\.0{1,9})?)(?:,(?!$)|$)){4}$/,
      'must be four numbers from 0 to 1: left,top,right,bottom',
    )
    .refine(isArea, 'left must be less than right, and top less than bottom')
    .optional()
    .describe('Only this part of the page, such as the `bbox` of a figure: four numbers from 0 to 1.'),
})
export type PagePictureQuery = z.output<typeof pagePictureQuery>

export const parseReply = successReply({ data: documentSchema, warning: z.string().optional() })

export const uploadUrlReply = successReply({
  data: z.object({
    uploadUrl: z.string().describe('The URL to upload the file to.'),
    uploadRef: z.string().describe('The reference to send as `uploadRef` to /v2/parse.'),
    method: z.literal('PUT'),
    headers: z.object({ 'Content-Type': z.string() }),
    expiresAt: z.string(),
    maxSizeBytes: z.int(),
  }),
})

export const formatsReply = successReply({
  data: z.object({
    formats: z.array(
      z.object({
        format: z.string(),
        kind: z.enum(['document', 'image']),
        extensions: z.array(z.string()),
        mimeTypes: z.array(z.string()),
        available: z.boolean(),
      }),
    ),
  }),
})

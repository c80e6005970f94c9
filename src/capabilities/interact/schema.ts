// Schemas of live sessions. Durations are seconds. Unknown keys are ignored, as released clients send some.

import { z } from 'zod'
import { makeBoundedRecordSchema } from '../../base/bounded-record-schema.ts'
import { headersOption } from '../../base/caller-headers.ts'
import { domainsOption } from '../../base/host-pattern.ts'
import { urlOption } from '../../base/url-option.ts'
import { downloadedFileSchema } from '../../scrape/document-schema.ts'
import { successReply } from '../schema-parts.ts'

const MAX_CODE_BYTES = 100_000

const code = z
  .string()
  .min(1)
  .max(MAX_CODE_BYTES)
  .refine((text) => Buffer.byteLength(text) <= MAX_CODE_BYTES, { error: `must be at most ${MAX_CODE_BYTES} bytes` })
  .describe('Runs with a connected Playwright `page`, `context` and `browser`; the last expression is the result.')
const language = z.enum(['node', 'python', 'bash']).default('node')
const timeout = z.number().min(1).max(300).default(30).describe('Seconds.')
const ttl = z.number().min(30).max(3600).default(600).describe('Maximum lifetime of the session in seconds.')
const activityTtl = z.number().min(10).max(3600).default(300).describe('Seconds without activity after which it ends.')
const sender = { origin: z.string().max(256).nullish(), integration: z.string().max(256).nullish() }

const downloads = z
  .strictObject({ parse: z.boolean().default(false).describe('Convert each to markdown, at the price of its pages.') })
  .optional()
  .describe('Return files that pages offer for download.')
export type DownloadOptions = NonNullable<z.output<typeof downloads>>

export const interactBody = z
  .object({
    prompt: z
      .string()
      .min(1)
      .max(10_000)
      .optional()
      .describe(
        'What to do: in words with a language model, else literal commands such as `press "Sign in", then read "Total"`.',
      ),
    code: code.optional(),
    language,
    timeout,
    ttl,
    activityTtl,
    downloads,
    existingSessionId: z.string().max(256).optional().describe('Continue in this session instead of opening one.'),
    ...sender,
  })
  .refine(({ prompt, code }) => prompt !== undefined || code !== undefined, {
    error: "Either 'code' or 'prompt' must be provided.",
  })

export const profileNameSchema = z.string().trim().min(1).max(128)

export const saveProfileBody = z.object({ name: profileNameSchema, ...sender })

/** The largest cookies.txt and storage state are a few hundred kB; HAR files have bodies. */
const MAX_STATE_CHARS = 8_000_000

export const importProfileBody = z.strictObject({
  content: z
    .union([
      z.string().min(1).max(MAX_STATE_CHARS),
      makeBoundedRecordSchema(z.unknown(), 100),
      z.array(z.unknown()).max(10_000),
    ])
    .describe('cookies.txt (Netscape), Playwright storage state, HAR, or a list of cookies; JSON also as an object.'),
  domains: domainsOption(100).describe('Only cookies and storage of these domains and their subdomains.'),
  ...sender,
})

export const importProfileReply = successReply({
  data: z.object({
    name: z.string(),
    cookies: z.int(),
    origins: z.int().describe('Sites whose localStorage was taken.'),
    skipped: z.int().describe('Expired or malformed ones, and those of other domains.'),
  }),
})

const address = urlOption({ named: true })

/** A sign-in waits for a person. */
const webhook = z
  .union([
    address.transform((url) => ({ url, headers: {} as Record<string, string> })),
    z.strictObject({
      url: address,
      headers: headersOption({ maxChars: 8192, most: 50 }).default({}),
      metadata: makeBoundedRecordSchema(z.unknown(), 500).optional(),
    }),
  ])
  .describe('Where `session.needsInput` is posted: a sign-in waits for a code that was sent to a person.')

export const createSessionBody = z.strictObject({
  ttl: ttl.pipe(z.int()),
  activityTtl: activityTtl.pipe(z.int()),
  streamWebView: z.boolean().default(true).describe('If false, the session has no live view.'),
  recordSession: z.boolean().optional().describe('Record the session: `recordingUrl` plays it after its end.'),
  profile: z
    .object({
      name: profileNameSchema,
      saveChanges: z.boolean().default(true).describe('Saves cookies and storage when the session ends.'),
    })
    .optional(),
  webhook: webhook.optional(),
  ...sender,
})

export const executeCodeBody = z.object({ code, language, timeout, downloads, ...sender })

export const sessionPromptBody = z.object({ prompt: z.string().min(1).max(10_000), timeout, downloads, ...sender })

export const listSessionsQuery = z.object({ status: z.enum(['active', 'destroyed', 'error']).optional() })

const links = {
  cdpUrl: z.string().describe('For Playwright’s `connectOverCDP` and Puppeteer; the token in it is the credential.'),
  liveViewUrl: z.string().describe('A page that shows the session.'),
  interactiveLiveViewUrl: z.string().describe('The same, with mouse and keyboard.'),
}

const ran = {
  stdout: z.string().nullable(),
  result: z.string().nullable().describe('The value of the last expression, as text.'),
  stderr: z.string().nullable(),
  exitCode: z.int().nullable(),
  killed: z
    .boolean()
    .describe('It exceeded a limit (time, memory, processes, files, output) and was ended; `error` names it.'),
  truncated: z.boolean().optional().describe('Output was cut to a megabyte.'),
  error: z.string().optional(),
  screenshots: z.array(z.string()).optional().describe('Pictures that a prompt requested, as data URLs of PNG files.'),
  downloads: z
    .array(downloadedFileSchema.extend({ markdown: z.string().optional().describe('With `"parse": true`.') }))
    .optional()
    .describe('Files that were downloaded since the last call; links are valid for 24 hours.'),
  warning: z.string().optional().describe('For a prompt: why rules executed it although a language model is set.'),
}

const modelUse = {
  modelTokens: z.int().optional().describe('Tokens of the language model that the prompt used.'),
  modelCost: z.number().optional().describe('What they cost, by ORB_LLM_PRICE.'),
}

export const interactReply = z.object({
  success: z.boolean().describe('False if the code failed or the prompt could not be carried out.'),
  sessionId: z.string(),
  ...links,
  liveUrl: z.string().optional(),
  sessionUrl: z.string().optional(),
  output: z.string().optional().describe('For a prompt: the steps and their results.'),
  ...modelUse,
  ...ran,
})

export const createSessionReply = successReply({
  id: z.string(),
  ...links,
  expiresAt: z.string(),
})

const session = {
  id: z.string(),
  status: z.enum(['active', 'destroyed', 'error']),
  ...links,
  streamWebView: z.boolean(),
  createdAt: z.string(),
  lastActivity: z.string(),
}

export const listSessionsReply = successReply({ sessions: z.array(z.object(session)) })

export const sessionReply = successReply({
  ...session,
  expiresAt: z.string(),
  scrapeId: z.string().optional(),
  profile: z.object({ name: z.string(), saveChanges: z.boolean() }).optional(),
  recordingUrl: z.string().optional().describe('The recording, if one was requested and the session has ended.'),
  needsInput: z
    .literal('code')
    .optional()
    .describe('A sign-in waits for a code that was sent to a person, who types it in the live view.'),
  creditsBilled: z.int().optional(),
  sessionDurationMs: z.int().optional(),
  error: z.string().optional(),
})

export const executeCodeReply = z.object({
  success: z
    .boolean()
    .describe(
      'False if a prompt could not be carried out. True for code that failed: see `exitCode`, `killed` and `error`.',
    ),
  output: z.string().optional(),
  ...modelUse,
  ...ran,
})

export const deleteSessionReply = successReply({
  status: z.string().optional(),
  sessionDurationMs: z.int(),
  creditsBilled: z.int().optional(),
})

export const profilesReply = successReply({
  profiles: z.array(z.object({ name: z.string(), updatedAt: z.string(), inUse: z.boolean(), bytes: z.int() })),
})

export type InteractBody = z.output<typeof interactBody>
export type CreateSessionBody = z.output<typeof createSessionBody>

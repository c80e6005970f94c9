// Schemas of all page options, the single source for types, validation, OpenAPI, CLI, MCP tools and the dashboard form.

import { z } from 'zod'
import { makeBoundedRecordSchema } from '../base/bounded-record-schema.ts'
import type { ScrollOptions } from '../base/browser-action-types.ts'
import { headersOption } from '../base/caller-headers.ts'
import { isCidrBlock } from '../base/cidr-block.ts'
import { DAY_MS } from '../base/clock.ts'
import { hostsOption } from '../base/host-pattern.ts'
import { urlOption } from '../base/url-option.ts'
import { THREAT_MODES } from '../fetch/threats/threat-policy.ts'
import { PRIVACY_ENTITIES } from '../understanding/privacy/privacy-finding.ts'
import type { FormatRequest } from './formats/format.ts'
import { findFormat, formats } from './formats/index.ts'
import { screenshotOptionsShape } from './formats/screenshot.ts'

export const DEFAULT_MAX_AGE_MS = 2 * DAY_MS
export const LOCKDOWN_MAX_AGE_MS = 730 * DAY_MS
export const DEFAULT_TIMEOUT_MS = 60_000
const MAX_WAIT_MS = 60_000
export const NO_CLEAN_WITH_ZERO_RETENTION = 'onlyCleanContent is not supported with zero data retention'
const NO_EFFECT = { description: 'Accepted for compatibility; has no effect.', deprecated: true }

/** A missing scheme defaults to http. */
export const webUrlSchema = urlOption().meta({
  type: 'string',
  format: 'uri',
  description: 'Absolute http(s) URL.',
  examples: ['https://example.com'],
})

const formatNames = formats.map((format) => format.name)
let formatSchemas: object[] | undefined

const formatItem = z
  .unknown()
  .transform((value, context): FormatRequest => {
    const item = typeof value === 'string' ? { type: value } : value
    const type = item && typeof item === 'object' && 'type' in item ? String(item.type) : undefined
    const refuse = (message: string) => {
      context.addIssue({ code: 'custom', message, params: { named: true } })
      return z.NEVER
    }
    if (type === undefined) return refuse('A format is a name such as "markdown", or an object with a `type`')
    const format = findFormat(type)
    if (!format) return refuse(`Unknown format "${type}". Known: ${formatNames.join(', ')}`)
    const parsed = format.schema.safeParse(item, { reportInput: true })
    if (parsed.success) return parsed.data as FormatRequest
    context.issues.push(...(parsed.error.issues as never[]))
    return z.NEVER
  })
  .meta({
    id: 'Format',
    description: 'A format by name, or an object with `type` and its options.',
    // For documents only, so not made at every start.
    get anyOf() {
      formatSchemas ??= [
        { type: 'string', enum: formatNames },
        ...formats.map((format) => z.toJSONSchema(format.schema, { io: 'input' })),
      ]
      return formatSchemas as never
    },
  })

const pdfParser = z.strictObject({
  type: z.literal('pdf'),
  mode: z
    .enum(['fast', 'auto', 'ocr'])
    .optional()
    .meta({ default: 'auto', description: 'Whether OCR is used: never, where text is missing, always.' }),
  maxPages: z.int().min(1).max(10_000).optional().describe('Read only the first pages.'),
  pages: z.boolean().optional().meta({ default: false, description: 'Return the markdown of each page as `pages`.' }),
  blocks: z
    .boolean()
    .optional()
    .meta({ default: false, description: 'Return the blocks of each page with their positions.' }),
  pageMarkers: z
    .boolean()
    .optional()
    .meta({ default: false, description: 'Mark the start of each page in the markdown.' }),
  pageMarkdown: z.boolean().optional().describe('The same as `pages`.'),
  refresh: z.boolean().optional().describe('Read the file again instead of using a cached result.'),
})
const wordParser = z.strictObject({
  type: z.literal('docx'),
  headersAndFooters: z
    .boolean()
    .default(false)
    .describe('Word files: headers of the pages before the text and footers after it, each once.'),
})
const parserItem = z.union([
  z.enum(['pdf', 'image']).transform((type): ParserRequest => ({ type })),
  pdfParser,
  z.strictObject({ type: z.literal('image') }),
  wordParser,
])

export type ParserRequest = { type: 'image' } | z.output<typeof pdfParser> | z.output<typeof wordParser>

const selector = z.string().max(10_000)
const waitAction = z
  .strictObject({
    type: z.literal('wait'),
    milliseconds: z.int().min(1).optional().describe('Time to wait; either this or `selector`.'),
    selector: selector.optional().describe('Wait until this element exists.'),
  })
  .refine((action) => (action.milliseconds === undefined) !== (action.selector === undefined), {
    error: "Either 'milliseconds' or 'selector' must be provided, but not both.",
  })
const action = z
  .discriminatedUnion('type', [
    waitAction,
    z.object({
      type: z.literal('click'),
      selector,
      all: z.boolean().default(false).describe('Click all matching elements.'),
    }),
    z.object({
      type: z.literal('write'),
      text: z.string().max(100_000).describe('Typed into the focused element; `click` it first.'),
    }),
    z.object({
      type: z.literal('press'),
      key: z.string().max(100).describe('Such as `Enter`, `ArrowDown` or `Control+A`.'),
    }),
    z.object({
      type: z.literal('scroll'),
      direction: z.enum(['up', 'down']).default('down'),
      selector: selector.optional().describe('The element to scroll; the page by default.'),
    }),
    z.object({
      type: z.literal('screenshot'),
      ...screenshotOptionsShape,
    }),
    z.object({ type: z.literal('scrape') }),
    z.object({
      type: z.literal('executeJavascript'),
      script: z.string().max(1_000_000).describe('Runs in the page; its value is in `actions.javascriptReturns`.'),
    }),
    z.object({
      type: z.literal('pdf'),
      format: z
        .enum(['A0', 'A1', 'A2', 'A3', 'A4', 'A5', 'A6', 'Letter', 'Legal', 'Tabloid', 'Ledger'])
        .default('Letter'),
      landscape: z.boolean().default(false),
      scale: z.number().default(1),
    }),
    z.strictObject({
      type: z.literal('flow'),
      name: z.string().min(1).max(64).describe('A stored flow; see `GET /v2/flow`.'),
      with: makeBoundedRecordSchema(z.string().max(10_000_000), 200).default({}).describe('Values of its parameters.'),
      version: z.int().min(1).optional().describe('The newest by default.'),
    }),
    z
      .strictObject({
        type: z.literal('login'),
        vault: z.string().min(1).max(64).describe('Name of a vault entry; see `GET /v2/vault`.'),
      })
      .transform(({ vault }) => ({ type: 'flow' as const, name: 'login', with: {}, vault })),
  ])
  .meta({ id: 'Action' })

const MAX_ACTIONS = 50
const COUNTRY_CODE = /^[A-Za-z]{2}$/
const regionNames = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' })
const UNKNOWN_REGION = regionNames.of('ZZ')

function isCountryCode(code: string): boolean {
  const name = COUNTRY_CODE.test(code) ? regionNames.of(code.toUpperCase()) : undefined
  return name !== undefined && name !== UNKNOWN_REGION
}

const location = z.strictObject({
  country: z
    .string()
    .refine(isCountryCode, { error: 'Invalid country code. Use a valid ISO 3166-1 alpha-2 country code.' })
    .regex(COUNTRY_CODE)
    .max(2)
    .transform((code) => code.toUpperCase())
    .prefault('US')
    .describe('ISO 3166-1 alpha-2 country.'),
  languages: z.array(z.string().min(1).max(35)).max(20).optional().describe('Locales in order of preference.'),
})

const headers = headersOption({ maxChars: 16_384, most: 100 })

const DOMAIN = /^(?:\*\.)?(?:[\p{L}\p{N}_](?:[\p{L}\p{N}_-]{0,62})\.)+[\p{L}\p{N}-]{2,63}$/u
/** Matches invalid IP addresses such as 10.0.0.999, which would pass as a domain. */
const DOTTED_NUMBERS = /^[\d.]+$/
const domains = z
  .array(
    z
      .string()
      .trim()
      .max(260)
      .toLowerCase()
      .refine((text) => isCidrBlock(text) || (DOMAIN.test(text) && !DOTTED_NUMBERS.test(text)), {
        error: 'must be a domain, *. and a domain, an IP address or a block of them such as 192.0.2.0/24',
        params: { named: true },
      }),
  )
  .max(1000)
const tlds = z
  .array(
    z
      .string()
      .trim()
      .max(63)
      .toLowerCase()
      .regex(/^[\p{L}\p{N}-]+$/u, { error: 'must be a top-level domain without its dot, such as xyz' }),
  )
  .max(1000)

export const threatShape = {
  mode: z.enum(THREAT_MODES),
  riskScoreThreshold: z.int().min(0).max(100),
  blacklist: domains,
  whitelist: domains,
  blockedTlds: tlds,
  failurePolicy: z.enum(['open', 'closed']),
  newHostDays: z
    .int()
    .min(0)
    .max(3650)
    .describe('Hosts that this installation first visited fewer days ago are new; 0: off.'),
  newHostAction: z.enum(['block', 'warn']).describe('Whether new hosts are refused, or reported in `warning`.'),
}
const threatOption = z.strictObject(threatShape).partial()

const scrollOption = z
  .union([
    z.literal('all').transform(() => ({})),
    z.strictObject({
      items: z.int().min(1).max(100_000).optional().describe('Rows at most; 10,000 by default.'),
      seconds: z.int().min(1).max(240).optional().describe('30 by default, and at most 70 % of the time that is left.'),
      bytes: z.int().min(1000).max(20_000_000).optional().describe('HTML of the rows; 10 MB by default.'),
    }),
  ])
  .transform(({ items = 10_000, seconds = 30, bytes = 10_000_000 }: Partial<ScrollOptions>) => ({
    items,
    seconds,
    bytes,
  }))
  .describe('Scroll lists to their end before the page is read, also those that recycle their rows: `all`, or limits.')

const selectors = z.array(z.string().min(1).max(1000)).max(200)

/** Page options: top level in scrape, `scrapeOptions` in crawl, batch and search. */
export const scrapeOptionsShape = {
  formats: z
    .array(formatItem)
    .max(50)
    .prefault(() => ['markdown'])
    .describe('Output formats. An empty list returns only the metadata.'),
  onlyMainContent: z.boolean().default(true).describe('Omit headers, navigation, footers and similar parts.'),
  onlyCleanContent: z
    .boolean()
    .default(false)
    .describe('The main content, from which a model removes residual boilerplate.'),
  includeTags: selectors.optional().describe('CSS selectors or tag names: only these parts of the page.'),
  excludeTags: selectors.optional().describe('CSS selectors or tag names to omit.'),
  headers: headers.optional().describe('Headers to send, only to the origin of the URL. Such a page is not cached.'),
  allowCredentialsFor: hostsOption(50)
    .optional()
    .describe('Further hosts that receive the `headers` (`api.example.org`, `*.example.org`).'),
  timeout: z
    .int()
    .min(1000)
    .max(300_000)
    .optional()
    .describe('Milliseconds for the whole request, including waiting.')
    .meta({ default: DEFAULT_TIMEOUT_MS }),
  waitFor: z.int().min(0).max(MAX_WAIT_MS).default(0).describe('Milliseconds to wait before reading the page.'),
  scroll: scrollOption.optional(),
  mobile: z.boolean().default(false).describe('Visit as a mobile device.'),
  skipTlsVerification: z.boolean().default(true).describe('Accept any TLS certificate.'),
  parsers: z
    .array(parserItem)
    .max(10)
    .prefault(() => ['pdf'])
    .describe('How files are read.'),
  actions: z
    .array(action)
    .refine(({ length }) => length <= MAX_ACTIONS, { error: `Number of actions cannot exceed ${MAX_ACTIONS}` })
    .max(MAX_ACTIONS)
    .optional()
    .describe('Steps to run on the page before it is read.'),
  downloads: z
    .strictObject({
      parse: z.boolean().default(false).describe('Convert each to markdown, at the price of its pages.'),
    })
    .optional()
    .describe('Store files that the page offers for download during `actions`, at most 20 of 50 MB.'),
  location: location.optional().describe('Country and languages of the visit.'),
  removeBase64Images: z.boolean().default(true).describe('Replace data: images in the markdown by a placeholder.'),
  blockAds: z.boolean().default(true).describe('Block advertisements and cookie walls.'),
  proxy: z
    .enum(['basic', 'enhanced', 'auto', 'stealth'])
    .transform((tier) => (tier === 'stealth' ? 'enhanced' : tier))
    .prefault('auto')
    .describe('Which of the operator’s proxies are used.'),
  maxAge: z
    .int()
    .min(0)
    .optional()
    .describe('A cached page younger than this many milliseconds is returned; with `lockdown`, younger than two years.')
    .meta({ default: DEFAULT_MAX_AGE_MS }),
  minAge: z.int().min(0).optional().describe('Return only a cached page, at least this many milliseconds old.'),
  storeInCache: z.boolean().default(true).describe('Store the page in the cache and in the search index.'),
  lockdown: z.boolean().default(false).describe('Return only a cached page; the site is never contacted.'),
  fastMode: z.boolean().default(false).describe('Never render in a browser.'),
  redactPII: z
    .union([
      z.boolean(),
      z.strictObject({
        mode: z.enum(['accurate', 'aggressive', 'fast']).optional(),
        entities: z.array(z.enum(PRIVACY_ENTITIES)).max(100).optional(),
        replaceStyle: z.enum(['tag', 'mask', 'remove']).optional(),
      }),
    ])
    .optional()
    .describe('Remove personal data and secrets from all texts of the response.')
    .meta({ default: false }),
  checkPromptInjection: z
    .boolean()
    .optional()
    .describe('Refuse (403) a page with instructions for a model, visible or hidden, in any kind of content.'),
  profile: z
    .strictObject({ name: z.string().min(1).max(128), saveChanges: z.boolean().default(true) })
    .optional()
    .describe('A persistent browser profile.'),
  threatProtection: threatOption.optional().describe('Override of the threat protection policy of the team.'),
  auditMetadata: z
    .strictObject({ username: z.string().min(1).max(1024) })
    .optional()
    .describe('Stored with the log entry of this call, never returned.'),
  zeroDataRetention: z.boolean().default(false).describe('Store nothing of this scrape.'),
  useMock: z.string().max(256).optional().meta(NO_EFFECT),
  safeMode: z.boolean().optional().meta(NO_EFFECT),
  domainTools: z.boolean().optional().meta(NO_EFFECT),
  toolDetail: z.enum(['compact', 'summary', 'full']).optional().meta(NO_EFFECT),
}

/** Accepted by every JSON write, because released clients send them everywhere. */
export const clientShape = {
  origin: z.string().max(256).optional().describe('Name of the client.'),
  integration: z
    .string()
    .max(256)
    .nullish()
    .transform((text) => text?.trim() || null)
    .describe('Name of the integration.'),
}

const scrapeOptionsObject = z.object(scrapeOptionsShape)
export type ScrapeOptions = z.output<typeof scrapeOptionsObject>

export const fastModeRefusal = (what: string): string => `fastMode never opens a browser, which ${what} needs`

const hasFormat = ({ formats }: ScrapeOptions, name: string): boolean => formats.some(({ type }) => type === name)

/** The first format that needs one of these of a capture. */
const formatThatNeeds = ({ formats }: ScrapeOptions, ...materials: string[]) =>
  formats.find(({ type }) => findFormat(type)?.needs.some((need) => materials.includes(need)))

/** The first option that only a browser can serve. */
function browserOption(options: ScrapeOptions): string | undefined {
  if (options.actions?.length) return 'actions'
  if (options.scroll) return 'scroll'
  if (options.profile) return 'profile'
  const format = formatThatNeeds(options, 'screenshot', 'computedStyle', 'network')
  return format && `the ${format.type} format`
}

const plannedWaitMs = ({ waitFor, actions = [] }: ScrapeOptions): number =>
  actions.reduce(
    (sum, step) => sum + (step.type === 'wait' ? (step.milliseconds ?? (step.selector ? 1000 : 0)) : 0),
    waitFor,
  )

type AddIssue = (message: string, path: keyof ScrapeOptions) => void

function checkFormatCombination(options: ScrapeOptions, addIssue: AddIssue): void {
  const { formats } = options
  const alone = formats.find((format) => findFormat(format.type)?.alone)
  if (alone && formats.length > 1) addIssue(`The ${alone.type} format cannot be combined with other formats`, 'formats')
  if (formats.filter(({ type }) => type === 'screenshot').length > 1)
    addIssue('You may only specify one screenshot format', 'formats')
  if (hasFormat(options, 'json') && hasFormat(options, 'deterministicJson'))
    addIssue('Cannot specify both json and deterministicJson formats', 'formats')
}

export function checkScrapeOptions(options: ScrapeOptions, context: z.RefinementCtx): void {
  const addIssue: AddIssue = (message, path) => context.addIssue({ code: 'custom', message, path: [path] })
  const { timeout, waitFor, zeroDataRetention } = options
  if (options.downloads && !options.actions?.length)
    addIssue('A page offers files after an interaction: `downloads` needs `actions`', 'downloads')
  checkFormatCombination(options, addIssue)
  const needsBrowser = browserOption(options)
  if (options.fastMode && needsBrowser) addIssue(fastModeRefusal(needsBrowser), 'fastMode')
  if (timeout !== undefined && waitFor > timeout / 2) addIssue('waitFor must not exceed half of timeout', 'waitFor')
  if (plannedWaitMs(options) > MAX_WAIT_MS)
    addIssue('Total wait time (waitFor + wait actions) cannot exceed 60 seconds', 'actions')
  if (hasFormat(options, 'changeTracking') && !hasFormat(options, 'markdown'))
    addIssue('The changeTracking format requires the markdown format to be specified as well', 'formats')
  const file = formatThatNeeds(options, 'media')
  if (file && zeroDataRetention)
    addIssue(
      `The ${file.type} format fetches a file and keeps it for an hour, which zeroDataRetention forbids`,
      'zeroDataRetention',
    )
  if (options.onlyCleanContent && (zeroDataRetention || options.lockdown))
    addIssue(NO_CLEAN_WITH_ZERO_RETENTION, 'onlyCleanContent')
  if (!hasFormat(options, 'rawBase64')) return
  if (options.redactPII)
    addIssue('redactPII cannot be applied to the rawBase64 format: the bytes would be returned unchanged', 'redactPII')
  if (options.checkPromptInjection)
    addIssue('checkPromptInjection cannot be applied to the rawBase64 format', 'checkPromptInjection')
}

export const scrapeBody = z
  .strictObject({ url: webUrlSchema, ...scrapeOptionsShape, ...clientShape })
  .superRefine(checkScrapeOptions)
  .describe('One page to scrape, and its formats.')
export type ScrapeBody = z.output<typeof scrapeBody>

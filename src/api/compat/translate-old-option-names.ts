// Translates option names of earlier API versions in current bodies, so that clients which still send them work.
import { isObject } from '../../base/values.ts'
import { formatFromV1, jsonFormatFromExtractOptions } from './translate-v1.ts'

type Json = Record<string, unknown>

type Rule = (value: unknown, body: Json) => Json
type Rules = Readonly<Record<string, Rule>>

const renameTo =
  (name: string): Rule =>
  (value) => ({ [name]: value })

const intoFormat =
  (type: string, read: (options: unknown) => Json, adds = false): Rule =>
  (options, { formats }) => {
    const list = Array.isArray(formats) ? formats : adds ? ['markdown'] : []
    const isThis = (format: unknown) => format === type || (isObject(format) && format.type === type)
    const own = { type, ...read(options) }
    if (list.some(isThis))
      return {
        formats: list.map((format) => (isThis(format) ? { ...own, ...(isObject(format) ? format : {}) } : format)),
      }
    return adds ? { formats: [...list, own] } : {}
  }

const v0Extraction = (options: unknown): Json => {
  if (!isObject(options)) return {}
  const { extractionPrompt: prompt, extractionSchema: schema } = options
  return { ...(prompt === undefined ? {} : { prompt }), ...(schema === undefined ? {} : { schema }) }
}

const FORMATS_OF_V0 = { includeHtml: 'html', includeRawHtml: 'rawHtml', screenshot: 'screenshot' } as const

/** Version 0 had flags instead of formats. */
const pageOptions: Rule = (value, body) => {
  if (!isObject(value)) return {}
  const flags = Object.entries(FORMATS_OF_V0).filter(([flag]) => value[flag] === true)
  const {
    includeHtml: _,
    includeRawHtml: __,
    screenshot: ___,
    fullPageScreenshot,
    replaceAllPathsWithAbsolutePaths: ____,
    ...rest
  } = value
  const also = [
    ...flags.map(([, format]) => format),
    ...(fullPageScreenshot === true ? [{ type: 'screenshot', fullPage: true }] : []),
  ]
  const formats =
    also.length > 0 ? { formats: [...(Array.isArray(body.formats) ? body.formats : ['markdown']), ...also] } : {}
  return { ...translateByRules(rest, PAGE).body, ...formats }
}

const PAGE: Rules = {
  parsePDF: (value) => ({ parsers: value === false ? [] : ['pdf'] }),
  geolocation: renameTo('location'),
  onlyIncludeTags: renameTo('includeTags'),
  removeTags: renameTo('excludeTags'),
  jsonOptions: intoFormat('json', jsonFormatFromExtractOptions),
  extract: intoFormat('json', jsonFormatFromExtractOptions),
  extractorOptions: intoFormat('json', v0Extraction, true),
  changeTrackingOptions: intoFormat('changeTracking', (options) => (isObject(options) ? options : {})),
  pageOptions,
}

const SITE: Rules = {
  ignoreSitemap: (value) => ({ sitemap: value === true ? 'skip' : 'include' }),
  sitemapOnly: (value) => (value === true ? { sitemap: 'only' } : {}),
  maxDepth: renameTo('maxDiscoveryDepth'),
  allowBackwardLinks: renameTo('crawlEntireDomain'),
  allowBackwardCrawling: renameTo('crawlEntireDomain'),
  allowExternalContentLinks: renameTo('allowExternalLinks'),
  includes: renameTo('includePaths'),
  excludes: renameTo('excludePaths'),
  crawlerOptions: (value) => (isObject(value) ? translateByRules(value, SITE).body : {}),
  pageOptions: (value, body) => ({
    scrapeOptions: pageOptions(value, isObject(body.scrapeOptions) ? body.scrapeOptions : {}),
  }),
}

const SEARCH: Rules = {
  searchOptions: (value) => (isObject(value) ? value : {}),
  pageOptions: (value) =>
    isObject(value) && value.fetchPageContent === false
      ? {}
      : { scrapeOptions: { formats: ['markdown'], ...withoutFetch(pageOptions(value, {})) } },
}

const withoutFetch = ({ fetchPageContent: _, ...rest }: Json): Json => rest

const BY_ROUTE: Readonly<Record<string, Rules>> = {
  '/scrape': PAGE,
  '/batch/scrape': PAGE,
  '/crawl': SITE,
  '/crawl/plan': SITE,
  '/map': SITE,
  '/search': SEARCH,
}

type Translated = { body: Json; notes: string[] }

export function translateOldOptionNames(path: string, given: unknown): { body: unknown; notes: string[] } {
  if (!path.startsWith('/v2/') || !isObject(given)) return { body: given, notes: [] }
  const rules = BY_ROUTE[path.slice(3)] ?? {}
  const { body, notes } = translateByRules(withoutFormValues(given), rules)
  if (isObject(body.scrapeOptions)) withFormats(body, body.scrapeOptions, notes)
  const nestedOptions = (name: string) => {
    const options = body[name]
    if (!isObject(options)) return
    const { body: options2, notes: more } = translateByRules(options, PAGE)
    body[name] = options2
    notes.push(...more.map((note) => `In \`${name}\`: ${note}`))
  }
  nestedOptions('scrapeOptions')
  if (isObject(body.notification)) Object.assign(body, mailOf(body.notification, notes))
  if (Array.isArray(body.targets))
    body.targets = body.targets.map((target) => {
      if (!isObject(target) || !isObject(target.scrapeOptions)) return target
      const { body: scrapeOptions, notes: more } = translateByRules(target.scrapeOptions, PAGE)
      notes.push(...more)
      return { ...target, scrapeOptions }
    })
  // Their forms send 0 for no delay, which is an error in a current body.
  if (notes.length > 0 && body.delay === 0) delete body.delay
  return { body, notes: [...new Set(notes)] }
}

/** The node of n8n sends `formats` and `location` as its forms store them. */
function withoutFormValues(given: Json): Json {
  const { formats, location, scrapeOptions } = given
  const isForm = isObject(formats) && Array.isArray(formats.format)
  const { settings, ...place } = isObject(location) ? location : {}
  return {
    ...given,
    ...(isForm ? { formats: formats.format } : {}),
    ...(isObject(settings) ? { location: place } : {}),
    ...(isObject(scrapeOptions) ? { scrapeOptions: withoutFormValues(scrapeOptions) } : {}),
  }
}

/** The same node puts the formats of pages beside `scrapeOptions`, where they have the right form. */
function withFormats(body: Json, options: Json, notes: string[]): void {
  if (!Array.isArray(body.formats)) return
  notes.push('`formats` belongs in `scrapeOptions` and was moved there.')
  body.scrapeOptions = { ...options, formats: body.formats }
  delete body.formats
}

/** Some clients send one address, or several with commas, instead of an object. */
function mailOf(notification: Json, notes: string[]): Json {
  const { email } = notification
  if (typeof email !== 'string') return {}
  notes.push('`notification.email` is now an object: read as `{ "enabled": true, "recipients": […] }`.')
  const recipients = email.split(/[\s,;]+/).filter(Boolean)
  return { notification: { ...notification, email: { enabled: recipients.length > 0, recipients } } }
}

function translateByRules(given: Json, rules: Rules): Translated {
  const notes: string[] = []
  const body: Json = {}
  for (const [name, value] of Object.entries(given)) if (!Object.hasOwn(rules, name)) body[name] = value
  if (rules === PAGE && Array.isArray(body.formats))
    body.formats = body.formats.map((format) => modernFormat(format, notes))
  for (const [name, value] of Object.entries(given)) {
    const rule = Object.hasOwn(rules, name) ? rules[name] : undefined
    if (!rule) continue
    const fields = rule(value, body)
    const fresh = Object.entries(fields).filter(([field]) => field === 'formats' || !Object.hasOwn(body, field))
    Object.assign(body, Object.fromEntries(fresh))
    const now = Object.keys(fields).map((field) => `\`${field}\``)
    notes.push(
      now.length > 0
        ? `\`${name}\` is an earlier name: it is now ${now.join(', ')}.`
        : `\`${name}\` is an earlier name and has no effect here.`,
    )
  }
  return { body, notes }
}

function modernFormat(format: unknown, notes: string[]): unknown {
  if (format !== 'screenshot@fullPage' && format !== 'extract') return format
  const now = format === 'extract' ? 'json' : formatFromV1(format, { json: {}, extract: {}, changeTracking: {} })
  notes.push(`The format \`${format}\` is now \`${JSON.stringify(now).replaceAll('"', '')}\`.`)
  return now
}

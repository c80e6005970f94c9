// Request and response schemas of search.

import { z } from 'zod'
import { domainsOption, refuseBothDomainLists } from '../../base/host-pattern.ts'
import { checkScrapeOptions, clientShape, scrapeOptionsShape } from '../../scrape/scrape-options.ts'
import { queryFlag, successReply } from '../schema-parts.ts'
import { DEVELOPER_CATEGORY_NAMES } from './categories.ts'

const FORMATS = new Set(
  'markdown html rawHtml links images summary product menu json question highlights query screenshot'.split(' '),
)

const SOURCES = ['web', 'news', 'images', 'alexandria'] as const
const place = {
  tbs: z.string().max(200).optional(),
  filter: z.string().max(200).optional(),
  lang: z.string().max(35).optional(),
  country: z.string().max(60).optional(),
  location: z.string().max(200).optional(),
}
const sourceObject = z.strictObject({ type: z.enum(SOURCES), ...place })
const sources = z
  .union([z.array(z.enum(SOURCES)).min(1).max(4), z.array(sourceObject).min(1).max(4)], {
    error: 'must be a list of web, news, images, or a list of objects with such a type, not both',
  })
  .default(() => ['web' as const])
  .describe('What to search: `web`, `news`, `images`; as names, or as objects with options of their own.')

const CATEGORY_NAMES = ['github', 'research', 'pdf', 'gov', ...DEVELOPER_CATEGORY_NAMES] as const
const EXCLUSIVE = ['developer', 'gov'] as const
const categoryItem = z.union([z.enum(CATEGORY_NAMES), z.strictObject({ type: z.enum(CATEGORY_NAMES) })])
const categories = z
  .array(categoryItem)
  .max(10)
  .default(() => [])
  .transform((all) => [
    ...new Set(
      all
        .map((item) => (typeof item === 'string' ? item : item.type))
        .map((name) => (isDeveloper(name) ? 'developer' : name)),
    ),
  ])
  .superRefine((all, context) => {
    const alone = EXCLUSIVE.find((name) => all.includes(name))
    if (all.length > 1 && alone)
      context.addIssue({ code: 'custom', message: `the ${alone} category cannot be combined with other categories` })
  })
  .describe(
    'Only hits of these kinds: `github`, `research` (academic sites), `pdf`, `developer`. `gov` is not offered.',
  )

const isDeveloper = (name: string): boolean => (DEVELOPER_CATEGORY_NAMES as readonly string[]).includes(name)

const domains = domainsOption(300)

const searchScrapeOptions = z
  .strictObject({
    ...scrapeOptionsShape,
    formats: scrapeOptionsShape.formats.unwrap().default(() => []),
  })
  .superRefine((options, context) => {
    for (const { type } of options.formats)
      if (!FORMATS.has(type))
        context.addIssue({
          code: 'custom',
          path: ['formats'],
          message: `${type} is not available for search hits`,
          params: { named: true },
        })
    if (options.lockdown)
      context.addIssue({
        code: 'custom',
        path: ['lockdown'],
        message: 'lockdown is for single scrapes only',
        params: { named: true },
      })
  })
  .superRefine(checkScrapeOptions)
  .describe('Options for each hit; it is scraped only if `formats` names a format.')

export const searchBody = z
  .strictObject({
    query: z
      .string()
      .trim()
      .min(1)
      .max(500)
      .describe(
        'Search query. Supports "…", -word, site:, intitle:, inurl:, filetype:, related:, imagesize:, larger:.',
      ),
    limit: z.int().min(1).max(100).default(10).describe('Maximum number of results for each source.'),
    sources,
    categories,
    includeDomains: domains.describe('Only results on these hosts and their subdomains.'),
    excludeDomains: domains.describe('No results on these hosts.'),
    tbs: place.tbs.describe('Time: `qdr:h|d|w|m|y`, `cdr:1,cd_min:MM/DD/YYYY,cd_max:…`, `sbd:1` for newest first.'),
    filter: place.filter.meta({ description: 'Taken and without effect.' }),
    lang: place.lang.describe('The language of the query.'),
    location: place.location.describe('Location of the caller, as text.'),
    country: place.country.describe('ISO 3166-1 alpha-2 country. `US` unless `location` is given.'),
    safe: z.boolean().optional().describe('Request that providers leave out explicit results.'),
    timeout: z.int().min(1).max(600_000).default(60_000).describe('Milliseconds for the whole request.'),
    ignoreInvalidURLs: z.boolean().default(false).describe('Leave out results that could not be scraped.'),
    highlights: z
      .boolean()
      .default(true)
      .describe('Descriptions are the passages of the page that match the query best.'),
    enterprise: z
      .array(z.enum(['default', 'anon', 'zdr']))
      .max(3)
      .optional()
      .describe('`zdr`: nothing of the search is stored.'),
    scrapeOptions: searchScrapeOptions.nullish(),
    asyncScraping: z
      .boolean()
      .default(false)
      .describe('Respond immediately with `scrapeIds`; read them at /v2/scrape/{id}.'),
    objective: z.string().max(10_000).optional().meta({ description: 'Accepted for newer clients; has no effect.' }),
    sessionId: z.string().max(256).optional().meta({ description: 'Accepted for newer clients; has no effect.' }),
    clientModel: z.string().max(256).optional().meta({ description: 'Accepted for newer clients; has no effect.' }),
    domainTools: z.boolean().optional().meta({ deprecated: true }),
    toolDetail: z.enum(['compact', 'summary', 'full']).optional().meta({ deprecated: true }),
    threatProtection: scrapeOptionsShape.threatProtection,
    ...clientShape,
  })
  .superRefine(refuseBothDomainLists)
  .describe('A query for the web and for all pages that were fetched here.')
export type SearchBody = z.output<typeof searchBody>

export const searchQueryParameters = z.object({
  explain: queryFlag('Also return the queried sources and the ranking of each result.'),
  own: queryFlag('Search only pages that were fetched here, not the open web.'),
})

const hit = z.looseObject({ url: z.string(), title: z.string(), position: z.int(), category: z.string().optional() })

export const searchReply = successReply({
  data: z.object({
    web: z.array(hit.extend({ description: z.string() })).optional(),
    news: z
      .array(hit.extend({ snippet: z.string(), date: z.string().optional(), imageUrl: z.string().optional() }))
      .optional(),
    images: z
      .array(hit.extend({ imageUrl: z.string(), imageWidth: z.int().optional(), imageHeight: z.int().optional() }))
      .optional(),
    tools: z.array(z.unknown()).optional(),
  }),
  warning: z.string().optional().describe('Sources that failed or were skipped.'),
  id: z.string(),
  creditsUsed: z.int(),
  scrapeIds: z.object({ web: z.array(z.string()).optional(), news: z.array(z.string()).optional() }).optional(),
  explain: z.looseObject({}).optional(),
})

export const providersReply = successReply({
  data: z.array(
    z.object({
      name: z.string(),
      state: z.enum(['ready', 'suspended']),
      until: z.string().optional(),
      because: z.string().optional(),
      asked: z.int(),
      answered: z.int(),
      failed: z.int(),
    }),
  ),
})

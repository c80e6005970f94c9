// Request and response schemas of map.

import { z } from 'zod'
import { clientShape, scrapeOptionsShape, webUrlSchema } from '../../scrape/scrape-options.ts'
import { siteOptionFields } from '../../site/site-options.ts'
import { queryFlag, successReply } from '../schema-parts.ts'

const { headers, allowCredentialsFor, location, threatProtection, auditMetadata, useMock } = scrapeOptionsShape

export const mapBody = z
  .strictObject({
    url: webUrlSchema,
    search: z.string().max(2000).optional().describe('Sort by how well URL, title and description match this text.'),
    ...siteOptionFields,
    includeSubdomains: z.boolean().default(true).describe('Also URLs on subdomains of the same domain.'),
    ignoreQueryParameters: z.boolean().default(true).describe('Remove queries, and then duplicate URLs.'),
    filterByPath: z.boolean().default(true).describe('Only URLs below the path of `url`.'),
    limit: z.int().min(1).max(100_000).default(5000).describe('Maximum number of URLs.'),
    timeout: z.int().min(1).max(600_000).optional().describe('Milliseconds for the whole request.'),
    ignoreCache: z
      .boolean()
      .default(false)
      .describe('Fetch robots.txt and sitemaps again; otherwise they are cached for a day and a week.'),
    useIndex: z.boolean().default(true).describe('Also list pages that this service has seen before.'),
    headers,
    allowCredentialsFor,
    location,
    threatProtection,
    auditMetadata,
    useMock,
    ...clientShape,
  })
  .describe('The site to map.')
export type MapBody = z.output<typeof mapBody>

export const mapQuery = z.object({
  explain: queryFlag('Also return where each URL was found and which URLs were omitted.'),
})

export const mapReply = successReply({
  id: z.string(),
  links: z.array(z.object({ url: z.string(), title: z.string().optional(), description: z.string().optional() })),
  warning: z.string().optional(),
  creditsUsed: z.int(),
  explain: z
    .looseObject({})
    .optional()
    .describe('Source, depth and date of each URL; omitted URLs with the reason; robots.txt and sitemaps.'),
})

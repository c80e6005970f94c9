// The HTTP routes of scrape.
import { mergeMetadataIntoJson } from '../../base/document-json.ts'
import { pagePriceRows } from '../../base/prices.ts'
import { Problem } from '../../base/problem.ts'
import { isUuid } from '../../base/uuid-format.ts'
import type { Document } from '../../base/visit-and-capture-types.ts'
import type { PageStore, StoredScrape } from '../../store/captures-and-scrapes.ts'
import { requestedFormats } from '../../teams/key-restrictions.ts'
import { defineCapability } from '../capability.ts'
import { OBJECT_SCHEMA } from '../mcp-tool-descriptions.ts'
import { makeRouteBuilder, makeSerializedReply, ReadyReply, type ServicesWith } from '../route.ts'
import { readPageAsMarkdown } from './page-as-markdown.ts'
import { requestForms } from './request-forms.ts'
import { scrapeBody, scrapeReply, scrapeStatusQuery, scrapeStatusReply } from './schema.ts'
import { scrapePage } from './scrape-page.ts'
import { verifyBody, verifyCitation, verifyReply } from './verify-citation.ts'

type Step = { step: string; [fact: string]: unknown }

const stepsIn = (explain: unknown): Step[] => (explain as { steps?: Step[] } | null | undefined)?.steps ?? []

/** For a scrape answered from the cache, field positions come from the scrape that made the document. */
async function readScrapeTrace(pages: Pick<PageStore, 'firstExplain'>, { id, explain }: StoredScrape) {
  const steps = stepsIn(explain)
  const recalled = steps.find(({ step }) => step === 'recall')
  if (!recalled) return explain
  const made = stepsIn(await pages.firstExplain(id)).filter(({ step, fields }) => step === 'answer' && fields)
  if (made.length === 0) return explain
  // That scrape may be another team's: include what it says of the page, not its cost.
  const answers = made.map(({ step, format, by, fields }) => ({ step, format, by, fields, atMs: recalled.atMs }))
  return { ...(explain as object), steps: [...steps, ...answers] }
}

const defineRoute = makeRouteBuilder<ServicesWith<'catchUpIndex'>>()

const postScrape = defineRoute({
  method: 'POST',
  path: '/v2/scrape',
  activity: 'scrape',
  summary: 'Scrape one page',
  bucket: 'scrape',
  screen(body) {
    if (body && typeof body === 'object' && 'alexandria' in body) throw new Problem('no_tool_catalogue')
  },
  body: scrapeBody,
  repeats: true,
  example: { url: 'https://example.com', formats: ['markdown', 'links'] },
  reply: scrapeReply,
  async handle(services, { body, asked }, call) {
    const { url } = (asked ?? body) as { url?: string }
    const { id, json, warning } = await scrapePage(services, body, call, url)
    const said = [warning, ...call.warnings].filter(Boolean).join(' ')
    const rest = JSON.stringify({ ...(said ? { warning: said } : {}), scrape_id: id })
    return makeSerializedReply(json, `,${rest.slice(1)}`)
  },
})

const getScrape = defineRoute({
  method: 'GET',
  path: '/v2/scrape/:jobId',
  summary: 'Read a finished scrape again, for 24 hours',
  bucket: 'jobStatus',
  query: scrapeStatusQuery,
  reply: scrapeStatusReply,
  async handle({ store }, { params, query }, { caller }) {
    const id = params.jobId ?? ''
    if (!isUuid(id)) throw new Problem('invalid_job_id')
    if (caller.zeroDataRetention === 'forced')
      throw new Problem('bad_request', {
        instead: 'Your team has zero data retention enabled. This is not supported on scrape status.',
      })
    const found = await store.pages.getScrape(caller.teamId, id.toLowerCase())
    if (!found) throw new Problem('job_not_found')
    const json = mergeMetadataIntoJson(found.documentBody, found.overlay as Document['metadata'])
    const explanation = query.explain ? await readScrapeTrace(store.pages, found) : undefined
    const explain = query.explain ? `,"explain":${JSON.stringify(explanation)}` : ''
    return makeSerializedReply(json, `${explain}}`)
  },
})

const verify = defineRoute({
  method: 'POST',
  path: '/v2/verify',
  activity: 'scrape',
  summary: 'Check whether a page contains certain words, now or at a given time',
  bucket: 'scrape',
  formats: (body) => [(body as { claim?: string } | undefined)?.claim === undefined ? 'markdown' : 'question'],
  body: verifyBody,
  example: { url: 'https://example.com', quote: 'for use in illustrative examples' },
  reply: verifyReply,
  handle: async (services, { body }, call) => ({ success: true, data: await verifyCitation(services, body, call) }),
})

const getReadable = defineRoute({
  method: 'GET',
  path: '/r/*',
  activity: 'scrape',
  summary: 'Any page as markdown: GET /r/https://example.com',
  serves: ['text/markdown', 'text/plain', 'text/html', 'application/json'],
  bucket: 'scrape',
  formats: () => ['markdown'],
  async handle(services, { params }, call) {
    const { text, headers, type } = await readPageAsMarkdown(services, params['*'] ?? '', call)
    return new ReadyReply(text, type, headers)
  },
})

const FORMATS = {
  type: 'array',
  items: {},
  description:
    'markdown (default), html, links, images, screenshot, summary, branding, product, menu, network (JSON that the page fetched), {"type":"json","schema":{…},"prompt":"…"}, {"type":"question","question":"…"}',
}

export const scrapeCapability = defineCapability({
  name: 'scrape',
  tag: 'Scrape',
  needs: ['catchUpIndex'],
  right: 'use',
  cliGroup: 'Get pages',
  mcp: {
    scrape: {
      use: 'Read one web page by its URL: its text as markdown, a screenshot, or JSON fields such as price and title by a schema.',
      not: 'several URLs (batch), a whole site (crawl), no URL (search)',
      example: { url: 'https://example.com', formats: ['markdown'] },
      inputs: {
        url: '',
        formats: FORMATS,
        onlyMainContent: 'Without navigation and footer; true by default',
        includeTags: 'CSS selectors to keep',
        excludeTags: 'CSS selectors to drop',
        waitFor: 'ms before reading',
        timeout: 'ms for all',
        mobile: '',
        maxAge: 'ms; 0: do not use the cache',
        actions: {
          type: 'array',
          items: OBJECT_SCHEMA,
          description: 'Steps first: {"type":"click","selector":"…"}, write, press, scroll, wait',
        },
        location: { type: 'object', description: '{"country":"DE","languages":["de"]}' },
      },
    },
  },
  requestForms,
  group: 'scrape',
  formats: requestedFormats,
  prices: pagePriceRows,
  routes: [postScrape, getScrape, verify, getReadable],
})

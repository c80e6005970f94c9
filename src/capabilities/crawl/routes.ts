// The HTTP routes of crawl.

import { z } from 'zod'
import { JOB_EVENT_NAMES } from '../../jobs/job-kinds.ts'
import { listJobErrors } from '../../jobs/job-status.ts'
import type { Job } from '../../store/jobs.ts'
import { makeScrapeOptionsFormatsReader } from '../../teams/key-restrictions.ts'
import { defineCapability, type JobDeclaration } from '../capability.ts'
import { storeAsSinceBaseline } from '../detect-changes-since.ts'
import { makeChunksRoute } from '../job-chunks-route.ts'
import { makeEventsRoute } from '../job-events-route.ts'
import { makeJobRoutes, makeStatusUrl } from '../job-routes.ts'
import { PAGING_INPUTS, SCRAPE_OPTIONS_INPUT_SCHEMA, STRING_LIST_SCHEMA } from '../mcp-tool-descriptions.ts'
import { defineRoute, type Route, type Services } from '../route.ts'
import { successReply } from '../schema-parts.ts'
import { makeCrawlPageVisitor } from './crawl-page.ts'
import { makeCrawlDiscovery } from './discover.ts'
import { openRememberedPages } from './remembered-pages.ts'
import { openRunningCrawlScopes } from './running-scopes.ts'
import { crawlBody, crawlStartedReply } from './schema.ts'
import { makeCrawlStarter, type StoredCrawl, startCrawl } from './start-crawl.ts'

const PATH = '/v2/crawl'
const MAX_ACTIVE = 1000

const postCrawl = defineRoute({
  method: 'POST',
  path: PATH,
  activity: 'crawl',
  summary: 'Crawl a site',
  bucket: 'crawl',
  body: crawlBody,
  example: { url: 'https://example.com', limit: 10 },
  reply: crawlStartedReply,
  async handle(services, { body }, call) {
    const { id, ...rest } = await startCrawl(services, body, call)
    call.note({ jobId: id })
    return { success: true, id, url: makeStatusUrl(call, PATH, id), ...rest }
  },
})

const activeReply = successReply({
  crawls: z.array(
    z.object({
      id: z.string(),
      teamId: z.string(),
      url: z.string(),
      created_at: z.string(),
      options: z.looseObject({}).describe('The options as they apply, `scrapeOptions` included.'),
    }),
  ),
})

const activeAt = (path: string): Route<Services> =>
  defineRoute({
    method: 'GET',
    path: `${PATH}/${path}`,
    summary: "The team's running crawls",
    ...(path === 'ongoing' ? { command: null } : {}),
    bucket: 'jobStatus',
    reply: activeReply,
    async handle({ store }, _input, { caller }) {
      const jobs = await store.jobs.running(caller.teamId, 'crawl', MAX_ACTIVE)
      const crawls = await Promise.all(
        jobs.map(async (job) => {
          const { url, scope } = JSON.parse(job.settings) as StoredCrawl
          const options = { ...scope, scrapeOptions: (await store.jobs.options(job.id, 0)) as object }
          return { id: job.id, teamId: job.teamId, url, created_at: new Date(job.createdAt).toISOString(), options }
        }),
      )
      return { success: true, crawls }
    },
  })

async function warning({ store }: Services, job: Job): Promise<string | undefined> {
  const { url, scope } = JSON.parse(job.settings) as StoredCrawl
  const { pageLimit: limit, total, completed } = job
  const isDone = job.state === 'completed'
  const said: string[] = []
  if (job.dropped > 0 && (await listJobErrors(store, job.id)).robotsBlocked.length > 0)
    said.push(
      'Some pages were not visited because robots.txt forbids it; they are listed as robotsBlocked by the errors of this crawl.',
    )
  else if (isDone && completed <= 1 && new URL(url).pathname !== '/' && !scope.crawlEntireDomain)
    said.push(
      'Only pages below the path of the start URL are crawled. Set crawlEntireDomain to true to reach the rest of the site.',
    )
  if (isDone && limit !== null && limit > 1 && total >= limit)
    said.push(
      `The crawl stopped at its limit of ${limit} pages, and the site may have more. Start it again with a higher \`limit\` to continue: pages already read come from the cache.`,
    )
  return said.join(' ') || undefined
}

const job: JobDeclaration<Services> = {
  kind: 'crawl',
  endpoint: 'crawl',
  events: { namespace: 'crawl', names: JOB_EVENT_NAMES },
  needsPages: true,
  onCompleted: storeAsSinceBaseline,
  work(given) {
    const scopes = openRunningCrawlScopes(given.store, given.clock)
    const memories = openRememberedPages({ ...given, scopes })
    const parts = { ...given, scopes, memories }
    return {
      visit: makeCrawlPageVisitor({ ...parts, forget: (jobId) => given.jobService.forget(jobId) }),
      discover: makeCrawlDiscovery(parts),
    }
  },
}

const crawl = { takes: 'site', operation: 'crawl', path: '/v2/crawl', isQuick: false } as const
/** Small: pressing Enter must not read ten thousand pages. */
const LIMIT = 20

export const crawlCapability = defineCapability({
  name: 'crawl',
  tag: 'Crawl',
  right: 'use',
  cliGroup: 'Get pages',
  mcp: {
    crawl: {
      use: 'Download every page of a website or a section, such as documentation, following its links. Then ask crawl_status.',
      not: 'one page (scrape), only the list of URLs (map)',
      example: { url: 'https://example.com/docs', limit: 50 },
      inputs: {
        url: '',
        limit: 'Most pages. Always set it; 10000 by default',
        includePaths: { ...STRING_LIST_SCHEMA, description: 'Regular expressions of paths' },
        excludePaths: STRING_LIST_SCHEMA,
        maxDiscoveryDepth: '',
        crawlEntireDomain: 'Also pages above the start',
        allowSubdomains: '',
        sitemap: '',
        routes: '"hash": #/about is a page; "auto": tabs, too',
        scrapeOptions: SCRAPE_OPTIONS_INPUT_SCHEMA,
        prompt: 'What to crawl, in words',
      },
    },
    'crawl status': { use: 'Whether a crawl is finished or still running, and its pages.', inputs: PAGING_INPUTS },
    'crawl cancel': { use: 'Stop a running crawl. Its pages stay.' },
  },
  requestForms: [
    {
      ...crawl,
      name: 'crawl',
      places: { address: 2 },
      label: 'Crawl',
      why: 'every page of the site, up to a limit',
      phrases: [
        'crawl*|spider|mirror',
        'whole|entire|everything',
        'whole|entire|full|complete site|website',
        'download* everything',
        'download* the|all|every site|website|pages',
        'all|every|each page|post|article',
        'all the pages',
        'all of',
        '# pages|posts|articles|entries|products',
        'ganze*',
        'alle seiten',
        'tout le site',
        'toutes les pages',
        'todo el sitio',
        'todas las paginas',
      ],
      body: ({ urls, count = LIMIT }) => ({
        url: urls[0] ?? '',
        limit: count,
        scrapeOptions: { formats: ['markdown'] },
      }),
    },
    {
      ...crawl,
      name: 'download',
      label: 'Download the files',
      why: 'the documents that this page links to',
      phrases: [
        'download*',
        'download*|save|get|fetch|grab|collect … pdfs|files|documents|attachments|spreadsheets|xlsx|docx|pptx',
        'all|the|every pdfs|files|documents|attachments',
        'pdf|word|excel|xlsx|docx|csv|zip files',
        'herunterlad*|lade|speicher*',
        'telecharge*|enregistre*',
        'descarga*',
      ],
      body: ({ urls, count = LIMIT }) => ({
        url: urls[0] ?? '',
        limit: count,
        includePaths: ['\\.(?:pdf|docx?|xlsx?|pptx?|odt|ods|csv|zip)$'],
        maxDiscoveryDepth: 1,
        sitemap: 'skip',
        scrapeOptions: { formats: ['markdown', 'rawBase64'] },
      }),
    },
  ],
  group: 'crawl',
  formats: makeScrapeOptionsFormatsReader(['markdown']),
  open: ({ services }) => ({
    services: { startCrawl: makeCrawlStarter(services) },
  }),
  jobs: [job],
  routes: [
    postCrawl,
    activeAt('active'),
    activeAt('ongoing'),
    makeEventsRoute('crawl', PATH),
    makeChunksRoute('crawl', PATH),
    ...makeJobRoutes({ kind: 'crawl', path: PATH, warning }),
  ],
})

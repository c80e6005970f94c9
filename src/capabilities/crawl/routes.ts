// The HTTP routes of crawl.
import { z } from 'zod'
import { EVENT_NAMES } from '../../jobs/job-kinds.ts'
import { errorsOf } from '../../jobs/status.ts'
import type { Job } from '../../store/jobs.ts'
import { formatsOfPages } from '../../teams/restrictions.ts'
import { defineCapability, type JobDeclaration } from '../capability.ts'
import { chunksRoute } from '../job-chunks.ts'
import { jobRoutes, ownJob, statusUrl } from '../job-routes.ts'
import { completeSince } from '../job-since.ts'
import { membersOf, type Route, StreamReply } from '../route.ts'
import { crawlVisit } from './crawl-page.ts'
import { exploreCrawl } from './discover.ts'
import { eventsOf } from './events.ts'
import { mcp } from './mcp.ts'
import { type HandlerServices, needs, route } from './needs.ts'
import { openMemories } from './remembered-pages.ts'
import { crawlBody, crawlStarted } from './schema.ts'
import { openScopes } from './scopes.ts'
import { type StoredCrawl, startCrawl } from './start-crawl.ts'
import { crawlStarter } from './start-for-others.ts'
import { syncStore } from './store/index.ts'

const PATH = '/v2/crawl'
const MAX_ACTIVE = 1000

const postCrawl = route({
  method: 'POST',
  path: PATH,
  activity: 'crawl',
  summary: 'Crawl a site',
  tag: 'Crawl',
  bucket: 'crawl',
  body: crawlBody,
  example: { url: 'https://example.com', limit: 10 },
  reply: crawlStarted,
  async handle(services, { body }, call) {
    const { id, ...rest } = await startCrawl(services, body, call)
    call.note({ jobId: id })
    return { success: true, id, url: statusUrl(call, PATH, id), ...rest }
  },
})

const activeReply = z.object({
  success: z.literal(true),
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

const activeAt = (path: string): Route<HandlerServices> =>
  route({
    method: 'GET',
    path: `${PATH}/${path}`,
    summary: "The team's running crawls",
    tag: 'Crawl',
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

const getEvents = route({
  method: 'GET',
  path: `${PATH}/:id/events`,
  summary: 'A crawl as it happens, as server-sent events',
  serves: ['text/event-stream'],
  tag: 'Crawl',
  command: null,
  bucket: 'jobStatus',
  query: z.object({
    after: z
      .string()
      .regex(/^\d{1,9}$/, { error: 'must be the number of a document' })
      .transform(Number)
      .optional()
      .describe('Begin after the document with this number (the id of an event).'),
  }),
  async handle(services, { params, query }, call) {
    const job = await ownJob(services, 'crawl', params.id ?? '', call.caller.teamId)
    return new StreamReply(eventsOf(services, job.id, query.after ?? 0, call.signal), 'text/event-stream', {
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
    })
  },
})

async function warning({ store }: HandlerServices, job: Job): Promise<string | undefined> {
  const { url, scope } = JSON.parse(job.settings) as StoredCrawl
  if (job.dropped > 0 && (await errorsOf(store, job.id)).robotsBlocked.length > 0)
    return 'Some pages were not visited because robots.txt forbids it; they are listed as robotsBlocked by the errors of this crawl.'
  const deep = new URL(url).pathname !== '/'
  if (job.completed <= 1 && deep && !scope.crawlEntireDomain && job.state === 'completed')
    return 'Only pages below the path of the start address are crawled. Set crawlEntireDomain to true to reach the rest of the site.'
  return undefined
}

const job: JobDeclaration<HandlerServices> = {
  kind: 'crawl',
  endpoint: 'crawl',
  events: { namespace: 'crawl', names: EVENT_NAMES },
  needsPages: true,
  onCompleted: completeSince,
  work(given) {
    const scopes = openScopes(given.store, given.clock)
    const memories = openMemories({ ...given, scopes })
    const parts = { ...given, scopes, memories }
    return {
      visit: crawlVisit({ ...parts, forget: (jobId) => given.jobService.forget(jobId) }),
      discover: exploreCrawl(parts),
    }
  },
}

export const crawl = defineCapability({
  name: 'crawl',
  right: 'use',
  needs,
  cliGroup: 'Get pages',
  mcp,
  group: 'crawl',
  formats: formatsOfPages(['markdown']),
  open: ({ services }) => ({
    services: { crawls: { startCrawl: crawlStarter(() => membersOf(services(), needs)) } },
  }),
  storage: syncStore,
  jobs: [job],
  routes: [
    postCrawl,
    activeAt('active'),
    activeAt('ongoing'),
    getEvents,
    chunksRoute('crawl', PATH, 'Crawl'),
    ...jobRoutes({ kind: 'crawl', path: PATH, tag: 'Crawl', warning }),
  ],
})

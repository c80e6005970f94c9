// The HTTP routes of batch scrape, and its job declaration.
import { EVENT_NAMES } from '../../jobs/job-kinds.ts'
import { formatsIn } from '../../teams/restrictions.ts'
import { defineCapability, type JobDeclaration } from '../capability.ts'
import { chunksRoute } from '../job-chunks.ts'
import { jobRoutes, statusUrl } from '../job-routes.ts'
import { comparePages, completeSince } from '../job-since.ts'
import { optionsVisit } from '../job-visit.ts'
import { mcp } from './mcp.ts'
import { type HandlerServices, needs, route } from './needs.ts'
import { batchBody, batchStarted } from './schema.ts'
import { startBatch } from './start-batch.ts'

const PATH = '/v2/batch/scrape'

const postBatch = route({
  method: 'POST',
  path: PATH,
  activity: 'batch_scrape',
  summary: 'Scrape many pages',
  tag: 'Batch',
  command: 'batch',
  bucket: 'crawl',
  body: batchBody,
  example: { urls: ['https://example.com', 'https://example.org'] },
  reply: batchStarted,
  async handle(services, { body }, call) {
    const { id, invalidURLs, warning } = await startBatch(services, body, call)
    call.note({ jobId: id })
    return {
      success: true,
      id,
      url: statusUrl(call, PATH, id),
      ...(body.ignoreInvalidURLs ? { invalidURLs } : {}),
      ...(warning ? { warning } : {}),
    }
  },
})

const job: JobDeclaration<HandlerServices> = {
  kind: 'batch',
  endpoint: 'batch_scrape',
  events: { namespace: 'batch_scrape', names: EVENT_NAMES },
  onCompleted: completeSince,
  work: (given) => ({ visit: optionsVisit(given, { compare: comparePages(given) }) }),
}

export const batch = defineCapability({
  name: 'batch',
  right: 'use',
  needs,
  cliGroup: 'Get pages',
  mcp,
  group: 'batch-scrape',
  formats: formatsIn,
  jobs: [job],
  routes: [postBatch, chunksRoute('batch', PATH, 'Batch'), ...jobRoutes({ kind: 'batch', path: PATH, tag: 'Batch' })],
})

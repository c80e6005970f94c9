// The HTTP face of batch scrape, and how its pages are visited.
import type { Visit } from '../../jobs/pages.ts'
import { jobRoutes, statusUrl } from '../job-routes.ts'
import { openOptionsBook, type VisitParts, visitPage } from '../job-visit.ts'
import { type Capability, route } from '../route.ts'
import { batchBody, batchStarted } from './schema.ts'
import { startBatch } from './start-batch.ts'

const PATH = '/v2/batch/scrape'

const postBatch = route({
  method: 'POST',
  path: PATH,
  summary: 'Scrape many pages',
  tag: 'Batch',
  bucket: 'crawl',
  body: batchBody,
  reply: batchStarted,
  async handle(services, { body }, call) {
    const { id, invalidURLs } = await startBatch(services, body, call)
    call.note({ jobId: id })
    return {
      success: true,
      id,
      url: statusUrl(call, PATH, id),
      ...(body.ignoreInvalidURLs ? { invalidURLs } : {}),
    }
  },
})

export function batchVisit(parts: VisitParts): Visit {
  const options = openOptionsBook(parts.store)
  return async (page, job, signal) =>
    (await visitPage(parts, page, job, await options(job.id, page.optionsN), false, signal)).visited
}

export const batch: Capability = {
  name: 'batch',
  routes: [postBatch, ...jobRoutes({ kind: 'batch', path: PATH, tag: 'Batch' })],
}

// The HTTP routes of batch scrape, and its job declaration.
import { JOB_EVENT_NAMES } from '../../jobs/job-kinds.ts'
import { requestedFormats } from '../../teams/key-restrictions.ts'
import { defineCapability, type JobDeclaration } from '../capability.ts'
import { makePageComparer, storeAsSinceBaseline } from '../detect-changes-since.ts'
import { makeChunksRoute } from '../job-chunks-route.ts'
import { makeEventsRoute } from '../job-events-route.ts'
import { makeJobRoutes, makeStatusUrl } from '../job-routes.ts'
import { defineRoute, type Services } from '../route.ts'
import { makePageVisitor } from '../visit-job-page.ts'
import { mcp } from './mcp.ts'
import { requestForms } from './request-forms.ts'
import { batchBody, batchStartedReply } from './schema.ts'
import { startBatch } from './start-batch.ts'

const PATH = '/v2/batch/scrape'

const postBatch = defineRoute({
  method: 'POST',
  path: PATH,
  activity: 'batch_scrape',
  summary: 'Scrape many pages',
  command: 'batch',
  bucket: 'crawl',
  body: batchBody,
  example: { urls: ['https://example.com', 'https://example.org'] },
  reply: batchStartedReply,
  async handle(services, { body }, call) {
    const { id, invalidURLs, warning } = await startBatch(services, body, call)
    call.note({ jobId: id })
    return {
      success: true,
      id,
      url: makeStatusUrl(call, PATH, id),
      ...(body.ignoreInvalidURLs ? { invalidURLs } : {}),
      ...(warning ? { warning } : {}),
    }
  },
})

const job: JobDeclaration<Services> = {
  kind: 'batch',
  endpoint: 'batch_scrape',
  events: { namespace: 'batch_scrape', names: JOB_EVENT_NAMES },
  onCompleted: storeAsSinceBaseline,
  work: (given) => ({ visit: makePageVisitor(given, { compare: makePageComparer(given) }) }),
}

export const batchCapability = defineCapability({
  name: 'batch',
  tag: 'Batch',
  right: 'use',
  cliGroup: 'Get pages',
  mcp,
  requestForms,
  group: 'batch-scrape',
  formats: requestedFormats,
  jobs: [job],
  routes: [
    postBatch,
    makeEventsRoute('batch', PATH),
    makeChunksRoute('batch', PATH),
    ...makeJobRoutes({ kind: 'batch', path: PATH }),
  ],
})

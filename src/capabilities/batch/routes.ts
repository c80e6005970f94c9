// The HTTP routes of batch scrape, and its job declaration.

import { JOB_EVENT_NAMES } from '../../jobs/job-kinds.ts'
import { requestedFormats } from '../../teams/key-restrictions.ts'
import { defineCapability, type JobDeclaration } from '../capability.ts'
import { makePageComparer, storeAsSinceBaseline } from '../detect-changes-since.ts'
import { makeChunksRoute } from '../job-chunks-route.ts'
import { makeEventsRoute } from '../job-events-route.ts'
import { makeJobRoutes, makeStatusUrl } from '../job-routes.ts'
import { PAGING_INPUTS, STRING_LIST_SCHEMA } from '../mcp-tool-descriptions.ts'
import { defineRoute, type Services } from '../route.ts'
import { makePageVisitor } from '../visit-job-page.ts'
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
  mcp: {
    batch: {
      use: 'Scrape many URLs (a list of addresses) that you already have, as one job. Then call batch_status.',
      not: 'one page (scrape), unknown URLs (crawl)',
      example: { urls: ['https://example.com/a', 'https://example.com/b'] },
      inputs: {
        urls: STRING_LIST_SCHEMA,
        formats: { type: 'array', items: {}, description: 'As in scrape' },
        ignoreInvalidURLs: '',
      },
    },
    'batch status': { use: 'How far a batch is, and the pages it has scraped.', inputs: PAGING_INPUTS },
  },
  requestForms: [
    {
      name: 'batch',
      places: { addresses: 1 },
      label: 'Scrape all',
      why: 'each of these pages, as one job',
      phrases: ['batch', 'scrape these', 'these pages|urls|links', 'each|all of these'],
      takes: 'pages',
      operation: 'batch',
      path: '/v2/batch/scrape',
      isGeneral: true,
      repeats: '/v2/scrape',
      isQuick: false,
      body: ({ urls }) => ({ urls, formats: ['markdown'] }),
    },
  ],
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

// The HTTP routes of extract, and its job declaration.

import { Problem } from '../../base/problem.ts'
import { isUuid } from '../../base/uuid-format.ts'
import { JOB_EVENT_NAMES } from '../../jobs/job-kinds.ts'
import { makeScrapeOptionsFormatsReader } from '../../teams/key-restrictions.ts'
import { defineCapability, type JobDeclaration } from '../capability.ts'
import { defineRoute, deprecationHeaders, ReadyReply, type Services } from '../route.ts'
import { makePageVisitor } from '../visit-job-page.ts'
import { makeExtractCompletion } from './complete-extract.ts'
import { makeExtractDiscovery } from './discover-pages.ts'
import { keepFirstSchema, withFirstSchema } from './keep-first-schema.ts'
import { extractBody, extractStartedReply, extractStatusReply } from './schema.ts'
import { MIN_EXTRACT_CREDITS, type StoredExtract, startExtract } from './start-extract.ts'

const PATH = '/v2/extract'
const OLD = 'Extract is kept for older clients; POST /v2/scrape with the `json` format does the same.'
const DEPRECATED = deprecationHeaders('/v2/scrape')
const reply = (body: object): ReadyReply =>
  new ReadyReply(
    JSON.stringify({ ...body, replacement: 'POST /v2/scrape' }),
    'application/json; charset=utf-8',
    DEPRECATED,
  )

const postExtract = defineRoute({
  method: 'POST',
  path: PATH,
  activity: 'extract',
  summary: 'Extract data from pages (kept for older clients)',
  bucket: 'task',
  formats: (body) => ['json', ...makeScrapeOptionsFormatsReader([])(body)],
  body: extractBody,
  example: { urls: ['https://example.com'], prompt: 'Extract the title and the description' },
  reply: extractStartedReply,
  async handle(services, { body }, call) {
    const { id, invalidURLs, warnings } = await startExtract(services, body, call)
    return reply({
      success: true,
      id,
      ...(body.ignoreInvalidURLs ? { invalidURLs } : {}),
      warnings: [OLD, ...warnings],
    })
  },
})

const getExtract = defineRoute({
  method: 'GET',
  path: `${PATH}/:id`,
  summary: 'Status and data of an extraction',
  bucket: 'taskStatus',
  reply: extractStatusReply,
  async handle(services, { params }, { caller }) {
    const id = params.id ?? ''
    if (!isUuid(id)) throw new Problem('invalid_job_id')
    const job = await services.store.jobs.get(id.toLowerCase())
    if (!job || job.teamId !== caller.teamId || job.kind !== 'extract' || job.expiresAt <= services.clock.now())
      throw new Problem('job_not_found', { instead: 'Extract job not found' })
    const { result, showSources } = JSON.parse(job.settings) as StoredExtract
    const warning = [job.warning, ...(result?.warnings ?? [])].filter(Boolean).join(' ')
    return reply({
      success: job.state !== 'failed',
      status: job.state === 'scraping' ? 'processing' : job.state,
      data: result?.data ?? [],
      ...(job.error === null ? {} : { error: job.error }),
      ...(warning ? { warning } : {}),
      ...(showSources && result ? { sources: result.sources } : {}),
      expiresAt: new Date(job.expiresAt).toISOString(),
      ...(result && result.tokens > 0 ? { tokensUsed: result.tokens } : {}),
      ...(result?.cost === undefined ? {} : { cost: result.cost }),
      creditsUsed: job.credits,
      warnings: [OLD],
    })
  },
})

const job: JobDeclaration<Services> = {
  kind: 'extract',
  endpoint: 'extract',
  // Pages are not the result, so there are no page events.
  events: { namespace: 'extract', names: JOB_EVENT_NAMES.filter((name) => name !== 'page') },
  completes: true,
  work: (given) => ({
    visit: keepFirstSchema(
      given.store,
      makePageVisitor(given, {
        namedBy: (job) => (job.settings as StoredExtract).named ?? [],
        complete: async (job, options) =>
          (job.settings as StoredExtract).needsSchema ? withFirstSchema(given.store, job.id, options) : options,
      }),
    ),
    discover: makeExtractDiscovery(given),
    complete: makeExtractCompletion(given),
  }),
}

export const extractCapability = defineCapability({
  name: 'extract',
  tag: 'Extract',
  right: 'use',
  cliGroup: 'Work with pages',
  group: 'extract',
  jobs: [job],
  prices: [{ what: 'Minimum remaining credits to start an extraction', credits: MIN_EXTRACT_CREDITS }],
  routes: [postExtract, getExtract],
})

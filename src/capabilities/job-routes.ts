// The routes that crawl and batch share: status, cancel, pause, resume, retry, errors.

import { z } from 'zod'
import { Problem } from '../base/problem.ts'
import { isUuid } from '../base/uuid-format.ts'
import { listJobErrors, serialiseJobStatus } from '../jobs/job-status.ts'
import { documentSchema } from '../scrape/document-schema.ts'
import type { Job } from '../store/jobs.ts'
import { makeRouteBuilder, ReadyReply, type Route, type RouteCall, type Services } from './route.ts'
import { successReply } from './schema-parts.ts'
import { checkQueueAndCredits } from './start-job.ts'

type JobServices = Pick<Services, 'store' | 'clock' | 'jobService'>
const route = makeRouteBuilder<JobServices>()

const integerParameter = (name: string, min: number, max: number) =>
  z
    .string()
    .refine((text) => /^\d{1,9}$/.test(text), { error: `Invalid pagination: ${name} must be a whole number` })
    .transform(Number)
    .refine((value) => value >= min && value <= max, {
      error: `Invalid pagination: ${name} must be between ${min} and ${max}`,
    })

const statusQuery = z.object({
  skip: integerParameter('skip', 0, 999_999_999).default(0).describe('Number of documents to skip.'),
  limit: integerParameter('limit', 1, 1000).optional().describe('Maximum number of documents; 100 by default.'),
})

const statusReply = z.object({
  success: z.boolean(),
  status: z.enum(['scraping', 'completed', 'failed', 'cancelled']),
  paused: z.literal(true).optional().describe('The job is paused until it is resumed; absent otherwise.'),
  total: z.int().describe('Pages known so far.'),
  completed: z.int().describe('Finished pages.'),
  creditsUsed: z.int(),
  expiresAt: z.string().describe('Until then the results can be read.'),
  createdAt: z.string(),
  completedAt: z.string().optional(),
  duration: z.number().describe('Seconds from start to end, or to now.'),
  next: z.string().optional().describe('URL of the next documents; absent at the end.'),
  warning: z.string().optional(),
  error: z.string().optional(),
  data: z.array(documentSchema).describe('Documents in the order in which they were finished.'),
})

const errorsReply = z.object({
  errors: z.array(
    z.object({
      id: z.string(),
      timestamp: z.string().nullable(),
      url: z.string(),
      code: z.string().optional(),
      error: z.string(),
    }),
  ),
  robotsBlocked: z.array(z.string()).describe('Pages that robots.txt forbids.'),
})

const pausedReply = successReply({ status: z.literal('scraping'), paused: z.boolean() })
const retriedReply = successReply({
  status: z.literal('scraping'),
  retried: z.int().describe('Pages that failed before, or for which the team had no credits.'),
})

interface JobRoutes {
  kind: string
  path: string
  warning?(services: Pick<Services, 'store'>, job: Job): Promise<string | undefined>
}

export async function findJobOfTeam(
  services: Pick<Services, 'store' | 'clock'>,
  kind: string,
  id: string,
  teamId: string,
): Promise<Job> {
  if (!isUuid(id)) throw new Problem('invalid_job_id')
  const job = await services.store.jobs.get(id.toLowerCase())
  if (!job || job.teamId !== teamId || (kind !== 'any' && job.kind !== kind))
    throw new Problem('job_not_found', { instead: 'Job not found' })
  if (job.expiresAt <= services.clock.now()) throw new Problem('job_not_found', { instead: 'Job expired' })
  return job
}

export const makeStatusUrl = ({ baseUrl }: RouteCall, path: string, id: string): string => `${baseUrl}${path}/${id}`

export function makeJobRoutes({ kind, path, warning }: JobRoutes): Route<JobServices>[] {
  const status = route({
    method: 'GET',
    path: `${path}/:id`,
    summary: `Status and documents of a ${kind}`,
    command: `${kind} status`,
    bucket: 'jobStatus',
    query: statusQuery,
    reply: statusReply,
    async handle(services, { params, query }, call) {
      const job = await findJobOfTeam(services, kind, params.id ?? '', call.caller.teamId)
      const text = await serialiseJobStatus(services.store, job, {
        ...query,
        limit: query.limit,
        url: makeStatusUrl(call, path, job.id),
        now: services.clock.now(),
        warning: job.state === 'scraping' ? undefined : await warning?.(services, job),
      })
      return new ReadyReply(text, 'application/json; charset=utf-8')
    },
  })
  const cancel = route({
    method: 'DELETE',
    path: `${path}/:id`,
    summary: `Cancel a ${kind}; finished pages stay available`,
    command: `${kind} cancel`,
    reply: successReply({ status: z.literal('cancelled') }),
    async handle(services, { params }, { caller }) {
      const find = () => findJobOfTeam(services, kind, params.id ?? '', caller.teamId)
      const job = await find()
      if (job.state === 'scraping' && (await services.jobService.cancel(job.id)))
        return { success: true, status: 'cancelled' }
      const { state } = await find()
      throw new Problem('conflict', { because: `this ${kind} is ${state} already, so it cannot be cancelled` })
    },
  })
  const errors = route({
    method: 'GET',
    path: `${path}/:id/errors`,
    summary: `Pages of a ${kind} that failed or were forbidden`,
    command: `${kind} errors`,
    bucket: 'jobStatus',
    reply: errorsReply,
    async handle(services, { params }, { caller }) {
      const job = await findJobOfTeam(services, kind, params.id ?? '', caller.teamId)
      return listJobErrors(services.store, job.id)
    },
  })
  return [status, cancel, ...makeJobControlRoutes({ kind, path, command: null }), errors]
}

const CONTROLLED_KINDS: readonly string[] = ['crawl', 'batch']

interface JobControlRoutes extends Omit<JobRoutes, 'warning'> {
  /** The first word of the commands; null: none. */
  command: string | null
}

/** Pause, resume and retry. The kind `any` stands for all that can be controlled. */
export function makeJobControlRoutes({ kind, path, command }: JobControlRoutes): Route<JobServices>[] {
  const name = kind === 'any' ? 'job' : kind
  const make = (verb: 'pause' | 'resume' | 'retry', summary: string, reply: z.ZodType, act: Control) =>
    route({
      method: 'POST',
      path: `${path}/:id/${verb}`,
      summary,
      command: command && `${command} ${verb}`,
      reply,
      async handle(services, { params }, call) {
        const find = () => findJobOfTeam(services, kind, params.id ?? '', call.caller.teamId)
        const job = await find()
        if (!CONTROLLED_KINDS.includes(job.kind))
          throw new Problem('conflict', {
            because: `only crawls and batches have ${verb}, and this is a job of the kind ${job.kind}`,
          })
        const result = await act(services, job, call)
        if (result) return { success: true, status: 'scraping', ...result }
        const { state } = await find()
        const because =
          verb === 'retry' && state !== 'cancelled'
            ? `no page of this ${name} failed`
            : `this ${name} is ${state} already`
        throw new Problem('conflict', { because })
      },
    })
  return [
    make('pause', `Pause a ${name}; pages in flight are visited again later`, pausedReply, async (services, job) =>
      (await services.jobService.pause(job)) ? { paused: true } : undefined,
    ),
    make('resume', `Resume a paused ${name}`, pausedReply, async (services, job) =>
      (await services.jobService.resume(job)) ? { paused: false } : undefined,
    ),
    make('retry', `Visit the failed pages of a ${name} again`, retriedReply, async (services, job, call) => {
      await checkQueueAndCredits(services, call)
      const retried = await services.jobService.retry(job)
      return retried === undefined ? undefined : { retried }
    }),
  ]
}

type Control = (services: JobServices, job: Job, call: RouteCall) => Promise<object | undefined>

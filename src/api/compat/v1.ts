// API v1 for released clients: v2 routes with translated bodies and replies (translate-v1.ts).

import { z } from 'zod'
import { Problem } from '../../base/problem.ts'
import { creditReply, tokenReply } from '../../capabilities/account/schema.ts'
import type { Capability } from '../../capabilities/capability.ts'
import { mapReply } from '../../capabilities/map/schema.ts'
import { type AllServices, makeRouteBuilder, ReadyReply, type Route } from '../../capabilities/route.ts'
import { successReply } from '../../capabilities/schema-parts.ts'
import { searchReply } from '../../capabilities/search/schema.ts'
import { documentSchema } from '../../scrape/document-schema.ts'
import {
  accountReplyToV1,
  batchBodyFromV1,
  crawlBodyFromV1,
  jobStartReplyToV1,
  jobStatusToV1,
  mapBodyFromV1,
  mapReplyToV1,
  scrapeBodyFromV1,
  scrapeReplyToV1,
  searchBodyFromV1,
  searchReplyToV1,
  withUnderscores,
} from './translate-v1.ts'
import { makeRouteFinder, makeV0Routes, parseReadyReply } from './v0.ts'

const scrapeReplySchemaV1 = successReply({
  data: documentSchema
    .extend({ extract: z.unknown().optional().describe('The field `json` of version 2.') })
    .meta({ id: 'DocumentV1' }),
  warning: z.string().optional(),
})

const mapReplySchemaV1 = mapReply.extend({ links: z.array(z.string()) })

const searchReplySchemaV1 = searchReply.extend({
  data: z
    .array(z.looseObject({ url: z.string(), title: z.string() }))
    .describe('What was found, with the page when formats were named.'),
})

const underscoreIds = (reply: z.ZodObject): z.ZodObject => {
  const { data } = reply.shape as { data: z.ZodObject }
  return reply.extend({ data: z.object(withUnderscores(data.shape) as z.ZodRawShape) })
}

const creditsReplySchemaV1 = underscoreIds(creditReply)
const tokenUsageReplySchemaV1 = underscoreIds(tokenReply)

type Handle = Route['handle']
const route = makeRouteBuilder<AllServices>()

export function makeV1Routes(capabilities: readonly Capability[]): Route[] {
  const find = makeRouteFinder(capabilities)
  const crawlStatus = find('GET', '/v2/crawl/:id')
  const batchStatus = find('GET', '/v2/batch/scrape/:id')
  const crawlErrors = find('GET', '/v2/crawl/:id/errors')
  const batchErrors = find('GET', '/v2/batch/scrape/:id/errors')
  return [
    from(find('POST', '/v2/scrape'), {
      translate: scrapeBodyFromV1,
      answer: (reply, _input, asked) => scrapeReplyToV1(reply, asked),
      reply: scrapeReplySchemaV1,
    }),
    from(find('GET', '/v2/scrape/:jobId')),
    from(find('GET', '/v2/concurrency-check')),
    from(find('POST', '/v2/search'), {
      translate: searchBodyFromV1,
      answer: searchReplyToV1,
      reply: searchReplySchemaV1,
    }),
    from(find('POST', '/v2/map'), { translate: mapBodyFromV1, answer: mapReplyToV1, reply: mapReplySchemaV1 }),
    from(find('POST', '/v2/crawl'), { translate: crawlBodyFromV1, answer: jobStartReplyToV1 }),
    from(find('POST', '/v2/batch/scrape'), { translate: batchBodyFromV1, answer: jobStartReplyToV1 }),
    // The released client requests a batch's status under the crawl path.
    { ...from(crawlStatus), handle: either(status(crawlStatus.handle), status(batchStatus.handle)) },
    { ...from(batchStatus), handle: status(batchStatus.handle) },
    from(find('DELETE', '/v2/crawl/:id')),
    from(find('DELETE', '/v2/batch/scrape/:id')),
    from(find('GET', '/v2/crawl/active')),
    from(find('GET', '/v2/crawl/ongoing')),
    // The released client requests errors with DELETE.
    ...(['GET', 'DELETE'] as const).flatMap((method) => [
      { ...from(crawlErrors), method, handle: either(crawlErrors.handle, batchErrors.handle) },
      { ...from(batchErrors), method },
    ]),
    from(find('GET', '/v2/team/credit-usage'), { answer: accountReplyToV1, reply: creditsReplySchemaV1 }),
    from(find('GET', '/v2/team/token-usage'), { answer: accountReplyToV1, reply: tokenUsageReplySchemaV1 }),
    from(find('GET', '/v2/team/credit-usage/historical')),
    from(find('GET', '/v2/team/token-usage/historical')),
    from(find('GET', '/v2/team/queue-status')),
    from(find('POST', '/v2/extract')),
    from(find('GET', '/v2/extract/:id')),
    ...makeRetiredRoutes('/v1/deep-research', 'Deep research'),
    ...makeRetiredRoutes('/v1/llmstxt', 'llms.txt generation'),
    ...makeV0Routes(capabilities),
  ]
}

interface Translation {
  translate?(body: unknown): unknown
  answer?(reply: object, input: Parameters<Handle>[1], asked: unknown): object
  reply?: z.ZodType
}

function from(later: Route, { translate, answer, reply = later.reply }: Translation = {}): Route {
  return {
    ...later,
    path: later.path.replace('/v2/', '/v1/'),
    translate,
    reply,
    handle: answer
      ? async (services, input, call) =>
          answer(parseReadyReply(await later.handle(services, input, call)), input, input.asked)
      : later.handle,
  }
}

const status =
  (later: Handle): Handle =>
  async (services, input, call) => {
    const reply = await later(services, input, call)
    return reply instanceof ReadyReply
      ? new ReadyReply(jobStatusToV1(String(reply.content)), reply.contentType, reply.headers)
      : reply
  }

const either =
  (first: Handle, second: Handle): Handle =>
  async (services, input, call) => {
    try {
      return await first(services, input, call)
    } catch (error) {
      if (error instanceof Problem && error.kind === 'job_not_found') return second(services, input, call)
      throw error
    }
  }

const makeRetiredRoutes = (path: string, what: string): Route[] =>
  (['POST', 'GET'] as const).map((method) =>
    route({
      method,
      path: method === 'GET' ? `${path}/:id` : path,
      summary: `${what}, retired`,
      tag: 'Version 1',
      right: 'use',
      group: path.slice('/v1/'.length),
      reply: z.never(),
      async handle() {
        throw new Problem('retired', { because: `${what} is retired; use POST /v2/agent` })
      },
    }),
  )

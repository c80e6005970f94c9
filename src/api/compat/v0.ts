// API v0 for old clients: v2 routes with translated bodies and replies. translate-old-option-names.ts has its options.

import { z } from 'zod'
import { isObject } from '../../base/values.ts'
import type { Capability } from '../../capabilities/capability.ts'
import { ReadyReply, type Route } from '../../capabilities/route.ts'
import { successReply } from '../../capabilities/schema-parts.ts'
import { translateOldOptionNames } from './translate-old-option-names.ts'

type Json = Record<string, unknown>

const document = z.looseObject({ metadata: z.looseObject({}).optional() })

export const makeRouteFinder = (capabilities: readonly Capability[]) => {
  const routes = capabilities.flatMap((capability) => capability.routes)
  return (method: Route['method'], path: string): Route => {
    const found = routes.find((one) => one.method === method && one.path === path)
    if (!found) throw new Error(`an older or foreign API needs ${method} ${path}`)
    return found
  }
}

export const parseReadyReply = (reply: object): object =>
  reply instanceof ReadyReply ? (JSON.parse(String(reply.content)) as object) : reply

export function makeV0Routes(capabilities: readonly Capability[]): Route[] {
  const find = makeRouteFinder(capabilities)
  return [
    makeOlderRoute(find('POST', '/v2/scrape'), {
      path: '/v0/scrape',
      reply: successReply({ data: document, returnCode: z.literal(200) }),
      answer: ({ data }) => ({ success: true, data: documentToV0(data as Json), returnCode: 200 }),
    }),
    makeOlderRoute(find('POST', '/v2/crawl'), {
      path: '/v0/crawl',
      reply: z.object({ jobId: z.string() }),
      answer: ({ id }) => ({ jobId: id }),
    }),
    makeOlderRoute(find('GET', '/v2/crawl/:id'), {
      path: '/v0/crawl/status/:id',
      reply: z.looseObject({
        status: z.string(),
        current: z.int(),
        total: z.int(),
        data: z.array(document).nullable(),
      }),
      answer: statusToV0,
    }),
    makeOlderRoute(find('DELETE', '/v2/crawl/:id'), {
      path: '/v0/crawl/cancel/:id',
      reply: z.object({ status: z.literal('cancelled') }),
      answer: () => ({ status: 'cancelled' }),
    }),
    makeOlderRoute(find('POST', '/v2/search'), {
      path: '/v0/search',
      // A text would be spread into an object with a key for every character.
      translate: (body) => (isObject(body) ? { limit: 5, ...body } : body),
      reply: successReply({ data: z.array(document) }),
      answer: ({ data }) => ({ success: true, data: ((data as { web?: Json[] }).web ?? []).map(documentToV0) }),
    }),
  ]
}

type Older = { path: string; reply: z.ZodType; translate?(body: unknown): unknown; answer(reply: Json): object }

const makeOlderRoute = (later: Route, { path, reply, translate = (body) => body, answer }: Older): Route => ({
  ...later,
  path,
  command: null,
  reply,
  translate: later.body ? (body) => translate(translateOldOptionNames(later.path, body).body) : undefined,
  async handle(services, input, call) {
    return answer(parseReadyReply(await later.handle(services, input, call)) as Json)
  },
})

/** v0 names the text `content`, and an extraction `llm_extraction`. */
const documentToV0 = ({ position: _, ...document }: Json): Json => ({
  ...document,
  ...(typeof document.markdown === 'string' ? { content: document.markdown } : {}),
  ...('json' in document ? { llm_extraction: document.json } : {}),
})

const STATES: Readonly<Record<string, string>> = { scraping: 'active', cancelled: 'failed' }

function statusToV0({ status, completed, total, data }: Json): object {
  const documents = (data as Json[]).map(documentToV0)
  const isOver = status !== 'scraping'
  return {
    status: STATES[String(status)] ?? status,
    current: completed,
    total,
    data: isOver ? documents : null,
    partial_data: isOver ? [] : documents,
  }
}

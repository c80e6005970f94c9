// The checks of `orb conformance`, in order. Each returns undefined when it passes, else the deviation.
import type { ServiceAnswer } from './service-call.ts'

export interface ConformanceContext {
  call(method: string, path: string, body: object | undefined, key?: string): Promise<ServiceAnswer>
  page: string
}

type ConformanceCheck = { what: string; check(context: ConformanceContext): Promise<string | undefined> }

type Fields = Record<string, unknown>
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
const NOBODY = '019a0000-0000-7000-8000-000000000000'

const dataOf = ({ json }: ServiceAnswer): Fields => (json?.data ?? {}) as Fields
const cut = (text: string): string => (text.length > 300 ? `${text.slice(0, 300)}…` : text)

function findFirstFailure(answer: ServiceAnswer, ...wanted: [boolean, string][]): string | undefined {
  const broken = wanted.find(([holds]) => !holds)
  return broken && `${broken[1]}; the response was ${answer.status} ${cut(answer.text)}`
}

const refuses =
  (
    method: string,
    path: string,
    body: object | undefined,
    status: number,
    error: RegExp,
    key?: string,
  ): ConformanceCheck['check'] =>
  async ({ call }) => {
    const answer = await call(method, path, body, key)
    return findFirstFailure(
      answer,
      [answer.status === status, `the status should be ${status}`],
      [answer.json?.success === false, '`success` should be false'],
      [error.test(String(answer.json?.error)), `\`error\` should match ${error.source}`],
    )
  }

export const conformanceChecks: readonly ConformanceCheck[] = [
  {
    what: 'a wrong key is 401 `Unauthorized: Invalid token`',
    check: refuses(
      'POST',
      '/v2/scrape',
      { url: 'https://example.com' },
      401,
      /^Unauthorized: Invalid token/,
      'fc-00000000000000000000000000000000',
    ),
  },
  {
    what: 'an invalid URL is 400 `Invalid URL`',
    check: refuses('POST', '/v2/scrape', { url: 'ftp://example.com' }, 400, /^Invalid URL/),
  },
  { what: 'a missing URL is 400', check: refuses('POST', '/v2/scrape', {}, 400, /^(?:Invalid URL|Bad Request)/) },
  {
    what: 'an unknown option is 400 with `unrecognized_keys`',
    async check({ call, page }) {
      const answer = await call('POST', '/v2/scrape', { url: page, nobodyKnowsThis: 1 })
      const details = answer.json?.details as { code?: string }[] | undefined
      return findFirstFailure(
        answer,
        [answer.status === 400, 'the status should be 400'],
        [details?.[0]?.code === 'unrecognized_keys', 'details[0].code should be unrecognized_keys'],
      )
    },
  },
  {
    what: 'an unknown path is 404 `Not Found`',
    check: refuses('GET', '/v2/nobody-knows-this', undefined, 404, /^Not Found/),
  },
  {
    what: 'an invalid id is 400',
    check: refuses('GET', '/v2/crawl/not-an-id', undefined, 400, /^Invalid job ID/),
  },
  {
    what: 'an unknown job is 404',
    check: refuses('GET', `/v2/crawl/${NOBODY}`, undefined, 404, /^Job not found/),
  },
  {
    what: 'a scrape gives markdown and the facts of the page',
    async check({ call, page }) {
      const answer = await call('POST', '/v2/scrape', { url: page })
      const { markdown, metadata } = dataOf(answer) as { markdown?: unknown; metadata?: Fields }
      return findFirstFailure(
        answer,
        [answer.status === 200 && answer.json?.success === true, 'it should succeed'],
        [typeof markdown === 'string' && markdown.length > 0, 'data.markdown should be a text'],
        [typeof metadata?.sourceURL === 'string', 'data.metadata.sourceURL should be there'],
        [metadata?.statusCode === 200, 'data.metadata.statusCode should be 200'],
        [UUID.test(String(metadata?.scrapeId)), 'data.metadata.scrapeId should be a UUID'],
      )
    },
  },
  {
    what: 'several formats come together: html, rawHtml, links',
    async check({ call, page }) {
      const answer = await call('POST', '/v2/scrape', { url: page, formats: ['html', 'rawHtml', 'links'] })
      const { html, rawHtml, links } = dataOf(answer)
      return findFirstFailure(
        answer,
        [typeof html === 'string' && typeof rawHtml === 'string', 'data.html and data.rawHtml should be texts'],
        [Array.isArray(links), 'data.links should be a list'],
        [!('markdown' in dataOf(answer)), 'only requested formats should be returned'],
      )
    },
  },
  {
    what: 'JSON by a schema has its fields',
    async check({ call, page }) {
      const schema = { type: 'object', properties: { title: { type: 'string' } }, required: ['title'] }
      const answer = await call('POST', '/v2/scrape', { url: page, formats: [{ type: 'json', schema }] })
      const { json } = dataOf(answer) as { json?: Fields }
      return findFirstFailure(answer, [typeof json?.title === 'string', 'data.json.title should be a text'])
    },
  },
  {
    what: 'a map lists URLs',
    async check({ call, page }) {
      const answer = await call('POST', '/v2/map', { url: page, limit: 5 })
      const links = answer.json?.links
      return findFirstFailure(
        answer,
        [answer.status === 200 && Array.isArray(links), '`links` should be a list'],
        [Array.isArray(links) && links.length <= 5, 'there should be no more than the limit'],
      )
    },
  },
  {
    what: 'a crawl starts at once, reports its status, and can be cancelled',
    async check({ call, page }) {
      const started = await call('POST', '/v2/crawl', { url: page, limit: 2 })
      const id = String(started.json?.id)
      const standing = await call('GET', `/v2/crawl/${id}`, undefined)
      const errors = await call('GET', `/v2/crawl/${id}/errors`, undefined)
      const cancelled = await call('DELETE', `/v2/crawl/${id}`, undefined)
      return (
        findFirstFailure(started, [started.status === 200 && UUID.test(id), '`id` should be a UUID']) ??
        findFirstFailure(
          standing,
          [
            ['scraping', 'completed'].includes(String(standing.json?.status)),
            '`status` should be scraping or completed',
          ],
          [Array.isArray(standing.json?.data), '`data` should be a list'],
        ) ??
        findFirstFailure(errors, [
          Array.isArray(errors.json?.errors) && Array.isArray(errors.json?.robotsBlocked),
          '`errors` and `robotsBlocked` should be lists',
        ]) ??
        findFirstFailure(cancelled, [
          cancelled.status === 200 || cancelled.status === 404 || cancelled.status === 409,
          'it should be cancelled or finished',
        ])
      )
    },
  },
  {
    what: 'a batch starts at once',
    async check({ call, page }) {
      const started = await call('POST', '/v2/batch/scrape', { urls: [page] })
      return findFirstFailure(started, [
        started.status === 200 && UUID.test(String(started.json?.id)),
        '`id` should be a UUID',
      ])
    },
  },
  {
    what: 'a search returns a list, or states why it cannot',
    async check({ call }) {
      const answer = await call('POST', '/v2/search', { query: 'orb weaver', limit: 3 })
      const { web } = dataOf(answer)
      return findFirstFailure(answer, [
        (answer.status === 200 && (Array.isArray(web) || typeof answer.json?.warning === 'string')) ||
          answer.status === 503,
        'there should be hits, a warning, or 503',
      ])
    },
  },
  {
    what: 'the team can read its credits',
    async check({ call }) {
      const answer = await call('GET', '/v2/team/credit-usage', undefined)
      return findFirstFailure(answer, [
        typeof dataOf(answer).remainingCredits === 'number',
        'data.remainingCredits should be a number',
      ])
    },
  },
]

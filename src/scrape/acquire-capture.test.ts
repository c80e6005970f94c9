import { expect, it } from 'vitest'
import { patient } from '../../test/patience.ts'
import { systemClock } from '../base/clock.ts'
import { rejectWhenAborted, startDeadline } from '../base/deadline.ts'
import { ScrapeTrace } from '../base/log.ts'
import type { Capture, Visit } from '../base/visit-and-capture-types.ts'
import { makeCacheEngine } from '../fetch/cache-engine.ts'
import type { FetchEngine } from '../fetch/fetch-engine.ts'
import { acquireCapture, hashBody, isNotModified } from './acquire-capture.ts'
import { openHostVisitHistory } from './host-visit-history.ts'
import { scrapeBody } from './scrape-options.ts'
import { makeScrapePlan } from './scrape-plan.ts'

it('a page in hand is the answer, with a warning, when rendering it runs out of time', async () => {
  const shell = '<!doctype html><title>Shop</title><div id="root"></div><script src="/app.js"></script>'
  const plain: FetchEngine = {
    name: 'http',
    gives: [],
    cost: 1,
    fetch: async ({ url }) => ({
      url,
      engine: 'http',
      status: 200,
      headers: { 'content-type': 'text/html' },
      body: Buffer.from(shell),
      truncated: false,
      hops: [],
      fetchedAt: 0,
      proxyUsed: 'basic',
      timings: { firstByteMs: 1, totalMs: 1 },
      warnings: [],
    }),
  }
  const browser: FetchEngine = {
    name: 'browser',
    gives: ['rendered'],
    cost: 100,
    fetch: (_visit, signal) => rejectWhenAborted(signal, new Promise(() => {})),
  }
  const plan = makeScrapePlan(scrapeBody.parse({ url: 'https://shop.example/' }), 'test')
  const parts = { engines: [plain, browser], hosts: openHostVisitHistory(systemClock), hasEnhancedProxies: () => false }
  const call = startDeadline(patient(500), new AbortController().signal)
  const { capture, warning } = await acquireCapture(plan, parts, new ScrapeTrace(), call.signal)
  expect([capture.engine, call.signal.aborted]).toEqual(['http', false])
  expect(warning).toMatch(/not rendered: .*rendering took longer than the \d+ ms.*`timeout`/)
  call.clear()
})

it('a state of a page is read from the cache, and a page after own actions is not', async () => {
  const stored = { cacheId: '1', status: 200, body: Buffer.from(''), hops: [], timings: {} } as unknown as Capture
  const cache = makeCacheEngine({ find: async () => stored })
  const parts = { engines: [cache], hosts: openHostVisitHistory(systemClock), hasEnhancedProxies: () => false }
  const acquired = (options: object) =>
    acquireCapture(makeScrapePlan(scrapeBody.parse(options), 'test'), parts, new ScrapeTrace(), AbortSignal.any([]))
  const url = 'https://shop.example/#:~:tab=Prices'
  expect((await acquired({ url })).capture).toBe(stored)
  await expect(acquired({ url, actions: [{ type: 'press', key: 'Tab' }] })).rejects.toMatchObject({
    kind: 'all_engines_failed',
  })
})

it('a page is the same when its site says so or sends the same bytes', () => {
  const body = Buffer.from('<p>Same</p>')
  const check = (marks: Visit['marks'], capture: Partial<Capture>) =>
    isNotModified({ marks } as Visit, { engine: 'http', status: 200, body, ...capture } as Capture)
  expect(check({ etag: '"1"' }, { status: 304 })).toBe(true)
  expect(check({ body: hashBody(body) }, {})).toBe(true)
  expect(check({ etag: '"1"' }, {})).toBe(false)
  expect(check({ body: hashBody(body) }, { body: Buffer.from('<p>Other</p>') })).toBe(false)
  expect(check({ body: hashBody(body) }, { engine: 'browser' })).toBe(false)
  expect(check({ body: hashBody(body) }, { status: 500 })).toBe(false)
  expect(check(undefined, { status: 304 })).toBe(false)
})

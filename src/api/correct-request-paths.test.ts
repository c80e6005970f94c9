import { expect, it } from 'vitest'
import { makePathCorrector } from './correct-request-paths.ts'

const fix = makePathCorrector([
  '/',
  '/v2/scrape',
  '/v2/team/credit-usage',
  '/v2/agent',
  '/agent/auth',
  '/docs/:file',
  '/r/*',
])

it.each([
  ['/v2/scrape', '/v2/scrape'],
  ['//v2/scrape', '/v2/scrape'],
  ['/v2//scrape', '/v2/scrape'],
  ['/v2/v2/scrape', '/v2/scrape'],
  ['/v1/v1/scrape', '/v1/scrape'],
  ['/scrape', '/v2/scrape'],
  ['/team/credit-usage?x=1', '/v2/team/credit-usage?x=1'],
  ['/agent', '/v2/agent'],
  ['/agent/auth', '/agent/auth'],
  ['/docs/scrape', '/docs/scrape'],
  ['/r/https://example.com//v2/v2/a', '/r/https://example.com//v2/v2/a'],
  ['/v2/scrape/', '/v2/scrape'],
  ['/team/credit-usage/?x=1', '/v2/team/credit-usage?x=1'],
  ['/v2/map?url=https://example.com/', '/v2/map?url=https://example.com/'],
  ['/', '/'],
  ['/nothing', '/nothing'],
])('%s is answered as %s', (typed, meant) => expect(fix(typed)).toBe(meant))

import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { makeV1Routes } from '../api/compat/v1.ts'
import { isCidrBlock } from '../base/cidr-block.ts'
import { capabilities } from '../capabilities/index.ts'
import { isAddressAllowed, normalizeIpAddress } from './ip-allowlist.ts'
import {
  assertEndpointAllowed,
  assertGroupsDeclared,
  makeScrapeOptionsFormatsReader,
  requestedFormats,
} from './key-restrictions.ts'

const routes = [...capabilities.flatMap((capability) => capability.routes), ...makeV1Routes(capabilities)]

describe('groups of endpoints', () => {
  it('hold every route that does or shows work; administration and the like are open to unrestricted keys only', () => {
    const without = routes.filter(({ group }) => group === undefined).map(({ path }) => path)
    const known =
      /^\/(v2\/(admin|webhooks|media|support)\/|v2\/jobs(\/|$)|api\/auth|agent\/auth|oauth\/|\.well-known|auth\.md|agent-onboarding)/
    expect(without.filter((path) => !known.test(path))).toEqual([])
  })

  it('let a restricted key reach its group and how its team stands', () => {
    const groups = new Map(routes.map(({ path, group }) => [path, group]))
    const may = (path: string, ...endpoints: string[]) => {
      try {
        assertEndpointAllowed({ endpoints }, groups.get(path))
        return true
      } catch {
        return false
      }
    }
    expect(may('/v2/anything')).toBe(true)
    expect(may('/v2/batch/scrape/:id/errors', 'batch-scrape')).toBe(true)
    expect(may('/v2/batch/scrape/:id', 'scrape')).toBe(false)
    expect(may('/v1/batch/scrape/:id', 'batch-scrape')).toBe(true)
    expect(may('/v2/crawl/plan', 'crawl')).toBe(true)
    expect(may('/v2/anything', 'scrape')).toBe(false)
    expect(may('/v2/team/queue-status', 'map')).toBe(true)
    expect(may('/v2/search/:jobId/feedback', 'map')).toBe(true)
    expect(may('/v2/admin/keys', 'map')).toBe(false)
    expect(may('/v2/admin/me', 'map')).toBe(true)
  })

  it('are known by name: a key cannot be restricted to one that does not exist', () => {
    const declared = new Set(['scrape'])
    expect(() => assertGroupsDeclared(['scrape', 'deep-research'], declared)).not.toThrow()
    expect(() => assertGroupsDeclared(['scrapes'], declared)).toThrow(
      /scrapes is not a group of endpoints. Known: scrape, /,
    )
  })
})

describe('formats that a body asks for', () => {
  it('are those of its own options, or of its scrapeOptions', () => {
    expect(requestedFormats({ formats: [{ type: 'html' }], actions: [{ type: 'wait' }] })).toEqual(['html'])
    expect(makeScrapeOptionsFormatsReader([])({ scrapeOptions: { formats: [{ type: 'json' }] } })).toEqual(['json'])
    expect(makeScrapeOptionsFormatsReader(['markdown'])({ url: 'x' })).toEqual(['markdown'])
    expect(makeScrapeOptionsFormatsReader([])({ query: 'x' })).toEqual([])
    expect(makeScrapeOptionsFormatsReader(['markdown'])(undefined)).toEqual([])
    const acting = { formats: [], actions: [{ type: 'screenshot' }, { type: 'pdf' }, { type: 'click' }] }
    expect(requestedFormats(acting)).toEqual(['screenshot', 'pdf action'])
  })

  it('are declared by every route whose body can name them', () => {
    const silent = routes.filter(
      ({ body, formats, path }) =>
        body &&
        formats === undefined &&
        !path.startsWith('/v2/admin/') &&
        JSON.stringify(z.toJSONSchema(body, { io: 'input', unrepresentable: 'any' })).includes('"formats"'),
    )
    expect(silent.map(({ path }) => path)).toEqual([])
  })
})

describe('lists of addresses', () => {
  it('know an IPv4 address in IPv6 clothes, on either side', () => {
    expect(normalizeIpAddress('::ffff:192.0.2.1')).toBe('192.0.2.1')
    expect(isAddressAllowed(['192.0.2.0/24'], '::ffff:192.0.2.1')).toBe(true)
    expect(isAddressAllowed(['::ffff:192.0.2.0/120'], '192.0.2.1')).toBe(true)
    expect(isAddressAllowed(['::ffff:192.0.2.0/120'], '192.0.3.1')).toBe(false)
    expect(isAddressAllowed(['0.0.0.0/0'], '::1')).toBe(false)
    expect(isAddressAllowed(['::/0'], '192.0.2.1')).toBe(false)
    expect(isAddressAllowed(['fe80::/10'], 'fe80::1%eth0')).toBe(true)
    expect(isAddressAllowed([], 'anything')).toBe(true)
    expect(isAddressAllowed(['192.0.2.1'], 'anything')).toBe(false)
  })

  it('take addresses and blocks and nothing that only looks like one', () => {
    for (const entry of ['10.0.0.1', '10.0.0.0/8', '::1', '2001:db8::/32', '0.0.0.0/0'])
      expect(isCidrBlock(entry)).toBe(true)
    for (const entry of [
      '',
      '10.1',
      '10.0.0.0/33',
      '::/129',
      '0x7f.1',
      '010.0.0.1',
      'localhost',
      '1.2.3.4/',
      '1.2.3.4/-1',
    ])
      expect(isCidrBlock(entry), entry).toBe(false)
  })
})

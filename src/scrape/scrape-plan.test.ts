import { describe, expect, it } from 'vitest'
import { validateInput } from '../base/validate-input.ts'
import { scrapeBody } from './scrape-options.ts'
import { makeScrapePlan } from './scrape-plan.ts'

const plan = (options: object = {}) =>
  makeScrapePlan(validateInput(scrapeBody, { url: 'https://example.com/a', ...options }), '1')

describe('the cache key', () => {
  it('is the same for the same page asked for in other formats', () => {
    expect(plan({ formats: ['html'], onlyMainContent: false }).cacheKey).toBe(plan().cacheKey)
  })

  it.each([
    { url: 'https://example.com/b' },
    { location: { country: 'FR' } },
    { location: { languages: ['fr'] } },
    { blockAds: false },
    { skipTlsVerification: false },
    { waitFor: 1000 },
    { mobile: true },
    { location: { country: 'US' } },
    { formats: [{ type: 'screenshot', viewport: { width: 400, height: 300 } }] },
  ])('changes with what changes the page: %j', (options) => {
    expect(plan(options).cacheKey).not.toBe(plan().cacheKey)
  })
})

describe('the digest key', () => {
  it.each([
    { formats: ['html'] },
    { onlyMainContent: false },
    { includeTags: ['p'] },
    { excludeTags: ['p'] },
    { removeBase64Images: false },
    { parsers: [] },
  ])('changes with what changes the document: %j', (options) => {
    expect(plan(options).digestKey).not.toBe(plan().digestKey)
  })

  it('changes with the build', () => {
    expect(makeScrapePlan(validateInput(scrapeBody, { url: 'https://example.com/a' }), '2').digestKey).not.toBe(
      plan().digestKey,
    )
  })

  it('does not change with how the page is fetched', () => {
    expect(plan({ timeout: 5000, maxAge: 1, headers: { a: 'b' } }).digestKey).toBe(plan().digestKey)
  })
})

describe('the cache options', () => {
  it('is two days by default, two years in lockdown, and any age with minAge', () => {
    expect(plan().visit.cache).toEqual({ read: true, maxAgeMs: 172_800_000, minAgeMs: undefined, only: false })
    expect(plan({ lockdown: true }).visit.cache).toMatchObject({ maxAgeMs: 730 * 86_400_000, only: true })
    expect(plan({ minAge: 5 }).visit.cache).toMatchObject({
      maxAgeMs: Number.MAX_SAFE_INTEGER,
      minAgeMs: 5,
      only: true,
    })
  })

  it('is not read or stored for a page that depends on the caller', () => {
    for (const options of [{ headers: { cookie: 'a' } }, { proxy: 'enhanced' }]) {
      expect(plan(options).visit.cache.read).toBe(false)
      expect(plan(options).storeInCache).toBe(false)
    }
  })
})

it('refuses to reach a state of the page in fastMode', () => {
  const url = 'https://example.com/a#:~:tab=Prices'
  expect(plan({ url }).wants).toEqual(['actions'])
  expect(() => plan({ url, fastMode: true })).toThrow('fastMode never opens a browser, which a button in the URL needs')
})

describe('the price and what is kept', () => {
  it.each([
    [{}, 1, true],
    [{ zeroDataRetention: true }, 2, false],
    [{ lockdown: true }, 5, false],
    [{ lockdown: true, zeroDataRetention: true }, 5, false],
  ])('%j', (options, credits, keep) => {
    expect(plan(options)).toMatchObject({ credits, keep })
  })
})

describe('needs', () => {
  it('names each material once, and none for nothing', () => {
    expect(plan({ formats: ['markdown', 'html', { type: 'markdown' }] }).needs).toEqual(['markdown', 'html'])
    expect(plan({ formats: [] }).needs).toEqual([])
  })
})

import { expect, it } from 'vitest'
import { openTestSqlite } from '../../../test/contract/open-store.ts'
import type { JobFacts } from '../../jobs/job-facts.ts'
import { newId } from '../../store/id.ts'
import { openRunningCrawlScopes } from './running-scopes.ts'

const START = 'https://example.com/'
const month = (n: number) => `${START}calendar/${1900 + Math.floor(n / 12)}/${1 + (n % 12)}`

it('a process that takes a crawl up counts the traps of the one before it', async () => {
  const { store, clock, end } = await openTestSqlite()
  const { id: teamId } = await store.teams.create({ name: 'web' })
  const settings = { url: START, scope: { includePaths: [], excludePaths: [], crawlEntireDomain: true } }
  const job = { id: newId(clock.now()), teamId, keyId: null, kind: 'crawl', url: null, settings }
  const facts: JobFacts = { ...job, endpoint: 'crawl', delayMs: 0, webhook: null, zeroDataRetention: false }
  const pages: { key: string; url: string; depth: number }[] = []
  const before = await openRunningCrawlScopes(store, clock).of(facts)
  for (let n = 0; n < 2_500; n += 1) {
    const decision = before.accept(month(n), 1, 'link')
    if (decision.ok) pages.push({ key: decision.key, url: decision.url, depth: 1 })
  }
  const many = Array.from({ length: 2_500 }, (_, n) => `${START}plain/p${n}x`)
  await store.transaction(async (tx) => {
    const rest = { webhook: null, zeroDataRetention: false, pageLimit: null, slots: null, maxActive: null, delayMs: 0 }
    await store.jobs.add(tx, { ...job, ...rest, discovering: false, warning: null, options: { formats: [] } })
    const limits = { jobId: job.id, total: 0, pageLimit: null }
    await store.frontier.add(tx, limits, [...pages, ...many.map((url) => ({ key: url, url, depth: 1 }))])
  })
  expect(pages).toHaveLength(200)
  const after = await openRunningCrawlScopes(store, clock).of(facts)
  expect(after.accept(month(0), 1, 'link')).toMatchObject({ ok: true })
  expect(after.accept(month(3_000), 1, 'link')).toEqual({ ok: false, why: 'TRAP' })
  expect(after.accept(`${START}other`, 1, 'link')).toMatchObject({ ok: true })
  await end()
})

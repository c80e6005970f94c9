// What every store must do with a database that an older build has written: bring it up to date with its rows,
// whichever step it had reached. Going back is restoring the backup (docs/upgrading.md), so there is nothing to test
// backwards.

import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { agentStore } from '../../src/capabilities/agent/store/index.ts'
import { extractorStore } from '../../src/capabilities/extractors/store/index.ts'
import { feedStore } from '../../src/capabilities/feeds/store/index.ts'
import { flowStore } from '../../src/capabilities/flow/store/index.ts'
import { storages } from '../../src/capabilities/index.ts'
import { sessionStore } from '../../src/capabilities/interact/store/index.ts'
import { monitorStore } from '../../src/capabilities/monitor/store/index.ts'
import { uploadStore } from '../../src/capabilities/parse/store/index.ts'
import { recrawledPageStore } from '../../src/jobs/store/index.ts'
import { searchStore } from '../../src/search/store/index.ts'
import type { Store } from '../../src/store/index.ts'
import { BASELINE_STEP } from '../../src/store/migrations/baseline.ts'
import { collectMigrationSteps } from '../../src/store/migrations/index.ts'
import type { MigrationStep } from '../../src/store/migrations/migration-step.ts'
import type { Db } from '../../src/store/tables.ts'

export interface UpgradeContext {
  /** Opens the database with the history of an older build. */
  openOld(steps: readonly MigrationStep[]): Promise<Db>
  /** Opens a copy of the database with the build of today. */
  openCopy(): Promise<{ store: Store; end(): Promise<void> }>
  end(): Promise<void>
}

const steps = collectMigrationSteps(storages)
const baseline = steps.findIndex(({ name }) => name === BASELINE_STEP)

/**
 * Live rows, written as the build that ended at each step would have: plain SQL, since today's verbs know today's
 * tables.
 */
const liveRows: Record<string, readonly string[]> = {
  [BASELINE_STEP]: [
    "insert into teams (id, name, plan, created_at, is_operator) values ('t1', 'old team', 'unlimited', 1, 1)",
    "insert into api_keys (id, team_id, name, hash, hint, created_at, rights) values ('k1', 't1', 'key', 'hash', 'hint', 1, '[\"private\"]')",
    "insert into balances (team_id) values ('t1')",
    "insert into teams (id, name, plan, created_at) values ('t2', 'team with credits', 'free', 2)",
    "insert into balances (team_id, granted, spent, reserved) values ('t2', 100, 30, 5)",
    "insert into reservations (job_id, team_id, credits, endpoint, at) values ('j1', 't2', 5, 'scrape', 3)",
    "insert into ledger (team_id, kind, credits, at) values ('t2', 'grant', 100, 2)",
    `insert into captures (id, cache_key, url, head, fetched_at, last_used_at, bytes, body)
     values ('c1', 'key', 'https://example.com/', '{"status":200}', 5, 5, 0, null)`,
    `insert into documents (id, capture_id, digest_key, created_at, keep_until, bytes, body)
     values ('d1', 'c1', 'md', 5, 99999999999999, 15, '{"metadata":{}}')`,
    `insert into scrapes (id, team_id, url, document_id, credits, created_at, expires_at, options, overlay, explain)
     values ('s1', 't1', 'https://example.com/', 'd1', 1, 5, 99999999999999, '{}', '{}', '{}')`,
    "insert into settings (name, value) values ('colour', 'red')",
    `insert into jobs (id, team_id, kind, state, settings, created_at, deadline_at, expires_at, total, completed)
     values ('j5', 't1', 'batch', 'completed', '{}', 5, 6, 99999999999999, 1, 1)`,
    `insert into frontier (id, job_id, url_key, url, depth, n, state, seq)
     values ('p5', 'j5', 'k', 'https://example.com/', 0, 0, 'done', 1)`,
    "insert into settings (name, value) values ('shape', 'round')",
    "insert into profiles (team_id, name, updated_at) values ('t1', 'shop', 7)",
    `insert into uploads (id, team_id, filename, content_type, created_at, expires_at, blob_id)
     values ('u1', 't1', 'a.pdf', 'application/pdf', 5, 99999999999999, null)`,
    "insert into audit_log (id, at, actor, action, details) values ('l1', 5, 'k1', 'login', '{}')",
    "insert into usage_days (day, team_id, key_id, endpoint, credits) values (0, 't1', '', 'scrape', 7)",
    "insert into rate_windows (team_id, bucket, window_start, used) values ('t1', 'scrape', 0, 3)",
    "insert into used_assertions (hash, expires_at) values ('h1', 99999999999999)",
    "insert into browser_leases (id, process, owner, since, until) values ('l1', 'host 1', 'example.com', 5, 99999999999999)",
    `insert into snapshots (id, team_id, url, branch, taken_at, bytes, body)
     values ('sn1', 't1', 'https://example.com/', '', 5, 2, '{}')`,
    `insert into snapshots (id, team_id, url, branch, taken_at, bytes, body)
     values ('sn2', 't1', 'https://example.com/2', '', 5, 2, '{}')`,
    "insert into teams (id, name, plan, created_at) values ('t6', 'default', 'free', 6)",
    "insert into search_outbox (team_id, url, document_id, at, kind) values ('t1', 'https://example.com/', 'd1', 6, 'page')",
    `insert into search_pages (team_id, url_key, version, url, title, description, language, type, pictures, print, seen_at)
     values ('t1', 'example.com/', 1, 'https://example.com/', 'Example', '', 'en', 'html', '[]', '', 99999999999999)`,
    "insert into search_segments (id, team_id, live, pages, bytes, created_at) values ('sg1', 't1', 1, 1, 3, 6)",
    "insert into search_segment_parts (segment_id, n, body) values ('sg1', 0, 'abc')",
    "insert into searches (id, team_id, words, at) values ('se1', 't1', 'exampl', 99999999999999)",
    `insert into search_votes (id, team_id, search_id, words, url_key, vote, at)
     values ('v1', 't1', 'se1', 'exampl', 'example.com/', 1, 99999999999999)`,
    `insert into sessions (id, team_id, state, holder, created_at, last_activity, seen_at, expires_at, activity_ttl_ms)
     values ('ls1', 't1', 'destroyed', 'h', 1, 2, 2, 3, 4)`,
    `insert into monitors (id, team_id, name, status, cron, timezone, interval_ms, targets, watch, retention_days,
       judge_enabled, estimated_credits, next_run_at, feed_token, created_at, updated_at)
     values ('m1', 't1', 'old watch', 'paused', '0 * * * *', 'UTC', 3600000,
       '[{"type":"scrape","id":"g1","urls":["https://example.com/"]}]', '{"confirm":true}', 30, 1, 720, null, 'feed', 5, 5)`,
    `insert into monitor_checks (id, monitor_id, team_id, status, trigger, billing, summary, targets, created_at, updated_at,
       expires_at)
     values ('mc1', 'm1', 't1', 'completed', 'manual', 'confirmed', '{"totalPages":1,"same":1}', '[]', 5, 6,
       99999999999999)`,
    `insert into monitor_check_pages (id, check_id, monitor_id, target_id, url, status, credits, created_at)
     values ('mp1', 'mc1', 'm1', 'g1', 'https://example.com/', 'same', 1, 5)`,
    `insert into monitor_pages (monitor_id, target_id, url, state, seen_at, changed_at, marks, memory)
     values ('m1', 'g1', 'https://example.com/', 'here', 5, 5, '{"etag":"x"}', '{"looks":3}')`,
    `insert into agent_runs (id, team_id, thread_id, turn, state, body, max_credits, credits, events, created_at, expires_at,
       result)
     values ('r1', 't1', 'r1', 1, 'succeeded', '{"body":{"prompt":"who"},"plan":"free"}', 50, 7, 1, 5, 99999999999999,
       '{"data":{"answer":"Mary"}}')`,
    `insert into agent_steps (run_id, n, call_id, tool, input, state, credits, at, result)
     values ('r1', 0, 'call', 'scrape', '{"url":"https://example.com/"}', 'done', 7, 5, '{"tool":"scrape","error":"x"}')`,
    'insert into agent_events (run_id, n, body) values (\'r1\', 1, \'{"type":"run.started"}\')',
    "insert into agent_snapshots (run_id, id, body) values ('r1', 'sn', '{\"answer\":\"Mary\"}')",
    `insert into deliveries (id, team_id, job_id, event, url, headers, state, attempts, next_at, created_at, expires_at, body)
     values ('w1', 't1', 'j5', 'batch.page', 'https://example.com/', '{}', 'pending', 0, 5, 5, 99999999999999, '{}')`,
    `insert into sessions (id, team_id, state, holder, created_at, last_activity, seen_at, expires_at, activity_ttl_ms, run_id)
     values ('ls2', 't1', 'destroyed', 'h', 1, 2, 2, 3, 4, 'r1')`,
    `insert into deliveries (id, team_id, job_id, event, url, headers, state, attempts, next_at, created_at, expires_at, body,
       tries)
     values ('w2', 't1', 'j5', 'batch.page', 'https://example.com/', '{}', 'pending', 1, 5, 5, 99999999999999, '{}',
       '[{"at":5,"ms":7,"status":500,"error":"The receiver answered 500","signature":null}]')`,
    `insert into page_versions (id, team_id, url_key, url, title, since, seen_at, bytes, text)
     values ('pv1', 't1', 'example.com/', 'https://example.com/', 'Example', 4, 99999999999999, 3, 'abc')`,
    "insert into host_sightings (print, at) values ('AAAAAAAAAAAAAAAA', 7)",
    "insert into search_links (team_id, bucket, slot, target, source, text) select 't1', 5, 1, 5, number, 'Old' from search_pages",
    "insert into search_teams (team_id, searched_at) values ('t1', 7)",
    "insert into asked_addresses (print, notice_id, asked_at, declined_at) values ('p1', 'n1', 7, 8)",
    `insert into flows (team_id, name, version, body, created_at) values ('t1', 'report', 2, '{"steps":[]}', 7)`,
    "insert into vault (team_id, name, domain, sealed, updated_at) values ('t1', 'shop', 'shop.example', 'x', 7)",
    "insert into sync_series (id, team_id, name, url, used_at) values ('ss1', 't1', 'n', 'https://example.com/', 99999999999999)",
    `insert into synced_pages (series_id, url_key, url, depth, prints, chars, read_at, seen_at, first_at, changed_at)
     values ('ss1', 'example.com/', 'https://example.com/', 1, '', 0, 7, 7, 7, 7)`,
    `insert into feeds (id, team_id, key_id, token, url, title, every_ms, options, created_at, checked_at)
     values ('f1', 't1', 'k1', 'secret', 'https://example.com/', 'News', 60000, '{}', 7, 7)`,
    `insert into feed_items (feed_id, url_key, url, n, first_at, body)
     values ('f1', 'example.com/a', 'https://example.com/a', 0, 7, '{"title":"A","url":"https://example.com/a"}')`,
    "insert into sync_noise (series_id, print, pages, last_key) values ('ss1', 4000000000, 3, 'example.com/')",
    "insert into blob_chunks (id, n, body) values ('bc1', 0, 'abc')",
    "insert into host_turns (print, next_at, rest_until, strikes, seen_at) values ('h1', 7, 8, 1, 99999999999999)",
    "update sessions set replay = 'b1', replay_index = '{}' where id = 'ls1'",
    "update sync_series set lastmod_checks = 10 where id = 'ss1'",
    `insert into extractors (team_id, id, version, name, body, stats, created_at)
     values ('t1', 'x1', 2, 'lamps', '{"scope":{"hosts":["example.com"],"like":"/*"}}', '{"pages":3}', 7)`,
  ],
  '0925-model-taught': [
    `insert into extractors (team_id, id, version, body, stats, created_at, learnt_for, learnt_at)
     values ('t1', 'x2', 1, '{"scope":{"hosts":["example.com"],"like":"/*"}}', '{"pages":0}', 7, 'task', 7)`,
  ],
  '0935-extractor-pages': [
    `insert into extractor_pages (id, team_id, extractor_id, url, body, read_at)
     values ('xp1', 't1', 'x1', 'https://example.com/p/1', '{"name":"Lamp"}', 7)`,
  ],
  '0940-paused-jobs': [],
  '0950-aliases': [],
}

export function upgradeContract(prepare: () => Promise<UpgradeContext>): void {
  let context: UpgradeContext
  let reached = baseline
  beforeAll(async () => {
    context = await prepare()
  })
  afterAll(() => context.end())

  /** Goes on with the one database, step by step, to the end of this one: each build writes rows before the next comes. */
  const walkTo = async (at: number) => {
    for (; reached <= at; reached++) {
      const old = await context.openOld(steps.slice(0, reached + 1))
      for (const statement of liveRows[steps[reached]!.name]!) await sql.raw(statement).execute(old)
      await old.destroy()
    }
  }

  it('says of every step that takes away what the version before uses that it contracts', () => {
    const takes =
      /drop(Column|Table|Constraint)|rename(To|Column)|alterColumn|setNotNull|\b(drop|rename) (column|table)/i
    expect(steps.filter(({ up, contracts }) => takes.test(String(up)) && !contracts).map(({ name }) => name)).toEqual(
      [],
    )
  })

  it('has live rows for every step of the history', () => {
    expect(Object.keys(liveRows)).toEqual(steps.slice(baseline).map((step) => step.name))
  })

  for (const [at, step] of steps.entries()) {
    if (at < baseline) continue
    it(`upgrades a database with live rows that stopped at ${step.name}`, async () => {
      await walkTo(at)
      const { store, end } = await context.openCopy()
      try {
        await expectRows(store, at)
        const team = await store.teams.create({ name: 'new team', creditLimit: 1 })
        await store.ledger.reserve({ teamId: team.id, jobId: 'new', credits: 1, endpoint: 'scrape' })
        expect(await store.ledger.settle('new', 1)).toBe(true)
        await store.sweep()
      } finally {
        await end()
      }
    })
  }
}

async function expectRows(store: Store, at: number): Promise<void> {
  expect(await store.keys.byHash('hash')).toMatchObject({ keyId: 'k1', teamName: 'old team' })
  expect(await store.ledger.balance('t1')).toMatchObject({ granted: null, spent: 0, reserved: 0 })
  // The first team of a database is the operator's, whatever it and others are called.
  expect(await store.keys.byHash('hash')).toMatchObject({ ofOperator: true })
  expect((await store.teams.operator())?.id).toBe('t1')
  expect((await store.keys.byHash('hash'))?.rights).toContain('private')
  expect(await store.ledger.balance('t2')).toEqual({ granted: 100, spent: 30, reserved: 5, left: 65 })
  expect(await store.ledger.settle('j1', 4)).toBe(true)
  expect(await store.pages.findAnswer('key', 'md')).toMatchObject({ documentId: 'd1', captureId: 'c1' })
  expect(await store.pages.getScrape('t1', 's1')).toMatchObject({ url: 'https://example.com/' })
  expect(await store.settings.get('colour')).toBe('red')
  expect(await sessionStore(store).find('ls1')).toMatchObject({ state: 'destroyed', billed: 0, stream: true })
  expect(await sessionStore(store).replay('ls1')).toEqual({ blobId: 'b1', index: '{}' })
  expect(await monitorStore(store).monitors.get('m1')).toMatchObject({
    name: 'old watch',
    status: 'paused',
    retentionDays: 30,
  })
  expect(await monitorStore(store).checks.pages('mc1', { limit: 5, skip: 0 })).toMatchObject([
    { id: 'mp1', status: 'same', credits: 1 },
  ])
  const place = { monitorId: 'm1', targetId: 'g1', url: 'https://example.com/' }
  expect(await monitorStore(store).checks.watched(place)).toMatchObject({ state: 'here', marks: { etag: 'x' } })
  expect(await agentStore(store).get('r1')).toMatchObject({ state: 'succeeded', credits: 7, maxCredits: 50 })
  expect(await agentStore(store).steps('r1')).toMatchObject([{ n: 0, tool: 'scrape', state: 'done', credits: 7 }])
  expect(await agentStore(store).events('r1')).toEqual(['{"type":"run.started"}'])
  expect(await agentStore(store).snapshot('r1', 'sn')).toBe('{"answer":"Mary"}')
  if (at >= steps.findIndex(({ name }) => name === '0620-search')) await expectSearchRows(store)
  expect(await searchStore(store).versions.at('t1', 'example.com/', 5)).toMatchObject({ title: 'Example', since: 4 })
  for await (const rows of store.sightings.since(0)) expect(rows).toEqual([{ print: 'AAAAAAAAAAAAAAAA', at: 7 }])
  expect(await searchStore(store).searchIndex.linksTo([{ teamId: 't1', target: 5, bucket: 5 }])).toMatchObject([
    [{ text: 'Old' }],
  ])
  expect(await searchStore(store).searchIndex.teamWaiting(7)).toBe('t1')
  expect(await flowStore(store).flows.get('t1', 'report')).toMatchObject({ version: 2, steps: [] })
  expect(await recrawledPageStore(store).known('ss1', 0, '', 5)).toMatchObject([
    { url: 'https://example.com/', depth: 1 },
  ])
  expect(await feedStore(store).byToken('secret')).toMatchObject({ teamId: 't1', title: 'News', error: null })
  expect(await feedStore(store).entries('f1')).toMatchObject([{ title: 'A', firstAt: 7 }])
  expect(await recrawledPageStore(store).noiseAmong('ss1', [1, 4000000000])).toEqual(new Set([4000000000]))
  expect(await recrawledPageStore(store).get('ss1')).toMatchObject({ lastmodChecks: 10, validatorMisses: 0 })
  expect(await extractorStore(store).get('t1', 'lamps')).toMatchObject({ id: 'x1', version: 2, stats: { pages: 3 } })
  if (at >= steps.findIndex(({ name }) => name === '0925-model-taught'))
    expect(await extractorStore(store).learntFor('t1', 'task')).toMatchObject([{ id: 'x2', version: 1 }])
  if (at >= steps.findIndex(({ name }) => name === '0935-extractor-pages'))
    expect(await extractorStore(store).readPages('t1', 'x1')).toMatchObject([{ data: { name: 'Lamp' } }])
  expect(await uploadStore(store).find('u1')).toMatchObject({ filename: 'a.pdf', blobId: null })
}

/** What waits is still to be indexed, what is indexed is found, and opinions count. */
async function expectSearchRows(store: Store): Promise<void> {
  const { searchIndex, searchVotes } = searchStore(store)
  const [waiting] = await searchIndex.waiting({ limit: 10, maxBytes: 1_000_000 })
  expect(waiting).toMatchObject({ teamId: 't1', url: 'https://example.com/', documentId: 'd1', kind: 'page' })
  expect(Buffer.from(waiting!.body!).toString()).toBe('{"metadata":{}}')
  const [row] = await searchIndex.numbers([{ teamId: 't1', urlKey: 'example.com/', url: 'https://example.com/' }])
  expect(row!.version).toBe(1)
  expect(await searchIndex.pages([row!.number], false)).toMatchObject([{ title: 'Example', language: 'en' }])
  expect(await searchIndex.segments(['t1'])).toMatchObject([{ id: 'sg1', pages: 1, bytes: 3 }])
  expect(Buffer.from((await searchIndex.segmentBytes('sg1'))!).toString()).toBe('abc')
  expect(await searchVotes.forWords('t1', 'exampl')).toEqual(new Map([['example.com/', 1]]))
  expect(await searchVotes.takeBack('t1', 'se1')).toBe(1)
}

// What is refused and what is not: own look-alikes and evasions, ordinary hosts, the forms of lists, policies.
import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { ORDINARY, TRICKS } from '../../../test/site/addresses.ts'
import { ManualClock } from '../../base/clock.ts'
import { silentLog } from '../../base/log.ts'
import { makeNameSetBuilder, openNameSet } from './compact-name-set.ts'
import { DISABLED_FIRST_SEEN_HOSTS, makeFirstSeenTimeTable } from './first-seen-hosts.ts'
import { parseReputationListLine } from './parse-reputation-list.ts'
import { scoreUrlRisk } from './score-url.ts'
import { openThreatGuard, patternCoversHost } from './threat-guard.ts'
import { DEFAULT_THREAT_POLICY, resolveThreatPolicy, type ThreatPolicy } from './threat-policy.ts'
import { WELL_KNOWN_DOMAINS } from './threat-words.ts'

const DAY_MS = 86_400_000
const threshold = DEFAULT_THREAT_POLICY.riskScoreThreshold

describe('the risk of an address', () => {
  it('is high for look-alikes and evasions', () => {
    expect(TRICKS).toHaveLength(40)
    const missed = TRICKS.filter((url) => scoreUrlRisk(url).score < threshold)
    expect(missed.length, missed.join(' ')).toBeLessThanOrEqual(2)
  })

  it('is low for ordinary hosts', () => {
    expect(ORDINARY.length).toBeGreaterThanOrEqual(200)
    const wrong = ORDINARY.filter((host) => scoreUrlRisk(`https://${host}/`).score >= threshold)
    expect(wrong).toEqual([])
  })

  it('is low for well-known domains', () => {
    expect(WELL_KNOWN_DOMAINS.size).toBeGreaterThanOrEqual(1000)
    const wrong = [...WELL_KNOWN_DOMAINS].filter(
      (host) => scoreUrlRisk(`https://www.${host}/login?next=/account`).score >= threshold,
    )
    expect(wrong).toEqual([])
  })

  it('says why', () => {
    expect(scoreUrlRisk('https://paypa1.com/').reasons.join()).toContain('looks like paypal')
    expect(scoreUrlRisk('https://www.google.com@evil.example.net/').reasons.join()).toContain('before the @')
  })
})

describe('lines of lists', () => {
  it.each([
    ['0.0.0.0 bad.example', { name: 'bad.example' }],
    ['127.0.0.1\tbad.example # ads', { name: 'bad.example' }],
    ['bad.example CNAME .', { name: 'bad.example' }],
    ['*.bad.example 300 IN CNAME .', { name: 'bad.example' }],
    ['||bad.example^$third-party', { name: 'bad.example' }],
    ['Bad.Example.', { name: 'bad.example' }],
    ['http://bad.example/', { name: 'bad.example' }],
    ['https://www.shared.example/a/b.php?x=1', { address: 'shared.example/a/b.php?x=1' }],
    ['"1","2026-01-01","http://shared.example/x.exe","online"', { address: 'shared.example/x.exe' }],
    ['# a comment', undefined],
    ['; a comment', undefined],
    ['! a comment', undefined],
    ['localhost', undefined],
    ['', undefined],
  ])('%s', (line, wanted) => expect(parseReputationListLine(line)).toEqual(wanted))
})

describe('the set of names', () => {
  it('knows what was added, and nothing else', () => {
    const builder = makeNameSetBuilder(7)
    for (const take of [builder.count, builder.place]) {
      for (let n = 0; n < 200_000; n++) take(`.host${n}.example`)
      take('.host5.example')
    }
    const names = builder.finish()
    const set = openNameSet(names, 7)
    expect(set.size).toBe(200_000)
    expect([0, 5, 99_999, 199_999].every((n) => set.has(`.host${n}.example`))).toBe(true)
    let wrong = 0
    for (let n = 200_000; n < 400_000; n++) if (set.has(`.host${n}.example`)) wrong += 1
    expect(wrong).toBe(0)
    // Whoever does not know the key finds nothing by it.
    const other = openNameSet(names, 8)
    expect([0, 5, 99_999].some((n) => other.has(`.host${n}.example`))).toBe(false)
    expect(() => builder.place('.one-too-many.example')).toThrow('changed while it was read')
  })
})

describe('the table of first times', () => {
  it('keeps the first, finds every one, and nothing else', () => {
    const table = makeFirstSeenTimeTable()
    const print = (n: number) => createHash('sha256').update(String(n)).digest().subarray(0, 12).toString('base64url')
    for (let n = 0; n < 20_000; n++) expect(table.add(print(n), n * 1000)).toBe(true)
    expect(table.add(print(5), 9_000_000)).toBe(false)
    expect(table.size()).toBe(20_000)
    for (let n = 1; n < 20_000; n++) expect(table.get(print(n))).toBe(n * 1000)
    for (let n = 20_000; n < 40_000; n++) expect(table.get(print(n))).toBeUndefined()
  })
})

describe('policies', () => {
  const lists = {
    match: () => undefined,
    ready: () => true,
    size: () => 0,
    refresh: async () => {},
    close: async () => {},
  }
  const clock = new ManualClock(20_000 * DAY_MS)
  const sightings = { ...DISABLED_FIRST_SEEN_HOSTS, firstSeen: (host: string) => met.get(host) }
  const met = new Map<string, number>()
  const rest = { sightings, clock, everyone: undefined, dryRun: false, log: silentLog }
  const guard = openThreatGuard({ lists, refused: ['never.example'], ...rest })
  const policy: ThreatPolicy = { ...DEFAULT_THREAT_POLICY, mode: 'normal' }
  const judge = (url: string, change: Partial<ThreatPolicy> = {}) => guard.judge(new URL(url), { ...policy, ...change })

  it('let the whitelist win over everything but the operator', () => {
    const change = {
      blacklist: ['evil.example'],
      whitelist: ['good.evil.example', 'never.example'],
      blockedTlds: ['example'],
    }
    expect(judge('https://good.evil.example/', change).blocked).toBe(false)
    expect(judge('https://a.evil.example/', change)).toMatchObject({
      blocked: true,
      rule: 'the blacklist has evil.example',
    })
    expect(judge('https://other.example/', change).rule).toContain('.example')
    expect(judge('https://never.example/', change).blocked).toBe(true)
  })

  it('take addresses and blocks of them in their lists', () => {
    const change = {
      blacklist: ['192.0.2.0/24', '2001:db8::1'],
      whitelist: ['192.0.2.7'],
      mode: 'manual-only' as const,
    }
    for (const url of [
      'http://192.0.2.9/',
      'http://0xc0000209/',
      'http://[2001:db8::1]:8080/',
      'http://[::ffff:192.0.2.9]/',
    ])
      expect(judge(url, change).blocked, url).toBe(true)
    for (const url of ['http://192.0.2.7/', 'http://192.0.3.9/', 'http://[2001:db8::2]/', 'http://192.0.2.9.example/'])
      expect(judge(url, change).blocked, url).toBe(false)
  })

  it('make no guess about an address that the operator opened', () => {
    const isOpened = ({ host }: URL) => host === '127.0.0.1:8080'
    const opened = openThreatGuard({ lists: { ...lists, ready: () => false }, refused: [], isOpened, ...rest })
    const inside = new URL('http://127.0.0.1:8080/login')
    expect(guard.judge(inside, policy).blocked).toBe(true)
    expect(opened.judge(inside, { ...policy, newHostDays: 7 })).toMatchObject({ blocked: false, consulted: false })
    expect(opened.judge(inside, { ...policy, blacklist: ['127.0.0.1'] }).blocked).toBe(true)
    expect(opened.judge(new URL('http://127.0.0.1:8081/login'), policy).blocked).toBe(true)
  })

  it('look at risk in normal mode alone, from their threshold on', () => {
    expect(judge('https://paypa1.com/').blocked).toBe(true)
    expect(judge('https://paypa1.com/', { mode: 'manual-only' }).blocked).toBe(false)
    expect(judge('https://paypa1.com/', { riskScoreThreshold: 100 }).blocked).toBe(false)
  })

  it('fail closed or open while lists cannot be read', () => {
    const blind = openThreatGuard({ lists: { ...lists, ready: () => false }, refused: [], ...rest })
    const url = new URL('https://plain.example/')
    expect(blind.judge(url, policy).blocked).toBe(true)
    expect(blind.judge(url, { ...policy, failurePolicy: 'open' }).blocked).toBe(false)
  })

  it('tell new hosts from old ones by days, for refusing or for telling', () => {
    met.set('old.example', clock.now() - 8 * DAY_MS).set('young.example', clock.now() - 6 * DAY_MS)
    const week = { newHostDays: 7 }
    expect(judge('https://never-met.example/').blocked).toBe(false)
    expect(judge('https://old.example/', week).blocked).toBe(false)
    expect(judge('https://www.wikipedia.org/', week).blocked).toBe(false)
    for (const host of ['young.example', 'never-met.example']) {
      const url = `https://${host}/`
      expect(judge(url, week)).toMatchObject({ blocked: true, rule: expect.stringContaining('host is new') })
      expect(judge(url, { ...week, mode: 'manual-only' }).blocked).toBe(false)
      expect(judge(url, { ...week, whitelist: [host] }).blocked).toBe(false)
      const reported = judge(url, { ...week, newHostAction: 'warn' })
      expect(reported).toMatchObject({ blocked: false, reasons: [expect.stringContaining('host is new')] })
      // What the operator wants is more than a warning.
      expect(judge(url, { ...week, newHostAction: 'warn', newHostFloor: 7 }).blocked).toBe(true)
      expect(guard.isAllowed(url, { ...policy, ...week })).toBe(true)
    }
    expect(judge('https://young.example/', { ...week, newHostAction: 'warn', newHostFloor: 5 }).blocked).toBe(false)
  })

  it('cover a domain with all below it, or only what is below', () => {
    expect(patternCoversHost('a.example', 'a.example')).toBe(true)
    expect(patternCoversHost('a.example', 'b.a.example')).toBe(true)
    expect(patternCoversHost('a.example', 'ba.example')).toBe(false)
    expect(patternCoversHost('*.a.example', 'a.example')).toBe(false)
    expect(patternCoversHost('*.a.example', 'b.a.example')).toBe(true)
  })

  it('merge field by field, within what the team and the operator allow', () => {
    const team = { ...DEFAULT_THREAT_POLICY, mode: 'normal' as const, blacklist: ['x.example'] }
    expect(resolveThreatPolicy(team, { riskScoreThreshold: 50 }, 'available')).toMatchObject({
      blacklist: ['x.example'],
      riskScoreThreshold: 50,
    })
    expect(resolveThreatPolicy(undefined, undefined, 'available')).toBeUndefined()
    expect(resolveThreatPolicy(undefined, undefined, 'enforced')).toMatchObject({ mode: 'normal', isFree: true })
    expect(() => resolveThreatPolicy({ ...team, allowRequestOverrides: false }, { mode: 'off' }, 'available')).toThrow(
      /does not let/,
    )
    expect(() => resolveThreatPolicy(team, { mode: 'off' }, 'enforced')).toThrow(/enforced/)
    expect(() => resolveThreatPolicy(team, { mode: 'normal' }, 'off')).toThrow(/switched off/)
    expect(() => resolveThreatPolicy(team, { mode: 'zscaler' }, 'available')).toThrow(/zscaler/)
  })
})

import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { openTestSqlite, type TestStore } from '../../test/contract/open-store.ts'
import { silentLog } from '../base/log.ts'
import { newId } from './id.ts'
import { databasePath } from './sqlite.ts'
import { startJanitor } from './start-janitor.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const DAY_MS = 86_400_000

/** Fills the cache and the results with `count` pages of 100 kB. */
async function fill({ store, clock }: TestStore, count: number): Promise<void> {
  const team = (await store.teams.byName('web')) ?? (await store.teams.create({ name: 'web' }))
  const body = new Uint8Array(100_000).fill(1)
  for (let at = 0; at < count; at += 1) {
    await store.transaction((tx) =>
      store.pages.record(tx, {
        scrape: {
          id: newId(clock.now()),
          teamId: team.id,
          keyId: null,
          url: 'https://example.com/',
          options: {},
          overlay: '{}',
          explain: '{}',
          credits: 1,
        },
        document: { digestKey: 'md', body: Buffer.from('{}') },
        capture: {
          cacheKey: `page ${newId(clock.now())}`,
          capture: {
            engine: 'http',
            url: 'https://example.com/',
            status: 200,
            headers: {},
            body,
            truncated: false,
            hops: [],
            proxyUsed: 'basic',
            timings: { totalMs: 1 },
            fetchedAt: clock.now(),
            warnings: [],
          },
          body: { inline: body },
        },
      }),
    )
  }
}

const sizes = (dataDir: string) => {
  const log = `${databasePath(dataDir)}-wal`
  return { file: statSync(databasePath(dataDir)).size, log: existsSync(log) ? statSync(log).size : 0 }
}

async function until(what: () => boolean): Promise<void> {
  for (const start = Date.now(); !what(); ) {
    if (Date.now() - start > 120_000) throw new Error('it did not happen in time')
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}

describe('the janitor', () => {
  let test: TestStore
  afterEach(() => test.end())

  it('empties the log and shrinks the file after much has expired', async () => {
    test = await openTestSqlite({ cacheMaxAgeMs: DAY_MS })
    await fill(test, 60)
    await test.store.sweep()
    const full = sizes(test.dataDir)
    expect(full.file).toBeGreaterThan(6_000_000)
    expect(full.log).toBe(0)
    test.clock.wind(3 * DAY_MS)
    expect((await test.store.sweep()).captures).toBe(60)
    const swept = sizes(test.dataDir)
    expect(swept.file).toBeLessThan(full.file / 4)
    expect(swept.log).toBe(0)
  })

  it('sweeps once after the start, then only when something was written or has come due', async () => {
    test = await openTestSqlite()
    const { store, clock } = test
    let sweeps = 0
    const watched = {
      ...store,
      sweep: async () => {
        const report = await store.sweep()
        sweeps += 1
        return report
      },
    }
    const janitor = startJanitor(watched, { clock, log: silentLog, firstAfterMs: 0, pollEveryMs: 2 })
    try {
      await until(() => sweeps === 1)
      clock.wind(10 * DAY_MS)
      await new Promise((resolve) => setTimeout(resolve, 40))
      expect(sweeps).toBe(1)
      await fill(test, 1)
      await until(() => sweeps === 2)
      await new Promise((resolve) => setTimeout(resolve, 40))
      expect(sweeps).toBe(2)
      clock.wind(DAY_MS)
      await until(() => sweeps === 3)
    } finally {
      janitor.stop()
    }
  })

  it('does not wait for the minute when the log grows long', async () => {
    test = await openTestSqlite()
    const often = { pollEveryMs: 2, pressingBytes: 5_000_000 }
    const janitor = startJanitor(test.store, { clock: test.clock, log: silentLog, ...often })
    try {
      await test.store.sweep()
      await fill(test, 60)
      expect(sizes(test.dataDir).log).toBeGreaterThan(5_000_000)
      await until(() => sizes(test.dataDir).log === 0)
    } finally {
      janitor.stop()
    }
  })
})

describe('a sweep in a thread', () => {
  const compiled = join(root, 'node_modules', '.cache', `orb-store-${process.pid}`)
  let test: TestStore
  beforeAll(() => {
    // A thread cannot start on TypeScript here, so the store is compiled as the build does it.
    mkdirSync(dirname(compiled), { recursive: true })
    const out = mkdtempSync(`${compiled}-`)
    const flags = ['--outDir', out, '--noEmit', 'false', '--rootDir', 'src', '--rewriteRelativeImportExtensions']
    const target = ['--target', 'es2023', '--module', 'nodenext', '--types', 'node', '--skipLibCheck', '--ignoreConfig']
    const tsc = spawnSync(join(root, 'node_modules/.bin/tsc'), [...flags, ...target, 'src/store/sweep-worker.ts'], {
      cwd: root,
    })
    expect(tsc.stdout.toString()).toBe('')
    script = pathToFileURL(join(out, 'store/sweep-worker.js'))
    folder = out
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  afterEach(() => test.end())
  let script: URL
  let folder: string

  it('does the same work while requests go on, and leaves no thread behind', async () => {
    // Other files of this process may have threads of their own.
    const ports = () => process.getActiveResourcesInfo().filter((kind) => kind === 'MessagePort').length
    const before = ports()
    test = await openTestSqlite({ janitorScript: script, cacheMaxAgeMs: DAY_MS })
    await fill(test, 60)
    test.clock.wind(3 * DAY_MS)
    const sweep = test.store.sweep()
    await fill(test, 20)
    expect(await sweep).toMatchObject({ captures: 60, scrapes: 60 })
    // The ports of a thread are closed shortly after its exit.
    await until(() => ports() <= before)
    await test.store.sweep()
    expect(sizes(test.dataDir).log).toBe(0)
  })

  it('stops between two batches when the store is closed', async () => {
    test = await openTestSqlite({ janitorScript: script })
    await fill(test, 5)
    void test.store.sweep()
    await test.store.close()
    const again = await test.openAgain()
    await again.ping()
  })

  it('reports a thread that cannot work', async () => {
    test = await openTestSqlite({ janitorScript: new URL('missing.js', script) })
    await expect(test.store.sweep()).rejects.toThrow()
    expect(test.store.backlog().dueAt).toBe(0)
  })
})

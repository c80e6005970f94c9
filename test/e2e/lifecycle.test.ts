// Starting, stopping, being killed, and the command line beside a running service.
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import {
  chmodSync,
  closeSync,
  copyFileSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { connectSqlite } from '../../src/store/sqlite-connection.ts'
import { emptyDatabase } from '../contract/open-store.ts'
import { expectCost } from '../cost.ts'
import { heldPage } from '../site/held.ts'
import { type Site, startSite } from '../site/site.ts'
import { describeInSoak } from '../soak.ts'
import { emptyFolder, launch, runToEnd, type Service, startService } from './service.ts'
import { until } from './waiting.ts'

let site: Site
const { page: held, hold } = heldPage()
beforeAll(async () => {
  site = await startSite({ '/held': held })
})
afterAll(() => site.close())

const allowed = () => ({ ORB_ALLOW_PRIVATE: `127.0.0.1:${site.port}` })
const services: Service[] = []
const start = async (options: Parameters<typeof startService>[0]) => {
  const service = await startService({ ...options, ownProcess: true })
  services.push(service)
  return service
}
const stopAll = (started: Service[]) => Promise.all(started.splice(0).map((service) => service.stop()))
afterEach(() => stopAll(services))

/** Starts with the first test that asks for it, and serves all that only look at it. */
const sharedServices: Service[] = []
afterAll(() => stopAll(sharedServices))
const shared = (env: Record<string, string>, dataDir = emptyFolder()) => {
  let starting: Promise<Service> | undefined
  return () => {
    starting ??= startService({ env: { ...allowed(), ...env }, dataDir }).then((service) => {
      sharedServices.push(service)
      return service
    })
    return starting
  }
}
/** A name that an earlier try of the same test has not taken. */
const anew = (name: string) => `${name} ${randomBytes(4).toString('hex')}`

/** In a folder that others can read, with a file of an older build. */
const firstStarted = shared({ ORB_API_KEY: '' }, openFolder())
const withOneSlot = shared({ ORB_CONCURRENCY: '1' })

describe('the first start', () => {
  it('prints address, key and a line of curl that works as it stands', async () => {
    const service = await firstStarted()
    expect(service.key).toMatch(/^fc-[0-9a-f]{32}$/)
    const line = /Try\s+(curl .*)/.exec(service.printed())?.[1] ?? ''
    expect(line).toContain(service.key)
    const { stdout } = await promisify(execFile)('sh', [
      '-c',
      line.replace('https://example.com', `${site.url}/article`),
    ])
    expect(JSON.parse(stdout).data.markdown).toMatch(/^# /m)
  })

  it('keeps the key in a file that only its owner can read, and shows it again', async () => {
    const service = await firstStarted()
    const file = join(service.dataDir, 'first-key')
    expect(readFileSync(file, 'utf8').trim()).toBe(service.key)
    expect(statSync(file).mode & 0o777).toBe(0o600)
    const { out, code } = await runToEnd({ ORB_DATA_DIR: service.dataDir }, ['keys'])
    expect(code).toBe(0)
    expect(out).toContain(service.key)
  })

  it('leaves nothing for others to read, in a folder that was open to them too', async () => {
    const { call, dataDir } = await firstStarted()
    await call('POST', '/v2/scrape', { url: 'http://127.0.0.1:1/' })
    const names = readdirSync(dataDir)
    expect(names).toContain('orb.db.backup')
    for (const name of names) expect([name, statSync(join(dataDir, name)).mode & 0o077]).toEqual([name, 0])
  })

  it('with ORB_AUTH=off needs no key, and refuses to listen beyond loopback', async () => {
    const service = await start({ env: { ORB_AUTH: 'off', ...allowed() } })
    const response = await fetch(`${service.url}/v2/scrape`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ url: `${site.url}/article` }),
    })
    expect(response.status).toBe(200)
    const { code, err } = await runToEnd({ ORB_AUTH: 'off', ORB_HOST: '0.0.0.0', ORB_DATA_DIR: emptyFolder() }, [
      'start',
    ])
    expect(code).toBe(2)
    expect(err).toMatch(/not a loopback address/)
  })
})

describe('a start that cannot be', () => {
  it('says what is wrong with each setting', async () => {
    const { code, err } = await runToEnd({ ORB_PORT: 'many', ORB_DATABASE_URL: 'mysql://x', ORB_PROT: '1' }, ['start'])
    expect(code).toBe(2)
    expect(err).toMatch(/ORB_PORT: /)
    expect(err).toMatch(/ORB_DATABASE_URL: must look like postgres:/)
    expect(err).toMatch(/ORB_PROT: no such setting/)
  })

  it('says that a port is taken', async () => {
    const service = await firstStarted()
    const port = new URL(service.url).port
    const { code, err } = await runToEnd({ ORB_PORT: port, ORB_DATA_DIR: emptyFolder() }, ['start'])
    expect(code).toBe(1)
    expect(err).toMatch(`Port ${port} on 127.0.0.1 is in use`)
  })

  it('refuses a data folder that another service uses', async () => {
    const service = await firstStarted()
    const { code, err } = await runToEnd({ ORB_DATA_DIR: service.dataDir }, ['start'])
    expect(code).toBe(1)
    expect(err).toMatch(/another|in use/i)
    expect((await service.call('GET', '/health')).status).toBe(200)
  })

  it('refuses a file that is not a database, tells how to repair, and leaves it alone', async () => {
    const dataDir = emptyFolder()
    const file = join(dataDir, 'orb.db')
    writeFileSync(file, 'this is no database at all, only a line of text that is long enough to look like a header')
    const { code, err } = await runToEnd({ ORB_DATA_DIR: dataDir }, ['start'])
    expect(code).toBe(1)
    expect(err).toContain('orb.db')
    expect(readFileSync(file, 'utf8')).toMatch(/^this is no database/)
    rmSync(dataDir, { recursive: true })
  })

  it('refuses a damaged database however large it is, and leaves it alone', async () => {
    const dataDir = emptyFolder()
    const file = join(dataDir, 'orb.db')
    copyFileSync(await emptyDatabase(), file)
    const connection = connectSqlite(file)
    connection.exec('begin')
    connection.exec('create table bulk (body)')
    for (let at = 0; at < 80; at++) connection.exec('insert into bulk values (randomblob(1048576))')
    connection.exec('commit')
    connection.close()
    const handle = openSync(file, 'r+')
    const { size } = statSync(file)
    expect(size).toBeGreaterThan(64 * 1024 * 1024)
    writeSync(handle, Buffer.alloc(64 * 4096, 0xa5), 0, 64 * 4096, Math.floor(size / 2 / 4096) * 4096)
    closeSync(handle)
    const { child, output } = launch({ ORB_DATA_DIR: dataDir }, ['start'])
    const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
    const ready = () => /ready\s+http:\/\/localhost:(\d+)/.exec(output.out)?.[1]
    await until(() => ready() !== undefined || child.exitCode !== null, 60_000)
    const port = ready()
    if (port === undefined) {
      expect(await ended).toBe(1)
      expect(output.err).toMatch(/is damaged[\s\S]*orb restore/)
      return
    }
    // Where the machine is busy the look through it takes longer than a start waits: then health tells of it.
    await until(async () => {
      const health = await fetch(`http://127.0.0.1:${port}/health`)
      return health.status === 503 && /is damaged/.test(await health.text())
    })
    child.kill('SIGKILL')
  })
})

describeInSoak('a service that was killed', () => {
  it('leaves folders of browsers, which the next start removes', async () => {
    const temporary = emptyFolder()
    const env = { TMPDIR: temporary, ...allowed() }
    const killed = await start({ env })
    for (const options of [{ waitFor: 1 }, { formats: ['screenshot'] }]) {
      const { status } = await killed.call('POST', '/v2/scrape', { url: `${site.url}/article`, maxAge: 0, ...options })
      expect(status).toBe(200)
    }
    await killed.end('SIGKILL')
    const left = () =>
      readdirSync(temporary, { recursive: true, encoding: 'utf8' }).filter((name) => !/^orb-kit/.test(name))
    // What is just ending may still change its folders.
    await expect.poll(() => left().filter((name) => /chromium|playwright/i.test(name))).not.toEqual([])
    const again = await start({ env, dataDir: killed.dataDir })
    // Its own folder is there, and nothing in it once it has tried whether a sandbox can stand here.
    await expect.poll(left).toEqual([expect.stringMatching(/^orb-[0-9a-f]{8}-\d+$/)])
    expect(await again.end()).toBe(0)
    expect(left()).toEqual([])
    rmSync(temporary, { recursive: true, force: true })
  })
})

describe('the end', () => {
  it('SIGTERM lets requests under way finish, refuses new ones, and exits 0', async () => {
    const service = await start({ env: allowed() })
    const underWay = service.call('POST', '/v2/scrape', { url: `${site.url}/slow?ms=1500` })
    await until(() => site.hits('/slow') > 0)
    const ended = service.end('SIGTERM')
    expect((await underWay).status).toBe(200)
    expect(await ended).toBe(0)
    await expect(service.call('GET', '/health')).rejects.toThrow()
  })

  it('a drain that takes too long is cut short', async () => {
    const service = await start({ env: { ...allowed(), ORB_DRAIN_SECONDS: '1' } })
    const hits = site.hits('/slow')
    const underWay = service.call('POST', '/v2/scrape', { url: `${site.url}/slow?ms=20000` }).catch(() => undefined)
    await until(() => site.hits('/slow') > hits)
    const started = performance.now()
    expect(await service.end('SIGTERM')).toBe(0)
    expectCost(performance.now() - started).toBeLessThan(8000)
    await underWay
  })

  it('after kill -9 everything that was answered is still there, and the key is not printed again', async () => {
    const env = { ...allowed(), ORB_API_KEY: '' }
    const first = await start({ env })
    const { json } = await first.call('POST', '/v2/scrape', { url: `${site.url}/article` })
    await first.end('SIGKILL')
    const second = await start({ env, dataDir: first.dataDir })
    const again = await second.call('GET', `/v2/scrape/${json.data.metadata.scrapeId}`)
    expect(again.json.data).toEqual(json.data)
    expect(second.key).toBe(first.key)
    expect(second.printed()).not.toContain(first.key)
    expect((await second.call('GET', '/v2/admin/me')).headers.get('cache-control')).toBe('no-store')
  })

  it('a client that goes away ends the work for it', async () => {
    const service = await withOneSlot()
    const gone = new AbortController()
    const hits = site.hits('/slow')
    const request = fetch(`${service.url}/v2/scrape`, {
      method: 'POST',
      headers: { authorization: `Bearer ${service.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ url: `${site.url}/slow?ms=40000` }),
      signal: gone.signal,
    }).catch(() => undefined)
    await until(() => site.hits('/slow') > hits)
    gone.abort()
    await request
    // The only slot is free again, before that page would have come.
    expect((await service.call('POST', '/v2/scrape', { url: `${site.url}/article`, timeout: 45_000 })).status).toBe(200)
  })
})

describe('teams and credits', () => {
  it('a team with a limit pays for what worked, and for nothing else', async () => {
    const service = await firstStarted()
    const name = anew('small')
    const made = await runToEnd({ ORB_DATA_DIR: service.dataDir }, ['teams', 'create', name, '--credits', '2'])
    const key = /first key: (fc-\w+)/.exec(made.out)?.[1]
    const scrape = (path: string, options = {}) =>
      service.call(
        'POST',
        '/v2/scrape',
        { url: site.url + path, maxAge: 0, ...options },
        { authorization: `Bearer ${key}` },
      )
    expect((await scrape('/block/cloudflare')).status).toBe(500)
    expect((await scrape('/status/404')).status).toBe(200)
    const answer = await scrape('/article')
    expect(answer.status).toBe(200)
    const refused = await scrape('/article')
    expect(refused.status).toBe(402)
    expect(refused.json.error).toMatch(/^Payment Required: Insufficient credits/)
    // What one team scraped does not exist for another.
    expect((await service.call('GET', `/v2/scrape/${answer.json.scrape_id}`)).status).toBe(404)
    const listed = await runToEnd({ ORB_DATA_DIR: service.dataDir }, ['teams'])
    expect(listed.out, listed.err).toContain(`${name}  plan unlimited  2 of 2 credits used`)
  })

  it('a revoked key is refused at once', async () => {
    const service = await firstStarted()
    const env = { ORB_DATA_DIR: service.dataDir }
    const name = anew('for a friend')
    const created = await runToEnd(env, ['keys', 'create', 'default', name])
    const key = /^fc-\w+/.exec(created.out)?.[0]
    const asked = () => service.call('GET', '/metrics', undefined, { authorization: `Bearer ${key}` })
    expect((await asked()).status, created.err).toBe(200)
    const lines = (await runToEnd(env, ['keys'])).out.split('\n')
    const id = lines.find((line) => line.includes(name))?.split(' ')[0] ?? ''
    expect((await runToEnd(env, ['keys', 'revoke', id])).code).toBe(0)
    expect((await asked()).status).toBe(401)
  })

  it('more at once than the slots and the line hold is 429 with Retry-After', async () => {
    const service = await withOneSlot()
    const release = hold()
    let refusals = 0
    const asked = Array.from({ length: 14 }, async () => {
      const answer = await service.call('POST', '/v2/scrape', { url: `${site.url}/held`, maxAge: 0, timeout: 100_000 })
      if (answer.status === 429) refusals += 1
      return answer
    })
    await until(() => refusals === 3 && site.hits('/held') > 0)
    release()
    const answers = await Promise.all(asked)
    const refused = answers.filter(({ status }) => status === 429)
    expect(refused.length).toBe(3)
    expect(Number(refused[0]?.headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
    expect(refused[0]?.json.error).toMatch(/^Concurrency limit reached/)
    const waited = answers.filter(({ json }) => json.data?.metadata.concurrencyLimited)
    expect(waited.length).toBe(10)
    expect(waited[0]?.json.data.metadata.concurrencyQueueDurationMs).toBeGreaterThan(0)
  })

  it('a slot that does not come in two thirds of the timeout is 408', async () => {
    const service = await withOneSlot()
    const hits = site.hits('/held')
    const release = hold()
    const first = service.call('POST', '/v2/scrape', { url: `${site.url}/held`, maxAge: 0, timeout: 100_000 })
    await until(() => site.hits('/held') > hits)
    const { status, json } = await service.call('POST', '/v2/scrape', {
      url: `${site.url}/article`,
      maxAge: 0,
      timeout: 1500,
    })
    expect(status).toBe(408)
    expect(json.code).toBe('CONCURRENCY_QUEUE_TIMEOUT')
    release()
    await first
  })
})

describe('the command line', () => {
  it('helps, and is clear about what it does not know', async () => {
    expect((await runToEnd({}, ['help'])).out).toMatch(/orb start/)
    expect((await runToEnd({}, ['help', 'config'])).out).toMatch(/\| `ORB_ALLOW_PRIVATE` \|/)
    const unknown = await runToEnd({}, ['dance'])
    expect(unknown.code).toBe(2)
    expect(unknown.err).toMatch(/no command `dance`/)
    expect((await runToEnd({ ORB_DATA_DIR: emptyFolder() }, ['keys', 'create'])).code).toBe(2)
  })
})

function openFolder(): string {
  const folder = emptyFolder()
  chmodSync(folder, 0o755)
  writeFileSync(join(folder, 'orb.db.backup'), 'of an older build', { mode: 0o644 })
  return folder
}

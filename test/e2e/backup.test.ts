// Backup beside a running service, restore into an empty or a full folder, and every refusal with its sentence.
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { type Site, startSite } from '../site/site.ts'
import { emptyFolder, runToEnd, type Service, startService } from './service.ts'

let site: Site
const services: Service[] = []
beforeAll(async () => {
  site = await startSite()
})
afterAll(async () => {
  for (const service of services) await service.stop()
  await site.close()
})

const start = async (env: Record<string, string> = {}, dataDir?: string) => {
  const service = await startService({
    ...(dataDir ? { dataDir } : {}),
    env: { ORB_ALLOW_PRIVATE: `127.0.0.1:${site.port}`, ...env },
  })
  services.push(service)
  return service
}
const newFolder = () => join(mkdtempSync(join(tmpdir(), 'orb-backup-')), 'copy')
const scraped = async (service: Service): Promise<string> =>
  (await service.call('POST', '/v2/scrape', { url: `${site.url}/article` })).json.scrape_id
const canRead = async (service: Service, id: string): Promise<number> =>
  (await service.call('GET', `/v2/scrape/${id}`)).status

describe('the embedded database', () => {
  it('is copied while the service writes, and brought back whole', async () => {
    const service = await start({ ORB_API_KEY: '' })
    const id = await scraped(service)
    mkBlob(service.dataDir)
    const target = newFolder()
    // Writes go on meanwhile; none of them may end up half in the copy.
    const busy = Promise.all(Array.from({ length: 20 }, () => scraped(service)))
    const copied = await runToEnd({ ORB_DATA_DIR: service.dataDir }, ['backup', target])
    await busy
    expect(copied.code, copied.err).toBe(0)
    expect(readdirSync(target).sort()).toEqual(['backup.json', 'blobs', 'first-key', 'orb.db', 'secret-key'])
    expect(statSync(join(target, 'orb.db')).mode & 0o077).toBe(0)
    expect(JSON.parse(readFileSync(join(target, 'backup.json'), 'utf8'))).toMatchObject({
      database: 'sqlite',
      files: 1,
    })

    const dataDir = emptyFolder()
    const link = join(target, 'blobs', 'aa', 'a-link')
    symlinkSync('/etc/hostname', link)
    const refused = await runToEnd({ ORB_DATA_DIR: dataDir }, ['restore', target])
    expect(refused).toMatchObject({ code: 1, err: expect.stringContaining(`${link} is a symbolic link`) })
    expect(readdirSync(dataDir).filter((name) => name !== 'lock')).toEqual([])
    unlinkSync(link)
    const restored = await runToEnd({ ORB_DATA_DIR: dataDir }, ['restore', target, '--json'])
    expect(restored.code, restored.err).toBe(0)
    expect(JSON.parse(restored.out)).toMatchObject({ dataDir })
    const again = await start({ ORB_API_KEY: '' }, dataDir)
    expect(again.key).toBe(service.key)
    expect(await canRead(again, id)).toBe(200)
    expect(existsSync(join(dataDir, 'blobs', 'aa', 'a-blob'))).toBe(true)
  })

  it('a restore refuses while a service runs, and when there are data, which --force moves aside', async () => {
    const service = await start()
    const id = await scraped(service)
    const target = newFolder()
    const env = { ORB_DATA_DIR: service.dataDir }
    expect((await runToEnd(env, ['backup', target])).code).toBe(0)
    expect(await runToEnd(env, ['restore', target])).toMatchObject({
      code: 1,
      err: expect.stringMatching(/Another Orbweaver is running on the data directory/),
    })
    await service.end()
    expect(await runToEnd(env, ['restore', target])).toMatchObject({
      code: 1,
      err: expect.stringMatching(/already has data \(orb\.db.*--force/),
    })
    const forced = await runToEnd(env, ['restore', target, '--force'])
    expect(forced.code, forced.err).toBe(0)
    const aside = readdirSync(service.dataDir).find((name) => name.startsWith('before-restore-')) ?? ''
    expect(existsSync(join(service.dataDir, aside, 'orb.db'))).toBe(true)
    expect(await canRead(await start({}, service.dataDir), id)).toBe(200)
  })

  it('refuses what is no backup, a damaged one, one of a newer version, and one for another kind of database', async () => {
    const service = await start()
    const env = { ORB_DATA_DIR: emptyFolder() }
    const target = newFolder()
    expect((await runToEnd({ ORB_DATA_DIR: service.dataDir }, ['backup', target])).code).toBe(0)
    const refused = async (args: string[], more = {}) => {
      const { code, err } = await runToEnd({ ...env, ...more }, args)
      expect(code).toBe(1)
      return err
    }
    expect(await refused(['restore', env.ORB_DATA_DIR])).toMatch(/is not a backup: it has no backup\.json/)
    expect(await refused(['restore', target], { ORB_DATABASE_URL: 'postgres://nobody@127.0.0.1:1/x' })).toMatch(
      /backup of the embedded database, but ORB_DATABASE_URL names a PostgreSQL/,
    )
    const manifest = JSON.parse(readFileSync(join(target, 'backup.json'), 'utf8'))
    const write = (value: object) => writeFileSync(join(target, 'backup.json'), JSON.stringify(value))
    write({ ...manifest, steps: [...manifest.steps, '9999-of-the-future'] })
    expect(await refused(['restore', target])).toMatch(/newer version of Orbweaver \(it has 9999-of-the-future\)/)
    write(manifest)
    writeFileSync(join(target, 'orb.db'), 'damaged')
    expect(await refused(['restore', target])).toMatch(/damaged, or not a database/)
    expect(readdirSync(env.ORB_DATA_DIR).filter((name) => name.startsWith('orb.db'))).toEqual([])
  })

  it('refuses an empty data folder, a target in it, and one that is not empty', async () => {
    const service = await start()
    const env = { ORB_DATA_DIR: service.dataDir }
    expect((await runToEnd({ ORB_DATA_DIR: emptyFolder() }, ['backup', newFolder()])).err).toMatch(/nothing to back up/)
    expect((await runToEnd(env, ['backup', join(service.dataDir, 'copy')])).err).toMatch(/is inside the data folder/)
    expect((await runToEnd(env, ['backup', service.dataDir])).err).toMatch(/is inside the data folder/)
    expect((await runToEnd(env, ['backup', tmpdir()])).err).toMatch(/is not empty/)
    expect((await runToEnd(env, ['restore'])).code).toBe(2)
  })
})

describe('PostgreSQL', () => {
  const url = inject('postgresUrl')

  it.skipIf(!url)('is dumped and brought back by its own programs, once no service is on it', async () => {
    const [from, to] = await Promise.all([newDatabase(url ?? ''), newDatabase(url ?? '')])
    const service = await start({ ORB_DATABASE_URL: from })
    const id = await scraped(service)
    const target = newFolder()
    const copied = await runToEnd({ ORB_DATA_DIR: service.dataDir, ORB_DATABASE_URL: from }, ['backup', target])
    expect(copied.code, copied.err).toBe(0)
    expect(readdirSync(target)).toContain('orb.pgdump')

    const inUse = await runToEnd({ ORB_DATA_DIR: emptyFolder(), ORB_DATABASE_URL: from }, [
      'restore',
      target,
      '--force',
    ])
    expect(inUse).toMatchObject({ code: 1, err: expect.stringMatching(/Services hold \d+ connections/) })

    const dataDir = emptyFolder()
    const restored = await runToEnd({ ORB_DATA_DIR: dataDir, ORB_DATABASE_URL: to }, ['restore', target])
    expect(restored.code, restored.err).toBe(0)
    expect(await canRead(await start({ ORB_DATABASE_URL: to }, dataDir), id)).toBe(200)
    expect(await runToEnd({ ORB_DATA_DIR: emptyFolder() }, ['restore', target])).toMatchObject({
      code: 1,
      err: expect.stringMatching(/backup of a PostgreSQL database\. Set ORB_DATABASE_URL/),
    })
  })
})

/** A file of the store that no row knows: copied all the same, and for the sweep to judge. */
function mkBlob(dataDir: string): void {
  mkdirSync(join(dataDir, 'blobs', 'aa'), { recursive: true })
  writeFileSync(join(dataDir, 'blobs', 'aa', 'a-blob'), 'bytes')
}

let databases = 0
async function newDatabase(url: string): Promise<string> {
  const name = `backup_${process.pid}_${databases++}`
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(`create database ${name}`)
  await client.end()
  const own = new URL(url)
  own.pathname = `/${name}`
  return own.href
}

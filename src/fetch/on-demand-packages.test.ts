import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { patient } from '../../test/patience.ts'
import { silentLog } from '../base/log.ts'
import pinned from './on-demand-packages.json' with { type: 'json' }
import { openOnDemandPackages } from './on-demand-packages.ts'

const BUILD = `${process.platform}-${process.arch}`
const OTHER = `other-${process.arch}`
const version = '2.3.1'

function entryOf(path: string, bytes: Buffer): Buffer {
  const header = Buffer.alloc(512)
  header.write(`package/${path}`, 0)
  header.write(bytes.length.toString(8).padStart(11, '0'), 124)
  header.write('0', 156)
  return Buffer.concat([header, bytes, Buffer.alloc((512 - (bytes.length % 512)) % 512)])
}
const tarball = gzipSync(
  Buffer.concat([
    ...[
      'dist/wreq-js.js',
      'dist/wreq-js.js.map',
      'package.json',
      `rust/wreq-js.${BUILD}.node`,
      `rust/wreq-js.${OTHER}.node`,
    ].map((path) => entryOf(path, Buffer.from(`// ${path}`))),
    Buffer.alloc(1024),
  ]),
)
const integrity = `sha512-${createHash('sha512').update(tarball).digest('base64')}`

let requests: string[] = []
let release: () => void = () => {}
let held: Promise<void> | undefined
let pauseMs: number | undefined
const registry = http.createServer(async ({ url = '', headers }, response) => {
  requests.push(url)
  if (url === '/data.tgz') {
    await held
    const step = Math.ceil(tarball.length / (pauseMs === undefined ? 1 : 8))
    for (let from = 0; from < tarball.length; from += step) {
      response.write(tarball.subarray(from, from + step))
      await sleep(pauseMs ?? 0)
    }
    response.end()
  } else
    response.end(
      JSON.stringify({ versions: { [version]: { dist: { tarball: `http://${headers.host}/data.tgz`, integrity } } } }),
    )
})
const dataDir = mkdtempSync(join(tmpdir(), 'orb-packages-'))
beforeAll(async () => void (await once(registry.listen(0, '127.0.0.1'), 'listening')))
afterAll(() => {
  registry.close()
  rmSync(dataDir, { recursive: true, force: true })
})
beforeEach(() => {
  requests = []
  held = undefined
  pauseMs = undefined
  rmSync(join(dataDir, 'packages'), { recursive: true, force: true })
})

const open = (checksum = integrity, builds: readonly string[] = [OTHER, BUILD], stallMs = patient(5000)) =>
  openOnDemandPackages({
    dataDir,
    registry: {
      registry: `http://127.0.0.1:${(registry.address() as AddressInfo).port}`,
      dnsServers: [],
      proxies: [],
      log: silentLog,
      stallMs,
    },
    packages: { 'wreq-js': { version, integrity: checksum, builds } },
    findInstalled: () => undefined,
  })
const never = new AbortController().signal

it('fetches a package once for all who need it, with the native file of this machine', async () => {
  const packages = open()
  const [folder, same] = await Promise.all([packages.folderOf('wreq-js', never), packages.folderOf('wreq-js', never)])
  expect(same).toBe(folder)
  expect(requests).toEqual(['/wreq-js', '/data.tgz'])
  expect(readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()).toEqual(
    ['dist', 'dist/wreq-js.js', 'package.json', 'rust', `rust/wreq-js.${BUILD}.node`].sort(),
  )
  expect(readFileSync(join(folder, 'dist/wreq-js.js'), 'utf8')).toBe('// dist/wreq-js.js')
  // Another service on the same data folder.
  expect(await open().folderOf('wreq-js', never)).toBe(folder)
  expect(requests).toHaveLength(2)
})

it('keeps nothing of a package that has another checksum, and does not ask again at once', async () => {
  const packages = open(`sha512-${'A'.repeat(86)}==`)
  const refused = /wreq-js does not have the checksum that it should have/
  await expect(packages.folderOf('wreq-js', never)).rejects.toThrow(refused)
  await expect(packages.folderOf('wreq-js', never)).rejects.toThrow(refused)
  expect(requests).toHaveLength(2)
  expect(existsSync(join(dataDir, 'packages'))).toBe(false)
})

it('goes on for others when the first one gives up', async () => {
  held = new Promise((resolve) => {
    release = resolve
  })
  const packages = open()
  const given = new AbortController()
  const first = packages.folderOf('wreq-js', given.signal)
  const second = packages.folderOf('wreq-js', never)
  given.abort()
  await expect(first).rejects.toThrow()
  release()
  expect(existsSync(await second)).toBe(true)
  expect(requests).toHaveLength(2)
})

it('lets a slow download arrive, and ends one that stalls', async () => {
  pauseMs = patient(200)
  expect(existsSync(await open(integrity, [BUILD], patient(1000)).folderOf('wreq-js', never))).toBe(true)
  rmSync(join(dataDir, 'packages'), { recursive: true, force: true })
  pauseMs = patient(1000)
  const stalling = open(integrity, [BUILD], patient(200)).folderOf('wreq-js', never)
  await expect(stalling).rejects.toThrow(/data\.tgz sent nothing for/)
})

it('sends no request if there is no build for this machine', async () => {
  await expect(open(integrity, [OTHER]).folderOf('wreq-js', never)).rejects.toThrow(/no build for this machine/)
  expect(requests).toEqual([])
})

it('names the builds that the packages have', () => {
  for (const [name, { builds }] of Object.entries(pinned)) {
    const folder = new URL(`../../node_modules/${name}`, import.meta.url)
    const natives = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.node'))
    expect(natives.map((path) => /\.([^.]+)\.node$/.exec(path)?.[1]).sort()).toEqual([...builds].sort())
  }
})

it('pins what the checkout is tested with', () => {
  const read = (name: string) => JSON.parse(readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8'))
  const [{ peerDependencies, devDependencies, dependencies }, { packages }] = [
    read('package.json'),
    read('package-lock.json'),
  ]
  for (const [name, { version, integrity }] of Object.entries(pinned)) {
    expect([version, integrity]).toEqual([
      packages[`node_modules/${name}`].version,
      packages[`node_modules/${name}`].integrity,
    ])
    expect([peerDependencies[name], devDependencies[name], dependencies[name]]).toEqual([version, version, undefined])
  }
})

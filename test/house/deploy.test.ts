// What is shipped beside the service: the lock file installs everywhere, and containers, units and charts name only settings,
// files and routes that exist.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { lacking, unsure } from '../../scripts/complete-lock.mjs'
import { configExample, fields } from '../../src/config.ts'

const root = join(import.meta.dirname, '../..')
const read = (path: string): string => readFileSync(join(root, path), 'utf8')
const charts = readdirSync(join(root, 'deploy'), { recursive: true, encoding: 'utf8' })
  .map((path) => `deploy/${path}`)
  .filter((path) => /\.(?:yaml|tpl|service)$/.test(path))
const shipped = ['Dockerfile', 'compose.yaml', 'compose.scale.yaml', ...charts]

describe('package-lock.json', () => {
  const { packages } = JSON.parse(read('package-lock.json'))

  it('has a checksum of every package: each was seen in the registry', () => {
    expect(unsure(packages)).toEqual([])
  })

  it('has the builds of every platform that a package asks for', () => {
    expect(lacking(packages)).toEqual([])
  })

  it('says what is missing when an entry is', () => {
    const broken = { ...packages }
    delete broken['node_modules/@libsql/linux-arm64-gnu']
    expect(lacking(broken)).toMatchObject([{ name: '@libsql/linux-arm64-gnu' }])
    broken['node_modules/@libsql/linux-arm64-gnu'] = { version: '0.5.29', optional: true }
    expect(unsure(broken)).toEqual(['node_modules/@libsql/linux-arm64-gnu'])
  })
})

describe('what is shipped beside the service', () => {
  it('names settings that exist', () => {
    const known = new Set([...Object.values(fields).map(({ env }) => env), 'ORB_PUBLISH', 'ORB_DATABASE_PASSWORD'])
    const named = shipped.flatMap((path) =>
      [...read(path).matchAll(/ORB_[A-Z_]+/g)].map(([name]) => `${path}: ${name}`),
    )
    expect(named.length).toBeGreaterThan(10)
    expect(named.filter((line) => !known.has(line.split(': ')[1] ?? ''))).toEqual([])
  })

  it('copies files that exist, runs without root and can be asked for its health', () => {
    const text = read('Dockerfile')
    const copied = [...text.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, files = '']) => files.split(' '))
    expect(copied.length).toBeGreaterThan(1)
    expect(copied.filter((path) => !existsSync(join(root, path)))).toEqual([])
    for (const line of [/^USER node$/m, /^VOLUME \/data$/m, /^STOPSIGNAL SIGTERM$/m, /^HEALTHCHECK /m])
      expect(text).toMatch(line)
  })

  it('probes routes that the service has', () => {
    const routes = read('src/api/server.ts')
    const probed = charts.flatMap((path) =>
      [...read(path).matchAll(/httpGet: \{ path: ([^,]+),/g)].map(([, at]) => at ?? ''),
    )
    expect(probed.length).toBeGreaterThan(1)
    expect(probed.filter((path) => !routes.includes(`'${path}'`))).toEqual([])
  })

  it('has an example of every setting, all of them commented out', () => {
    const lines = configExample().split('\n').filter(Boolean)
    expect(lines.filter((line) => !line.startsWith('#'))).toEqual([])
    for (const { env } of Object.values(fields)) expect(lines.some((line) => line.startsWith(`#${env}=`))).toBe(true)
  })
})

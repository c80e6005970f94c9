// The tutorial of a fleet, pasted: its script runs as it stands on a real PostgreSQL, with a worker killed in a crawl.
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { blocks, outputPattern, root, runAsReader, SHELL } from '../e2e/docs-blocks.ts'
import { closedPort, type Service, startService, TEST_KEY } from '../e2e/service.ts'
import { patient } from '../patience.ts'

const PAGE = 'docs/tutorials/fleet.md'
const server = inject('postgresUrl')

describe.skipIf(!server)('the tutorial of a fleet (skipped when no PostgreSQL could be started)', () => {
  const folder = mkdtempSync(join(tmpdir(), 'orb-fleet-'))
  const name = `orb_fleet_${process.pid}`
  let home: Service
  beforeAll(async () => {
    const admin = new pg.Client({ connectionString: server })
    await admin.connect()
    await admin.query(`create database ${name}`)
    await admin.end()
    home = await startService()
    symlinkSync(join(root, 'dist'), join(folder, 'dist'))
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  })
  afterAll(async () => {
    await home?.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  it(
    'crawls every page once although a worker is killed',
    async () => {
      const database = new URL(server as string)
      database.pathname = `/${name}`
      const zoo = new URL((await home.call('GET', '/zoo/index.json')).json.origin).host
      const port = await closedPort()
      const here = (text: string) =>
        text
          .replaceAll('postgres://127.0.0.1:5432/orbweaver', database.href)
          .replaceAll('127.0.0.1:3003', zoo)
          .replaceAll('4021', String(port))
          .replaceAll('fc-…', TEST_KEY)
      const own = blocks.filter(({ page }) => page === PAGE)
      const script = own.find(({ file }) => file === 'fleet.sh')
      const run = own.find(({ output }) => output)
      writeFileSync(join(folder, 'fleet.sh'), here(script?.text ?? ''))
      const { code, out, err } = await runAsReader('bash', ['-c', SHELL + (run?.text ?? '')], folder, {})
      expect(code, `${out}\n${err}`).toBe(0)
      expect(out).toMatch(outputPattern(here(run?.output ?? '')))
    },
    patient(120_000),
  )
})

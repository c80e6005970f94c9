// Secrets at rest: the database alone tells none of them, the key can be changed beside a running service and in the middle
// of that everything may die, and a lost key is said instead of replaced.
import { mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { systemClock } from '../base/clock.ts'
import { silentLog } from '../base/log.ts'
import { openStore } from './index.ts'
import { secretKeyPath } from './sealed-settings.ts'

const folders: string[] = []
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})
const newFolder = () => {
  const folder = mkdtempSync(join(tmpdir(), 'orb-secrets-'))
  folders.push(folder)
  return folder
}
const open = (dataDir: string) =>
  openStore({
    databaseUrl: undefined,
    dataDir,
    clock: systemClock,
    log: silentLog,
    cacheMaxBytes: 1e9,
    cacheMaxAgeMs: 1e9,
  })
const bytesIn = (folder: string) =>
  Buffer.concat(
    readdirSync(folder)
      .filter((name) => name.includes('.db'))
      .map((name) => readFileSync(join(folder, name))),
  )

it('are not in the database, whose owner alone may read the key', async () => {
  const dataDir = newFolder()
  const store = await open(dataDir)
  await store.settings.set('webhook-secret t1', 'hush-hush-0123456789')
  await store.settings.set('colour', 'a-plain-red-value')
  expect(await store.settings.get('webhook-secret t1')).toBe('hush-hush-0123456789')
  await store.close()
  expect(bytesIn(dataDir).includes('a-plain-red-value')).toBe(true)
  expect(bytesIn(dataDir).includes('hush-hush-0123456789')).toBe(false)
  expect(statSync(secretKeyPath(dataDir)).mode & 0o077).toBe(0)
})

it('survive a new key, also while somebody has the store open', async () => {
  const dataDir = newFolder()
  const [running, beside] = [await open(dataDir), await open(dataDir)]
  await running.settings.set('webhook-secret t1', 'hush')
  const before = readFileSync(secretKeyPath(dataDir), 'utf8')
  expect(await beside.rotateSecret()).toBeGreaterThanOrEqual(3)
  expect(readFileSync(secretKeyPath(dataDir), 'utf8')).not.toBe(before)
  expect(await running.settings.get('webhook-secret t1')).toBe('hush')
  await running.settings.set('webhook-secret t2', 'quiet')
  expect(await beside.settings.get('webhook-secret t2')).toBe('quiet')
  await Promise.all([running.close(), beside.close()])
})

it('survive a change of the key that was broken off before or after it was true', async () => {
  const dataDir = newFolder()
  const file = secretKeyPath(dataDir)
  const store = await open(dataDir)
  await store.settings.set('webhook-secret t1', 'hush')
  const old = readFileSync(file, 'utf8')
  await store.rotateSecret()
  await store.close()
  // Died after the rows were sealed anew: the new key still lies beside the old one.
  renameSync(file, `${file}.next`)
  writeFileSync(file, old)
  const after = await open(dataDir)
  expect(await after.settings.get('webhook-secret t1')).toBe('hush')
  await after.close()
  // Died before: a new key lies there that has sealed nothing.
  writeFileSync(`${file}.next`, 'ab'.repeat(32))
  const early = await open(dataDir)
  expect(await early.settings.get('webhook-secret t1')).toBe('hush')
  await early.close()
})

it('are said to be lost when their key is', async () => {
  const dataDir = newFolder()
  await (await open(dataDir)).close()
  rmSync(secretKeyPath(dataDir))
  await expect(open(dataDir)).rejects.toThrow(/sealed with a key/)
  writeFileSync(secretKeyPath(dataDir), 'cd'.repeat(32))
  await expect(open(dataDir)).rejects.toThrow(/sealed with a key/)
})

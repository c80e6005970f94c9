import { readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openTestSqlite, type TestStore } from '../../test/contract/open-store.ts'
import { authenticate, ensureFirstKey, hashApiKey, issueKey, makeApiKey } from './keys.ts'

describe('API keys', () => {
  let test: TestStore
  beforeEach(async () => {
    test = await openTestSqlite()
  })
  afterEach(() => test.end())
  const first = (configuredKey?: string) => ensureFirstKey({ store: test.store, dataDir: test.dataDir, configuredKey })
  const keyFile = () => join(test.dataDir, 'first-key')

  it('look as released clients expect, and never twice the same', () => {
    expect(makeApiKey()).toMatch(/^fc-[0-9a-f]{32}$/)
    expect(makeApiKey()).not.toBe(makeApiKey())
  })

  it('tell whose a request is, until they are revoked', async () => {
    const team = await test.store.teams.create({ name: 'web', plan: 'hobby', zeroDataRetention: 'off' })
    const { key, row } = await issueKey(test.store, team.id, 'laptop')
    expect(await authenticate(test.store, key)).toEqual({
      teamId: team.id,
      teamName: 'web',
      plan: 'hobby',
      keyId: row.id,
      keyName: 'laptop',
      zeroDataRetention: 'off',
      rights: [],
      endpoints: [],
      formats: [],
      ipAllow: [],
      isLimited: false,
      ofOperator: false,
      modelTokensPerMonth: null,
      modelCostPerMonth: null,
    })
    await test.store.keys.revoke(row.id)
    expect(await authenticate(test.store, key)).toBeUndefined()
  })

  it('stop working when their time is over', async () => {
    const team = await test.store.teams.create({ name: 'web' })
    const { key } = await issueKey(test.store, team.id, 'guest', { expiresAt: test.clock.now() + 1000 })
    expect((await authenticate(test.store, key))?.keyName).toBe('guest')
    test.clock.wind(1000)
    expect(await authenticate(test.store, key)).toBeUndefined()
  })

  it('are nothing when empty, unknown, too long, odd, or a hash instead of a key', async () => {
    const { key } = await first()
    for (const presented of [
      '',
      makeApiKey(),
      key.toUpperCase(),
      `${key} `,
      'x'.repeat(100_000),
      '\0',
      hashApiKey(key),
    ])
      expect(await authenticate(test.store, presented)).toBeUndefined()
  })

  it('are not in the database in any readable form', async () => {
    const { key } = await first()
    await test.store.close()
    const files = ['orb.db', 'orb.db-wal'].map((name) =>
      readFile(join(test.dataDir, name)).catch(() => Buffer.alloc(0)),
    )
    for (const bytes of await Promise.all(files)) expect(bytes.includes(key.slice(3, -4))).toBe(false)
    expect(await readFile(keyFile(), 'utf8')).toContain(key)
  })

  it('begin with one that is made once and kept where only its owner can read it', async () => {
    const made = await first()
    expect(made.key).toMatch(/^fc-[0-9a-f]{32}$/)
    expect(made.caller).toMatchObject({ teamName: 'default', plan: 'unlimited', zeroDataRetention: 'allowed' })
    expect(made.caller.rights).toEqual(['admin'])
    expect((await stat(keyFile())).mode & 0o777).toBe(0o600)
    expect(await first()).toEqual({ ...made, isNew: false })
    expect(await test.store.keys.list()).toHaveLength(1)
  })

  it('begin anew when the file or the row is lost', async () => {
    const made = await first()
    await rm(keyFile())
    const second = await first()
    expect(second.key).not.toBe(made.key)
    expect(await authenticate(test.store, second.key)).toEqual(second.caller)
    await test.store.keys.revoke(second.caller.keyId)
    const third = await first()
    expect(await first()).toEqual({ ...third, isNew: false })
    await writeFile(keyFile(), 'scribble')
    expect((await first()).key).not.toBe(third.key)
  })

  it('can be chosen by the operator, again and again, and then no file is written', async () => {
    const made = await first('fc-chosen')
    expect(made).toMatchObject({ key: 'fc-chosen', caller: { teamName: 'default' } })
    expect(await first('fc-chosen')).toEqual(made)
    expect(await test.store.keys.list()).toHaveLength(1)
    await expect(stat(keyFile())).rejects.toThrow('ENOENT')
    await test.store.keys.revoke(made.caller.keyId)
    await expect(first('fc-chosen')).rejects.toThrow(/it was revoked/)
  })

  it('agree when several processes start at once', async () => {
    const starts = await Promise.all([first('fc-chosen'), first('fc-chosen'), first('fc-chosen')])
    expect(new Set(starts.map(({ caller }) => caller.keyId)).size).toBe(1)
    expect(await test.store.teams.list()).toHaveLength(1)
  })
})

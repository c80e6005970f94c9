import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openTestSqlite, type TestStore } from '../../test/contract/open-store.ts'
import { compileStatementOnce, compileStatementPerColumns, pickColumns } from './compiled-statements.ts'
import { databasePath, openSecondConnection } from './sqlite.ts'
import type { Db } from './tables.ts'

describe('a kept statement', () => {
  let test: TestStore
  let db: Db
  let close: () => void
  beforeEach(async () => {
    test = await openTestSqlite()
    const second = openSecondConnection(databasePath(test.dataDir))
    db = second.db
    close = () => second.connection.close()
  })
  afterEach(async () => {
    close()
    await test.end()
  })

  it('is built once and runs with the values of each call', async () => {
    let built = 0
    const add = compileStatementOnce((row: { id: string; name: string; at: number }) => {
      built += 1
      const { id, name } = pickColumns(row, 'id', 'name')
      const same = { plan: 'free', zero_data_retention: 'off' as const }
      return db
        .insertInto('teams')
        .values({ id, name, created_at: row.at, ...same })
        .returning(['id', 'name', 'created_at'])
        .compile()
    })
    expect((await add(db, { id: 'one', name: 'first', at: 1 })).rows).toEqual([
      { id: 'one', name: 'first', created_at: 1 },
    ])
    expect((await add(db, { id: 'two', name: 'second', at: 2 })).rows).toEqual([
      { id: 'two', name: 'second', created_at: 2 },
    ])
    expect(built).toBe(1)
  })

  it('runs inside the transaction it is given, and says how many rows it changed', async () => {
    const rename = compileStatementOnce(({ id, name }: { id: string; name: string }) =>
      db.updateTable('teams').set({ name }).where('id', '=', id).compile(),
    )
    const team = await test.store.teams.create({ name: 'before' })
    const undone = db.transaction().execute(async (tx) => {
      expect((await rename(tx, { id: team.id, name: 'after' })).numAffectedRows).toBe(1n)
      throw new Error('undone')
    })
    await expect(undone).rejects.toThrow('undone')
    expect((await test.store.teams.byName('before'))?.id).toBe(team.id)
    expect((await rename(db, { id: 'nobody', name: 'x' })).numAffectedRows).toBe(0n)
  })
  it('is built once for each set of columns', async () => {
    let built = 0
    const change = compileStatementPerColumns(({ id, ...columns }: { id: string; name?: string; plan?: string }) => {
      built += 1
      return db.updateTable('teams').set(columns).where('id', '=', id).compile()
    })
    const { id } = await test.store.teams.create({ name: 'before' })
    await change(db, { name: 'after', id })
    await change(db, { name: 'later', id })
    await change(db, { plan: 'free', id })
    expect(await test.store.teams.get(id)).toMatchObject({ name: 'later', plan: 'free' })
    expect(built).toBe(2)
  })
})

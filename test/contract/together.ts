// What statements that are run together must do on either database.
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { compileStatementOnce } from '../../src/store/compiled-statements.ts'
import { executeInOneRoundTrip } from '../../src/store/pipelined-statements.ts'
import type { Db } from '../../src/store/tables.ts'

export function togetherContract(open: () => Promise<{ db: Db; end(): Promise<void> }>): void {
  let context: { db: Db; end(): Promise<void> }
  beforeEach(async () => {
    context = await open()
  })
  afterEach(() => context.end())

  const statements = () => ({
    add: compileStatementOnce(({ name, value }: { name: string; value: string }) =>
      context.db.insertInto('settings').values({ name, value }).compile(),
    ),
    find: compileStatementOnce(({ name }: { name: string }) =>
      context.db.selectFrom('settings').select('value').where('name', '=', name).compile(),
    ),
    change: compileStatementOnce(({ name }: { name: string }) =>
      context.db.updateTable('settings').set({ value: sql`value || '!'` }).where('name', '=', name).compile(),
    ),
  })
  const all = () => context.db.selectFrom('settings').select('name').orderBy('name').execute()

  it('each sees what those before it did, and each has its own answer', async () => {
    const { add, find, change } = statements()
    const [added, changed, missed, found] = await context.db
      .transaction()
      .execute((tx) =>
        executeInOneRoundTrip(
          tx,
          add.of({ name: 'colour', value: 'red' }),
          change.of({ name: 'colour' }),
          change.of({ name: 'shape' }),
          find.of({ name: 'colour' }),
        ),
      )
    expect([added, changed, missed].map((result) => result?.numAffectedRows)).toEqual([1n, 1n, 0n])
    expect(found?.rows).toEqual([{ value: 'red!' }])
    expect(await all()).toEqual([{ name: 'colour' }])
  })

  it('one that fails is the error of all, and the transaction is lost', async () => {
    const { add } = statements()
    const twice = context.db.transaction().execute(async (tx) => {
      await executeInOneRoundTrip(tx, add.of({ name: 'first', value: '' }))
      await executeInOneRoundTrip(
        tx,
        add.of({ name: 'second', value: '' }),
        add.of({ name: 'first', value: '' }),
        add.of({ name: 'third', value: '' }),
      )
    })
    await expect(twice).rejects.toThrow(/unique|duplicate/i)
    expect(await all()).toEqual([])
    await executeInOneRoundTrip(context.db, add.of({ name: 'after', value: '' }))
    expect(await all()).toEqual([{ name: 'after' }])
  })

  it('a failure spoils no statement for later, however often it has run', async () => {
    const { add, find } = statements()
    await executeInOneRoundTrip(context.db, add.of({ name: 'first', value: '' }))
    for (let time = 0; time < 12; time += 1) {
      const fails = executeInOneRoundTrip(context.db, add.of({ name: 'first', value: '' }), find.of({ name: 'first' }))
      await expect(fails).rejects.toThrow(/unique|duplicate/i)
      const inside = context.db
        .transaction()
        .execute((tx) => executeInOneRoundTrip(tx, add.of({ name: 'first', value: '' }), find.of({ name: 'first' })))
      await expect(inside).rejects.toThrow(/unique|duplicate/i)
    }
    const [added, found] = await executeInOneRoundTrip(
      context.db,
      add.of({ name: 'last', value: 'x' }),
      find.of({ name: 'last' }),
    )
    expect([added?.numAffectedRows, found?.rows]).toEqual([1n, [{ value: 'x' }]])
  })

  it('a transaction in which nothing happens begins and ends', async () => {
    await expect(context.db.transaction().execute(async () => 'nothing')).resolves.toBe('nothing')
    const thrown = context.db.transaction().execute(async () => {
      throw new Error('at once')
    })
    await expect(thrown).rejects.toThrow('at once')
    expect(await all()).toEqual([])
  })
}

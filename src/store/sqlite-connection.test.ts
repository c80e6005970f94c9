import { mkdtempSync, rmSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CompiledQuery, Kysely, SqliteDialect } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { connectSqlite, type LibsqlConnection } from './sqlite-connection.ts'

describe('a SQLite connection', () => {
  let dir: string
  let connection: LibsqlConnection
  const run = (sql: string, ...parameters: unknown[]) => connection.database.prepare(sql).run(parameters)
  const all = (sql: string, ...parameters: unknown[]) => connection.database.prepare(sql).all(parameters)
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'orb-libsql-'))
    connection = connectSqlite(join(dir, 'x.db'))
    connection.exec('create table t (a integer primary key, b)')
  })
  afterEach(() => {
    connection.close()
    rmSync(dir, { recursive: true })
  })

  it('takes booleans as 0 and 1', () => {
    run('insert into t values (?, ?)', true, false)
    expect(all('select a, b from t where a = ?', true)).toEqual([{ a: 1, b: 0 }])
  })

  it('hands back rows with nothing but their columns', () => {
    run('insert into t values (1, null)')
    expect(Object.keys(all('select * from t')[0] as object)).toEqual(['a', 'b'])
  })

  it('keeps using a statement after it failed, and after the table changed', () => {
    run('insert into t values (?, 1)', 1)
    expect(() => run('insert into t values (?, 1)', 1)).toThrow(/UNIQUE/)
    run('insert into t values (?, 1)', 2)
    expect(all('select * from t')).toHaveLength(2)
    connection.exec('alter table t add column c')
    expect(all('select * from t where a = 2')).toEqual([{ a: 2, b: 1, c: null }])
  })

  it('reads the row of its own values, whatever the same statement was asked before', () => {
    run("insert into t values (1, 'one'), (2, 'two'), (3, 'three')")
    const sql = 'select b from t where a = ?'
    const first = (a: number) => connection.execute(CompiledQuery.raw(sql, [a])).rows[0]
    for (const a of [1, 2, 3, 9]) {
      all(sql, 2)
      expect(first(a)).toEqual([undefined, { b: 'one' }, { b: 'two' }, { b: 'three' }][a])
    }
  })

  it('forgets old statements when there are too many to keep', () => {
    for (let at = 0; at < 500; at += 1) expect(all(`select ${at} as n`)).toEqual([{ n: at }])
    expect(all('select 0 as n')).toEqual([{ n: 0 }])
  })

  it('says `unavailable` when the file cannot grow, still reads, and recovers by itself', () => {
    run('insert into t values (1, ?)', 'x')
    connection.exec('pragma max_page_count = 4')
    const fill = () => run('insert into t values (2, ?)', new Uint8Array(100_000))
    expect(fill).toThrow(
      expect.objectContaining({ kind: 'unavailable', message: expect.stringContaining('SQLITE_FULL') }),
    )
    expect(all('select b from t')).toEqual([{ b: 'x' }])
    connection.exec('pragma max_page_count = 10000')
    fill()
    expect(all('select a from t')).toHaveLength(2)
  })

  it('reports the bytes of each write and of no read', () => {
    const seen: number[] = []
    const watched = connectSqlite(join(dir, 'y.db'), { onWrite: (bytes) => seen.push(bytes) })
    watched.exec('create table t (b)')
    watched.database.prepare('insert into t values (?)').run([new Uint8Array(1000)])
    watched.database.prepare('select * from t where b = ?').all(['abc'])
    watched.close()
    expect(seen).toEqual([1000])
  })
})

describe('a transaction on a disk that is full', () => {
  it('says so, though SQLite has undone it by itself already', async () => {
    const dir = await mkdtemp(join(tmpdir(), 'orb-full-'))
    const connection = connectSqlite(join(dir, 'x.db'))
    const db = new Kysely<{ t: { a: Uint8Array } }>({ dialect: new SqliteDialect({ database: connection.database }) })
    try {
      connection.exec('create table t (a)')
      connection.exec('pragma max_page_count = 4')
      const write = (bytes: number) =>
        db.transaction().execute((tx) =>
          tx
            .insertInto('t')
            .values({ a: new Uint8Array(bytes) })
            .execute(),
        )
      await expect(write(100_000)).rejects.toMatchObject({
        kind: 'unavailable',
        message: expect.stringMatching(/the disk is full \(SQLITE_FULL\)/),
      })
      expect(connection.trouble()).toMatch(/the disk is full/)
      await write(10)
      expect(connection.trouble()).toBeUndefined()
    } finally {
      await db.destroy()
      await rm(dir, { recursive: true })
    }
  })
})

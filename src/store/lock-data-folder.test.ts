import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { expectCost } from '../../test/cost.ts'
import { lockDataDir } from './lock-data-folder.ts'

describe('the lock on a data directory', () => {
  let dir: string
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'orb-lock-'))
  })
  afterEach(() => rmSync(dir, { recursive: true }))

  it('refuses a second holder with a sentence that names the directory, until it is released', () => {
    const lock = lockDataDir(dir)
    expect(() => lockDataDir(dir)).toThrow(`Another Orbweaver is running on the data directory ${dir}.`)
    lock.release()
    lockDataDir(dir).release()
  })

  it('is held against other processes at once, and let go of when its holder is killed', async () => {
    // The holder is another program on purpose: all it shares with us is the file.
    const holder = spawn(process.execPath, ['-e', HOLDER, createRequire(import.meta.url).resolve('libsql'), dir])
    await once(holder.stdout, 'data')
    const began = performance.now()
    expect(() => lockDataDir(dir)).toThrow(/Another Orbweaver is running/)
    expectCost(performance.now() - began).toBeLessThan(1000)
    holder.kill('SIGKILL')
    await once(holder, 'exit')
    lockDataDir(dir).release()
  })
})

const HOLDER = `
  const [libsql, dir] = process.argv.slice(1)
  const db = new (require(libsql))(dir + '/lock.db')
  db.exec('begin exclusive')
  console.log('held')
  setInterval(() => db.inTransaction, 1000)
`

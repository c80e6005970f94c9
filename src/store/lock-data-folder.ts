// One service per data folder. The lock is an exclusive transaction on its own file, which the kernel releases
// however the process dies.
import { mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { connectSqlite } from './sqlite-connection.ts'
import { sqliteErrorCode } from './sqlite-errors.ts'

export function lockDataDir(dataDir: string) {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const connection = connectSqlite(join(dataDir, 'lock.db'))
  try {
    connection.exec('pragma busy_timeout = 0')
    connection.exec('begin exclusive')
  } catch (error) {
    connection.close()
    if (sqliteErrorCode(error) !== 'SQLITE_BUSY') throw error
    throw new Error(
      `Another Orbweaver is running on the data directory ${resolve(dataDir)}. ` +
        'Stop it first, or give this one a directory of its own with ORB_DATA_DIR.',
      { cause: error },
    )
  }
  return { release: () => connection.close() }
}

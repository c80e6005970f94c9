// The data folder is locked, one service each, and restricted to its owner: it holds keys, secrets and pages.
import { chmodSync, mkdirSync, readdirSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { connectSqlite } from './sqlite-connection.ts'
import { sqliteErrorCode } from './sqlite-errors.ts'

/** An exclusive transaction on a file of its own, which the kernel releases however the process dies. */
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

/** Older builds may have left files readable by others. The folder's own mode belongs to the operator and stays. */
export function restrictToOwner(dataDir: string): void {
  process.umask(0o077)
  for (const name of readdirSync(dataDir)) {
    const path = join(dataDir, name)
    try {
      const { mode } = statSync(path)
      if ((mode & 0o077) !== 0) chmodSync(path, mode & 0o700)
    } catch {}
  }
}

// Restricts the data folder, which holds keys, secrets and pages, to its owner. Older builds may have left files
// readable by others.
import { chmodSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** The folder's own mode belongs to the operator and stays. */
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

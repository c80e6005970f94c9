// Restricts the data folder to its owner, because it holds keys, secrets and pages. An existing folder, or files of
// an older build, may be readable by others.
import { chmodSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** Sets the umask and tightens the files in the folder. The folder's own mode belongs to the operator and stays. */
export function closeToOthers(dataDir: string): void {
  process.umask(0o077)
  for (const name of readdirSync(dataDir)) {
    const path = join(dataDir, name)
    try {
      const { mode } = statSync(path)
      if ((mode & 0o077) !== 0) chmodSync(path, mode & 0o700)
    } catch {
      // Owned by another user, or already gone.
    }
  }
}

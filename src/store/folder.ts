// The data folder is its owner's alone: it holds keys, secrets and pages. A folder that was there before may be open to
// others, and what an older build wrote in it too.
import { chmodSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** Everything made from now on is the owner's alone, and so is what lies in the folder. The folder itself is not ours to change. */
export function closeToOthers(dataDir: string): void {
  process.umask(0o077)
  for (const name of readdirSync(dataDir)) {
    const path = join(dataDir, name)
    try {
      const { mode } = statSync(path)
      if ((mode & 0o077) !== 0) chmodSync(path, mode & 0o700)
    } catch {
      // Another's file, or gone by now.
    }
  }
}

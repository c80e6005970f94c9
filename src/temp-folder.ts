// The temporary folder of this process. Its name contains a hash of the data folder, so that a start can remove the
// folders of killed processes.
import { createHash } from 'node:crypto'
import { chmodSync, existsSync, lstatSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Other users may traverse to files shared with them, but not list the folder. */
const MODE = 0o711
const AGAIN_MS = 5000

export function openTempFolder(dataDir: string): { path: string; remove(): void } {
  const mark = `orb-${createHash('sha256').update(dataDir).digest('hex').slice(0, 8)}-`
  const parent = tmpdir()
  const path = join(parent, mark + process.pid)
  sweep(parent, mark)
  // A dead process may have had our pid.
  remove(path)
  mkdirSync(path, { mode: MODE })
  chmodSync(path, MODE)
  // A browser that outlives its killed service may recreate its folder, so sweep once more.
  const again = setTimeout(() => sweep(parent, mark), AGAIN_MS).unref()
  return {
    path,
    remove() {
      clearTimeout(again)
      remove(path)
    },
  }
}

function sweep(parent: string, mark: string): void {
  for (const name of existsSync(parent) ? readdirSync(parent) : [])
    if (name.startsWith(mark) && isGone(Number(name.slice(mark.length)))) remove(join(parent, name))
}

function isGone(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return false
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH'
  }
}

/** Another user may have made a folder or link of that name. */
function remove(path: string): void {
  const { uid } = lstatSync(path, { throwIfNoEntry: false }) ?? {}
  if (uid !== process.getuid?.()) return
  try {
    rmSync(path, { recursive: true, force: true, maxRetries: 3 })
  } catch {
    // A browser that is just ending may still write; the next sweep removes it.
  }
}

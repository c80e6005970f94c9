// The folder for what lasts no longer than this process: browsers' profiles, files on their way through LibreOffice, what
// sessions write. Each process has its own, known by the data folder, so that a start removes what a killed one left.
import { createHash } from 'node:crypto'
import { chmodSync, lstatSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Others may pass through to what is given to them inside, but not look around. */
const MODE = 0o711

/** Makes the folder of this process, empty, and removes those of processes that are gone. */
export function openScratch(dataDir: string): { path: string; remove(): void } {
  const mark = `orb-${createHash('sha256').update(dataDir).digest('hex').slice(0, 8)}-`
  const path = join(tmpdir(), mark + process.pid)
  for (const name of readdirSync(tmpdir()))
    if (name.startsWith(mark) && isLeft(Number(name.slice(mark.length)))) remove(join(tmpdir(), name))
  mkdirSync(path, { mode: MODE })
  chmodSync(path, MODE)
  return { path, remove: () => remove(path) }
}

/** Nobody works in it: its process is gone, or was another one with the number that is ours now. */
function isLeft(pid: number): boolean {
  if (pid === process.pid) return true
  try {
    process.kill(pid, 0)
    return false
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH'
  }
}

/** A folder or link of that name which somebody else made is not ours to touch. */
function remove(path: string): void {
  const { uid } = lstatSync(path, { throwIfNoEntry: false }) ?? {}
  if (uid !== process.getuid?.()) return
  try {
    rmSync(path, { recursive: true, force: true, maxRetries: 3 })
  } catch {
    // A browser that is just ending writes its last words; the next start finds them.
  }
}

// The folder for what lasts no longer than this process: browsers' profiles, files on their way through LibreOffice, what
// sessions write. Each process has its own, known by the data folder, so that a start removes what a killed one left.
import { createHash } from 'node:crypto'
import { chmodSync, existsSync, lstatSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Others may pass through to what is given to them inside, but not look around. */
const MODE = 0o711
const AGAIN_MS = 5000

/** Makes the folder of this process, empty, and removes those of processes that are gone. */
export function openScratch(dataDir: string): { path: string; remove(): void } {
  const mark = `orb-${createHash('sha256').update(dataDir).digest('hex').slice(0, 8)}-`
  const parent = tmpdir()
  const path = join(parent, mark + process.pid)
  sweep(parent, mark)
  // Of another process that had the number which is ours now.
  remove(path)
  mkdirSync(path, { mode: MODE })
  chmodSync(path, MODE)
  // A browser that outlives its killed service for a moment may write its folder anew: once more when it is surely gone.
  const again = setTimeout(() => sweep(parent, mark), AGAIN_MS).unref()
  return {
    path,
    remove() {
      clearTimeout(again)
      remove(path)
    },
  }
}

/** Removes the folders of processes that are gone. */
function sweep(parent: string, mark: string): void {
  // It may have been removed meanwhile, with all that was in it.
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

/** A folder or link of that name which somebody else made is not ours to touch. */
function remove(path: string): void {
  const { uid } = lstatSync(path, { throwIfNoEntry: false }) ?? {}
  if (uid !== process.getuid?.()) return
  try {
    rmSync(path, { recursive: true, force: true, maxRetries: 3 })
  } catch {
    // A browser that is just ending writes its last words; the next sweep finds them.
  }
}

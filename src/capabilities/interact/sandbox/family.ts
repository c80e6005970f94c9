// How much memory a process and all that came from it hold together, as the system tells it.
import { readdirSync, readFileSync } from 'node:fs'

const PAGE_BYTES = 4096

/** Nothing where /proc does not tell. */
export function familyBytes(root: number | undefined): number {
  if (root === undefined) return 0
  const parents = new Map<number, number>()
  const sizes = new Map<number, number>()
  for (const name of namesIn('/proc')) {
    const pid = Number(name)
    if (!Number.isInteger(pid)) continue
    const stat = textOf(`/proc/${pid}/stat`)
    // The name may itself hold spaces and brackets.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    parents.set(pid, Number(fields[1]))
    sizes.set(pid, Number(fields[21]) || 0)
  }
  let pages = 0
  for (const [pid, size] of sizes) if (descends(pid, root, parents)) pages += size
  return pages * PAGE_BYTES
}

function descends(pid: number, root: number, parents: ReadonlyMap<number, number>): boolean {
  let at: number | undefined = pid
  for (let steps = 0; at !== undefined && at > 1 && steps < 1000; steps++) {
    if (at === root) return true
    at = parents.get(at)
  }
  return false
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'latin1')
  } catch {
    return ''
  }
}

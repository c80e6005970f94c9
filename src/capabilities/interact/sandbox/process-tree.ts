// The processes of a sandbox from /proc: below one process, or of one user.
import { readdirSync, readFileSync, statSync } from 'node:fs'

/** A process and its descendants, parents first. */
export function listProcessTree(root: number | undefined): number[] {
  if (root === undefined) return []
  const found = [root]
  for (const pid of found)
    for (const task of listFolder(`/proc/${pid}/task`))
      for (const child of readProcFile(`/proc/${pid}/task/${task}/children`).split(' '))
        if (child) found.push(Number(child))
  return found
}

/** Orphaned processes belong to no tree, so they are found by user. */
export const listProcessesOfUser = (user: number): number[] =>
  listFolder('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => {
      try {
        return statSync(`/proc/${name}`).uid === user
      } catch {
        return false
      }
    })
    .map(Number)

export function listFolder(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch (error) {
    if (isGone(error)) return []
    throw error
  }
}

export function readProcFile(path: string): string {
  try {
    return readFileSync(path, 'latin1')
  } catch (error) {
    if (isGone(error)) return ''
    throw error
  }
}

const isGone = (error: unknown): boolean =>
  ['ENOENT', 'ESRCH', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')

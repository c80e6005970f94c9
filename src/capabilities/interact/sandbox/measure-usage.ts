// Measures a sandbox from outside: resident memory alone misses swap, page tables, tmpfs files, and kernel buffers of
// pipes and sockets.
import { readdir, stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { sandboxLimits } from './limits.ts'
import { listFolder, readProcFile } from './process-tree.ts'

const MB = 1024 * 1024
const MEMORY = /^(?:RssAnon|RssShmem|VmSwap|VmPTE):\s+(\d+)/gm
const THREADS = /^Threads:\s+(\d+)/m
const SOCKETS = /^sockets: used (\d+)/

type FolderUsage = { bytes: number; files: number }

interface WatchedFolders {
  /** Written bytes and files; undefined when they cannot be measured. */
  folders(processes: readonly number[]): Promise<FolderUsage | undefined>
  /** True for tmpfs. */
  foldersAreMemory: boolean
}

/** The exceeded limit, as the end of a sentence about the code; undefined: none. */
export async function findExceededLimit(
  processes: readonly number[],
  { folders, foldersAreMemory }: WatchedFolders,
): Promise<string | undefined> {
  try {
    let [bytes, tasks, descriptors] = [0, 0, 0]
    for (const pid of processes) {
      const status = readProcFile(`/proc/${pid}/status`)
      for (const [, kilobytes] of status.matchAll(MEMORY)) bytes += Number(kilobytes) * 1024
      tasks += Number(THREADS.exec(status)?.[1] ?? 0)
      if (tasks > sandboxLimits.tasks) return `started more than ${sandboxLimits.tasks} processes and threads`
      descriptors += listFolder(`/proc/${pid}/fd`).length
    }
    // Closed sockets may still hold data; the sandbox's network namespace counts them.
    const sockets = foldersAreMemory && processes.length > 2 ? socketsOf(processes.at(-1)) : 0
    if (Math.max(descriptors, sockets) > sandboxLimits.descriptors)
      return `opened more than ${sandboxLimits.descriptors} files and sockets`
    const written = await folders(processes)
    if (written) {
      if (written.files > sandboxLimits.files) return `made more than ${sandboxLimits.files} files`
      if (foldersAreMemory) bytes += written.bytes
      else if (written.bytes > 2 * sandboxLimits.folderBytes)
        return `wrote more than ${(2 * sandboxLimits.folderBytes) / MB} MB`
    }
    return bytes > sandboxLimits.memoryBytes ? OUT_OF_MEMORY_MESSAGE : undefined
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    // A process can hide its descriptors from other users (PR_SET_DUMPABLE).
    if (code === 'EACCES' || code === 'EPERM') return 'hid what it uses'
    throw error
  }
}

const socketsOf = (pid = 0): number => Number(SOCKETS.exec(readProcFile(`/proc/${pid}/net/sockstat`))?.[1] ?? 0)

export const OUT_OF_MEMORY_MESSAGE = `took more than ${sandboxLimits.memoryBytes / MB} MB of memory`

/** Usage of the two tmpfs folders, read through a process inside. */
export async function measureMountedFolders(
  processes: readonly number[],
  folders: readonly string[],
): Promise<FolderUsage | undefined> {
  for (const pid of processes.slice(1)) {
    try {
      const found = await Promise.all(folders.map((folder) => statfs(`/proc/${pid}/root${folder}`)))
      return {
        bytes: found.reduce((sum, { blocks, bfree, bsize }) => sum + (blocks - bfree) * bsize, 0),
        files: found.reduce((sum, { files, ffree }) => sum + files - ffree, 0),
      }
    } catch {
      // The first process still has the host's root, and others may be ending.
    }
  }
  return undefined
}

/** A folder on disk, plus deleted files that are still open or mapped. */
export async function measureFolder(processes: readonly number[], folder: string): Promise<FolderUsage> {
  const used = { bytes: 0, files: 0 }
  const left = [folder]
  const files: string[] = []
  for (let next = left.pop(); next !== undefined && used.files <= sandboxLimits.files; next = left.pop())
    for (const entry of await readdir(next, { withFileTypes: true }).catch(() => [])) {
      used.files += 1
      if (entry.isDirectory()) left.push(join(next, entry.name))
      else if (entry.isFile()) files.push(join(next, entry.name))
    }
  // Count before reading sizes: there may be a million files.
  if (used.files > sandboxLimits.files) return used
  for (const found of await Promise.all(files.map((path) => stat(path).catch(() => undefined))))
    used.bytes += found?.size ?? 0
  for (const pid of processes) {
    for (const name of listFolder(`/proc/${pid}/fd`)) {
      const found = await stat(`/proc/${pid}/fd/${name}`).catch(() => undefined)
      if (found?.isFile() && found.nlink === 0) used.bytes += found.size
    }
    for (const [, from = '', to = ''] of readProcFile(`/proc/${pid}/maps`).matchAll(DELETED_MAPPING))
      used.bytes += Number.parseInt(to, 16) - Number.parseInt(from, 16)
  }
  return used
}

const DELETED_MAPPING = /^([\da-f]+)-([\da-f]+) .* \(deleted\)$/gm

// Blobs as files in the data folder.
import { randomBytes } from 'node:crypto'
import { mkdir, opendir, open as openFile, readFile, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Problem } from '../base/problem.ts'
import type { BlobSource, BlobStorage, ListedBlob } from './blob-storage.ts'

/** The end of a UUIDv7 is random and spreads files evenly; its beginning is the time. */
const blobPath = (dir: string, id: string): string => join(dir, id.slice(-2), id)

export function openBlobFolder(dir: string): BlobStorage {
  return {
    write: (id, source, maxBytes) => writeFile(blobPath(dir, id), source, maxBytes),
    read: (id) => readFile(blobPath(dir, id)).catch(undefinedIfGone),
    async stream(id, part) {
      const file = await openFile(blobPath(dir, id), 'r').catch(undefinedIfGone)
      return file?.createReadStream(part ?? {})
    },
    remove: (id) => rm(blobPath(dir, id), { force: true }),
    async *list(signal) {
      for await (const folder of entriesOf(dir)) {
        if (signal.aborted) return
        if (!folder.isDirectory()) continue
        for await (const file of entriesOf(join(dir, folder.name)))
          if (file.isFile()) yield storedFile(join(dir, folder.name, file.name), file.name)
      }
    },
  }
}

const storedFile = (path: string, name: string): ListedBlob => ({
  name,
  modifiedAt: () =>
    stat(path).then(
      (facts) => facts.mtimeMs,
      () => Number.POSITIVE_INFINITY,
    ),
  remove: () => rm(path, { force: true }),
})

async function* entriesOf(dir: string) {
  const entries = await opendir(dir).catch(undefinedIfGone)
  if (entries) yield* entries
}

/** Under a temporary name first, so that a half-written file is never read as complete. */
async function writeFile(path: string, source: BlobSource, maxBytes: number): Promise<number> {
  const partial = `${path}.${randomBytes(4).toString('hex')}.partial`
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  let bytes = 0
  try {
    const file = await openFile(partial, 'wx', 0o600)
    try {
      for await (const chunk of source instanceof Uint8Array ? [source] : source) {
        bytes += chunk.byteLength
        if (bytes > maxBytes) throw new Problem('too_large', { because: `more than ${maxBytes} bytes` })
        for (let at = 0; at < chunk.byteLength; ) at += (await file.write(chunk, at)).bytesWritten
      }
    } finally {
      await file.close()
    }
    await rename(partial, path)
    return bytes
  } catch (error) {
    await rm(partial, { force: true })
    throw asUnavailable(error)
  }
}

const FULL_DISK = new Set(['ENOSPC', 'EDQUOT', 'EROFS', 'EIO'])

function asUnavailable(error: unknown): unknown {
  const code = errorCode(error)
  return code && FULL_DISK.has(code)
    ? new Problem('unavailable', { because: `the data directory cannot be written now (${code})`, cause: error })
    : error
}

function undefinedIfGone(error: unknown): undefined {
  if (errorCode(error) !== 'ENOENT') throw error
  return undefined
}

const errorCode = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined

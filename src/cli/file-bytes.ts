// Reads a local file for upload to the service.
import { readFileSync, statSync } from 'node:fs'
import { UsageError } from './command.ts'

const MAX_FILE_BYTES = 50 * 1024 * 1024

export function readFileBytes(path: string): Uint8Array<ArrayBuffer> {
  try {
    const stats = statSync(path)
    if (!stats.isFile()) throw new UsageError(`${path} is not a file`)
    const { size } = stats
    if (size > MAX_FILE_BYTES) throw new UsageError(`${path} has ${size} bytes; the limit is ${MAX_FILE_BYTES}`)
    return new Uint8Array(readFileSync(path))
  } catch (error) {
    if (error instanceof UsageError) throw error
    throw new UsageError(`the file ${path} cannot be read (${(error as NodeJS.ErrnoException).code})`)
  }
}

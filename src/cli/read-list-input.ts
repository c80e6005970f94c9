// Lists from a file or a pipe: `orb batch @urls.txt`, `orb batch - < urls.txt`.
import { readFileSync, readSync } from 'node:fs'
import { isatty } from 'node:tty'
import { UsageError } from './command.ts'

export function readStandardInput(what: string): string {
  // Not `process.stdin`: it makes the pipe non-blocking, and reading one that is still empty fails with EAGAIN.
  if (isatty(0)) throw new UsageError(`${what}: no input on the pipe`)
  const chunks: Buffer[] = []
  for (let read = readPipe(); read.length > 0; read = readPipe()) chunks.push(read)
  return Buffer.concat(chunks).toString()
}

const PIPE_BYTES = 65_536
const RETRY_MS = 10

/** Empty at the end. A parent process may have made the pipe non-blocking. */
function readPipe(): Buffer {
  const buffer = Buffer.allocUnsafe(PIPE_BYTES)
  for (;;)
    try {
      return buffer.subarray(0, readSync(0, buffer))
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      if (code === 'EOF') return buffer.subarray(0, 0)
      if (code !== 'EAGAIN') throw error
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, RETRY_MS)
    }
}

/** `-` is the pipe, `@name` a file; empty lines and # comments are skipped. */
export const expandListArguments = (words: readonly string[], name: string): string[] =>
  words.flatMap((word) => {
    if (word !== '-' && !word.startsWith('@')) return [word]
    const text = word === '-' || word === '@-' ? readStandardInput(`<${name}>`) : fromFile(word.slice(1), name)
    return text
      .split(/\r?\n/)
      .map((line) => line.trim())
      .filter((line) => line !== '' && !line.startsWith('#'))
  })

function fromFile(path: string, name: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw new UsageError(`<${name}>: the file ${path} cannot be read (${(error as NodeJS.ErrnoException).code})`)
  }
}

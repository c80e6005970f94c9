// Lists from a file or a pipe: `orb batch @urls.txt`, `orb batch - < urls.txt`.
import { readFileSync } from 'node:fs'
import { UsageError } from './command.ts'

export function readStandardInput(what: string): string {
  if (process.stdin.isTTY) throw new UsageError(`${what}: nothing comes through a pipe; write the list into one`)
  return readFileSync(0, 'utf8')
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

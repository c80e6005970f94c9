// Which files hold a word, as raw bytes: the data folder, its log, and PostgreSQL's own files.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'

/** Files below a folder that hold the word, as raw bytes. */
export function holders(folder: string, word: string): string[] {
  if (!existsSync(folder)) return []
  const wanted = [
    Buffer.from(word),
    Buffer.from(word, 'utf16le'),
    Buffer.from(Buffer.from(word).toString('base64').slice(4, -4)),
  ]
  return readdirSync(folder, { recursive: true, withFileTypes: true }).flatMap((entry) => {
    const path = join(entry.parentPath, entry.name)
    try {
      if (!entry.isFile() || statSync(path).size > 256 * 1024 * 1024) return []
      const bytes = readFileSync(path)
      return wanted.some((one) => bytes.includes(one)) ? [path] : []
    } catch {
      return []
    }
  })
}

/** Where a PostgreSQL keeps its files. `settled`: what its log tells is made to stand in its tables too, and the log may go. */
export async function postgresFolder(url: string, { settled } = { settled: true }): Promise<string> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    if (settled) await client.query('checkpoint')
    return (await client.query('show data_directory')).rows[0].data_directory
  } finally {
    await client.end()
  }
}

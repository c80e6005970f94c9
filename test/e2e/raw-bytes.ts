// Which files hold a word, as raw bytes: the data folder, its log, and PostgreSQL's own files.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'

/** Files below a folder that hold the word, as raw bytes. Those that nobody has touched since a moment are not read. */
export function holders(folder: string, word: string, since: number): string[] {
  if (!existsSync(folder)) return []
  const wanted = [
    Buffer.from(word),
    Buffer.from(word, 'utf16le'),
    Buffer.from(Buffer.from(word).toString('base64').slice(4, -4)),
  ]
  return readdirSync(folder, { recursive: true, withFileTypes: true }).flatMap((entry) => {
    const path = join(entry.parentPath, entry.name)
    try {
      if (!entry.isFile()) return []
      const { size, ctimeMs } = statSync(path)
      if (size > 256 * 1024 * 1024 || ctimeMs < since) return []
      const bytes = readFileSync(path)
      return wanted.some((one) => bytes.includes(one)) ? [path] : []
    } catch {
      return []
    }
  })
}

/** Where a PostgreSQL keeps its files, all of it written there. */
export async function postgresFolder(url: string): Promise<string> {
  await asked(url, 'checkpoint')
  return (await asked(url, 'show data_directory'))[0].data_directory
}

/** The rows of one statement. */
export async function asked(url: string, statement: string) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(statement)).rows
  } finally {
    await client.end()
  }
}

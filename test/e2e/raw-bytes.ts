// Which files hold a word, as raw bytes: the data folder, its log, and PostgreSQL's own files.
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'

/** A file, or those below a folder, that hold the word, as raw bytes. Files not changed since a moment are not read. */
export function holders(place: string, word: string, since: number): string[] {
  const wanted = [
    Buffer.from(word),
    Buffer.from(word, 'utf16le'),
    Buffer.from(Buffer.from(word).toString('base64').slice(4, -4)),
  ]
  return filesIn(place).filter((path) => {
    try {
      const { size, ctimeMs } = statSync(path)
      if (size > 256 * 1024 * 1024 || ctimeMs < since) return false
      const bytes = readFileSync(path)
      return wanted.some((one) => bytes.includes(one))
    } catch {
      return false
    }
  })
}

/** Others may remove files and folders meanwhile. */
function filesIn(place: string): string[] {
  const facts = statSync(place, { throwIfNoEntry: false })
  if (!facts?.isDirectory()) return facts?.isFile() ? [place] : []
  try {
    return readdirSync(place, { withFileTypes: true }).flatMap((entry) => {
      const path = join(place, entry.name)
      return entry.isDirectory() ? filesIn(path) : entry.isFile() ? [path] : []
    })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}

/**
 * Where PostgreSQL keeps one database (`base`), or that and what all databases share (`all`), with everything written
 * there. Dozens of other databases of this run are no places for what a test writes.
 */
export async function postgresPlaces(url: string, part: 'base' | 'all'): Promise<string[]> {
  await asked(url, 'checkpoint')
  const [{ folder, oid }] = await asked(
    url,
    "select current_setting('data_directory') as folder, oid from pg_database where datname = current_database()",
  )
  const own = [join(folder, 'base', String(oid)), join(folder, 'base', 'pgsql_tmp')]
  if (part === 'base') return own
  const common = readdirSync(folder).filter((name) => name !== 'base')
  return [...common.map((name) => join(folder, name)), ...own]
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

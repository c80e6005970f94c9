// Backs up all data into one folder and restores it. A restore requires the service to be stopped.

import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join, resolve, sep } from 'node:path'
import { promisify } from 'node:util'
import { z } from 'zod'
import { readConfig } from '../config.ts'
import { blobsFolder } from '../store/blobs.ts'
import { lockDataDir } from '../store/lock-data-folder.ts'
import { SECRET_KEY_FILE } from '../store/sealed-settings.ts'
import { databasePath } from '../store/sqlite.ts'
import { copySqlite, readSqliteFacts } from '../store/sqlite-copies.ts'
import { CommandExitError } from './command.ts'
import { findUnknownMigrations } from './known-migrations.ts'
import { readProductVersion } from './version.ts'

const MANIFEST = 'backup.json'
const SQLITE_COPY = 'orb.db'
const POSTGRES_DUMP = 'orb.pgdump'
const FIRST_KEY = 'first-key'

const manifest = z.object({
  product: z.literal('orbweaver'),
  database: z.enum(['sqlite', 'postgres']),
  version: z.string(),
  createdAt: z.string(),
  steps: z.array(z.string()),
  instanceId: z.string().optional(),
  files: z.int(),
})
type Manifest = z.output<typeof manifest>

export async function backUpInto(target: string): Promise<Manifest> {
  const { databaseUrl, dataDir: given } = readConfig()
  const dataDir = resolve(given)
  if (`${target}${sep}`.startsWith(`${dataDir}${sep}`))
    throw new CommandExitError(`${target} is inside the data folder; choose a folder outside it.`)
  if (existsSync(target) && readdirSync(target).length > 0)
    throw new CommandExitError(`${target} is not empty. Name a folder that does not exist yet.`)
  // Temporary name, so that half a backup is never taken for a complete one.
  const partial = `${target}.${randomBytes(4).toString('hex')}.partial`
  mkdirSync(partial, { recursive: true, mode: 0o700 })
  try {
    const facts = databaseUrl
      ? { database: 'postgres' as const, ...(await dumpPostgres(databaseUrl, join(partial, POSTGRES_DUMP))) }
      : { database: 'sqlite' as const, ...(await copyEmbedded(dataDir, join(partial, SQLITE_COPY))) }
    // After the database: files added meanwhile have no row, and the sweep removes those.
    const files = copyFiles(dataDir, partial)
    const made: Manifest = {
      product: 'orbweaver',
      version: readProductVersion(),
      createdAt: new Date().toISOString(),
      files,
      ...facts,
    }
    writeFileSync(join(partial, MANIFEST), `${JSON.stringify(made, null, 2)}\n`, { mode: 0o600 })
    rmSync(target, { recursive: true, force: true })
    renameSync(partial, target)
    return made
  } catch (error) {
    rmSync(partial, { recursive: true, force: true })
    throw error
  }
}

async function copyEmbedded(dataDir: string, target: string): Promise<{ steps: string[]; instanceId?: string }> {
  const path = databasePath(dataDir)
  if (!existsSync(path))
    throw new CommandExitError(`There is nothing to back up: ${dataDir} has no database. Is ORB_DATA_DIR right?`)
  const { steps } = await readSqliteFacts(path)
  const newer = await findUnknownMigrations(steps)
  if (newer.length > 0)
    throw new CommandExitError(
      `The database in ${dataDir} was written by a newer version of Orbweaver (it has ${newer.join(', ')}). Back it up with that version.`,
    )
  copySqlite(path, target)
  const { instanceId, ...copied } = await readSqliteFacts(target)
  return { ...copied, ...(instanceId ? { instanceId } : {}) }
}

function copyFiles(from: string, to: string): number {
  const key = join(from, FIRST_KEY)
  if (existsSync(key)) cpSync(key, join(to, FIRST_KEY))
  const secret = join(from, SECRET_KEY_FILE)
  if (existsSync(secret)) cpSync(secret, join(to, SECRET_KEY_FILE))
  const [source, target] = [blobsFolder(from), blobsFolder(to)]
  if (!existsSync(source)) return 0
  let files = 0
  for (const shelf of readdirSync(source)) {
    mkdirSync(join(target, shelf), { recursive: true, mode: 0o700 })
    for (const name of readdirSync(join(source, shelf)).filter((entry) => !entry.endsWith('.partial'))) {
      try {
        cpSync(join(source, shelf, name), join(target, shelf, name))
        files += 1
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
      }
    }
  }
  return files
}

export async function restoreFrom(
  folder: string,
  force: boolean,
): Promise<{ dataDir: string; createdAt: string; movedTo?: string }> {
  const { databaseUrl, dataDir: given } = readConfig()
  const dataDir = resolve(given)
  const { database, steps, createdAt } = readManifest(folder)
  if (database === 'postgres' && !databaseUrl)
    throw new CommandExitError(
      'This is a backup of a PostgreSQL database. Set ORB_DATABASE_URL to the database to restore it into.',
    )
  if (database === 'sqlite' && databaseUrl)
    throw new CommandExitError(
      'This is a backup of the embedded database, but ORB_DATABASE_URL names a PostgreSQL database. Unset it to restore into the data folder.',
    )
  const newer = await findUnknownMigrations(steps)
  if (newer.length > 0)
    throw new CommandExitError(
      `This backup was made by a newer version of Orbweaver (it has ${newer.join(', ')}). Restore it with that version.`,
    )
  assertNoLinks(folder)
  if (database === 'sqlite') await readSqliteFacts(join(folder, SQLITE_COPY))
  const lock = lockDataDir(dataDir)
  try {
    const inTheWay = presentIn(dataDir)
    if (inTheWay.length > 0 && !force)
      throw new CommandExitError(
        `${dataDir} already has data (${inTheWay.join(', ')}). Use --force to move them aside, or set ORB_DATA_DIR to another folder.`,
      )
    if (databaseUrl) await restorePostgres(databaseUrl, join(folder, POSTGRES_DUMP), force)
    const movedTo = moveAside(dataDir, inTheWay)
    copyFiles(folder, dataDir)
    if (!databaseUrl) {
      const partial = `${databasePath(dataDir)}.partial`
      cpSync(join(folder, SQLITE_COPY), partial)
      renameSync(partial, databasePath(dataDir))
    }
    return { dataDir, createdAt, ...(movedTo ? { movedTo } : {}) }
  } finally {
    lock.release()
  }
}

/** A link in a backup would bring files of this machine into the data folder, or lead writes out of it. */
function assertNoLinks(folder: string): void {
  const link = readdirSync(folder, { withFileTypes: true, recursive: true }).find((entry) => entry.isSymbolicLink())
  if (link)
    throw new CommandExitError(`${join(link.parentPath, link.name)} is a symbolic link; a backup contains files only.`)
}

function readManifest(folder: string): Manifest {
  const path = join(folder, MANIFEST)
  if (!existsSync(path)) throw new CommandExitError(`${folder} is not a backup: it has no ${MANIFEST}.`)
  try {
    return manifest.parse(JSON.parse(readFileSync(path, 'utf8')))
  } catch {
    throw new CommandExitError(`${path} cannot be read as the description of a backup.`)
  }
}

function presentIn(dataDir: string): string[] {
  const database = basename(databasePath(dataDir))
  const ours = [
    database,
    `${database}-wal`,
    `${database}-shm`,
    basename(blobsFolder(dataDir)),
    FIRST_KEY,
    SECRET_KEY_FILE,
  ]
  return ours.filter((name) => existsSync(join(dataDir, name)))
}

function moveAside(dataDir: string, names: readonly string[]): string | undefined {
  if (names.length === 0) return undefined
  const aside = join(dataDir, `before-restore-${timeForFileName()}`)
  mkdirSync(aside, { mode: 0o700 })
  for (const name of names) renameSync(join(dataDir, name), join(aside, name))
  return aside
}

export const timeForFileName = (): string => new Date().toISOString().replace(/[:.]/g, '-')

const VERSIONED = '/usr/lib/postgresql'
const PLACES = ['/usr/local/bin', '/opt/homebrew/bin', '/usr/bin', '/usr/pgsql/bin']

/** The newest version: an older tool refuses a newer server, never the reverse. */
function toolPath(name: string): string | undefined {
  const versions = existsSync(VERSIONED) ? readdirSync(VERSIONED).sort((a, b) => Number(b) - Number(a)) : []
  const folders = [...versions.map((version) => join(VERSIONED, version, 'bin')), ...PLACES]
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path))
}

/** Through the environment: all users of the machine can read arguments. */
function withoutPassword(url: string): { address: string; env: Record<string, string> } {
  const parsed = new URL(url)
  const password = decodeURIComponent(parsed.password)
  parsed.password = ''
  return { address: parsed.href, env: password ? { PGPASSWORD: password } : {} }
}

async function run(name: string, args: readonly string[], url: string): Promise<void> {
  const { address, env } = withoutPassword(url)
  const path = toolPath(name)
  const line = [name, ...args, `--dbname=${address}`].join(' ')
  if (!path)
    throw new CommandExitError(
      `${name} is not installed here. Install PostgreSQL's client programs, or run where they are:\n  ${line}`,
    )
  try {
    await promisify(execFile)(path, [...args, `--dbname=${address}`], { env, maxBuffer: 1024 * 1024 })
  } catch (error) {
    const said = (error as { stderr?: string }).stderr?.trim() || (error as Error).message
    throw new CommandExitError(`${name} failed:\n${said}`)
  }
}

async function dumpPostgres(url: string, file: string): Promise<{ steps: string[]; instanceId?: string }> {
  const { steps, instanceId } = await factsOf(url)
  if (steps.length === 0)
    throw new CommandExitError('There is nothing to back up: no service has used this PostgreSQL database yet.')
  const newer = await findUnknownMigrations(steps)
  if (newer.length > 0)
    throw new CommandExitError(
      `The database was written by a newer version of Orbweaver (it has ${newer.join(', ')}). Back it up with that version.`,
    )
  await run('pg_dump', ['--format=custom', '--no-owner', `--file=${file}`], url)
  return { steps, ...(instanceId ? { instanceId } : {}) }
}

async function restorePostgres(url: string, file: string, force: boolean): Promise<void> {
  const { steps, inUseBy } = await factsOf(url)
  if (inUseBy > 0)
    throw new CommandExitError(
      `Services hold ${inUseBy} connections to this PostgreSQL database. Stop every \`orb start\`, \`orb serve\` and \`orb work\` on it first.`,
    )
  if (steps.length > 0 && !force)
    throw new CommandExitError(
      'This PostgreSQL database already has data. Use --force to replace it (back it up first).',
    )
  await run('pg_restore', ['--clean', '--if-exists', '--no-owner', '--single-transaction', file], url)
}

async function factsOf(url: string) {
  const { readPostgresFacts } = await import('../store/postgres-facts.ts')
  return readPostgresFacts(url).catch((error: Error) => {
    throw new CommandExitError(`The PostgreSQL server of ORB_DATABASE_URL cannot be reached: ${error.message}`)
  })
}

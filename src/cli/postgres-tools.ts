// Runs pg_dump and pg_restore where they are installed; otherwise the command prints what to run.
import { execFile } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { CommandExitError, exitCodes } from './command.ts'
import { findUnknownMigrations } from './known-migrations.ts'

const VERSIONED = '/usr/lib/postgresql'
const PLACES = ['/usr/local/bin', '/opt/homebrew/bin', '/usr/bin', '/usr/pgsql/bin']

const refuse = (sentence: string): CommandExitError => new CommandExitError(sentence, exitCodes.failed.code)

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
    throw refuse(
      `${name} is not installed here. Install PostgreSQL's client programs, or run where they are:\n  ${line}`,
    )
  try {
    await promisify(execFile)(path, [...args, `--dbname=${address}`], { env, maxBuffer: 1024 * 1024 })
  } catch (error) {
    const said = (error as { stderr?: string }).stderr?.trim() || (error as Error).message
    throw refuse(`${name} failed:\n${said}`)
  }
}

export async function dumpPostgres(url: string, file: string): Promise<{ steps: string[]; instanceId?: string }> {
  const { steps, instanceId } = await factsOf(url)
  if (steps.length === 0) throw refuse('There is nothing to back up: no service has used this PostgreSQL database yet.')
  const newer = await findUnknownMigrations(steps)
  if (newer.length > 0)
    throw refuse(
      `The database was written by a newer version of Orbweaver (it has ${newer.join(', ')}). Back it up with that version.`,
    )
  await run('pg_dump', ['--format=custom', '--no-owner', `--file=${file}`], url)
  return { steps, ...(instanceId ? { instanceId } : {}) }
}

export async function restorePostgres(url: string, file: string, force: boolean): Promise<void> {
  const { steps, inUseBy } = await factsOf(url)
  if (inUseBy > 0)
    throw refuse(
      `Services hold ${inUseBy} connections to this PostgreSQL database. Stop every \`orb start\`, \`orb serve\` and \`orb work\` on it first.`,
    )
  if (steps.length > 0 && !force)
    throw refuse('This PostgreSQL database already has data. Use --force to replace it (back it up first).')
  await run('pg_restore', ['--clean', '--if-exists', '--no-owner', '--single-transaction', file], url)
}

async function factsOf(url: string) {
  const { readPostgresFacts } = await import('../store/postgres-facts.ts')
  return readPostgresFacts(url).catch((error: Error) => {
    throw refuse(`The PostgreSQL server of ORB_DATABASE_URL cannot be reached: ${error.message}`)
  })
}

// Starts a private PostgreSQL for the tests: the machine's programs, a temporary folder, a free port on the loopback.
// Installs Debian's package as root where `required`; a server that ORB_TEST_DATABASE_URL names is used instead. Never leaves
// a server behind.
import { execFile, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, readdirSync } from 'node:fs'
import { chmod, chown, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'

const run = promisify(execFile)
/** Folders with a folder of programs for each version: Debian, Homebrew on both processors. */
const VERSIONED = ['/usr/lib/postgresql', '/opt/homebrew/opt', '/usr/local/opt']
const START_MS = 20_000
const INSTALL_MS = 180_000
// Runs the server until its own input ends, which happens however the tests end, kill -9 included.
// Then the folder ($0) goes too.
const KEEPER = '"$@" & pid=$!; read -r _; kill -INT $pid 2>/dev/null; wait $pid; cd /; rm -rf "$0"'

const HOW =
  'Install it (`apt-get install postgresql` as root, `brew install postgresql@16`), or name a server that runs in ORB_TEST_DATABASE_URL.'

/**
 * @param {{ required?: boolean, say?: (sentence: string) => void, settings?: Record<string, string | number> }} options required:
 *   rejects, with what to do, where there is none; settings: replace those for tests
 * @returns {Promise<{ url: string, stop(): Promise<void> } | undefined>}
 */
export async function startPostgres({ required = false, say = console.log, settings = {} } = {}) {
  const given = process.env.ORB_TEST_DATABASE_URL
  if (given) {
    say('PostgreSQL: the one that ORB_TEST_DATABASE_URL names.')
    return { url: given, stop: async () => {} }
  }
  try {
    const bin = findBinaries() ?? (required ? await install(say) : undefined)
    if (bin) return await start(bin, say, settings)
  } catch (error) {
    if (required) throw new Error(`PostgreSQL could not be started: ${firstLine(error)}. ${HOW}`)
    say(`PostgreSQL: could not be started (${firstLine(error)}); its tests are skipped.`)
    return undefined
  }
  if (required) throw new Error(`PostgreSQL is not installed, and the suite tests on it. ${HOW}`)
  say('PostgreSQL: not found; its tests are skipped. `npm test` needs it.')
  return undefined
}

/** The newest version's folder of programs, or the one on the path. */
function findBinaries() {
  const versioned = VERSIONED.filter((folder) => existsSync(folder)).flatMap((folder) =>
    readdirSync(folder)
      .filter((name) => /^(?:postgresql@)?\d+$/.test(name))
      .sort((a, b) => Number.parseInt(b.replace(/\D/g, ''), 10) - Number.parseInt(a.replace(/\D/g, ''), 10))
      .map((name) => join(folder, name, 'bin')),
  )
  const onPath = (process.env.PATH ?? '').split(':').filter(Boolean)
  const has = (bin) => ['initdb', 'postgres', 'pg_isready'].every((program) => existsSync(join(bin, program)))
  return [...versioned, ...onPath].find(has)
}

async function install(say) {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return undefined
  say('PostgreSQL: installing the Debian package for the tests …')
  // A policy that forbids starting services: only the programs are wanted, not Debian's own cluster.
  const policy = '/usr/sbin/policy-rc.d'
  const ownPolicy = !existsSync(policy)
  if (ownPolicy) await writeFile(policy, '#!/bin/sh\nexit 101\n', { mode: 0o755 })
  try {
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
    await run('apt-get', ['-qq', 'update'], { env, timeout: INSTALL_MS })
    const packages = ['-qq', '-y', '--no-install-recommends', 'install', 'postgresql']
    await run('apt-get', packages, { env, timeout: INSTALL_MS, maxBuffer: 64 * 1024 * 1024 })
  } finally {
    if (ownPolicy) await rm(policy, { force: true })
  }
  return findBinaries()
}

async function start(bin, say, given) {
  const began = performance.now()
  const owner = await serverUser()
  const folder = await mkdtemp(join(tmpdir(), 'orb-postgres-'))
  try {
    await chmod(folder, 0o700)
    if (owner) await chown(folder, owner.uid, owner.gid)
    const data = join(folder, 'data')
    const password = randomBytes(12).toString('hex')
    const passwordFile = join(folder, 'password')
    await writeFile(passwordFile, password, { mode: 0o600 })
    if (owner) await chown(passwordFile, owner.uid, owner.gid)
    // Not SCRAM: its rounds cost more CPU than the statements of most of some thousand connections.
    const setup = ['-D', data, '-U', 'orb', '-A', 'md5', `--pwfile=${passwordFile}`, '-E', 'UTF8']
    await run(join(bin, 'initdb'), [...setup, '--locale=C', '--no-sync', '--no-instructions'], {
      ...owner,
      cwd: folder,
    })
    const sockets = join(folder, 'sockets')
    await mkdir(sockets)
    if (owner) await chown(sockets, owner.uid, owner.gid)
    const port = await freePort()
    const server = spawn(
      '/bin/sh',
      ['-c', KEEPER, folder, join(bin, 'postgres'), '-D', data, ...serverSettings(port, sockets, given)],
      {
        ...owner,
        cwd: folder,
        // A session of its own, so that Ctrl-C reaches the keeper only through the end of its input.
        detached: true,
        stdio: ['pipe', 'ignore', 'pipe'],
      },
    )
    const stop = stopper(server)
    await untilReady(server, join(bin, 'pg_isready'), sockets, port)
    say(`PostgreSQL: started ${bin} on 127.0.0.1:${port} for the tests (${Math.round(performance.now() - began)} ms).`)
    return { url: `postgres://orb:${password}@127.0.0.1:${port}/postgres`, stop }
  } catch (error) {
    await rm(folder, { recursive: true, force: true })
    throw error
  }
}

/** The server refuses to run as root; Debian's package brings a user for it. */
async function serverUser() {
  if (process.getuid?.() !== 0) return undefined
  const [uid, gid] = await Promise.all(['-u', '-g'].map((flag) => run('id', [flag, 'postgres'])))
  return { uid: Number(uid.stdout), gid: Number(gid.stdout) }
}

function serverSettings(port, sockets, given) {
  const settings = {
    listen_addresses: '127.0.0.1',
    port,
    unix_socket_directories: sockets,
    // Nothing here needs to outlive a crash.
    fsync: 'off',
    synchronous_commit: 'off',
    full_page_writes: 'off',
    // Each of the many databases of a run would get a worker every minute.
    autovacuum: 'off',
    shared_buffers: '32MB',
    // Tests read through the log.
    min_wal_size: '32MB',
    max_wal_size: '64MB',
    // A service takes up to 26, and several files with two or three services run at once.
    max_connections: 400,
    ...given,
  }
  return Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
}

function freePort() {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.on('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address()
      probe.close(() => resolve(port))
    })
  })
}

/** Lets go of the keeper's input and waits until it has cleaned up. */
function stopper(server) {
  const gone = new Promise((resolve) => server.once('exit', resolve))
  return async () => {
    server.stdin.end()
    await gone
  }
}

async function untilReady(server, probe, sockets, port) {
  let words = ''
  server.stderr.on('data', (chunk) => {
    words = (words + chunk).slice(-2_000)
  })
  const until = Date.now() + START_MS
  while (Date.now() < until && server.exitCode === null) {
    const ready = await run(probe, ['-q', '-h', sockets, '-p', String(port)]).catch(() => undefined)
    if (ready) return
    await sleep(50)
  }
  server.stdin.end()
  throw new Error(`it did not get ready: ${words.trim().split('\n').pop() ?? ''}`)
}

const firstLine = (error) => String(error instanceof Error ? error.message : error).split('\n')[0]

// `node scripts/postgres.mjs` starts one to play with, until interrupted.
if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const server = await startPostgres()
  if (server) {
    console.log(server.url)
    process.once('SIGINT', () => void server.stop())
    process.once('SIGTERM', () => void server.stop())
  }
}

// The walls of the sandbox where there is no bubblewrap: a user of its own for each sandbox, which only root can lend,
// Landlock and a seccomp filter (fence-program.ts). It has no network at all: its one way to the browser is a pipe.
import { execFile } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { lstat, readdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { limitsOf, PRLIMIT, SCRATCH_BYTES, type Walls } from './bubblewrap.ts'
import type { Kit } from './kit.ts'

const SYSTEM = [
  '/usr',
  '/bin',
  '/sbin',
  '/lib',
  '/lib32',
  '/lib64',
  '/etc/alternatives',
  '/etc/ld.so.cache',
  '/etc/ssl/openssl.cnf',
]
/** Runtimes ask for these when they start. */
const FACTS = ['/proc/meminfo', '/proc/cpuinfo', '/proc/stat', '/sys/devices/system/cpu']

export interface FenceOptions {
  kit: Kit
  /** The folder that is all it can write to. */
  own: string
  env: Record<string, string>
  program: readonly string[]
}

export function fenceFor({ kit, own, env, program }: FenceOptions): Walls {
  const readable = [...SYSTEM, ...FACTS, kit.path, dirname(kit.ownNode)].filter((path) => existsSync(path))
  const fence = [kit.python ?? '', '-I', join(kit.path, 'fence.py'), own, readable.join(':'), ...program]
  return { command: PRLIMIT ?? '', args: [...limitsOf(), ...fence], env }
}

/** Undefined when the walls stand; otherwise the reason why they do not. */
export async function whyNoFence(kit: Kit, own: string, user: number | undefined): Promise<string | undefined> {
  if (process.platform !== 'linux') return 'code runs only on Linux, where it can be shut in'
  if (user === undefined) return 'only root can lend each sandbox a user of its own'
  if (!PRLIMIT) return 'prlimit is not installed'
  if (!kit.python) return 'python3, which sets the limits there, is not installed'
  const { command, args, env } = fenceFor({ kit, own, env: {}, program: ['/usr/bin/true'] })
  try {
    await promisify(execFile)(command, args, { env, cwd: '/', timeout: 10_000, uid: user, gid: user })
    return undefined
  } catch (error) {
    const said = String((error as { stderr?: string }).stderr || (error as Error).message).trim()
    return said.split('\n').at(-1)
  }
}

/** Ends everything that runs as this user, at once: the system does it in one sweep, so nothing is born meanwhile. */
export async function endUser(user: number): Promise<void> {
  const who = { uid: user, gid: user, cwd: '/', env: {}, timeout: 5000 }
  await promisify(execFile)('/bin/sh', ['-c', 'kill -9 -1'], who).catch(() => undefined)
}

/** Whether anything runs as this user now. */
export const isUserBusy = (user: number): boolean => processesOf(user).length > 0

/** How much memory all that runs as this user holds together. */
export function userBytes(user: number): number {
  let pages = 0
  for (const pid of processesOf(user)) {
    try {
      pages += Number(readFileSync(`/proc/${pid}/statm`, 'latin1').split(' ')[1]) || 0
    } catch {
      // It has ended meanwhile.
    }
  }
  return pages * PAGE_BYTES
}

function processesOf(user: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => {
      try {
        return statSync(`/proc/${name}`).uid === user
      } catch {
        return false
      }
    })
    .map(Number)
}

const PAGE_BYTES = 4096
const MAX_ENTRIES = 20_000

/** True when more was written than may be. */
export async function isOverfull(folder: string): Promise<boolean> {
  let bytes = 0
  let entries = 0
  const left = [folder]
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    for (const entry of await readdir(next, { withFileTypes: true }).catch(() => [])) {
      entries += 1
      const path = join(next, entry.name)
      if (entry.isDirectory()) left.push(path)
      else bytes += (await lstat(path).catch(() => undefined))?.size ?? 0
      if (bytes > 2 * SCRATCH_BYTES || entries > MAX_ENTRIES) return true
    }
  }
  return false
}

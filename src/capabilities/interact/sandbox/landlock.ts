// The sandbox without bubblewrap: a separate user (needs root), Landlock and a seccomp filter (inside/landlock.py).
// It has no network; a pipe is its only way to the browser.
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { PRLIMIT_PATH, prlimitArguments } from './limits.ts'
import { listProcessesOfUser } from './process-tree.ts'
import { LANDLOCK_LAUNCHER_FILE, type RuntimeFolder, SECCOMP_FILTER_FILES } from './runtime-folder.ts'
import { type LaunchCommand, tryLaunch } from './try-launch.ts'

const READABLE = [
  '/usr',
  '/bin',
  '/sbin',
  '/lib',
  '/lib32',
  '/lib64',
  '/etc/alternatives',
  '/etc/ld.so.cache',
  '/etc/ssl/openssl.cnf',
  // Runtimes read these at start.
  '/proc/meminfo',
  '/proc/cpuinfo',
  '/proc/stat',
  '/sys/devices/system/cpu',
]

interface LandlockOptions {
  bundle: RuntimeFolder
  /** Its only writable folder. */
  folder: string
  env: Record<string, string>
  program: readonly string[]
}

export function makeLandlockLaunch({ bundle, folder, env, program }: LandlockOptions): LaunchCommand {
  const readable = [...READABLE, bundle.path, dirname(bundle.ownNode)].filter((path) => existsSync(path))
  const launcher = [bundle.python ?? '', '-I', join(bundle.path, LANDLOCK_LAUNCHER_FILE)]
  const walls = [folder, readable.join(':'), join(bundle.path, SECCOMP_FILTER_FILES.none)]
  return {
    command: PRLIMIT_PATH ?? '',
    args: [...prlimitArguments(), ...launcher, ...walls, ...program],
    env,
    inputFile: undefined,
  }
}

export async function reasonLandlockFails(
  bundle: RuntimeFolder,
  folder: string,
  user: number | undefined,
): Promise<string | undefined> {
  if (process.platform !== 'linux') return 'code runs only on Linux, where it can be isolated'
  if (user === undefined) return 'only root can lend each sandbox a user of its own'
  if (!PRLIMIT_PATH) return 'prlimit is not installed'
  if (!bundle.python) return 'python3, which sets the limits there, is not installed'
  return tryLaunch(makeLandlockLaunch({ bundle, folder, env: {}, program: ['/usr/bin/true'] }), user)
}

/** As long as the kernel may take to free the memory of killed programs; nothing can be started before. */
const END_MS = 30_000
const LOOK_MS = 20

/**
 * Kills all processes of this user in one system call, so that none can fork meanwhile. Waits until they are gone: the
 * dying still count against the user's limit, and a program that is started then fails.
 */
export async function killProcessesOfUser(user: number): Promise<void> {
  const who = { uid: user, gid: user, cwd: '/', env: {}, timeout: END_MS }
  await promisify(execFile)('/bin/sh', ['-c', 'kill -9 -1'], who).catch(() => undefined)
  const until = performance.now() + END_MS
  while (listProcessesOfUser(user).length > 0 && performance.now() < until) await sleep(LOOK_MS)
}

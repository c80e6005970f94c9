// The walls of the sandbox, by bubblewrap: namespaces of its own for processes, network, files and users, nothing to write
// to but two small folders in memory, and limits that the code inside cannot raise.
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { promisify } from 'node:util'
import type { Kit } from './kit.ts'

export interface Walls {
  command: string
  args: string[]
  env: Record<string, string>
}

export interface WallOptions {
  kit: Kit
  /** The folder with the socket of the session's browser. */
  sessionDir: string
  env: Record<string, string>
  program: readonly string[]
}

const MB = 1024 * 1024
export const SCRATCH_BYTES = 64 * MB
/** Threads count as processes here, and a runtime has a dozen. */
const PROCESSES = 128
const OPEN_FILES = 512
/** Of one process: what is left behind to burn a core ends by itself. */
const CPU_SECONDS = 600

const BWRAP = ['/usr/bin/bwrap', '/usr/local/bin/bwrap', '/bin/bwrap'].find((path) => existsSync(path))
export const PRLIMIT = ['/usr/bin/prlimit', '/bin/prlimit'].find((path) => existsSync(path))

/** What the code inside cannot raise, for `prlimit`. */
export const limitsOf = (): string[] => [
  `--nproc=${PROCESSES}`,
  `--nofile=${OPEN_FILES}`,
  `--fsize=${SCRATCH_BYTES}`,
  `--cpu=${CPU_SECONDS}`,
  '--core=0',
  '--memlock=65536',
]

export function wallsFor({ kit, sessionDir, env, program }: WallOptions): Walls {
  const walls = [
    ...['--unshare-all', '--unshare-user', '--disable-userns', '--die-with-parent', '--new-session', '--clearenv'],
    ...['--uid', '1000', '--gid', '1000', '--hostname', 'session'],
    ...['--ro-bind', '/usr', '/usr', ...['bin', 'sbin', 'lib', 'lib32', 'lib64'].flatMap(systemFolder)],
    ...['/etc/alternatives', '/etc/ld.so.cache'].flatMap((path) => (existsSync(path) ? ['--ro-bind', path, path] : [])),
    ...['--proc', '/proc', '--dev', '/dev'],
    ...['--size', String(SCRATCH_BYTES), '--perms', '1777', '--tmpfs', '/tmp'],
    ...['--size', String(SCRATCH_BYTES), '--tmpfs', '/home/session'],
    ...['--ro-bind', kit.path, '/orb/kit', '--ro-bind', sessionDir, '/orb/session'],
    ...['--remount-ro', '/dev', '--remount-ro', '/'],
    ...Object.entries(env).flatMap(([name, value]) => ['--setenv', name, value]),
    ...['--chdir', '/home/session', '--', ...program],
  ]
  return { command: PRLIMIT ?? '', args: [...limitsOf(), BWRAP ?? '', ...walls], env: {} }
}

/** On most systems these are links into /usr; elsewhere they are folders. */
function systemFolder(name: string): string[] {
  if (!existsSync(`/${name}`)) return []
  return existsSync(`/usr/${name}`) ? ['--symlink', `usr/${name}`, `/${name}`] : ['--ro-bind', `/${name}`, `/${name}`]
}

/** Undefined when the walls stand; otherwise the reason why they do not. */
export async function whyNoWalls(
  kit: Kit,
  sessionDir: string,
  asUser: number | undefined,
): Promise<string | undefined> {
  if (process.platform !== 'linux') return 'code runs only on Linux, where it can be shut in'
  if (!BWRAP) return 'bubblewrap is not installed (on Debian: apt-get install bubblewrap)'
  if (!PRLIMIT) return 'prlimit is not installed (on Debian: apt-get install util-linux)'
  const { command, args, env } = wallsFor({ kit, sessionDir, env: {}, program: ['/usr/bin/true'] })
  const user = asUser === undefined ? {} : { uid: asUser, gid: asUser }
  try {
    await promisify(execFile)(command, args, { env, timeout: 10_000, ...user })
    return undefined
  } catch (error) {
    const said = String((error as { stderr?: string }).stderr || (error as Error).message).trim()
    return `bubblewrap cannot build its walls here: ${said.split('\n', 1)[0]}`
  }
}

// The bubblewrap sandbox: own namespaces for processes, network, files, users and IPC, two small writable tmpfs
// folders, a seccomp filter, and limits that the code cannot raise.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { PRLIMIT_PATH, prlimitArguments, sandboxLimits } from './limits.ts'
import { type RuntimeFolder, SECCOMP_FILTER_FILES } from './runtime-folder.ts'
import { type LaunchCommand, tryLaunch } from './try-launch.ts'

interface BubblewrapOptions {
  bundle: RuntimeFolder
  /** The folder with the socket of the session's browser. */
  sessionDir: string
  env: Record<string, string>
  program: readonly string[]
}

/** tmpfs, each of `limits.folderBytes`. */
export const WRITABLE_FOLDERS = ['/tmp', '/home/session'] as const

const BWRAP = ['/usr/bin/bwrap', '/usr/local/bin/bwrap', '/bin/bwrap'].find((path) => existsSync(path))

export function makeBubblewrapLaunch({ bundle, sessionDir, env, program }: BubblewrapOptions): LaunchCommand {
  const [temporary, home] = WRITABLE_FOLDERS
  const args = [
    ...['--unshare-all', '--unshare-user', '--disable-userns', '--die-with-parent', '--new-session', '--clearenv'],
    ...['--uid', '1000', '--gid', '1000', '--hostname', 'session', '--seccomp', '5'],
    ...['--ro-bind', '/usr', '/usr', ...['bin', 'sbin', 'lib', 'lib32', 'lib64'].flatMap(systemFolder)],
    ...['/etc/alternatives', '/etc/ld.so.cache'].flatMap((path) => (existsSync(path) ? ['--ro-bind', path, path] : [])),
    // Shared mappings of /dev/zero are memory charged to no process; /dev/full reads as zeros and cannot be mapped.
    ...['--proc', '/proc', '--dev', '/dev', '--dev-bind', '/dev/full', '/dev/zero'],
    ...['--size', String(sandboxLimits.folderBytes), '--perms', '1777', '--tmpfs', temporary],
    ...['--size', String(sandboxLimits.folderBytes), '--tmpfs', home],
    ...['--ro-bind', bundle.path, '/orb/runtime', '--ro-bind', sessionDir, '/orb/session'],
    ...['--remount-ro', '/dev', '--remount-ro', '/'],
    ...Object.entries(env).flatMap(([name, value]) => ['--setenv', name, value]),
    // Inside, because the kernel counts processes per user namespace: outside, the service's threads would count too.
    ...['--chdir', home, '--', PRLIMIT_PATH ?? '', ...prlimitArguments(), ...program],
  ]
  return { command: BWRAP ?? '', args, env: {}, inputFile: join(bundle.path, SECCOMP_FILTER_FILES.loopback) }
}

/** Links into /usr on most systems, folders on others. */
function systemFolder(name: string): string[] {
  if (!existsSync(`/${name}`)) return []
  return existsSync(`/usr/${name}`) ? ['--symlink', `usr/${name}`, `/${name}`] : ['--ro-bind', `/${name}`, `/${name}`]
}

export async function reasonBubblewrapFails(
  bundle: RuntimeFolder,
  sessionDir: string,
  user: number | undefined,
): Promise<string | undefined> {
  if (process.platform !== 'linux') return 'code runs only on Linux, where it can be isolated'
  if (!BWRAP) return 'bubblewrap is not installed (on Debian: apt-get install bubblewrap)'
  if (!PRLIMIT_PATH) return 'prlimit is not installed (on Debian: apt-get install util-linux)'
  const failure = await tryLaunch(
    makeBubblewrapLaunch({ bundle, sessionDir, env: {}, program: ['/usr/bin/true'] }),
    user,
  )
  return failure && `bubblewrap cannot isolate processes on this machine: ${failure}`
}

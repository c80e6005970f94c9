// When the service is root, Chromium starts as `nobody` in a mount namespace without the data folder, root's home and
// our temporary files.
import { execFile } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'
import { access, chmod, constants, mkdir, open, realpath, writeFile } from 'node:fs/promises'
import { homedir, tmpdir } from 'node:os'
import { dirname, join, resolve, sep } from 'node:path'
import { promisify } from 'node:util'
import { NICE_INCREMENTS } from '../../base/cpu-priority.ts'
import type { ChromiumBinary } from './find-chromium.ts'
import { X11_SOCKET_FOLDER } from './virtual-display.ts'

interface Isolation {
  binary: ChromiumBinary
  note?: string
}

const NOBODY = 65534
const TRY_MS = 15_000
const NOT_ROOT =
  'Chromium runs as the user of the service, which can read the data folder. Only a service that runs as root can start it as another user.'

export async function isolateChromiumProcess(
  binary: ChromiumBinary,
  dataDir: string,
  folder = resolve(dataDir, 'browser'),
  isRoot = process.getuid?.() === 0,
): Promise<Isolation> {
  if (process.platform !== 'linux') return { binary }
  if (!isRoot) return { binary, note: NOT_ROOT }
  try {
    const program = await realpath(binary.path)
    if (await isScript(program)) throw new Error(`${binary.path} is a script, which may need files of its own`)
    // We unpacked it into a folder that only root may enter; the program is not secret.
    if (binary.pinned) await chmod(dirname(program), 0o755)
    const path = join(folder, `isolated-${binary.headful ? 'headful-' : ''}chromium`)
    const cache = join(folder, 'fonts-cache')
    await mkdir(cache, { recursive: true, mode: 0o700 })
    const home = homedir()
    const fonts = [resolve(dataDir, 'fonts'), join(home, '.fonts'), join(home, '.local/share/fonts')]
    const display = binary.headful ? [binary.env.XAUTHORITY ?? '', X11_SOCKET_FOLDER] : []
    const kept = [dirname(program), binary.env.FONTCONFIG_FILE ?? '', cache, ...fonts, ...display]
    const keeps = kept.filter((one) => existsSync(one))
    const text = scriptOf({ program, cache, keeps, hides: keepOutermost([resolve(dataDir), home, closedTo(tmpdir())]) })
    await writeFile(path, text, { mode: 0o700 })
    await promisify(execFile)(path, ['--version', '--no-sandbox'], { timeout: TRY_MS, env: { ...binary.env } })
    return { binary: { ...binary, path } }
  } catch (error) {
    const { stderr, message } = error as { stderr?: string; message: string }
    const because = (stderr?.trim() || message).split('\n', 1)[0]
    return {
      binary,
      note: `Chromium runs as root, which can read the data folder. It could not be isolated: ${because}`,
    }
  }
}

interface Script {
  program: string
  cache: string
  hides: readonly string[]
  keeps: readonly string[]
}

/** Opens the kept paths before hiding them and mounts them again by descriptor; 3 and 4 are the browser's pipe. */
function scriptOf({ program, cache, hides, keeps }: Script): string {
  const hidden = keeps.filter((keep) => hides.some((hide) => isInside(keep, hide)))
  const fd = (at: number) => at + 10
  const putBack = (path: string, at: number) => {
    const place = quoteForShell(path)
    const asFolder = `mkdir -p ${place}; mount -c --bind /proc/self/fd/${fd(at)} ${place}`
    const asFile = `mkdir -p ${quoteForShell(dirname(path))}; cat <&${fd(at)} >${place}`
    return `if [ -d /proc/self/fd/${fd(at)}/. ]; then ${asFolder}; else ${asFile}; fi`
  }
  const user = `--reuid=${NOBODY} --regid=${NOBODY} --clear-groups --bounding-set=-all --inh-caps=-all --no-new-privs`
  return `${[
    '#!/bin/bash',
    `[ "$1" = --isolated ] || exec unshare --mount --propagation private "$0" --isolated "$@"`,
    'shift',
    'set -e',
    'umask 022',
    `chown ${NOBODY}:${NOBODY} ${quoteForShell(cache)}`,
    `for one in "$@"; do case $one in --user-data-dir=*) profile=\${one#*=} ;; esac; done`,
    `if [ -n "$profile" ]; then chown ${NOBODY}:${NOBODY} "$profile"; exec 9<"$profile"; fi`,
    ...hidden.map((path, at) => `exec ${fd(at)}<${quoteForShell(path)}`),
    ...hides.map((path) => `mount -t tmpfs -o mode=755 orb ${quoteForShell(path)}`),
    `mkdir -p ${quoteForShell(tmpdir())}; chmod 1777 ${quoteForShell(tmpdir())}`,
    ...hidden.map(putBack),
    'if [ -n "$profile" ]; then mkdir -p "$profile"; mount -c --bind /proc/self/fd/9 "$profile"; exec 9<&-; fi',
    ...hidden.map((_path, at) => `exec ${fd(at)}<&-`),
    `exec setpriv ${user} /bin/sh -c 'exec "$0" "$@"' ${quoteForShell(program)} "$@"`,
  ].join('\n')}\n`
}

function closedTo(path: string): string {
  const parents = path.split(sep).map((_part, at, parts) => parts.slice(0, at + 1).join(sep) || sep)
  return parents.find((parent) => existsSync(parent) && (statSync(parent).mode & 0o001) === 0) ?? path
}

async function isScript(path: string): Promise<boolean> {
  const file = await open(path)
  try {
    const { buffer } = await file.read(Buffer.alloc(2), 0, 2, 0)
    return buffer.toString('latin1') === '#!'
  } finally {
    await file.close()
  }
}

const isInside = (path: string, folder: string): boolean => path === folder || path.startsWith(folder + sep)

const keepOutermost = (folders: readonly string[]): string[] =>
  [...new Set(folders)].filter(
    (one) => one !== sep && existsSync(one) && !folders.some((other) => other !== one && isInside(one, other)),
  )

const quoteForShell = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

const LOWER = `nice -n ${NICE_INCREMENTS.helpers}`
const DROP_RIGHT = '/usr/bin/setpriv --bounding-set=-sys_nice'
const PRIORITY_TRY_MS = 5000

/** Starts Chromium through a script that lowers its priority, so that forked processes inherit it. */
export async function wrapWithLowPriority(binary: ChromiumBinary, folder: string): Promise<ChromiumBinary> {
  const path = join(resolve(folder), `low-priority-${binary.headful ? 'headful-' : ''}chromium`)
  const isRoot = process.platform === 'linux' && process.getuid?.() === 0
  for (const prefix of isRoot ? [`${LOWER} ${DROP_RIGHT}`, LOWER] : [LOWER]) {
    try {
      await promisify(execFile)('/bin/sh', ['-c', `${prefix} true`], {
        timeout: PRIORITY_TRY_MS,
        env: { ...binary.env },
      })
      await mkdir(folder, { recursive: true, mode: 0o700 })
      await writeFile(path, `#!/bin/sh\nexec ${prefix} ${quoteForShell(binary.path)} "$@"\n`, { mode: 0o700 })
      await access(path, constants.X_OK)
      return { ...binary, path }
    } catch {}
  }
  return binary
}

// What a sandbox needs, in one world-readable folder: runners, Playwright, seccomp filters, and a copy of Node where
// only its owner can read it. Built once per version.
import { createHash, randomBytes } from 'node:crypto'
import { constants, existsSync } from 'node:fs'
import { access, chmod, cp, mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isSeccompArchitecture, makeSeccompFilter } from './seccomp.ts'

export interface RuntimeFolder {
  /** Path on the host. */
  path: string
  /** Path of Node inside the sandbox. */
  node: string
  /** Path of Node on the host. */
  ownNode: string
  /** Undefined without a usable Python. */
  python: string | undefined
}

const require = createRequire(import.meta.url)
const INSIDE = fileURLToPath(new URL('../inside/', import.meta.url))
const AGENT_BROWSER_FILE = 'agent-browser.cjs'
/** Increment when the folder's contents change. */
const LAYOUT_VERSION = 4
/** Read before the service sets its own temporary folder: the bundle outlives it. */
const SYSTEM_TEMP_FOLDER = tmpdir()
export const SECCOMP_FILTER_FILES = { loopback: 'loopback.bpf', none: 'none.bpf' }
export const LANDLOCK_LAUNCHER_FILE = 'landlock.py'
const PYTHONS = ['/usr/bin/python3', '/usr/local/bin/python3']

export async function prepareRuntimeFolder(version: string): Promise<RuntimeFolder> {
  const filters = filtersHere()
  const library = dirname(require.resolve('playwright-core/package.json'))
  const acorn = dirname(require.resolve('acorn/package.json'))
  const inside = (await readdir(INSIDE)).filter((name) => /\.(?:c?js|py|sh)$/.test(name)).sort()
  const facts = await Promise.all(inside.map((name) => stat(join(INSIDE, name)).then(({ mtimeMs }) => mtimeMs)))
  const mark = createHash('sha256')
    .update(
      JSON.stringify([
        LAYOUT_VERSION,
        version,
        process.version,
        process.getuid?.(),
        library,
        inside,
        facts,
        filters.map(([, bytes]) => bytes.toString('base64')),
      ]),
    )
    .digest('hex')
  const path = join(SYSTEM_TEMP_FOLDER, `orb-runtime-${mark.slice(0, 16)}`)
  const hidden = !(await isOpenToAll(process.execPath)) || !process.execPath.startsWith('/usr/')
  const node = hidden ? '/orb/runtime/bin/node' : process.execPath
  if (!(await isOurs(path)))
    await writeBundle(path, { library, acorn, inside, filters, node: hidden ? process.execPath : undefined })
  const ownNode = hidden ? join(path, 'bin/node') : process.execPath
  return { path, node, ownNode, python: PYTHONS.find((one) => existsSync(one)) }
}

function filtersHere(): [name: string, bytes: Buffer][] {
  const { arch } = process
  if (!isSeccompArchitecture(arch)) throw new Error(`no seccomp filter exists for this processor (${arch})`)
  return [
    [SECCOMP_FILTER_FILES.loopback, makeSeccompFilter(arch, 'loopback')],
    [SECCOMP_FILTER_FILES.none, makeSeccompFilter(arch, 'none')],
  ]
}

/** Rejects a folder that another user created under that name. */
async function isOurs(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => undefined)
  if (!found) return false
  if (found.uid !== process.getuid?.() || (found.mode & 0o022) !== 0)
    throw new Error(`${path} belongs to another user; remove it`)
  return true
}

interface BundleParts {
  library: string
  acorn: string
  inside: readonly string[]
  filters: [name: string, bytes: Buffer][]
  node: string | undefined
}

/** Written under a temporary name and renamed: two services may write it at once. */
async function writeBundle(path: string, { library, acorn, inside, filters, node }: BundleParts): Promise<void> {
  const draft = `${path}.${randomBytes(6).toString('hex')}`
  const modules = join(draft, 'node_modules')
  await mkdir(join(draft, 'bin'), { recursive: true, mode: 0o755 })
  await Promise.all([
    cp(library, join(modules, 'playwright-core'), { recursive: true }),
    cp(acorn, join(modules, 'acorn'), { recursive: true }),
    ...inside.map((name) => cp(join(INSIDE, name), join(draft, name))),
    writeFile(join(draft, 'package.json'), '{"type":"module"}'),
    ...filters.map(([name, bytes]) => writeFile(join(draft, name), bytes)),
    writeFile(join(draft, 'bin', 'package.json'), '{"type":"commonjs"}'),
    cp(join(INSIDE, AGENT_BROWSER_FILE), join(draft, 'bin', 'agent-browser')),
    ...(node ? [cp(node, join(draft, 'bin', 'node'))] : []),
  ])
  await openToAll(draft)
  await rename(draft, path).catch(async (error: NodeJS.ErrnoException) => {
    await rm(draft, { recursive: true, force: true })
    if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error
  })
}

/** Sandbox users own nothing, so the files must be readable whatever the umask. */
async function openToAll(folder: string): Promise<void> {
  await chmod(folder, 0o755)
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) await openToAll(path)
    else await chmod(path, dirname(path).endsWith('/bin') ? 0o755 : 0o644)
  }
}

async function isOpenToAll(path: string): Promise<boolean> {
  await access(path, constants.R_OK)
  for (let at = path; at !== '/'; at = dirname(at)) {
    const { mode } = await stat(at)
    if ((mode & 0o005) !== 0o005) return false
  }
  return true
}

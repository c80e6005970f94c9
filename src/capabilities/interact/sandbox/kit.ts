// What a sandbox needs of us, in one folder that any user may read: our runners, the library, and the runtime itself where
// it lies hidden in somebody's home. Made once for each version; the service's own folders are never shown to a sandbox.
import { createHash, randomBytes } from 'node:crypto'
import { constants, existsSync } from 'node:fs'
import { access, chmod, cp, mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { AGENT_BROWSER, BASH_RUNNER } from '../inside/bash-runner.ts'
import { PYTHON_RUNNER } from '../inside/python-runner.ts'
import { FENCE_PROGRAM } from './fence-program.ts'

export interface Kit {
  /** The folder on this machine. */
  path: string
  /** The runtime as the sandbox sees it. */
  node: string
  /** The same as this machine sees it. */
  ownNode: string
  /** Undefined where there is none that a sandbox may use. */
  python: string | undefined
}

const require = createRequire(import.meta.url)
const INSIDE = fileURLToPath(new URL('../inside/', import.meta.url))
/** Raised when what lies in the folder changes. */
const LAYOUT = 3
/** The system's own folder, before the service has one that goes with it: the kit is for all that come after. */
const LASTING = tmpdir()
const PYTHONS = ['/usr/bin/python3', '/usr/local/bin/python3']

export async function makeKit(version: string): Promise<Kit> {
  const library = dirname(require.resolve('playwright-core/package.json'))
  const acorn = dirname(require.resolve('acorn/package.json'))
  const inside = (await readdir(INSIDE)).filter((name) => /\.js$/.test(name)).sort()
  const facts = await Promise.all(inside.map((name) => stat(join(INSIDE, name)).then(({ mtimeMs }) => mtimeMs)))
  const mark = createHash('sha256')
    .update(
      JSON.stringify([
        LAYOUT,
        version,
        process.version,
        process.getuid?.(),
        library,
        facts,
        PYTHON_RUNNER,
        BASH_RUNNER,
        AGENT_BROWSER,
        FENCE_PROGRAM,
      ]),
    )
    .digest('hex')
  const path = join(LASTING, `orb-kit-${mark.slice(0, 16)}`)
  const hidden = !(await isOpenToAll(process.execPath)) || !process.execPath.startsWith('/usr/')
  const node = hidden ? '/orb/kit/bin/node' : process.execPath
  if (!(await isOurs(path))) await fill(path, { library, acorn, inside, node: hidden ? process.execPath : undefined })
  const ownNode = hidden ? join(path, 'bin/node') : process.execPath
  return { path, node, ownNode, python: PYTHONS.find((one) => existsSync(one)) }
}

/** A folder of that name which somebody else made is not used. */
async function isOurs(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => undefined)
  if (!found) return false
  if (found.uid !== process.getuid?.() || (found.mode & 0o022) !== 0)
    throw new Error(`${path} belongs to somebody else; remove it`)
  return true
}

interface Filling {
  library: string
  acorn: string
  inside: readonly string[]
  node: string | undefined
}

/** Made under another name and then moved into place: two services may make it at once. */
async function fill(path: string, { library, acorn, inside, node }: Filling): Promise<void> {
  const draft = `${path}.${randomBytes(6).toString('hex')}`
  const modules = join(draft, 'node_modules')
  await mkdir(join(draft, 'bin'), { recursive: true, mode: 0o755 })
  await Promise.all([
    cp(library, join(modules, 'playwright-core'), { recursive: true }),
    cp(acorn, join(modules, 'acorn'), { recursive: true }),
    ...inside.map((name) => cp(join(INSIDE, name), join(draft, name))),
    writeFile(join(draft, 'package.json'), '{"type":"module"}'),
    writeFile(join(draft, 'python-runner.py'), PYTHON_RUNNER),
    writeFile(join(draft, 'bash-runner.sh'), BASH_RUNNER),
    writeFile(join(draft, 'fence.py'), FENCE_PROGRAM),
    writeFile(join(draft, 'bin', 'package.json'), '{"type":"commonjs"}'),
    writeFile(join(draft, 'bin', 'agent-browser'), AGENT_BROWSER, { mode: 0o755 }),
    ...(node ? [cp(node, join(draft, 'bin', 'node'))] : []),
  ])
  await openToAll(draft)
  await rename(draft, path).catch(async (error: NodeJS.ErrnoException) => {
    await rm(draft, { recursive: true, force: true })
    if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error
  })
}

/** Whoever runs in the sandbox is nobody in particular, whatever the service keeps to itself by default. */
async function openToAll(folder: string): Promise<void> {
  await chmod(folder, 0o755)
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) await openToAll(path)
    else await chmod(path, dirname(path).endsWith('/bin') ? 0o755 : 0o644)
  }
}

/** Whether every user of the machine could read it. */
async function isOpenToAll(path: string): Promise<boolean> {
  await access(path, constants.R_OK)
  for (let at = path; at !== '/'; at = dirname(at)) {
    const { mode } = await stat(at)
    if ((mode & 0o005) !== 0o005) return false
  }
  return true
}

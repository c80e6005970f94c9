// Makes the checkout ready to run, with nothing but Node: installs packages and builds when they are stale. Unchanged
// and offline it only compares a few stamps. No dependencies, so that it can run first on a fresh clone.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

export const root = dirname(dirname(fileURLToPath(import.meta.url)))
const dist = join(root, 'dist')
const stamps = join(root, 'node_modules', '.orb')
const BROWSER_MS = 600_000

const say = (text) => process.stderr.write(`${text}\n`)

let began = 0
/** A line before each thing that takes a while, with the seconds since the first. */
function step(text) {
  began ||= performance.now()
  const seconds = Math.round((performance.now() - began) / 1000)
  say(seconds > 0 ? `${text}  (${seconds} s so far)` : text)
}

/** Ends the command with a sentence that says what is missing and what to do. */
export function stop(text) {
  say(text)
  process.exit(1)
}

function requireNode() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  if (major < 20 || (major === 20 && minor < 19))
    stop(`Orbweaver needs Node 20.19 or newer; this is ${process.version}. Install a newer Node and try again.`)
}

const digestOf = (...parts) => createHash('sha256').update(parts.join('\0')).digest('hex')

const stampIs = (name, value) => {
  const path = join(stamps, name)
  return existsSync(path) && readFileSync(path, 'utf8') === value
}

const setStamp = (name, value) => {
  mkdirSync(stamps, { recursive: true })
  writeFileSync(join(stamps, name), value)
}

/** Packages, when package-lock.json or the kind of machine changed since they were installed. */
function ensurePackages() {
  const lock = readFileSync(join(root, 'package-lock.json'), 'utf8')
  const wanted = digestOf(lock, process.platform, process.arch, process.versions.modules)
  if (stampIs('packages', wanted)) return
  if (isInstalled(JSON.parse(lock).packages)) return setStamp('packages', wanted)
  step('Installing packages (npm ci; about a minute the first time) …')
  const npm = spawnSync('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: root,
    stdio: ['ignore', 2, 2],
  })
  if (npm.error) stop('npm was not found. Install Node with npm and try again.')
  if (npm.status !== 0)
    stop('npm could not install the packages; its output is above. Try again if it was a network or registry problem.')
  setStamp('packages', wanted)
}

/** Whether `npm install` has just put everything there, for this machine: npm notes what it installed. */
function isInstalled(packages) {
  try {
    const there = JSON.parse(readFileSync(join(root, 'node_modules/.package-lock.json'), 'utf8')).packages
    const fits = ({ os, cpu }) => (os?.includes(process.platform) ?? true) && (cpu?.includes(process.arch) ?? true)
    return Object.entries(packages).every(
      ([path, { integrity, os, cpu, optional }]) =>
        path === '' || !fits({ os, cpu }) || there[path]?.integrity === integrity || (optional && !there[path]),
    )
  } catch {
    return false
  }
}

/** The build, when any source changed. Sizes and times of the files tell; reading them all would cost more. */
function ensureBuild() {
  const wanted = digestOf(
    ...walk(join(root, 'src')),
    ...[
      'tsconfig.json',
      'tsconfig.build.json',
      'scripts/bundle.mjs',
      'scripts/sbom.mjs',
      'scripts/write-operations.mjs',
    ].flatMap((name) => facts(join(root, name))),
  )
  if (stampIs('build', wanted) && existsSync(join(dist, 'main.js'))) return
  step('Building the service …')
  // The dashboard and the docs are built by themselves.
  for (const name of existsSync(dist) ? readdirSync(dist) : [])
    if (name !== 'dashboard' && name !== 'docs') rmSync(join(dist, name), { recursive: true, force: true })
  const steps = [
    [join(root, 'node_modules/typescript/bin/tsc'), '-p', 'tsconfig.build.json'],
    [join(root, 'scripts/bundle.mjs')],
    [join(root, 'scripts/write-operations.mjs')],
  ]
  for (const step of steps) {
    const { status } = spawnSync(process.execPath, step, { cwd: root, stdio: ['ignore', 2, 2] })
    if (status !== 0) stop('The build failed; the error is above.')
  }
  setStamp('build', wanted)
}

/** The pages at /docs, when any of them changed. Like the dashboard, they are no reason not to start. */
function ensureDocs() {
  const wanted = digestOf(...walk(join(root, 'docs')), ...facts(join(root, 'scripts/write-docs.mjs')))
  if (stampIs('docs', wanted) && existsSync(join(dist, 'docs', 'pages.json'))) return
  const { status } = spawnSync(process.execPath, [join(root, 'scripts/write-docs.mjs')], {
    cwd: root,
    stdio: ['ignore', 2, 2],
  })
  if (status !== 0) return say('The pages at /docs could not be built; everything else works without them.')
  setStamp('docs', wanted)
}

/** The dashboard's page, when any of its sources changed. */
function ensureDashboard() {
  const wanted = digestOf(...walk(join(root, 'dashboard')), ...facts(join(root, 'package-lock.json')))
  if (stampIs('dashboard', wanted) && existsSync(join(dist, 'dashboard', 'index.html'))) return
  step('Building the dashboard …')
  const vite = spawnSync(
    process.execPath,
    [join(root, 'node_modules/vite/bin/vite.js'), 'build', 'dashboard', '--logLevel', 'warn'],
    { cwd: root, stdio: ['ignore', 2, 2] },
  )
  // Everything else works without it, so it is no reason to stop; the next start tries again.
  if (vite.status !== 0) {
    const instead = existsSync(join(dist, 'dashboard', 'index.html')) ? 'its last build is used' : 'there is none now'
    return say(`The dashboard could not be built (the output of vite is above): ${instead}. The API works without it.`)
  }
  setStamp('dashboard', wanted)
}

const facts = (path) => {
  const { mtimeMs, size } = statSync(path)
  return [path, String(mtimeMs), String(size)]
}

function walk(folder) {
  return readdirSync(folder, { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = join(folder, entry.name)
      if (entry.isDirectory()) return walk(path)
      return /\.test\.ts$/.test(entry.name) ? [] : facts(path)
    })
}

/**
 * A browser, when this machine has none: looked for and fetched once for each build of the finder. Nothing stops when
 * there is none to be had: what needs one says so.
 */
async function ensureBrowser() {
  const wanted = digestOf(process.platform, process.arch, readFileSync(join(root, 'package-lock.json'), 'utf8'))
  if (process.env.ORB_CHROMIUM || process.env.ORB_BROWSER_ENDPOINTS || stampIs('browser', wanted)) return
  const { downloadBrowser } = await import(pathToFileURL(join(dist, 'fetch', 'open-browser-services.js')).href)
  const dataDir = join(root, process.env.ORB_DATA_DIR ?? 'data')
  await downloadBrowser(undefined, dataDir, step, AbortSignal.timeout(BROWSER_MS)).catch(({ message }) =>
    say(`Pages cannot be rendered: ${message}. Everything else works. \`npx orbweaver browser\` tries again.`),
  )
  setStamp('browser', wanted)
}

/** The sandbox for code of callers (docs/interact.md); tried at most once a day, where apt-get can install it. */
function ensureSandbox() {
  const isThere = ['/usr/bin/bwrap', '/usr/local/bin/bwrap', '/bin/bwrap'].some((path) => existsSync(path))
  if (isThere || process.platform !== 'linux' || process.getuid() !== 0 || !existsSync('/usr/bin/apt-get')) return
  const today = new Date().toISOString().slice(0, 10)
  if (stampIs('sandbox', today)) return
  setStamp('sandbox', today)
  say('Installing bubblewrap, the sandbox for code of callers …')
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const install = (...args) => spawnSync('apt-get', args, { env, stdio: 'ignore', timeout: 120_000 }).status === 0
  const done =
    install('install', '-y', '--no-install-recommends', 'bubblewrap') ||
    (install('update') && install('install', '-y', '--no-install-recommends', 'bubblewrap'))
  if (!done) say('bubblewrap could not be installed; code in live sessions is refused without it.')
}

/** Packages, build, dashboard, docs and sandbox, as far as they are stale. */
export function setUp() {
  requireNode()
  ensurePackages()
  ensureBuild()
  ensureDashboard()
  ensureDocs()
  ensureSandbox()
}

/** The same and a browser: for commands that render pages. */
export async function setUpWithBrowser() {
  setUp()
  await ensureBrowser()
}

// `npm run platforms`: proof that the service installs on every kind of machine, without owning them. For each it runs
// `npm ci` for that machine into an empty folder, production packages only, and resolves every package that the built
// service loads there; what is optional and missing is named, what is required and missing fails.
//   npm run platforms                 all of them
//   npm run platforms -- linux-arm64  some of them
//   npm run platforms -- emulate      also runs the other Linux under emulation: start, scrape, PDF, crawl, SIGTERM
//   npm run platforms -- package      also installs the packed tarball with npm into an empty folder and starts it
import { spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { lacking, unsure } from './complete-lock.mjs'
import { emulate } from './platforms/emulate.mjs'
import { startPackage } from './platforms/package.mjs'
import { root, setUp } from './setup.mjs'

const PLATFORMS = {
  'linux-x64': { os: 'linux', cpu: 'x64', libc: 'glibc' },
  'linux-arm64': { os: 'linux', cpu: 'arm64', libc: 'glibc' },
  'darwin-arm64': { os: 'darwin', cpu: 'arm64' },
  'darwin-x64': { os: 'darwin', cpu: 'x64' },
  'linux-x64-musl': { os: 'linux', cpu: 'x64', libc: 'musl' },
  'linux-arm64-musl': { os: 'linux', cpu: 'arm64', libc: 'musl' },
}

/** Packages without which `npm start` and `npm test` of a checkout cannot build, each with its builds. */
const BUILD_TOOLS = ['typescript', 'rolldown', 'lightningcss', '@biomejs/biome']

setUp()
const wanted = process.argv.slice(2)
const chosen = Object.keys(PLATFORMS).filter((name) => wanted.includes(name))
const isOnlyExtra = wanted.length > 0 && chosen.length === 0
const names = isOnlyExtra ? [] : chosen.length > 0 ? chosen : Object.keys(PLATFORMS)
const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages
const { dependencies } = lock['']
let failed = 0

const doubts = [
  ...unsure(lock).map((path) => `${path} has no checksum`),
  ...lacking(lock).map(({ name, by }) => `${by} lacks ${name}`),
]
report('package-lock.json', doubts, [])
for (const name of names) check(name, PLATFORMS[name])
if (wanted.includes('package')) await attempt('npm package', startPackage)
if (wanted.includes('emulate')) await attempt('emulation', emulate)
console.log(failed === 0 ? '\nplatforms: all complete' : `\nplatforms: ${failed} not complete`)
process.exit(failed === 0 ? 0 : 1)

function report(name, missing, notes) {
  if (missing.length > 0) failed++
  console.log(
    `${missing.length > 0 ? '✗' : '✓'} ${name}${missing.map((what) => `\n    missing: ${what}`).join('')}${notes.map((what) => `\n    ${what}`).join('')}`,
  )
}

async function attempt(name, work) {
  try {
    report(name, [], await work(lock))
  } catch (error) {
    report(name, [error.message], [])
  }
}

function check(name, { os, cpu, libc }) {
  const folder = mkdtempSync(join(tmpdir(), `orb-${name}-`))
  try {
    for (const file of ['package.json', 'package-lock.json']) copyFileSync(join(root, file), join(folder, file))
    const flags = [`--os=${os}`, `--cpu=${cpu}`, ...(libc ? [`--libc=${libc}`] : [])]
    const quiet = ['--omit=dev', '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error']
    const npm = spawnSync('npm', ['ci', ...flags, ...quiet], { cwd: folder, encoding: 'utf8' })
    if (npm.status !== 0)
      return report(name, [`npm ci failed: ${npm.stderr.trim().split('\n').slice(0, 3).join(' ')}`], [])
    const missing = unresolved(folder, { os, cpu, libc })
    const tools = BUILD_TOOLS.flatMap((tool) => withoutBuild(tool, { os, cpu, libc }))
    report(name, [...missing, ...tools], [`${sizeOf(folder)} MB installed`])
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** What this installation lacks of the packages that the built service loads (the build lets it load no others). */
function unresolved(folder, machine) {
  const require = createRequire(join(folder, 'package.json'))
  const missing = []
  for (const name of Object.keys(dependencies)) {
    if (!existsSync(join(folder, 'node_modules', name))) missing.push(`${name} is not installed`)
    else if (!resolves(require, name)) missing.push(`${name} does not resolve`)
    missing.push(...nativeGaps(folder, name, machine))
  }
  return missing
}

/** A package with builds for platforms must have this one's, in a package of its own or as a file. */
function nativeGaps(folder, name, machine) {
  const own = lock[`node_modules/${name}`] ?? {}
  const builds = Object.keys(own.optionalDependencies ?? {}).filter((build) => /linux|darwin/.test(build))
  if (
    builds.length > 0 &&
    !builds.some((build) => existsSync(join(folder, 'node_modules', build)) && fits(build, machine))
  )
    return [`${name} has no build for this machine`]
  const natives = filesOf(join(folder, 'node_modules', name)).filter(
    (file) => file.endsWith('.node') && /linux|darwin/.test(file),
  )
  return natives.length > 0 && !natives.some((file) => fits(file, machine))
    ? [`${name} has no file for this machine`]
    : []
}

function fits(name, { os, cpu, libc }) {
  return name.includes(os) && name.includes(cpu) && (libc === 'musl') === /musl/.test(name)
}

function withoutBuild(tool, machine) {
  const builds = Object.keys(lock[`node_modules/${tool}`]?.optionalDependencies ?? {})
  const own = builds.filter((build) => build.includes(machine.os) && build.includes(machine.cpu))
  // A tool whose builds name no C library brings its own.
  const right = own.some((build) => /gnu|musl/.test(build)) ? own.filter((build) => fits(build, machine)) : own
  return right.some((build) => lock[`node_modules/${build}`]?.integrity)
    ? []
    : [`the tool ${tool} has no build for this machine`]
}

function resolves(require, specifier) {
  try {
    require.resolve(specifier)
    return true
  } catch (error) {
    // Packages for `import` alone have no way for `require`; that they have one at all is enough.
    return error.code === 'ERR_PACKAGE_PATH_NOT_EXPORTED'
  }
}

function filesOf(folder) {
  try {
    return readdirSync(folder, { recursive: true, encoding: 'utf8' })
  } catch {
    return []
  }
}

function sizeOf(folder) {
  return Math.round(
    Number(spawnSync('du', ['-sk', join(folder, 'node_modules')], { encoding: 'utf8' }).stdout.split('\t')[0]) / 1024,
  )
}

// `node scripts/complete-lock.mjs`, after dependencies changed: package-lock.json must let `npm ci` install on every kind of
// machine, not only on the one it was written on. Each package of some platform that a dependency asks for is looked up in
// the registry and entered with its checksum; a version that lacks one is refused by name: pin one that has them all.
import { execFile } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { root } from './setup.mjs'

/** Optional packages of a platform that the lock file has no whole entry for: [name, version, asked for by]. */
export function lacking(packages) {
  return Object.entries(packages).flatMap(([path, { optionalDependencies = {}, version: own }]) =>
    Object.entries(optionalDependencies)
      .filter(([name]) => isOfPlatform(name))
      .filter(
        ([name]) =>
          !packages[`${path}/node_modules/${name}`]?.integrity && !packages[`node_modules/${name}`]?.integrity,
      )
      .map(([name, version]) => ({
        name,
        version,
        by: `${path.replace(/^.*node_modules\//, '')} ${own ?? ''}`.trim(),
      })),
  )
}

/** Entries without a checksum: they were never seen in the registry. */
export const unsure = (packages) =>
  Object.entries(packages)
    .filter(([path, { integrity, link, inBundle }]) => path !== '' && !integrity && !link && !inBundle)
    .map(([path]) => path)

const isOfPlatform = (name) =>
  /(?:android|darwin|linux|win32|freebsd|openharmony|netbsd|openbsd|sunos|aix)(?:musl)?[-_]?/.test(name) ||
  /wasm32-wasi$/.test(name)

async function inRegistry(name, version) {
  const fields = ['version', 'dist.integrity', 'os', 'cpu', 'libc', 'engines', 'license']
  try {
    const { stdout } = await promisify(execFile)('npm', ['view', `${name}@${version}`, ...fields, '--json'])
    const said = JSON.parse(stdout || 'null')
    return Array.isArray(said) ? said.at(-1) : (said ?? undefined)
  } catch {
    return undefined
  }
}

async function complete() {
  const file = join(root, 'package-lock.json')
  const before = readFileSync(file, 'utf8')
  const lock = JSON.parse(before)
  const { packages } = lock
  const refused = []
  // Written without a checksum by an older version of this script.
  for (const path of unsure(packages)) delete packages[path]
  for (const { name, version, by } of lacking(packages)) {
    const found = await inRegistry(name, version)
    if (!found?.['dist.integrity']) {
      refused.push(`${by} asks for ${name} ${version}, which the registry does not have`)
      continue
    }
    const { dev } = packages[`node_modules/${by.split(' ')[0]}`] ?? {}
    const { os, cpu, libc, engines, license } = found
    packages[`node_modules/${name}`] = {
      version: found.version,
      integrity: found['dist.integrity'],
      ...(cpu && { cpu: [cpu].flat() }),
      ...(dev && { dev }),
      ...(libc && { libc: [libc].flat() }),
      ...(license && { license }),
      optional: true,
      ...(os && { os: [os].flat() }),
      ...(engines && { engines }),
    }
    console.log(`package-lock.json: added ${name} ${found.version}`)
  }
  // Some do not say which C library they are for; npm then installs both builds on every Linux.
  for (const [path, entry] of Object.entries(packages))
    if (entry.optional && /linux-(?:x64|arm64)-(?:gnu|musl)$/.test(path))
      entry.libc ??= [path.endsWith('musl') ? 'musl' : 'glibc']
  lock.packages = Object.fromEntries(Object.entries(packages).sort(([a], [b]) => (a < b ? -1 : 1)))
  const after = `${JSON.stringify(lock, null, 2)}\n`
  if (after !== before) writeFileSync(file, after)
  for (const sentence of refused) console.error(`package-lock.json: ${sentence}. Pin a version that has every build.`)
  if (refused.length > 0) process.exit(1)
  console.log('package-lock.json: every package can be installed')
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) await complete()

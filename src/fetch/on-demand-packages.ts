// Packages with large native files that only some pages need: installed ones, else fetched from the npm registry at their
// first use, into the data folder. `npm install orbweaver` is 100 MB smaller without them.
import { existsSync } from 'node:fs'
import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join, sep } from 'node:path'
import { abortAfter } from '../base/abort-after.ts'
import { valueOr } from '../base/attempt.ts'
import { withCallContext } from '../base/call-context.ts'
import { rejectWhenAborted } from '../base/deadline.ts'
import { Problem } from '../base/problem.ts'
import { once } from '../base/values.ts'
import { type NpmRegistryOptions, readNpmPackage } from './npm-registry.ts'
import pinned from './on-demand-packages.json' with { type: 'json' }

type OnDemandPackageName = keyof typeof pinned

interface PinnedPackage {
  version: string
  integrity: string
  /** The part of its native files' names that tells the machine. */
  builds: readonly string[]
}

export interface OnDemandPackages {
  /** The folder of a package. Fails if there is no build for this machine, or if it cannot be fetched. */
  folderOf(name: OnDemandPackageName, signal: AbortSignal): Promise<string>
  /** Of a package with one native file, at its top. */
  nativeFileOf(name: OnDemandPackageName, signal: AbortSignal): Promise<string>
}

interface OnDemandPackagesOptions {
  dataDir: string
  registry: NpmRegistryOptions
  packages?: Readonly<Record<string, PinnedPackage>>
  findInstalled?: (name: string) => string | undefined
}

/** Even a line of 200 kbit/s brings the largest package; a download that stalls ends earlier. */
const FETCH_MS = 20 * 60_000
/** After a failure, its reason is the answer for this long. */
const RETRY_MS = 10 * 60_000
const CODE = /\.[cm]?js$|^package\.json$|^licen[cs]e/i

/** As in the names of native files: `linux-x64-gnu`. */
function buildOf(builds: readonly string[]): string | undefined {
  const machine = `${process.platform}-${process.arch}`
  return builds.find((build) => build === machine || build === `${machine}-${cLibrary()}`)
}

/** Asked once: a report of the process takes 10 ms. */
const cLibrary = once(() => (process.platform === 'win32' ? 'msvc' : hasGlibc() ? 'gnu' : 'musl'))

function hasGlibc(): boolean {
  const { report } = process as { report: { excludeNetwork?: boolean; getReport(): object } }
  // Else it looks up the name of every open connection.
  report.excludeNetwork = true
  const { header } = report.getReport() as { header?: { glibcVersionRuntime?: string } }
  return header?.glibcVersionRuntime !== undefined
}

export const hasBuildForThisMachine = (name: OnDemandPackageName): boolean => buildOf(pinned[name].builds) !== undefined

export function openOnDemandPackages(options: OnDemandPackagesOptions): OnDemandPackages {
  const { packages = pinned, findInstalled = installedFolder } = options
  const fetching = new Map<string, Promise<string>>()
  const fetchOnce = (name: string, { version, integrity, builds }: PinnedPackage): Promise<string> => {
    const before = fetching.get(name)
    if (before) return before
    const build = buildOf(builds)
    if (!build) throw noBuild(name)
    // A data folder may move to another machine.
    const folder = join(options.dataDir, 'packages', `${name}-${version}-${build}`)
    if (existsSync(folder)) return Promise.resolve(folder)
    const isKept = (path: string) => CODE.test(path) || path.endsWith(`.${build}.node`)
    const read = () => readNpmPackage({ name, version, integrity }, options.registry, abortAfter(FETCH_MS))
    // For all teams: not by the proxies of the one that is first.
    const now = withCallContext({ teamId: undefined, keyId: undefined }, read).then((files) =>
      keep(
        [...files].filter(([path]) => isKept(path)),
        folder,
      ),
    )
    fetching.set(name, now)
    now.then(
      () => fetching.delete(name),
      () => setTimeout(() => fetching.delete(name), RETRY_MS).unref(),
    )
    return now
  }
  const folderOf = async (name: OnDemandPackageName, signal: AbortSignal) => {
    const installed = findInstalled(name)
    if (installed) return installed
    const wanted = packages[name]
    if (!wanted) throw new Error(`${name} is no package that is fetched on demand`)
    // The fetch goes on for those who come later.
    return await rejectWhenAborted(signal, fetchOnce(name, wanted))
  }
  return {
    folderOf,
    async nativeFileOf(name, signal) {
      const build = buildOf(packages[name]?.builds ?? [])
      if (!build) throw noBuild(name)
      return join(await folderOf(name, signal), `${name}.${build}.node`)
    },
  }
}

/** Whole or not at all: another process may do the same. */
async function keep(files: readonly (readonly [path: string, bytes: Buffer])[], folder: string): Promise<string> {
  const part = `${folder}.part-${process.pid}`
  try {
    for (const [path, bytes] of files) {
      if (path.split('/').includes('..')) throw new Problem('site_failed', { because: `a package names ${path}` })
      await mkdir(dirname(join(part, path)), { recursive: true, mode: 0o700 })
      await writeFile(join(part, path), bytes, { flush: true })
    }
    await rename(part, folder)
  } catch (error) {
    await rm(part, { recursive: true, force: true })
    if (!existsSync(folder)) throw error
  }
  return folder
}

const noBuild = (name: string): Problem =>
  new Problem('site_failed', { because: `${name} has no build for this machine` })

function installedFolder(name: string): string | undefined {
  const folder = join('node_modules', name)
  const main = valueOr('', () => createRequire(import.meta.url).resolve(name))
  const at = main.lastIndexOf(folder + sep)
  return at < 0 ? undefined : main.slice(0, at + folder.length)
}

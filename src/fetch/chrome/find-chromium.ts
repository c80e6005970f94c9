// Finds a Chromium to run: the operator's, the system's, Playwright's, or the npm package's, unpacked once.

import { execFile } from 'node:child_process'
import { createReadStream, createWriteStream, existsSync, realpathSync } from 'node:fs'
import { access, chmod, constants, mkdir, mkdtemp, open, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { homedir } from 'node:os'
import { dirname, join, normalize } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import { brotliDecompress, createBrotliDecompress } from 'node:zlib'
import { readTarFiles } from '../../base/read-tar.ts'
import {
  listPlaywrightChromiumPaths,
  listSystemChromiumPaths,
  type PlatformAndHome,
  playwrightCachePath,
} from './list-chromium-paths.ts'

export interface ChromiumBinary {
  path: string
  version?: string
  env: Readonly<Record<string, string>>
  fonts?: string
  /** From our npm package, the build that the flags were chosen for. */
  pinned?: boolean
  /** Runs on a virtual display. */
  headful?: boolean
}

export interface FindChromiumOptions {
  given: string | undefined
  /** Where the npm build may be unpacked; the first writable folder is used. */
  cacheDirs: readonly string[]
  machine?: PlatformAndHome & { arch: string }
}

const VERSION_MS = 15_000

export async function findChromium({
  given,
  cacheDirs,
  machine = describeThisMachine(),
}: FindChromiumOptions): Promise<ChromiumBinary> {
  if (given !== undefined) {
    await access(given, constants.X_OK).catch(() => {
      throw new Error(`ORB_CHROMIUM names ${given}, and there is no program to run there`)
    })
    return tryBinary({ path: await behindScript(given), env: {} })
  }
  return (await firstThatRuns(listInstalled(cacheDirs, machine))) ?? fromPackage(cacheDirs, machine)
}

/** A Chromium that can draw on a display, if one is installed; the headless shell cannot. */
export async function findFullChromium({
  given,
  cacheDirs,
  machine = describeThisMachine(),
}: FindChromiumOptions): Promise<ChromiumBinary | undefined> {
  if (machine.platform !== 'linux') return undefined
  const paths = given === undefined ? listInstalled(cacheDirs, machine) : [given]
  const found = await firstThatRuns(paths.filter(isFull))
  return found && { ...found, headful: true }
}

/** Only a full browser has the resources of a window beside it; Debian's launcher in /usr/bin is a script. */
const isFull = (path: string): boolean =>
  !/headless[-_]shell$/.test(path) && existsSync(join(dirname(realpathSync(path)), 'resources.pak'))

function listInstalled(cacheDirs: readonly string[], machine: PlatformAndHome): string[] {
  const caches = [playwrightCachePath(machine), ...cacheDirs.map(playwrightDownloadFolder)]
  return [...listSystemChromiumPaths(machine), ...caches.flatMap(listPlaywrightChromiumPaths)].filter((path) =>
    existsSync(path),
  )
}

async function firstThatRuns(paths: readonly string[]): Promise<ChromiumBinary | undefined> {
  for (const path of paths) {
    const works = await tryBinary({ path: await behindScript(path), env: {} }).catch(() => undefined)
    if (works) return works
  }
  return undefined
}

export const describeThisMachine = (): PlatformAndHome & { arch: string } => ({
  platform: process.platform,
  arch: process.arch,
  home: homedir(),
})

export const playwrightDownloadFolder = (cacheDir: string): string => join(cacheDir, 'playwright')

export const npmDownloadFolder = (cacheDir: string): string => join(cacheDir, 'npm')

const SCRIPT_BYTES = 4096
const RUN_ONE = /^(?:exec\s+)?(["']?)(\/[^\s"'$]+)\1\s+"\$@"$/

/**
 * Resolves a wrapper script that only runs one program, such as Debian's: signals, limits and priorities would
 * otherwise reach the shell.
 */
async function behindScript(path: string): Promise<string> {
  const text = await beginningOf(path).catch(() => '')
  if (!text.startsWith('#!') || text.length >= SCRIPT_BYTES) return path
  const commands = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
  const target = commands.length === 1 ? RUN_ONE.exec(commands[0] ?? '')?.[2] : undefined
  return target !== undefined && existsSync(target) ? target : path
}

async function beginningOf(path: string): Promise<string> {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(SCRIPT_BYTES), 0, SCRIPT_BYTES, 0)
    return buffer.toString('latin1', 0, bytesRead)
  } finally {
    await file.close()
  }
}

/** Checks that the binary runs: a distribution's command can be a stub that only prints how to install it. */
async function tryBinary(binary: ChromiumBinary): Promise<ChromiumBinary> {
  const run = promisify(execFile)
  const options = { timeout: VERSION_MS, env: { ...binary.env } }
  const { stdout } = await run(binary.path, ['--version', '--no-sandbox'], options).catch((error) => {
    throw new Error(`${binary.path} does not run: ${firstLine(error)}`, { cause: error })
  })
  const [version] = /\d+\.\d+\.\d+[\d.]*/.exec(stdout) ?? []
  if (version === undefined) throw new Error(`${binary.path} does not report its version`)
  return { ...binary, version }
}

const firstLine = (error: { stderr?: string; message?: string }): string =>
  (error.stderr?.trim() || error.message || 'no reason given').split('\n', 1)[0] ?? ''

export const hasNpmChromiumBuild = ({ platform, arch }: { platform: string; arch: string }): boolean =>
  platform === 'linux' && arch === 'x64'

async function fromPackage(
  cacheDirs: readonly string[],
  machine: { platform: string; arch: string },
): Promise<ChromiumBinary> {
  const source = hasNpmChromiumBuild(machine) ? packageFolder(cacheDirs) : undefined
  if (source === undefined)
    throw new Error('no Chromium is installed on this machine. `orbweaver browser` installs one')
  const { version } = JSON.parse(await readFile(join(source, 'package.json'), 'utf8')) as { version: string }
  const folders = cacheDirs.map((folder) => join(folder, `chromium-${version}-${process.arch}`))
  const folder = folders.find((candidate) => existsSync(join(candidate, 'chromium'))) ?? (await unpack(source, folders))
  const plain = { path: join(folder, 'chromium'), env: {}, fonts: join(folder, 'fonts'), pinned: true }
  try {
    return await tryBinary(plain)
  } catch {
    // Minimal systems lack the few libraries that the package bundles.
    return tryBinary({ ...plain, env: { LD_LIBRARY_PATH: join(folder, 'lib') } })
  }
}

function packageFolder(cacheDirs: readonly string[]): string | undefined {
  const places = [import.meta.url, ...cacheDirs.map((folder) => join(npmDownloadFolder(folder), 'package.json'))]
  for (const place of places) {
    try {
      const entry = createRequire(place).resolve('@sparticuz/chromium')
      for (let folder = dirname(entry); folder !== dirname(folder); folder = dirname(folder))
        if (existsSync(join(folder, 'bin', 'chromium.br'))) return folder
    } catch {}
  }
  return undefined
}

async function unpack(source: string, folders: readonly string[]): Promise<string> {
  let wrong: unknown
  for (const folder of folders) {
    try {
      await unpackInto(join(source, 'bin'), folder)
      return folder
    } catch (error) {
      wrong = error
    }
  }
  throw new Error(`Chromium could not be unpacked: ${(wrong as Error).message}`, { cause: wrong })
}

/** Unpacks under a temporary name, so that a partial browser is never used. */
async function unpackInto(bin: string, folder: string): Promise<void> {
  await mkdir(dirname(folder), { recursive: true, mode: 0o700 })
  const partial = await mkdtemp(`${folder}.`)
  try {
    const program = join(partial, 'chromium')
    await pipeline(createReadStream(join(bin, 'chromium.br')), createBrotliDecompress(), createWriteStream(program))
    await chmod(program, 0o755)
    for (const name of ['al2023.tar.br', 'swiftshader.tar.br', 'fonts.tar.br']) {
      const packed = await readFile(join(bin, name))
      await unpackTar(await promisify(brotliDecompress)(packed), partial)
    }
    await rename(partial, folder).catch((error) => {
      if (!existsSync(join(folder, 'chromium'))) throw error
    })
  } finally {
    await rm(partial, { recursive: true, force: true })
  }
}

async function unpackTar(archive: Buffer, folder: string): Promise<void> {
  for (const { name, bytes } of readTarFiles(archive)) {
    const path = join(folder, normalize(`/${name}`))
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, bytes)
    await chmod(path, 0o755)
  }
}

// Finds a Chromium to run: the operator's, the system's, Playwright's, or the one that npm brought, unpacked once into a
// folder of its own. It starts nothing but `--version`, and fetches nothing: that is get-browser.ts.
import { execFile } from 'node:child_process'
import { createReadStream, createWriteStream, existsSync } from 'node:fs'
import { access, chmod, constants, mkdir, mkdtemp, open, readFile, rename, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import { brotliDecompress, createBrotliDecompress } from 'node:zlib'
import { type BrowserMachine, playwrightCache, playwrightPaths, systemPaths } from './installed.ts'
import { unpackTar } from './tar.ts'

export interface Binary {
  path: string
  /** What it needs beside the service's own environment. */
  env: Readonly<Record<string, string>>
  /** The folder of the fonts that came with it. */
  fonts?: string
  /** It came with the packages, so it is the one that flags were chosen for. */
  pinned?: boolean
}

export interface BinaryOptions {
  /** The operator's own; nothing else is tried then. */
  given: string | undefined
  /** Where the one from npm may be unpacked; the first that can be written is taken. */
  cacheDirs: readonly string[]
  /** What to look through; this machine unless told. */
  machine?: BrowserMachine & { arch: string }
}

const VERSION_MS = 15_000

/** Rejects with a sentence for the operator when there is none. */
export async function findBinary({ given, cacheDirs, machine = thisMachine() }: BinaryOptions): Promise<Binary> {
  if (given !== undefined) {
    await access(given, constants.X_OK).catch(() => {
      throw new Error(`ORB_CHROMIUM names ${given}, and there is no program to run there`)
    })
    return tried({ path: await behindScript(given), env: {} })
  }
  const caches = [playwrightCache(machine), ...cacheDirs.map(playwrightFolder)]
  const known = [...systemPaths(machine), ...caches.flatMap(playwrightPaths)]
  for (const path of known.filter((candidate) => existsSync(candidate))) {
    const works = await tried({ path: await behindScript(path), env: {} }).catch(() => undefined)
    if (works) return works
  }
  return fromPackage(cacheDirs, machine)
}

export const thisMachine = (): BrowserMachine & { arch: string } => ({
  platform: process.platform,
  arch: process.arch,
  home: homedir(),
})

/** Where Playwright's downloader puts what we ask it for. */
export const playwrightFolder = (cacheDir: string): string => join(cacheDir, 'playwright')

/** Where npm puts the browser that we ask it for. */
export const npmFolder = (cacheDir: string): string => join(cacheDir, 'npm')

const SCRIPT_BYTES = 4096
const RUN_ONE = /^(?:exec\s+)?(["']?)(\/[^\s"'$]+)\1\s+"\$@"$/

/**
 * The program that a script runs and nothing else, as Debian's chromium-headless-shell does: signals, limits and priorities
 * would reach the shell that waits for it. A script that does more is run as it is.
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

/** The binary if it runs; a distribution's name can be a stub that only prints how to install it. */
async function tried(binary: Binary): Promise<Binary> {
  const run = promisify(execFile)
  const options = { timeout: VERSION_MS, env: { ...binary.env } }
  const { stdout } = await run(binary.path, ['--version', '--no-sandbox'], options).catch((error) => {
    throw new Error(`${binary.path} does not run: ${firstLine(error)}`, { cause: error })
  })
  if (!/\d+\.\d+\.\d+/.test(stdout)) throw new Error(`${binary.path} does not tell its version`)
  return binary
}

const firstLine = (error: { stderr?: string; message?: string }): string =>
  (error.stderr?.trim() || error.message || 'no reason given').split('\n', 1)[0] ?? ''

/** Its binary is for one kind of machine. */
export const hasPackage = ({ platform, arch }: { platform: string; arch: string }): boolean =>
  platform === 'linux' && arch === 'x64'

async function fromPackage(cacheDirs: readonly string[], machine: { platform: string; arch: string }): Promise<Binary> {
  const source = hasPackage(machine) ? packageFolder(cacheDirs) : undefined
  if (source === undefined) throw new Error('no Chromium is installed on this machine. `orbweaver browser` gets one')
  const { version } = JSON.parse(await readFile(join(source, 'package.json'), 'utf8')) as { version: string }
  const folders = cacheDirs.map((folder) => join(folder, `chromium-${version}-${process.arch}`))
  const folder = folders.find((candidate) => existsSync(join(candidate, 'chromium'))) ?? (await unpack(source, folders))
  const plain = { path: join(folder, 'chromium'), env: {}, fonts: join(folder, 'fonts'), pinned: true }
  try {
    return await tried(plain)
  } catch {
    // A bare machine lacks the few libraries that the package brings along.
    return tried({ ...plain, env: { LD_LIBRARY_PATH: join(folder, 'lib') } })
  }
}

function packageFolder(cacheDirs: readonly string[]): string | undefined {
  const places = [import.meta.url, ...cacheDirs.map((folder) => join(npmFolder(folder), 'package.json'))]
  for (const place of places) {
    try {
      const entry = createRequire(place).resolve('@sparticuz/chromium')
      for (let folder = dirname(entry); folder !== dirname(folder); folder = dirname(folder))
        if (existsSync(join(folder, 'bin', 'chromium.br'))) return folder
    } catch {
      // Not here.
    }
  }
  return undefined
}

/** Into the first of the folders that can be written. */
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

/** Into a folder of another name first, so that a half-unpacked browser is never taken for a whole one. */
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
      // Another process was quicker.
      if (!existsSync(join(folder, 'chromium'))) throw error
    })
  } finally {
    await rm(partial, { recursive: true, force: true })
  }
}

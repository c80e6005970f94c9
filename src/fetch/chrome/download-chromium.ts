// Downloads a Chromium for a machine without one, from Playwright, npm (one platform only) or, as root, Debian's
// packages. Each source may fail.

import { spawn } from 'node:child_process'
import { lookup } from 'node:dns/promises'
import { existsSync, readFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { abortAfter } from '../../base/abort-after.ts'
import { valueOr } from '../../base/attempt.ts'
import { withinTime } from '../../base/deadline.ts'
import {
  type ChromiumBinary,
  describeThisMachine,
  type FindChromiumOptions,
  findChromium,
  hasNpmChromiumBuild,
  npmDownloadFolder,
  playwrightDownloadFolder,
} from './find-chromium.ts'

export interface ChromiumDownloadContext {
  cacheDir: string
  say(line: string): void
  run(command: readonly string[], signal: AbortSignal): Promise<boolean>
  reaches(host: string): Promise<boolean>
  isRoot: boolean
  machine: { platform: string; arch: string }
  aptGet: string
  osRelease: string
}

interface BrowserSource {
  name: string
  isOpen(sources: ChromiumDownloadContext): Promise<boolean>
  commands(sources: ChromiumDownloadContext): readonly (readonly string[])[]
}

const SOURCE_MS = 300_000
const REACH_MS = 3000
/** The version known to work with our flags. */
const NPM_CHROMIUM_PACKAGE = '@sparticuz/chromium@147.0.0'

const playwright: BrowserSource = {
  name: 'Playwright’s download',
  isOpen: ({ reaches }) => reaches('cdn.playwright.dev'),
  commands: ({ cacheDir }) => [
    [
      'env',
      `PLAYWRIGHT_BROWSERS_PATH=${playwrightDownloadFolder(cacheDir)}`,
      'PLAYWRIGHT_DOWNLOAD_CONNECTION_TIMEOUT=10000',
      process.execPath,
      join(dirname(createRequire(import.meta.url).resolve('playwright-core/package.json')), 'cli.js'),
      'install',
      'chromium-headless-shell',
    ],
  ],
}

const npm: BrowserSource = {
  name: 'npm’s registry',
  isOpen: async ({ machine }) => hasNpmChromiumBuild(machine),
  commands: ({ cacheDir }) => [
    [
      'npm',
      'install',
      '--prefix',
      npmDownloadFolder(cacheDir),
      '--no-audit',
      '--no-fund',
      '--ignore-scripts',
      NPM_CHROMIUM_PACKAGE,
    ],
  ],
}

const debian: BrowserSource = {
  name: 'Debian’s packages',
  isOpen: async ({ isRoot, aptGet, osRelease }) =>
    isRoot && existsSync(aptGet) && /^ID(?:_LIKE)?=.*(?:debian|ubuntu)/m.test(textAt(osRelease)),
  commands: ({ aptGet }) => [
    [aptGet, '-qq', 'update'],
    [
      'env',
      'DEBIAN_FRONTEND=noninteractive',
      aptGet,
      '-qq',
      '-y',
      '--no-install-recommends',
      'install',
      'chromium-headless-shell',
    ],
  ],
}

export async function findOrDownloadChromium(
  options: FindChromiumOptions,
  given: Partial<ChromiumDownloadContext> & Pick<ChromiumDownloadContext, 'say'>,
  signal: AbortSignal,
): Promise<ChromiumBinary> {
  const found = await findChromium(options).catch((error: Error) => error)
  if (!(found instanceof Error)) return found
  if (options.given !== undefined) throw found
  const sources: ChromiumDownloadContext = {
    ...defaultBrowserSources(options.cacheDirs[0] ?? '.'),
    ...(options.machine && { machine: options.machine }),
    ...given,
  }
  await mkdir(sources.cacheDir, { recursive: true, mode: 0o700 })
  for (const source of [playwright, npm, debian]) {
    if (!(await source.isOpen(sources).catch(() => false))) continue
    sources.say(`No Chromium on this machine: getting one from ${source.name} …`)
    if (!(await followRedirects(source, sources, signal))) continue
    const binary = await findChromium(options).catch(() => undefined)
    if (binary) return binary
  }
  throw new Error(
    'no Chromium is installed on this machine, and none could be fetched. Install one (Debian: apt install chromium-headless-shell; macOS: brew install --cask chromium), or set ORB_CHROMIUM',
  )
}

async function followRedirects(
  source: BrowserSource,
  sources: ChromiumDownloadContext,
  signal: AbortSignal,
): Promise<boolean> {
  const inTime = AbortSignal.any([signal, abortAfter(SOURCE_MS)])
  for (const command of source.commands(sources)) if (!(await sources.run(command, inTime))) return false
  return true
}

function defaultBrowserSources(cacheDir: string): Omit<ChromiumDownloadContext, 'say'> {
  return {
    cacheDir,
    run: runShown,
    reaches: (host) =>
      withinTime(
        REACH_MS,
        lookup(host).then(() => true),
        () => false,
      ),
    isRoot: process.getuid?.() === 0,
    machine: describeThisMachine(),
    aptGet: '/usr/bin/apt-get',
    osRelease: '/etc/os-release',
  }
}

/** Output goes to stderr: stdout is for results. */
const runShown: ChromiumDownloadContext['run'] = ([command = '', ...args], signal) =>
  new Promise((done) => {
    const child = spawn(command, args, { stdio: ['ignore', 2, 2], signal })
    child.once('error', () => done(false))
    child.once('exit', (code) => done(code === 0))
  })

const textAt = (path: string): string => valueOr('', () => readFileSync(path, 'utf8'))

// Starts `still` and `live` browsers, driven over CDP directly, with the flags that Playwright would add.
import { type ChildProcess, spawn } from 'node:child_process'
import type { Readable, Writable } from 'node:stream'
import { lowerProcessPriority } from '../../base/cpu-priority.ts'
import type { BrowserContextOpener } from './browser-context-opener-type.ts'
import { IN_PROCESS_GPU_FLAGS, makeUnpaintedContextOpener, UNPAINTED_BROWSER_FLAGS } from './cdp-contexts.ts'
import { type CdpPipe, openCdpPipe } from './cdp-pipe.ts'
import { DEFAULT_LOCALE_AND_ZONE } from './emulate-device.ts'
import type { ChromiumBinary } from './find-chromium.ts'
import type { LeasedContext } from './playwright-contexts.ts'

interface WiredBrowser {
  pid: number
  version: string
  ended: AbortSignal
  openContext: BrowserContextOpener<LeasedContext>
  close(): Promise<void>
}

/** A full Chromium loads two pages for the address bar of each window, which cost a second of CPU and are never seen. */
const WINDOW_FEATURES = ['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup']

export const disableFeatures = (names: readonly string[]): string =>
  `--disable-features=${[...names, ...WINDOW_FEATURES].join(',')}`

const BASE_BROWSER_FLAGS = [
  '--headless',
  '--no-startup-window',
  `--lang=${DEFAULT_LOCALE_AND_ZONE.locale}`,
  '--no-first-run',
  '--disable-background-networking',
  '--disable-breakpad',
  '--disable-component-update',
  '--disable-default-apps',
  '--disable-extensions',
  '--disable-field-trial-config',
  '--disable-sync',
  '--metrics-recording-only',
  '--password-store=basic',
  '--disable-dev-shm-usage',
  '--disable-hang-monitor',
  '--disable-prompt-on-repost',
  '--disable-back-forward-cache',
  disableFeatures(
    'HttpsUpgrades,IsolateOrigins,MediaRouter,OptimizationHints,PaintHolding,Translate,site-per-process'.split(','),
  ),
]
/** Prevents throttling of pages without a visible window. */
const NO_THROTTLING_FLAGS = [
  '--disable-background-timer-throttling',
  '--disable-backgrounding-occluded-windows',
  '--disable-renderer-backgrounding',
  '--disable-ipc-flooding-protection',
]
const POINTER = '--blink-settings=primaryHoverType=2,availableHoverTypes=2,primaryPointerType=4,availablePointerTypes=4'
const MAX_SAID = 2000

interface WiredLaunchOptions {
  sandbox: boolean
  timeoutMs: number
  own: readonly string[]
  contexts(wire: CdpPipe, version: string): Promise<BrowserContextOpener<LeasedContext>>
}

export const launchUnpaintedBrowser = (
  binary: ChromiumBinary,
  flags: readonly string[],
  { cheap, ...options }: Pick<WiredLaunchOptions, 'sandbox' | 'timeoutMs'> & { cheap: boolean },
) =>
  launchOverPipe(binary, flags, {
    ...options,
    own: [...UNPAINTED_BROWSER_FLAGS, ...(cheap ? IN_PROCESS_GPU_FLAGS : [])],
    contexts: makeUnpaintedContextOpener,
  })

export async function launchOverPipe(
  { path, env }: ChromiumBinary,
  flags: readonly string[],
  { sandbox, timeoutMs, own: kind, contexts }: WiredLaunchOptions,
): Promise<WiredBrowser> {
  const own = [...BASE_BROWSER_FLAGS, ...NO_THROTTLING_FLAGS, POINTER, ...kind, ...(sandbox ? [] : ['--no-sandbox'])]
  const child = spawn(path, [...own, ...flags, '--remote-debugging-pipe'], {
    env,
    // Own process group, so that all processes can be killed together.
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'],
  })
  lowerProcessPriority(child.pid, 'helpers')
  const [, , , to, from] = child.stdio
  const wire = openCdpPipe(to as Writable, from as Readable)
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()).once('error', () => resolve()))
  const close = async () => {
    void wire.browser.send('Browser.close').catch(() => {})
    await gone
  }
  try {
    const { pid } = child
    const version = await waitForStart(child, wire, timeoutMs)
    if (pid === undefined) throw new Error('Chromium has no process')
    return { pid, version, ended: wire.ended, openContext: await contexts(wire, version), close }
  } catch (error) {
    child.kill('SIGKILL')
    throw error
  }
}

async function waitForStart(child: ChildProcess, wire: CdpPipe, timeoutMs: number): Promise<string> {
  let said = ''
  child.stderr?.on('data', (chunk: Buffer) => {
    said = (said + chunk).slice(-MAX_SAID)
  })
  let timer: NodeJS.Timeout | undefined
  const failed = new Promise<never>((_, reject) => {
    const fail = (because: string) => reject(new Error(`Chromium did not start: ${because}`))
    timer = setTimeout(() => fail(`no response within ${timeoutMs / 1000} s`), timeoutMs)
    child.once('error', ({ message }) => fail(message))
    child.once('exit', (code, signal) => fail(reasonIn(said) ?? `it ended with ${signal ?? code}`))
  })
  failed.catch(() => {})
  try {
    const { product } = await Promise.race([wire.browser.send('Browser.getVersion').catch(() => failed), failed])
    return product.split('/')[1] ?? product
  } finally {
    clearTimeout(timer)
  }
}

/** The last matching line has the reason; the first ones are D-Bus warnings. */
const reasonIn = (said: string): string | undefined =>
  said
    .split('\n')
    .filter((line) => /FATAL|error while loading/.test(line))
    .at(-1)

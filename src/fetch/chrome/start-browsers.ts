// Starts local browsers. Caches failures for a while, so that a service without a browser fails fast.
import { withinTime } from '../../base/deadline.ts'
import type { Log } from '../../base/log.ts'
import { Problem } from '../../base/problem.ts'
import { chooseSandbox, describeSandboxFix, type SandboxMode } from './choose-sandbox.ts'
import { type CrashFallbackTracker, openCrashFallbackTracker } from './crash-fallback-tracker.ts'
import type { ChromiumBinary } from './find-chromium.ts'
import { isolateChromiumProcess, wrapWithLowPriority } from './isolate-chromium-process.ts'
import { type BrowserKind, killOrphanedBrowsers, launchBrowser, type RunningBrowser } from './launch-browser.ts'
import { findXvfb, openDisplay, writeDisplayKey } from './virtual-display.ts'

interface SupplyOptions {
  findBinary(): Promise<ChromiumBinary>
  /** A Chromium that can draw on a display, for the enhanced tier. */
  findFullBinary(): Promise<ChromiumBinary | undefined>
  fontsConf(binary: ChromiumBinary): Promise<string>
  proxyServer(): Promise<string>
  /** Identifies our browsers; processes with it at startup are orphans. */
  mark: string
  sandbox: SandboxMode
  safetyDir: string
  dataDir: string
  log: Log
}

export interface BrowserStarter {
  offers(kind: BrowserKind): BrowserKind
  /** Browsers to spread visits over before sharing one. */
  spread: number
  start(kind: BrowserKind): Promise<RunningBrowser>
  died(kind: BrowserKind): void
  /** Rejects with the reason when there is no browser; resolves while the search is still running. */
  check(): Promise<void>
  notes(): string[]
}

const FAILURE_MS = 15_000
const CHECK_MS = 500

export function makeLocalBrowserStarter({
  findBinary,
  findFullBinary,
  fontsConf,
  proxyServer,
  mark,
  log,
  ...options
}: SupplyOptions): BrowserStarter {
  const orphans = killOrphanedBrowsers(mark)
  if (orphans > 0) log.warn({ orphans }, 'ended browsers that an earlier service left behind')
  let failure: { until: number; problem: Problem } | undefined
  let binary: Promise<ChromiumBinary> | undefined
  let launches = 0
  const sandbox = chooseSandbox(options.sandbox)
  if (sandbox.note !== undefined) log.warn({}, sandbox.note)
  let safety: CrashFallbackTracker | undefined
  let canBeUndrawn = true
  let isolationNote: string | undefined

  function fail(error: unknown): never {
    if (error instanceof Problem) throw error
    const because = sandbox.on ? `${firstLine(error)}; ${describeSandboxFix()}` : firstLine(error)
    const problem = new Problem('no_browser', { because, cause: error })
    log.warn({ because }, 'no browser')
    failure = { until: performance.now() + FAILURE_MS, problem }
    throw problem
  }

  const withFonts = async (found: ChromiumBinary): Promise<ChromiumBinary> => {
    const FONTCONFIG_FILE = await fontsConf(found)
    safety ??= await openCrashFallbackTracker(found, options.safetyDir, Date.now)
    const isolation = await isolateChromiumProcess(
      { ...found, env: { ...found.env, FONTCONFIG_FILE } },
      options.dataDir,
    )
    if (isolation.note !== undefined) log.warn({}, isolation.note)
    isolationNote = isolation.note ?? isolationNote
    return wrapWithLowPriority(isolation.binary, options.safetyDir)
  }

  async function find(): Promise<ChromiumBinary> {
    if (failure && failure.until > performance.now()) throw failure.problem
    binary ??= findBinary()
      .then(withFonts)
      .catch((error) => {
        binary = undefined
        return fail(error)
      })
    return binary
  }

  const { dataDir } = options
  const headful = openHeadfulBrowsers({ findFullBinary, prepare: withFonts, mark, sandbox: sandbox.on, dataDir, log })

  const offers = (kind: BrowserKind): BrowserKind =>
    kind === 'still' && (!canBeUndrawn || safety?.level() === 2) ? 'drawn' : kind

  return {
    offers,
    spread: 1,
    async start(requested) {
      const found = await find()
      const server = await proxyServer()
      const launch = (kind: BrowserKind) => {
        const own = `${mark}-${process.pid}-${++launches}`
        const cheap = safety?.level() === 0
        return launchBrowser({ binary: found, kind, mark: own, proxyServer: server, sandbox: sandbox.on, cheap })
      }
      const again = (error: unknown) => {
        if (requested === 'still') canBeUndrawn = false
        log.warn({ because: firstLine(error), kind: requested }, 'a browser did not start; trying once more')
        return launch(offers(requested))
      }
      const drawn = requested === 'enhanced' ? await headful.start(`${process.pid}-${++launches}`, server) : undefined
      // A machine under load may kill a browser at startup; only two failures in a row count.
      const running = drawn ?? (await launch(offers(requested)).catch(again).catch(fail))
      failure = undefined
      return running
    },
    died(kind) {
      const careful = safety?.died(kind) ?? false
      log.warn({ kind, careful }, 'a browser ended by itself')
    },
    notes: () => [sandbox.note, isolationNote].filter((note) => note !== undefined),
    check: () =>
      withinTime(
        CHECK_MS,
        find().then(() => {}),
      ),
  }
}

const firstLine = (error: unknown): string => (error as Error).message.split('\n', 1)[0] ?? ''

interface HeadfulOptions {
  findFullBinary(): Promise<ChromiumBinary | undefined>
  /** Adds fonts, isolation and priority. */
  prepare(binary: ChromiumBinary): Promise<ChromiumBinary>
  mark: string
  sandbox: boolean
  dataDir: string
  log: Log
}

interface HeadfulBrowsers {
  /** Undefined where the browser has to be headless. */
  start(id: string, proxyServer: string): Promise<RunningBrowser | undefined>
}

interface HeadfulParts {
  binary: ChromiumBinary
  xvfb: string
  key: string
}

function openHeadfulBrowsers(options: HeadfulOptions): HeadfulBrowsers {
  const { mark, sandbox, log } = options
  let parts: Promise<HeadfulParts | undefined> | undefined
  return {
    async start(id, proxyServer) {
      try {
        parts ??= findParts(options)
        const found = await parts
        if (!found) return undefined
        const display = await openDisplay(found.xvfb, found.key, `${mark}-${id}`)
        const own = { kind: 'enhanced' as const, mark: `${mark}-${id}`, proxyServer, sandbox, cheap: false }
        return await launchBrowser({ ...own, binary: found.binary, display }).catch((error) => {
          display.end()
          throw error
        })
      } catch (error) {
        log.warn({ because: firstLine(error) }, 'a headful browser did not start; the enhanced tier runs headless')
        parts = Promise.resolve(undefined)
        return undefined
      }
    },
  }
}

async function findParts({ findFullBinary, prepare, dataDir }: HeadfulOptions): Promise<HeadfulParts | undefined> {
  const xvfb = findXvfb()
  const full = xvfb === undefined ? undefined : await findFullBinary()
  if (xvfb === undefined || full === undefined) return undefined
  const key = await writeDisplayKey(dataDir)
  return { binary: await prepare({ ...full, env: { ...full.env, XAUTHORITY: key } }), xvfb, key }
}

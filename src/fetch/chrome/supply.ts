// Where browsers come from, when they run here: the binary is looked for once, and a failure to find or start one is believed for a while, so
// that a service without a browser answers at once instead of trying again for every page.
import type { Log } from '../../base/log.ts'
import { Problem } from '../../base/problem.ts'
import type { Binary } from './binary.ts'
import { type Care, openCare } from './care.ts'
import { isolated } from './isolation.ts'
import { type BrowserKind, endOrphans, launchBrowser, type RunningBrowser } from './launch.ts'
import { withLowPriority } from './launch-script.ts'
import { chooseSandbox, type SandboxMode, sandboxAdvice } from './sandbox.ts'

export interface SupplyOptions {
  findBinary(): Promise<Binary>
  /** The file that tells the browser where fonts are. */
  fontsConf(binary: Binary): Promise<string>
  /** Where browsers reach the proxy; asked for with the first of them. */
  proxyServer(): Promise<string>
  /** Marks our browsers; whatever carries it at the beginning was left behind by an earlier service. */
  mark: string
  sandbox: SandboxMode
  /** Where what was learned of a browser is kept. */
  careDir: string
  /** What browsers must not see. */
  dataDir: string
  log: Log
}

export interface Supply {
  /** The kind that is started when this one is asked for. */
  offers(kind: BrowserKind): BrowserKind
  /** Browsers that visits are spread over before one is used twice at once. */
  spread: number
  start(kind: BrowserKind): Promise<RunningBrowser>
  /** A browser of this kind ended by itself. */
  died(kind: BrowserKind): void
  /** Rejects with the reason when there is no browser; what is still being looked for is not missing. */
  check(): Promise<void>
  /** What an operator should know of how browsers are started. */
  notes(): string[]
}

const FAILURE_MS = 15_000
const CHECK_MS = 500

export function openSupply({ findBinary, fontsConf, proxyServer, mark, log, ...options }: SupplyOptions): Supply {
  const orphans = endOrphans(mark)
  if (orphans > 0) log.warn({ orphans }, 'ended browsers that an earlier service left behind')
  let failure: { until: number; problem: Problem } | undefined
  let binary: Promise<Binary> | undefined
  let launches = 0
  const sandbox = chooseSandbox(options.sandbox)
  if (sandbox.note !== undefined) log.warn({}, sandbox.note)
  let care: Care | undefined
  let canBeStill = true
  let isolationNote: string | undefined

  function fail(error: unknown): never {
    if (error instanceof Problem) throw error
    const because = sandbox.on ? `${firstLine(error)}; ${sandboxAdvice()}` : firstLine(error)
    const problem = new Problem('no_browser', { because, cause: error })
    log.warn({ because }, 'no browser')
    failure = { until: performance.now() + FAILURE_MS, problem }
    throw problem
  }

  const withFonts = async (found: Binary): Promise<Binary> => {
    const FONTCONFIG_FILE = await fontsConf(found)
    care ??= await openCare(found, options.careDir, Date.now)
    const isolation = await isolated({ ...found, env: { ...found.env, FONTCONFIG_FILE } }, options.dataDir)
    if (isolation.note !== undefined) log.warn({}, isolation.note)
    isolationNote = isolation.note
    return withLowPriority(isolation.binary, options.careDir)
  }

  async function find(): Promise<Binary> {
    if (failure && failure.until > performance.now()) throw failure.problem
    binary ??= findBinary()
      .then(withFonts)
      .catch((error) => {
        binary = undefined
        return fail(error)
      })
    return binary
  }

  const offers = (kind: BrowserKind): BrowserKind =>
    kind === 'still' && (!canBeStill || care?.level() === 2) ? 'drawn' : kind

  return {
    offers,
    spread: 1,
    async start(wished) {
      const found = await find()
      const server = await proxyServer()
      const launch = (kind: BrowserKind) => {
        const own = `${mark}-${process.pid}-${++launches}`
        const cheap = care?.level() === 0
        return launchBrowser({ binary: found, kind, mark: own, proxyServer: server, sandbox: sandbox.on, cheap })
      }
      const again = (error: unknown) => {
        if (wished === 'still') canBeStill = false
        log.warn({ because: firstLine(error), kind: wished }, 'a browser did not start; trying once more')
        return launch(offers(wished))
      }
      // A machine under strain may kill one browser as it starts; two in a row are believed.
      const running = await launch(offers(wished)).catch(again).catch(fail)
      failure = undefined
      return running
    },
    died(kind) {
      const careful = care?.died(kind) ?? false
      log.warn({ kind, careful }, 'a browser ended by itself')
    },
    notes: () => [sandbox.note, isolationNote].filter((note) => note !== undefined),
    check: () => Promise.race([find().then(() => {}), pause(CHECK_MS)]),
  }
}

const firstLine = (error: unknown): string => (error as Error).message.split('\n', 1)[0] ?? ''

const pause = (ms: number): Promise<void> => new Promise((resolve) => void setTimeout(resolve, ms).unref())

// Starts local browsers. Caches failures for a while, so that a service without a browser fails fast.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Log } from '../../base/log.ts'
import { Problem } from '../../base/problem.ts'
import type { Binary } from './find-chromium.ts'
import { isolated } from './host-isolation.ts'
import { type BrowserKind, endOrphans, launchBrowser, type RunningBrowser } from './launch.ts'
import { type LaunchSafety, openLaunchSafety } from './launch-safety.ts'
import { withLowPriority } from './launch-script.ts'
import { chooseSandbox, type SandboxMode, sandboxAdvice } from './sandbox.ts'

interface SupplyOptions {
  findBinary(): Promise<Binary>
  fontsConf(binary: Binary): Promise<string>
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

export function openSupply({
  findBinary,
  fontsConf,
  proxyServer,
  mark,
  log,
  ...options
}: SupplyOptions): BrowserStarter {
  const orphans = endOrphans(mark)
  if (orphans > 0) log.warn({ orphans }, 'ended browsers that an earlier service left behind')
  let failure: { until: number; problem: Problem } | undefined
  let binary: Promise<Binary> | undefined
  let launches = 0
  const sandbox = chooseSandbox(options.sandbox)
  if (sandbox.note !== undefined) log.warn({}, sandbox.note)
  let safety: LaunchSafety | undefined
  let canBeUndrawn = true
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
    safety ??= await openLaunchSafety(found, options.safetyDir, Date.now)
    const isolation = await isolated({ ...found, env: { ...found.env, FONTCONFIG_FILE } }, options.dataDir)
    if (isolation.note !== undefined) log.warn({}, isolation.note)
    isolationNote = isolation.note
    return withLowPriority(isolation.binary, options.safetyDir)
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
      // A machine under load may kill a browser at startup; only two failures in a row count.
      const running = await launch(offers(requested)).catch(again).catch(fail)
      failure = undefined
      return running
    },
    died(kind) {
      const careful = safety?.died(kind) ?? false
      log.warn({ kind, careful }, 'a browser ended by itself')
    },
    notes: () => [sandbox.note, isolationNote].filter((note) => note !== undefined),
    check: () => Promise.race([find().then(() => {}), sleep(CHECK_MS, undefined, { ref: false })]),
  }
}

const firstLine = (error: unknown): string => (error as Error).message.split('\n', 1)[0] ?? ''

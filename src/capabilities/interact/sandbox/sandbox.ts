// Code of strangers, never in our process: each session has one sandbox for each language it uses. Where a sandbox cannot be
// had, code is refused with the reason.
import { randomInt } from 'node:crypto'
import { chmodSync, chownSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Log } from '../../../base/log.ts'
import { Problem } from '../../../base/problem.ts'
import { openSocketDoor, type SocketDoor } from '../../../fetch/chrome/live/door.ts'
import type { LiveSession } from '../../../fetch/chrome/live/live-session.ts'
import { CDP_URL } from '../inside/relay.ts'
import { wallsFor, whyNoWalls } from './bubblewrap.ts'
import { type Kit, makeKit } from './kit.ts'
import { type Ran, type Runner, startRunner } from './runner.ts'

export type Language = 'node' | 'python' | 'bash'

/** A step in the session's page that a shell asks for by name. */
export type AgentBrowser = (args: readonly string[], signal: AbortSignal) => Promise<object>

export interface Workbench {
  run(code: string, language: Language, timeoutMs: number, signal: AbortSignal): Promise<Ran>
  close(): Promise<void>
}

export interface Sandbox {
  /** Undefined when code can run here; otherwise the reason why not. */
  refusal(): Promise<string | undefined>
  workbench(session: LiveSession, agentBrowser: AgentBrowser): Workbench
}

const MB = 1024 * 1024
const MAX_BYTES = 640 * MB
/** Users that own nothing. Only root can lend them; each sandbox has one to itself, so that limits count for it alone. */
const USERS = { from: 40_000, to: 60_000 }

export function openSandbox({ version, log }: { version: string; log: Log }): Sandbox {
  const users = new Set<number>()
  const isRoot = process.getuid?.() === 0
  let ready: Promise<{ kit: Kit; refusal: string | undefined }> | undefined
  const prepare = async () => {
    const kit = await makeKit(version)
    const trial = await openPlace(isRoot, users)
    const refusal = await whyNoWalls(kit, trial.path, trial.user).finally(() => trial.leave())
    if (refusal) log.warn({ because: refusal }, 'code of callers cannot run here')
    return { kit, refusal }
  }
  const prepared = () => {
    ready ??= prepare().catch((error: Error) => {
      ready = undefined
      return { kit: { path: '', node: '', python: undefined }, refusal: error.message }
    })
    return ready
  }
  return {
    refusal: async () => (await prepared()).refusal,
    workbench(session, agentBrowser) {
      const benches = new Map<Language, Promise<Bench>>()
      const open = async (language: Language) => {
        const { kit, refusal } = await prepared()
        if (refusal) throw new Problem('no_sandbox', { because: refusal })
        if (language === 'python' && !kit.python)
          throw new Problem('no_sandbox', { because: 'python3 is not installed on this machine' })
        return openBench(await openPlace(isRoot, users), { kit, language, session, agentBrowser })
      }
      return {
        async run(code, language, timeoutMs, signal) {
          let opening = benches.get(language)
          if (!opening) {
            opening = open(language)
            benches.set(language, opening)
            opening.catch(() => benches.delete(language))
          }
          return (await opening).run(code, timeoutMs, signal)
        },
        async close() {
          await Promise.allSettled([...benches.values()].map(async (bench) => (await bench).close()))
          benches.clear()
        },
      }
    },
  }
}

interface Place {
  path: string
  user: number | undefined
  leave(): Promise<void>
}

/** A folder that only the sandbox's user can enter. */
async function openPlace(isRoot: boolean, users: Set<number>): Promise<Place> {
  const path = await mkdtemp(join(tmpdir(), 'orb-session-'))
  let user: number | undefined
  if (isRoot) {
    do user = randomInt(USERS.from, USERS.to)
    while (users.has(user))
    users.add(user)
    chownSync(path, user, user)
  }
  return {
    path,
    user,
    async leave() {
      await rm(path, { recursive: true, force: true })
      if (user !== undefined) users.delete(user)
    },
  }
}

interface BenchWish {
  kit: Kit
  language: Language
  session: LiveSession
  agentBrowser: AgentBrowser
}

interface Bench {
  run(code: string, timeoutMs: number, signal: AbortSignal): Promise<Ran>
  close(): Promise<void>
}

async function openBench(place: Place, { kit, language, session, agentBrowser }: BenchWish): Promise<Bench> {
  const socket = join(place.path, 'cdp.sock')
  const door: SocketDoor = await openSocketDoor(socket, session, (body, signal) => agentBrowser(argsIn(body), signal))
  if (place.user !== undefined) chownSync(socket, place.user, place.user)
  chmodSync(socket, 0o600)
  const script = language === 'node' ? 'node-runner.js' : 'supervisor.js'
  const walls = wallsFor({
    kit,
    sessionDir: place.path,
    env: {
      HOME: '/home/session',
      PATH: '/orb/kit/bin:/usr/local/bin:/usr/bin:/bin',
      LANG: 'C.UTF-8',
      CDP_URL,
      PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD: '1',
    },
    program: [kit.node, '--max-old-space-size=384', `/orb/kit/${script}`, language],
  })
  let runner: Runner | undefined
  let busy: Promise<unknown> = Promise.resolve()
  const start = () => {
    if (runner?.alive()) return runner
    runner = startRunner({ ...walls, user: place.user, maxBytes: MAX_BYTES, order: orderFor(language), onEnd() {} })
    return runner
  }
  return {
    run(code, timeoutMs, signal) {
      // One call after another: they share one program.
      const work = busy.then(() => start().run(code, timeoutMs, signal))
      busy = work.catch(() => undefined)
      return work
    },
    async close() {
      runner?.kill()
      door.close()
      await place.leave()
    },
  }
}

const orderFor =
  (language: Language) =>
  (code: string, mark: string): string =>
    language === 'bash' ? `${mark} ${Buffer.from(code).toString('base64')}\n` : `${JSON.stringify({ code, mark })}\n`

function argsIn(body: string): string[] {
  const { args } = JSON.parse(body) as { args?: unknown }
  return Array.isArray(args) ? args.map(String).slice(0, 100) : []
}

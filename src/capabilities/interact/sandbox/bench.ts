// One sandbox and the program in it: a place of its own on this machine, the walls around it, the way to the browser of its
// session. It is made before anybody needs it, and bound to a session later.
import { randomInt } from 'node:crypto'
import { chmodSync, chownSync, existsSync, mkdirSync } from 'node:fs'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openSocketDoor, type SocketDoor } from '../../../fetch/chrome/live/door.ts'
import type { LiveSession } from '../../../fetch/chrome/live/live-session.ts'
import { openMux } from '../inside/mux.ts'
import { CDP_URL } from '../inside/relay.ts'
import { wallsFor } from './bubblewrap.ts'
import { endUser, fenceFor, isOverfull, isUserBusy, userBytes } from './fence.ts'
import type { Kit } from './kit.ts'
import type { AgentBrowser, CodeLanguage } from './language.ts'
import { type ProcessGuard, type Ran, type Runner, type RunnerOptions, startRunner } from './runner.ts'

export type WallKind = 'bubblewrap' | 'user'

const MB = 1024 * 1024
const MAX_BYTES = 640 * MB
/** Users that own nothing. Only root can lend them; each sandbox has one to itself, so that limits count for it alone. */
const USERS = { from: 40_000, to: 60_000 }

export interface BenchPlace {
  path: string
  user: number | undefined
  leave(): Promise<void>
}

/** A folder that only the sandbox's user can enter. */
export async function openPlace(users: Set<number>): Promise<BenchPlace> {
  const path = await mkdtemp(join(tmpdir(), 'orb-session-'))
  let user: number | undefined
  if (process.getuid?.() === 0) {
    do user = randomInt(USERS.from, USERS.to)
    while (users.has(user) || isUserBusy(user))
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

export interface Bench {
  run(code: string, timeoutMs: number, signal: AbortSignal): Promise<Ran>
  close(): Promise<void>
}

/** A sandbox that runs and belongs to no session yet. */
export interface LooseBench {
  alive(): boolean
  bind(session: LiveSession, agentBrowser: AgentBrowser): Bench
  close(): Promise<void>
}

interface SpareRunnerOptions {
  kit: Kit
  walls: WallKind
  language: CodeLanguage
}

export async function openBench(place: BenchPlace, wish: SpareRunnerOptions): Promise<LooseBench> {
  const { language } = wish
  let bound: { session: LiveSession; agentBrowser: AgentBrowser } | undefined
  const connect: LiveSession['connect'] = (client) => {
    if (bound) return bound.session.connect(client)
    client.close()
    return { hear() {}, close() {} }
  }
  const command = async (body: string, signal: AbortSignal) => {
    if (!bound) throw new Error('there is no session yet')
    return bound.agentBrowser(argsIn(body), signal)
  }
  const socket = wish.walls === 'bubblewrap' ? join(place.path, 'cdp.sock') : undefined
  const door = await openSocketDoor(socket, { connect }, command)
  if (socket !== undefined) {
    if (place.user !== undefined) chownSync(socket, place.user, place.user)
    chmodSync(socket, 0o600)
  }
  const around = wish.walls === 'bubblewrap' ? walled(place, wish) : fenced(place, wish, door)
  const start = () =>
    startRunner({ ...around, user: place.user, maxBytes: MAX_BYTES, order: orderFor(language), onEnd() {} })
  let runner: Runner = start()
  let busy: Promise<unknown> = Promise.resolve()
  const close = async () => {
    runner.kill()
    door.close()
    await around.guard?.end()
    await place.leave()
  }
  const run: Bench['run'] = (code, timeoutMs, signal) => {
    // One call after another: they share one program.
    const work = busy.then(async () => {
      if (!runner.alive()) {
        await around.guard?.end()
        runner = start()
      }
      return runner.run(code, timeoutMs, signal)
    })
    busy = work.catch(() => undefined)
    return work
  }
  return {
    alive: () => runner.alive(),
    close,
    bind(session, agentBrowser) {
      bound = { session, agentBrowser }
      return { run, close }
    },
  }
}

type Around = Pick<RunnerOptions, 'command' | 'args' | 'env' | 'onPipe'> & {
  /** Resolves when nothing of it runs any more. */
  guard: (ProcessGuard & { end(): Promise<void> }) | undefined
}

const scriptFor = (language: CodeLanguage): string => (language === 'node' ? 'node-runner.js' : 'supervisor.js')
const NODE_LIMIT = '--max-old-space-size=384'
const COMMON = { LANG: 'C.UTF-8', PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD: '1' }

function walled({ path }: BenchPlace, { kit, language }: SpareRunnerOptions): Around {
  const walls = wallsFor({
    kit,
    sessionDir: path,
    env: { ...COMMON, HOME: '/home/session', PATH: '/orb/kit/bin:/usr/local/bin:/usr/bin:/bin', CDP_URL },
    program: [kit.node, NODE_LIMIT, `/orb/kit/${scriptFor(language)}`, language],
  })
  return { ...walls, guard: undefined, onPipe: undefined }
}

function fenced({ path, user = -1 }: BenchPlace, { kit, language }: SpareRunnerOptions, door: SocketDoor): Around {
  const [temporary, post] = [join(path, 'tmp'), join(path, '.post')]
  const furnish = () => {
    for (const folder of [temporary, post]) {
      mkdirSync(folder, { recursive: true, mode: 0o700 })
      chownSync(folder, user, user)
    }
  }
  furnish()
  const walls = fenceFor({
    kit,
    own: path,
    env: {
      ...COMMON,
      HOME: path,
      TMPDIR: temporary,
      PATH: `${join(kit.path, 'bin')}:/usr/local/bin:/usr/bin:/bin`,
    },
    program: [kit.ownNode, NODE_LIMIT, join(kit.path, scriptFor(language)), language, kit.path, '-', post],
  })
  // One sweep after another: a late one would end what was started after it.
  let sweep: Promise<void> = Promise.resolve()
  const end = () => {
    sweep = sweep.then(async () => {
      await endUser(user)
      // What it wrote goes with it: the next call starts afresh.
      for (const name of await readdir(path).catch(() => []))
        await rm(join(path, name), { recursive: true, force: true })
      if (existsSync(path)) furnish()
    })
    return sweep
  }
  return {
    ...walls,
    onPipe: (pipe) => void openMux(pipe, (stream) => door.receive(stream)),
    guard: {
      kill: () => void end(),
      end,
      bytes: () => userBytes(user),
      breach: async () => ((await isOverfull(path)) ? 'The code wrote more than it may, and was ended.' : undefined),
    },
  }
}

const orderFor =
  (language: CodeLanguage) =>
  (code: string, mark: string): string =>
    language === 'bash' ? `${mark} ${Buffer.from(code).toString('base64')}\n` : `${JSON.stringify({ code, mark })}\n`

function argsIn(body: string): string[] {
  const { args } = JSON.parse(body) as { args?: unknown }
  return Array.isArray(args) ? args.map(String).slice(0, 100) : []
}

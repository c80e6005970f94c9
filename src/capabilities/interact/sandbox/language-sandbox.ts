// One sandbox with its program, for one language of one session. It is started ahead and bound to a session later.
import { randomInt } from 'node:crypto'
import { chmodSync, chownSync, existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import type { LiveSession } from '../../../fetch/chrome/live/live-session.ts'
import { openSessionUnixSocket, type SessionUnixSocket } from '../../../fetch/chrome/live/local-session-sockets.ts'
import { CDP_URL } from '../inside/cdp-relay.ts'
import { openStreamMultiplexer } from '../inside/stream-multiplexer.ts'
import { makeBubblewrapLaunch, WRITABLE_FOLDERS } from './bubblewrap.ts'
import { makeCgroup, type SandboxCgroup } from './cgroup.ts'
import type { CodeLanguage, RunBrowserCommand } from './code-language.ts'
import { killProcessesOfUser, makeLandlockLaunch } from './landlock.ts'
import { findExceededLimit, measureFolder, measureMountedFolders, OUT_OF_MEMORY_MESSAGE } from './measure-usage.ts'
import { listProcessesOfUser, listProcessTree } from './process-tree.ts'
import { type RunLimit, type Runner, type RunnerOptions, type RunResult, startRunner } from './runner.ts'
import type { RuntimeFolder } from './runtime-folder.ts'
import type { LaunchCommand } from './try-launch.ts'

/** `user`: a separate user behind Landlock; see landlock.ts. */
export type SandboxKind = 'bubblewrap' | 'user'

/** Unprivileged user ids; only root can switch to them. Each sandbox has its own, so that limits count for it alone. */
const SANDBOX_USER_IDS = { from: 40_000, to: 60_000 }

type SandboxFolder = Awaited<ReturnType<typeof makeSandboxFolder>>

/** A folder that only the sandbox's user can enter. */
export async function makeSandboxFolder(users: Set<number>) {
  const path = await mkdtemp(join(tmpdir(), 'orb-session-'))
  let user: number | undefined
  if (process.getuid?.() === 0) {
    do user = randomInt(SANDBOX_USER_IDS.from, SANDBOX_USER_IDS.to)
    while (users.has(user) || listProcessesOfUser(user).length > 0)
    users.add(user)
    chownSync(path, user, user)
  }
  return {
    path,
    user,
    async remove() {
      await rm(path, { recursive: true, force: true })
      if (user !== undefined) users.delete(user)
    },
  }
}

export interface LanguageSandbox {
  run(code: string, limit: RunLimit, signal: AbortSignal): Promise<RunResult>
  close(): Promise<void>
}

export type UnboundSandbox = Awaited<ReturnType<typeof openLanguageSandbox>>

interface LanguageSandboxOptions {
  bundle: RuntimeFolder
  kind: SandboxKind
  language: CodeLanguage
  /** The parent of memory-limited groups; see cgroup.ts. */
  cgroups: string | undefined
}

export async function openLanguageSandbox(folder: SandboxFolder, options: LanguageSandboxOptions) {
  const { language, kind, cgroups } = options
  let bound: { session: LiveSession; agentBrowser: RunBrowserCommand } | undefined
  const connect: LiveSession['connect'] = (client) => {
    if (bound) return bound.session.connect(client)
    client.close()
    return { receive() {}, close() {} }
  }
  const command = async (body: string, signal: AbortSignal) => {
    if (!bound) throw new Error('there is no session yet')
    return bound.agentBrowser(argsIn(body), signal)
  }
  const socket = kind === 'bubblewrap' ? join(folder.path, 'cdp.sock') : undefined
  const sessionSocket = await openSessionUnixSocket(socket, { connect }, command)
  if (socket !== undefined) {
    if (folder.user !== undefined) chownSync(socket, folder.user, folder.user)
    chmodSync(socket, 0o600)
  }
  const cgroup = cgroups === undefined ? undefined : makeCgroup(cgroups, basename(folder.path))
  const confinement =
    kind === 'bubblewrap' ? inBubblewrap(folder, options) : behindLandlock(folder, options, sessionSocket)
  const start = () =>
    startRunner({
      ...confinement.launch,
      user: folder.user,
      onPipe: confinement.onPipe,
      onReady: (pid) => confineProcesses(confinement.processes(pid), cgroup),
      exceededLimit: async (pid) =>
        cgroup?.isOutOfMemory() ? OUT_OF_MEMORY_MESSAGE : findExceededLimit(confinement.processes(pid), confinement),
      kill: () => void confinement.end(),
      request: requestFor(language),
    })
  let runner: Runner = start()
  let busy: Promise<unknown> = Promise.resolve()
  const close = async () => {
    runner.kill()
    sessionSocket.close()
    await confinement.end()
    await cgroup?.remove()
    await folder.remove()
  }
  const runNow = async (code: string, limit: RunLimit, signal: AbortSignal): Promise<RunResult> => {
    if (runner.isAlive()) return runner.run(code, limit, signal)
    const missed = await runner.unreported()
    await confinement.end()
    runner = start()
    const ran = await runner.run(code, limit, signal)
    const notice = missed && `After the last call: ${missed} Its variables are lost; this call ran in a new process.`
    return notice ? { ...ran, stderr: [notice, ran.stderr].filter(Boolean).join('\n') } : ran
  }
  const run: LanguageSandbox['run'] = (code, limit, signal) => {
    // Calls are sequential: they share one program.
    const work = busy.then(() => runNow(code, limit, signal))
    busy = work.catch(() => undefined)
    return work
  }
  return {
    isAlive: () => runner.isAlive(),
    close,
    bind(session: LiveSession, agentBrowser: RunBrowserCommand) {
      bound = { session, agentBrowser }
      return { run, close }
    },
  }
}

/** Runs before any untrusted code. When memory is short, the kernel kills these processes first. */
function confineProcesses(processes: readonly number[], cgroup: SandboxCgroup | undefined): void {
  cgroup?.add(processes)
  for (const pid of processes) {
    try {
      writeFileSync(`/proc/${pid}/oom_score_adj`, '1000')
    } catch {
      // Already gone, or not permitted: the limits hold without it.
    }
  }
}

interface Confinement {
  launch: LaunchCommand
  onPipe: RunnerOptions['onPipe']
  processes(pid: number): number[]
  folders(processes: readonly number[]): ReturnType<typeof measureMountedFolders>
  foldersAreMemory: boolean
  /** Kills what is left; resolves when nothing runs any more. */
  end(): Promise<void>
}

const scriptFor = (language: CodeLanguage): string => (language === 'node' ? 'node-runner.js' : 'supervisor.js')
const NODE_LIMIT = '--max-old-space-size=384'
const COMMON = { LANG: 'C.UTF-8', PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD: '1' }

function inBubblewrap({ path }: SandboxFolder, { bundle, language }: LanguageSandboxOptions): Confinement {
  const launch = makeBubblewrapLaunch({
    bundle,
    sessionDir: path,
    env: { ...COMMON, HOME: '/home/session', PATH: '/orb/runtime/bin:/usr/local/bin:/usr/bin:/bin', CDP_URL },
    program: [bundle.node, NODE_LIMIT, `/orb/runtime/${scriptFor(language)}`, language],
  })
  return {
    launch,
    onPipe: undefined,
    processes: listProcessTree,
    folders: (processes) => measureMountedFolders(processes, WRITABLE_FOLDERS),
    foldersAreMemory: true,
    // Its processes end with the first one (--die-with-parent).
    end: async () => {},
  }
}

function behindLandlock(
  { path, user = -1 }: SandboxFolder,
  { bundle, language }: LanguageSandboxOptions,
  sessionSocket: SessionUnixSocket,
): Confinement {
  const [temporary, calls] = [join(path, 'tmp'), join(path, '.post')]
  const makeFolders = () => {
    for (const folder of [temporary, calls]) {
      mkdirSync(folder, { recursive: true, mode: 0o700 })
      chownSync(folder, user, user)
    }
  }
  makeFolders()
  const launch = makeLandlockLaunch({
    bundle,
    folder: path,
    env: {
      ...COMMON,
      HOME: path,
      TMPDIR: temporary,
      PATH: `${join(bundle.path, 'bin')}:/usr/local/bin:/usr/bin:/bin`,
    },
    program: [bundle.ownNode, NODE_LIMIT, join(bundle.path, scriptFor(language)), language, bundle.path, '-', calls],
  })
  // Sequential: a late kill would end processes started after it.
  let sweep: Promise<void> = Promise.resolve()
  return {
    launch,
    onPipe: (pipe) => void openStreamMultiplexer(pipe, (stream) => sessionSocket.receive(stream)),
    processes: () => listProcessesOfUser(user),
    folders: (processes) => measureFolder(processes, path),
    foldersAreMemory: false,
    end() {
      sweep = sweep.then(async () => {
        await killProcessesOfUser(user)
        // Its files are deleted, so that the next call starts clean.
        for (const name of await readdir(path).catch(() => []))
          await rm(join(path, name), { recursive: true, force: true })
        if (existsSync(path)) makeFolders()
      })
      return sweep
    },
  }
}

const requestFor =
  (language: CodeLanguage) =>
  (code: string, mark: string): string =>
    // The shell reads up to a NUL: decoding JSON would need a process, and the code may have used up its limit.
    language === 'bash' ? `${mark} ${code.replaceAll('\0', '')}\0` : `${JSON.stringify({ code, mark })}\n`

function argsIn(body: string): string[] {
  const { args } = JSON.parse(body) as { args?: unknown }
  return Array.isArray(args) ? args.map(String).slice(0, 100) : []
}

// Processes in which services run one after another: three quarters of a start are the reading and compiling of modules, which
// are the same for all. `npm test` starts services in them; those whose start, end or environment is the subject have a
// process of their own, and so has every service of the second tier.
import { type ChildProcess, fork } from 'node:child_process'
import { EventEmitter } from 'node:events'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { patient } from '../patience.ts'

const HOST = join(import.meta.dirname, 'host.mjs')
const END_MS = 5000
const MOST_IDLE = 2

interface ServiceStart {
  env: Record<string, string>
  args: string[]
  execArgv: string[]
}

const idle: ChildProcess[] = []
let starts = 0

/** The program in a host, with what the tests use of a process. A signal that kills it ends the host. */
export class HostedProcess extends EventEmitter {
  readonly stdout = new EventEmitter()
  readonly stderr = new EventEmitter()
  readonly #host: ChildProcess
  #hasEnded = false
  #stopping: NodeJS.Timeout | undefined

  constructor({ env, args, execArgv }: ServiceStart) {
    super()
    const host = takeIdle() ?? startHost(env, execArgv)
    this.#host = host
    // NUL first: what could be the beginning of a mark is held back.
    const [begin, end] = ['begin', 'end'].map((name) => `\0${name} ${process.pid} ${starts}\n`) as [string, string]
    starts++
    const exitCode = new Promise<number>((resolve) =>
      host.once('message', (message) => resolve((message as { exitCode: number }).exitCode)),
    )
    const printed = (['stdout', 'stderr'] as const).map((name) => forwardBetween(begin, end, host[name]!, this[name]))
    void Promise.all([exitCode, ...printed]).then(([code]) => this.#release(code))
    host.once('exit', (code) => this.emit('exit', code)).once('close', (code) => this.emit('close', code))
    host.send({ env, args, begin, end })
  }

  get pid(): number | undefined {
    return this.#host.pid
  }

  kill(signal: NodeJS.Signals): boolean {
    // The host may run another service by now.
    return !this.#hasEnded && this.#host.kill(signal)
  }

  /** Ends it, with its host if it does not end by itself. */
  stop(): void {
    if (this.kill('SIGTERM')) this.#stopping = setTimeout(() => this.kill('SIGKILL'), patient(END_MS))
  }

  #release(code: number): void {
    this.#hasEnded = true
    clearTimeout(this.#stopping)
    // Node's own listeners of the streams stay: without them the process would never emit `close`.
    for (const name of ['exit', 'close', 'message']) this.#host.removeAllListeners(name)
    for (const from of [this.#host.stdout, this.#host.stderr]) from?.removeAllListeners('data')
    if (idle.length < MOST_IDLE) idle.push(this.#host)
    else this.#host.disconnect()
    for (const name of ['exit', 'close']) this.emit(name, code)
  }
}

/** One that is still there. */
function takeIdle(): ChildProcess | undefined {
  for (let host = idle.pop(); host; host = idle.pop()) if (host.connected) return host
  return undefined
}

/** Passes on what a stream has between two marks; resolves at the second one. */
const forwardBetween = (begin: string, end: string, from: Readable, to: EventEmitter): Promise<void> =>
  new Promise((resolve) => {
    let text = ''
    let isBegun = false
    from.setEncoding('utf8').on('data', (chunk) => {
      text += chunk
      if (!isBegun) {
        const at = text.indexOf(begin)
        if (at < 0) return
        text = text.slice(at + begin.length)
        isBegun = true
      }
      const [own = '', ...after] = text.split(end)
      const last = own.lastIndexOf('\0')
      const isCut = after.length === 0 && last >= 0 && end.startsWith(own.slice(last))
      const complete = isCut ? own.slice(0, last) : own
      text = own.slice(complete.length)
      if (complete) to.emit('data', complete)
      if (after.length > 0) resolve()
    })
  })

function startHost({ PATH, HOME, TMPDIR }: Record<string, string>, execArgv: string[]): ChildProcess {
  const env = { PATH, HOME, ...(TMPDIR ? { TMPDIR } : {}) }
  const host = fork(HOST, { env, execArgv, stdio: ['ignore', 'pipe', 'pipe', 'ipc'] })
  host.unref()
  return host
}

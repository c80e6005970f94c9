// The real service as a user runs it: the built program in a process of its own, an empty data folder, a free port.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { copyFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Firecrawl } from 'firecrawl'
import { emptyDatabase } from '../contract/open-store.ts'
import { isJudged } from '../cost.ts'
import { patient } from '../patience.ts'
import { isSoak } from '../soak.ts'
import { HostedProcess } from './hosts.ts'

const MAIN = join(import.meta.dirname, '../../dist/main.js')
export const TEST_KEY = 'fc-0123456789abcdef0123456789abcdef'
/** Optimising code costs a service of a few minutes a third of its CPU, and a small young generation a tenth. Large inputs need both. */
const NODE_FLAGS = isSoak || isJudged ? [] : ['--no-opt', '--min-semi-space-size=16']
/** A patience, not a bar: several services and browsers may be starting on the same two cores. */
const READY_MS = 50_000

export interface Service {
  url: string
  key: string
  dataDir: string
  pid: number
  /** What it printed for people. */
  printed(): string
  /** Its log so far, line by line. */
  logged(): string[]
  sdk: Firecrawl
  /** A request with the key; JSON bodies are objects. */
  call(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>
  /** Sends a signal and resolves to the exit code. */
  end(signal?: NodeJS.Signals): Promise<number | null>
  /** Ends it and removes its data. */
  stop(): Promise<void>
}

// biome-ignore lint/suspicious/noExplicitAny: answers are whatever the service sends; tests look into them freely.
export type Json = any

export interface Answer {
  status: number
  headers: Headers
  text: string
  json: Json
}

export interface ServiceOptions {
  env?: Record<string, string>
  /** A data folder of an earlier service, to be used again. */
  dataDir?: string
  /** `start` unless told. */
  args?: string[]
  /** Its start, end or process is the subject: it shares none with services before it (hosts.ts). */
  ownProcess?: boolean
}

export async function startService(options: ServiceOptions = {}): Promise<Service> {
  const { env = {}, args = ['start'] } = options
  const dataDir = options.dataDir ?? (await (env.ORB_DATABASE_URL ? emptyFolder() : migratedFolder()))
  const own = { ORB_DATA_DIR: dataDir, ORB_API_KEY: TEST_KEY, ...env }
  const { child, output } = options.ownProcess ? launch(own, args) : launchHosted(own, args)
  return serviceOf(child, output, { dataDir, env })
}

/** A service that was launched, once it is ready. */
export async function serviceOf(
  child: ChildProcess | HostedProcess,
  output: Output,
  { dataDir, env = {} }: { dataDir: string; env?: Record<string, string> },
): Promise<Service> {
  const url = await ready(child, output).catch((error: Error) => {
    child.kill('SIGKILL')
    throw error
  })
  const key = /API key\s+(fc-\w+)/.exec(output.out)?.[1] ?? (env.ORB_API_KEY === '' ? keptKey(dataDir) : TEST_KEY)
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve))
  const end = (signal: NodeJS.Signals = 'SIGTERM') => {
    child.kill(signal)
    return ended
  }
  return {
    url,
    key,
    dataDir,
    pid: child.pid as number,
    printed: () => output.out,
    logged: () => output.err.split('\n').filter(Boolean),
    sdk: new Firecrawl({ apiKey: key, apiUrl: url }),
    call: (method, path, body, headers = {}) =>
      request(url + path, method, body, { authorization: `Bearer ${key}`, ...headers }),
    end,
    async stop() {
      if (child instanceof HostedProcess) child.stop()
      else child.kill('SIGKILL')
      await ended
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

/** The key that the first start made: it is printed by that one only. */
const keptKey = (dataDir: string): string => readFileSync(join(dataDir, 'first-key'), 'utf8').trim()

export const emptyFolder = (): string => mkdtempSync(join(tmpdir(), 'orb-e2e-'))

/** A data folder with an empty database: to make one takes a sixth of a start's CPU. First starts have tests of their own. */
export async function migratedFolder(): Promise<string> {
  const folder = emptyFolder()
  await copyFile(await emptyDatabase(), join(folder, 'orb.db'))
  return folder
}

/** Linux gives `listen(0)` and outgoing connections ports from 32768 on: a port below stays free until it is used. */
const FIRST_PORT = 12_000
const LAST_PORT = 32_000
let nextPort = FIRST_PORT + ((process.pid * 97) % (LAST_PORT - FIRST_PORT))

/** A port of this machine without a listener. */
export async function closedPort(): Promise<number> {
  for (;;) {
    const port = nextPort
    nextPort = port >= LAST_PORT ? FIRST_PORT : port + 1
    if (await isFree(port)) return port
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer()
  try {
    await once(server.listen(port, '127.0.0.1'), 'listening')
  } catch {
    return false
  }
  await once(server.close(), 'close')
  return true
}

/** What a service printed: for people, and its log. */
export interface Output {
  out: string
  err: string
}

export interface LaunchSettings {
  /** Run by a program that comes before it on the command line. */
  under?: readonly string[]
  detached?: boolean
}

/** Starts the program without waiting for it: for starts that are expected to fail. */
export function launch(env: Record<string, string>, args: string[] = ['start'], settings: LaunchSettings = {}) {
  const { under = [], detached = false } = settings
  const [command = '', ...rest] = [...under, process.execPath, ...NODE_FLAGS, MAIN, ...args]
  const child = spawn(command, rest, {
    detached,
    env: environmentWith(env),
    stdio: [under.length > 0 ? 'pipe' : 'ignore', 'pipe', 'pipe'],
  })
  return { child, output: outputOf(child) }
}

/** In a host, unless this run is about processes or Node reads part of the environment before any module. */
function launchHosted(env: Record<string, string>, args: string[]) {
  if (isSoak || isJudged || Object.keys(env).some((name) => !/^ORB_/.test(name))) return launch(env, args)
  const child = new HostedProcess({ env: environmentWith(env), args, execArgv: NODE_FLAGS })
  return { child, output: outputOf(child) }
}

function environmentWith(env: Record<string, string>): Record<string, string> {
  const { PATH = '', HOME = '', TMPDIR, ORB_CHROMIUM } = process.env
  return {
    PATH,
    HOME,
    ...(TMPDIR ? { TMPDIR } : {}),
    ...(ORB_CHROMIUM ? { ORB_CHROMIUM } : {}),
    ORB_PORT: '0',
    ORB_LOG_LEVEL: 'info',
    ORB_CHECK_REPLIES: 'on',
    // The site of the tests is on loopback, and so are the visitors of all teams; tests of who may go there say otherwise.
    ORB_ALLOW_PRIVATE_FOR: 'everyone',
    ...env,
  }
}

function outputOf(child: ChildProcess | HostedProcess): Output {
  const output: Output = { out: '', err: '' }
  child.stdout?.on('data', (chunk) => {
    output.out += chunk
  })
  child.stderr?.on('data', (chunk) => {
    output.err += chunk
  })
  return output
}

/** Runs a command of the program to its end. */
export async function runToEnd(env: Record<string, string>, args: string[]) {
  const { child, output } = args[0] === 'start' ? launch(env, args) : launchHosted(env, args)
  // Not `exit`: what it printed last may still be on its way.
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
  return { code, ...output }
}

function ready(child: ChildProcess | HostedProcess, output: Output): Promise<string> {
  return new Promise((resolve, reject) => {
    const fail = (why: string) => {
      clearInterval(timer)
      reject(new Error(`the service ${why}\n${output.out}\n${output.err}`))
    }
    const began = performance.now()
    // The load of the moment counts, not that when this file was read.
    const timer = setInterval(() => {
      if (performance.now() - began > patient(READY_MS)) fail('was not ready in time')
    }, READY_MS / 10)
    const onExit = (code: number | null) => fail(`ended with ${code}`)
    child.once('exit', onExit)
    child.stdout?.on('data', () => {
      const port = /ready\s+http:\/\/localhost:(\d+)/.exec(output.out)?.[1]
      if (!port || !output.out.includes('/v2/scrape')) return
      clearInterval(timer)
      child.removeListener('exit', onExit)
      resolve(`http://127.0.0.1:${port}`)
    })
  })
}

export async function request(
  url: string,
  method: string,
  body: unknown,
  headers: Record<string, string>,
): Promise<Answer> {
  const isText = typeof body === 'string'
  const response = await fetch(url, {
    method,
    redirect: 'manual',
    headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
    ...(body === undefined ? {} : { body: isText ? body : JSON.stringify(body) }),
  })
  const text = await response.text()
  let json: Json
  try {
    json = JSON.parse(text)
  } catch {
    json = undefined
  }
  return { status: response.status, headers: response.headers, text, json }
}

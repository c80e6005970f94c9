// One program in one sandbox, for all calls of a session in one language. What it prints is kept up to a limit and the rest
// thrown away; when it takes too long or too much memory, it is ended from outside, and with it everything it started.
import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import type { Duplex, Readable, Writable } from 'node:stream'
import { giveWay } from '../../../base/priority.ts'
import { Problem } from '../../../base/problem.ts'
import { type Catcher, openCatcher } from './catcher.ts'
import { familyBytes } from './family.ts'

export interface Ran {
  result: string | null
  stdout: string
  stderr: string
  exitCode: number | null
  /** Ended from outside. */
  killed: boolean
  /** More was printed than is kept. */
  truncated: boolean
}

export interface Runner {
  run(code: string, timeoutMs: number, signal: AbortSignal): Promise<Ran>
  alive(): boolean
  kill(): void
}

export interface RunnerOptions {
  command: string
  args: readonly string[]
  env: Record<string, string>
  user: number | undefined
  maxBytes: number
  /** Ends what it started elsewhere than below itself, and tells of limits that its walls do not set. */
  guard: ProcessGuard | undefined
  /** Hears of the pipe to the browser, where there is one. */
  onPipe: ((pipe: Duplex) => void) | undefined
  /** How a call is written down for the program. */
  order(code: string, mark: string): string
  onEnd(): void
}

export interface ProcessGuard {
  kill(): void
  bytes(): number
  /** What else is wrong with it, if anything. */
  breach(): Promise<string | undefined>
}

const MAX_RESULT_CHARS = 1_000_000
const MAX_ANSWER_BYTES = 8 * 1024 * 1024
const WATCH_MS = 250
/** What was printed arrives after the answer by a moment at most. */
const LAST_WORDS_MS = 500

interface Outcome {
  result: string | null
  exitCode: number
}

export function startRunner(wish: RunnerOptions): Runner {
  const child = spawn(wish.command, wish.args, {
    env: wish.env,
    cwd: '/',
    ...(wish.user === undefined ? {} : { uid: wish.user, gid: wish.user }),
    stdio: ['ignore', 'pipe', 'pipe', 'pipe', 'pipe', ...(wish.onPipe ? (['pipe'] as const) : [])],
  })
  giveWay(child.pid, 'helpers')
  const [, out, err, answers, orders] = child.stdio as [null, Readable, Readable, Readable, Writable]
  const outputs: [Catcher, Catcher] = [openCatcher(out), openCatcher(err)]
  const ended = new Promise<number>((resolve) => {
    child.once('error', ({ message }) => {
      outputs[1].add(message)
      resolve(127)
    })
    child.once('exit', (code, signal) => resolve(signal ? 137 : (code ?? 1)))
  })
  let alive = true
  void ended.then(() => {
    alive = false
    wish.onEnd()
  })
  const next = answerReader(answers)
  const ready = Promise.race([next(), ended.then(() => undefined)])
  orders.on('error', () => {})
  wish.onPipe?.((child.stdio as unknown as Duplex[])[5] as Duplex)
  const kill = () => {
    if (alive) child.kill('SIGKILL')
    wish.guard?.kill()
  }
  return {
    alive: () => alive,
    kill,
    run: (code, timeoutMs, signal) =>
      call({ child, outputs, ended, ready, next, orders, kill }, wish, { code, timeoutMs }, signal),
  }
}

interface Parts {
  child: ChildProcess
  outputs: readonly [Catcher, Catcher]
  ended: Promise<number>
  ready: Promise<unknown>
  next(): Promise<Outcome>
  orders: Writable
  kill(): void
}

async function call(
  { child, outputs, ended, ready, next, orders, kill }: Parts,
  { order, maxBytes, guard }: RunnerOptions,
  { code, timeoutMs }: { code: string; timeoutMs: number },
  signal: AbortSignal,
): Promise<Ran> {
  const mark = `orb-${randomBytes(16).toString('hex')}`
  const [out, err] = outputs
  for (const output of outputs) output.begin(mark)
  let because = ''
  const stop = (reason: string) => {
    because ||= reason
    kill()
  }
  const timer = setTimeout(() => stop(`The code took longer than ${timeoutMs / 1000} s and was ended.`), timeoutMs)
  const watch = setInterval(() => {
    const bytes = guard ? guard.bytes() : familyBytes(child.pid)
    if (bytes > maxBytes) stop('The code took more memory than it may have, and was ended.')
    void guard?.breach().then((wrong) => wrong && stop(wrong))
  }, WATCH_MS)
  const leave = () => stop('The call was given up.')
  signal.addEventListener('abort', leave, { once: true })
  if (signal.aborted) leave()
  try {
    // A program that ended before it began never had the code: that is our failure, not the code's.
    if ((await ready) === undefined && because === '')
      throw new Problem('session_failed', { because: `its sandbox did not start: ${err.text().slice(0, 300)}` })
    orders.write(order(code, mark))
    const outcome = await Promise.race([next(), ended.then((exitCode) => ({ result: null, exitCode }))])
    // Whoever has ended says no more; whoever goes on says where the words of this call end.
    await Promise.all(outputs.map((output) => output.finish(LAST_WORDS_MS)))
    const result = outcome.result?.slice(0, MAX_RESULT_CHARS) ?? null
    const killed = because !== ''
    return {
      result: killed ? null : result,
      stdout: out.text(),
      stderr: [err.text(), because].filter(Boolean).join('\n'),
      exitCode: killed ? 137 : outcome.exitCode,
      killed,
      truncated: out.cut() || err.cut() || (outcome.result?.length ?? 0) > MAX_RESULT_CHARS,
    }
  } finally {
    clearTimeout(timer)
    clearInterval(watch)
    signal.removeEventListener('abort', leave)
  }
}

/** Answers line by line. Lines that are none, or have no end, are the work of hostile code: nobody waits for them. */
function answerReader(stream: Readable): () => Promise<Outcome> {
  const lines: Outcome[] = []
  let rest = ''
  let wake: ((outcome: Outcome) => void) | undefined
  stream.setEncoding('utf8')
  stream.on('data', (chunk: string) => {
    rest += chunk
    if (rest.length > MAX_ANSWER_BYTES) return void stream.destroy()
    const parts = rest.split('\n')
    rest = parts.pop() ?? ''
    for (const part of parts) {
      const outcome = outcomeIn(part)
      if (wake) wake(outcome)
      else if (lines.length < 100) lines.push(outcome)
      wake = undefined
    }
  })
  stream.on('error', () => {})
  return () =>
    new Promise((resolve) => {
      const first = lines.shift()
      if (first) resolve(first)
      else wake = resolve
    })
}

function outcomeIn(line: string): Outcome {
  try {
    const { result, exitCode } = JSON.parse(line) as Partial<Outcome>
    return {
      result: typeof result === 'string' && result !== '' ? result : null,
      exitCode: Number.isInteger(exitCode) ? (exitCode as number) : 0,
    }
  } catch {
    return { result: null, exitCode: 1 }
  }
}

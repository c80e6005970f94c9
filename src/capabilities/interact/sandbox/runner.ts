// One program in one sandbox, for all calls of a session in one language. Output is bounded; when it exceeds its time
// or another limit, the whole process tree is killed.
import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { closeSync, openSync } from 'node:fs'
import type { Duplex, Readable, Writable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { lowerProcessPriority } from '../../../base/cpu-priority.ts'
import { Problem } from '../../../base/problem.ts'
import { sandboxLimits } from './limits.ts'
import { type OutputBuffer, openOutputBuffer } from './output-buffer.ts'
import { makeAnswerReader, type RunnerAnswer } from './read-runner-answers.ts'

export interface RunResult {
  result: string | null
  stdout: string
  stderr: string
  exitCode: number | null
  killed: boolean
  truncated: boolean
}

/** The code is ended after `leftMs`; the message names `timeoutMs`, the number that the caller set. */
export type RunLimit = { leftMs: number; timeoutMs: number }

export type Runner = ReturnType<typeof startRunner>

export interface RunnerOptions {
  command: string
  args: readonly string[]
  env: Record<string, string>
  user: number | undefined
  /** A file for descriptor 5. */
  inputFile: string | undefined
  /** Receives our end of descriptor 5, where it is a pipe. */
  onPipe: ((pipe: Duplex) => void) | undefined
  /** Runs before the first code: all processes are still ours. */
  onReady(pid: number): void
  /** The exceeded limit, as the end of a sentence about the code. */
  exceededLimit(pid: number): Promise<string | undefined>
  /** Kills processes that left the tree. */
  kill(): void
  request(code: string, mark: string): string
}

const WATCH_MS = { busy: 100, idle: 500 }
/** Output arrives shortly after the answer. After the end of the program none has to come. */
const OUTPUT_WAIT_MS = { answered: 500, ended: 200 }

export function startRunner(options: RunnerOptions) {
  const child = spawnProgram(options)
  const [, out, err, answers, requests] = child.stdio as [null, Readable, Readable, Readable, Writable]
  let [isAlive, isBusy, isWatched, failure, isReported] = [true, false, false, '', false]
  const kill = () => {
    if (isAlive) child.kill('SIGKILL')
    options.kill()
  }
  const end = (what: string) => {
    if (!isAlive || failure !== '') return
    failure = `The code ${what} and was ended.`
    kill()
  }
  const flood = () => end(`printed more than ${sandboxLimits.outputBytes / 1024 / 1024} MB`)
  const outputs: Outputs = [
    openOutputBuffer(out, sandboxLimits.outputBytes, flood),
    openOutputBuffer(err, sandboxLimits.outputBytes, flood),
  ]
  const ended = endOf(child, outputs).then(async (exitCode) => {
    isAlive = false
    failure ||= await reasonAfter(options, child.pid, exitCode)
    return exitCode
  })
  const next = makeAnswerReader(answers)
  const ready = Promise.race([next(), ended.then(() => undefined)]).then((first) => {
    if (first && child.pid !== undefined) options.onReady(child.pid)
    return first
  })
  requests.on('error', () => {})
  options.onPipe?.((child.stdio as unknown as Duplex[])[5] as Duplex)
  const check = async () => {
    const what = await options.exceededLimit(child.pid ?? 0).catch(() => undefined)
    if (what) end(what)
  }
  const watch = async () => {
    while (isAlive) {
      await sleep(isBusy ? WATCH_MS.busy : WATCH_MS.idle, undefined, { ref: false })
      if (isAlive) await check()
    }
  }
  return {
    isAlive: () => isAlive,
    /** Why it ended after its last call; undefined when an answer has said so. */
    async unreported() {
      const exitCode = await ended
      if (isReported || !isWatched) return undefined
      return failure || `The program ended with status ${exitCode}.`
    },
    kill,
    async run(code: string, { leftMs, timeoutMs }: RunLimit, signal: AbortSignal) {
      const mark = `orb-${randomBytes(16).toString('hex')}`
      for (const output of outputs) output.begin(mark)
      const timer = setTimeout(() => end(`took longer than ${timeoutMs / 1000} s`), leftMs)
      const abandon = () => end('was abandoned by its caller')
      signal.addEventListener('abort', abandon, { once: true })
      if (signal.aborted) abandon()
      isBusy = true
      try {
        // A program that ended before it was ready never ran the code: that is our failure.
        if ((await ready) === undefined && failure === '')
          throw new Problem('session_failed', {
            because: `its sandbox did not start: ${outputs[1].text().slice(0, 300)}`,
          })
        if (!isWatched) void watch()
        isWatched = true
        requests.write(options.request(code, mark))
        const outcome: Ending = await Promise.race([next(), ended.then(endedEarly)])
        const waitMs = outcome.hasEnded ? OUTPUT_WAIT_MS.ended : OUTPUT_WAIT_MS.answered
        await Promise.all(outputs.map((output) => output.finish(waitMs)))
        isReported = outcome.hasEnded === true || failure !== ''
        return resultOf(outcome, outputs, failure)
      } finally {
        isBusy = false
        clearTimeout(timer)
        signal.removeEventListener('abort', abandon)
      }
    },
  }
}

function spawnProgram({ command, args, env, user, inputFile, onPipe }: RunnerOptions): ChildProcess {
  const input = inputFile === undefined ? undefined : openSync(inputFile, 'r')
  const child = spawn(command, args, {
    env,
    cwd: '/',
    ...(user === undefined ? {} : { uid: user, gid: user }),
    stdio: ['ignore', 'pipe', 'pipe', 'pipe', 'pipe', onPipe ? 'pipe' : (input ?? 'ignore')],
  })
  if (input !== undefined) closeSync(input)
  lowerProcessPriority(child.pid, 'helpers')
  return child
}

type Outputs = readonly [OutputBuffer, OutputBuffer]
type Ending = RunnerAnswer & { hasEnded?: boolean }

const endedEarly = (exitCode: number): Ending => ({ result: null, exitCode, truncated: false, hasEnded: true })

/** The kernel's OOM killer may have been faster than the measurement. */
async function reasonAfter(options: RunnerOptions, pid = 0, exitCode: number): Promise<string> {
  const what = await options.exceededLimit(pid).catch(() => undefined)
  if (what) return `The code ${what} and was ended.`
  return exitCode > 128 && exitCode < 160 ? `The program was ended by signal ${exitCode - 128}.` : ''
}

function resultOf(outcome: Ending, [out, err]: Outputs, failure: string): RunResult {
  const killed = failure !== ''
  return {
    result: killed ? null : outcome.result,
    stdout: out.text(),
    stderr: [err.text(), failure].filter(Boolean).join('\n'),
    exitCode: killed ? 137 : outcome.exitCode,
    killed,
    truncated: out.isCut() || err.isCut() || outcome.truncated,
  }
}

const endOf = (child: ChildProcess, [, err]: Outputs): Promise<number> =>
  new Promise((resolve) => {
    child.once('error', ({ message }) => {
      err.add(message)
      resolve(127)
    })
    child.once('exit', (code, signal) => resolve(signal ? 137 : (code ?? 1)))
  })

// The connection between a runner in the sandbox and the service outside: one JSON line for each call and one for each
// answer, on descriptors of their own. Printed output goes to the usual ones, and a mark ends the output of a call.
import { writeSync } from 'node:fs'
import { Socket } from 'node:net'
import { createInterface } from 'node:readline'

export interface CodeRequest {
  code: string
  /** Written to both outputs when the code has ended. */
  mark: string
}

export interface CodeOutcome {
  result: string | null
  exitCode: number
}

const ANSWERS = 3
const REQUESTS = 4
const MAX_RESULT_CHARS = 1_000_000

/** Calls come one after another; the next is read when this one is answered. */
export async function serve(run: (code: string) => Promise<CodeOutcome>): Promise<void> {
  // Not as a file: reading one would keep the process from ending while it waits.
  const lines = createInterface({ input: new Socket({ fd: REQUESTS }) })
  answer({ ready: true })
  for await (const line of lines) {
    const { code, mark } = JSON.parse(line) as CodeRequest
    const { result, exitCode } = await run(code)
    for (const output of [1, 2]) write(output, mark)
    const truncated = (result?.length ?? 0) > MAX_RESULT_CHARS
    answer({ result: result?.slice(0, MAX_RESULT_CHARS) ?? null, exitCode, truncated })
  }
}

const answer = (message: object) => write(ANSWERS, `${JSON.stringify(message)}\n`)

/**
 * Node makes its outputs non-blocking when they are first used, for all processes that share them: Node then queues what
 * the mark would overtake, and Python loses it.
 */
export function blockOnOutput(): void {
  for (const { _handle } of [process.stdout, process.stderr] as unknown as { _handle?: BlockingHandle }[])
    _handle?.setBlocking?.(true)
}

interface BlockingHandle {
  setBlocking?(isBlocking: boolean): void
}

/** A pipe that is full is waited for. */
export function write(output: number, text: string): void {
  let rest = Buffer.from(text)
  while (rest.length > 0) {
    try {
      rest = rest.subarray(writeSync(output, rest))
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2)
    }
  }
}

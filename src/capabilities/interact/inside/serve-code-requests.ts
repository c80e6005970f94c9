// The connection between a runner in the sandbox and the service: one JSON line per call and per answer on separate
// descriptors.
import { writeSync } from 'node:fs'
import { Socket } from 'node:net'
import { createInterface } from 'node:readline'

export interface CodeRequest {
  code: string
  /** Written to both outputs when the code has ended. */
  mark: string
}

export type CodeOutcome = { result: string | null; exitCode: number }

const ANSWERS = 3
const REQUESTS = 4
const MAX_RESULT_CHARS = 1_000_000

/** Calls are sequential: the next is read after this one is answered. */
export async function serveCodeRequests(run: (code: string) => Promise<CodeOutcome>): Promise<void> {
  // A socket, because a pending file read would keep the process from exiting.
  const lines = createInterface({ input: new Socket({ fd: REQUESTS }) })
  answer({ ready: true })
  for await (const line of lines) {
    const { code, mark } = JSON.parse(line) as CodeRequest
    const { result, exitCode } = await run(code)
    for (const output of [1, 2]) writeAll(output, mark)
    const truncated = (result?.length ?? 0) > MAX_RESULT_CHARS
    answer({ result: result?.slice(0, MAX_RESULT_CHARS) ?? null, exitCode, truncated })
  }
}

const answer = (message: object) => writeAll(ANSWERS, `${JSON.stringify(message)}\n`)

/**
 * Node makes its outputs non-blocking on first use, for all processes that share them. Node would then queue output
 * behind the mark, and Python would lose output.
 */
export function makeOutputBlocking(): void {
  for (const { _handle } of [process.stdout, process.stderr] as unknown as { _handle?: BlockingHandle }[])
    _handle?.setBlocking?.(true)
}

type BlockingHandle = { setBlocking?(isBlocking: boolean): void }

/** Waits while the pipe is full. */
export function writeAll(output: number, text: string): void {
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

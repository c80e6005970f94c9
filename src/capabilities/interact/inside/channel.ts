// The conversation between a runner in the sandbox and the service outside: one JSON line for each call and one for each
// answer, on descriptors of their own. What the code prints goes its own way, closed by a mark for each call.
import { writeSync } from 'node:fs'
import { Socket } from 'node:net'
import { createInterface } from 'node:readline'

export interface Order {
  code: string
  /** Written to both outputs when the code has ended, so that outside it is known where its words end. */
  mark: string
}

export interface CodeOutcome {
  result: string | null
  exitCode: number
}

const ANSWERS = 3
const ORDERS = 4

/** Calls come one after another; the next is read when this one is answered. */
export async function serve(run: (code: string) => Promise<CodeOutcome>): Promise<void> {
  // Not as a file: reading one would keep the process from ending while it waits.
  const lines = createInterface({ input: new Socket({ fd: ORDERS }) })
  tell({ ready: true })
  for await (const line of lines) {
    const { code, mark } = JSON.parse(line) as Order
    const outcome = await run(code)
    for (const output of [1, 2]) write(output, mark)
    tell(outcome)
  }
}

const tell = (answer: object) => write(ANSWERS, `${JSON.stringify(answer)}\n`)

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

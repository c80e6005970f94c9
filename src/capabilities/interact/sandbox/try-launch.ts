// The command that starts a program inside a sandbox, and a test whether such a command works here.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import type { Readable } from 'node:stream'

export interface LaunchCommand {
  command: string
  args: string[]
  env: Record<string, string>
  /** Passed to the command as descriptor 5. */
  inputFile: string | undefined
}

/** A program that does nothing, once at the start. */
const TRIAL_MS = 10_000

/** Undefined when the program exits with 0; otherwise its last line of output. */
export async function tryLaunch(
  { command, args, env, inputFile }: LaunchCommand,
  user?: number,
): Promise<string | undefined> {
  const input = inputFile === undefined ? undefined : openSync(inputFile, 'r')
  const child = spawn(command, args, {
    env,
    cwd: '/',
    timeout: TRIAL_MS,
    stdio: ['ignore', 'ignore', 'pipe', 'ignore', 'ignore', input ?? 'ignore'],
    ...(user === undefined ? {} : { uid: user, gid: user }),
  })
  if (input !== undefined) closeSync(input)
  let printed = ''
  const errors = child.stderr as unknown as Readable
  errors.setEncoding('utf8').on('data', (text: string) => {
    printed = (printed + text).slice(-1000)
  })
  try {
    const [code, signal] = (await once(child, 'close')) as [number | null, string | null]
    return code === 0 ? undefined : printed.trim().split('\n').at(-1) || `it ended with ${signal ?? code}`
  } catch (error) {
    return (error as Error).message
  }
}

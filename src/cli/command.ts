// The type of an `orb` command, and the exit codes.
import type { CliGroup } from '../capabilities/operation.ts'

export interface Command {
  name: string
  usage: string
  summary: string
  group?: CliGroup | undefined
  details?(): string
  /** What follows the name in an example line, where the usage says too little. */
  example?(): readonly string[]
  flags?(): readonly string[]
  run(args: readonly string[]): Promise<number>
}

export const exitCodes = {
  done: { code: 0, means: 'Done.' },
  failed: { code: 1, means: 'Failed: the service refused, the job failed, or a check found a problem.' },
  usage: { code: 2, means: 'The command line or the configuration is wrong; nothing was done.' },
  unreachable: { code: 3, means: 'No service responds at the URL.' },
  interrupted: { code: 130, means: 'Stopped by Ctrl-C. A watched job continues.' },
} as const

export class UsageError extends Error {}

export class CommandExitError extends Error {
  readonly code: number
  constructor(message: string, code: number = exitCodes.failed.code) {
    super(message)
    this.code = code
  }
}

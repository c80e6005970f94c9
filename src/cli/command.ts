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
  failed: { code: 1, means: 'It did not work: the service refused, the job failed, a check found something broken.' },
  usage: { code: 2, means: 'The command line or the configuration is wrong; nothing was done.' },
  unreachable: { code: 3, means: 'No service answers at the address.' },
  interrupted: { code: 130, means: 'Stopped by Ctrl-C. A job that was being watched goes on.' },
} as const

export class UsageError extends Error {}

export class CommandExitError extends Error {
  readonly code: number
  constructor(message: string, code: number) {
    super(message)
    this.code = code
  }
}

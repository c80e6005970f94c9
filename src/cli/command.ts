// What a command of `orb` is, and what its exit codes mean.
import type { CliGroup } from '../capabilities/operation.ts'

export interface Command {
  /** One word, or several for a command below another: `crawl watch`. */
  name: string
  usage: string
  summary: string
  /** Its heading in `orb help`; absent: the last one. */
  group?: CliGroup | undefined
  /** More for `orb help <command>`. */
  details?(): string
  /** Its flags, with their dashes, for completion in a shell. */
  flags?(): readonly string[]
  /** Resolves to the exit code. */
  run(args: readonly string[]): Promise<number>
}

/** Every code that `orb` ends with; printed in docs/cli.md. */
export const exitCodes = {
  done: { code: 0, means: 'Done.' },
  failed: { code: 1, means: 'It did not work: the service refused, the job failed, a check found something broken.' },
  usage: { code: 2, means: 'The command line or the configuration is wrong; nothing was done.' },
  unreachable: { code: 3, means: 'No service answers at the address.' },
  interrupted: { code: 130, means: 'Stopped by Ctrl-C. A job that was being watched goes on.' },
} as const

/** The command line itself is wrong; shown with the command's usage. */
export class UsageError extends Error {}

/** Ends the command with a sentence and a code of its own. */
export class CommandEnd extends Error {
  readonly code: number
  constructor(message: string, code: number) {
    super(message)
    this.code = code
  }
}

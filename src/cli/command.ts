// What a command of `orb` is.

export interface Command {
  name: string
  usage: string
  summary: string
  /** Resolves to the exit code. */
  run(args: readonly string[]): Promise<number>
}

/** The command line itself is wrong; shown with the command's usage. */
export class UsageError extends Error {}

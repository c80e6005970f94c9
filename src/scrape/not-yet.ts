// Options and formats of the API contract that this build lacks. Requesting one is a 400: nothing is accepted and
// ignored.

export const formatsNotYet: Readonly<Record<string, string>> = {}

interface NotYet {
  option: string
  part: string
  /** False for neutral values (false, 0, []). */
  asked(value: unknown): boolean
}

export const optionsNotYet: readonly NotYet[] = []

export const notYet = (what: string, part: string): string =>
  `${what} is not in this build: it comes with the part "${part}"`

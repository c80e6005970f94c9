// What the contract knows and this build does not have yet, and the part that will bring it. Asking for one of these is
// a 400 that names it: nothing is ever accepted and ignored. A part that lands deletes its lines here.

export const formatsNotYet: Readonly<Record<string, string>> = {}

interface NotYet {
  option: string
  part: string
  /** True when the value asks for something; neutral values (false, 0, []) pass. */
  asked(value: unknown): boolean
}

export const optionsNotYet: readonly NotYet[] = []

export const notYet = (what: string, part: string): string =>
  `${what} is not in this build: it comes with the part "${part}"`

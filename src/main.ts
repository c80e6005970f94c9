// argv → a command of the command line; `start` is one of them. Errors that a person can mend are told as a sentence.
import { setFlagsFromString } from 'node:v8'

// Starting makes much short-lived garbage. V8 would answer by doubling its young generation, and an idle service would
// keep that for good (measured: 121 against 104 MB). Once started it may grow: then it is for work.
setFlagsFromString('--semi-space-growth-factor=1')
const { runCli } = await import('./cli/index.ts')

process.exitCode = await runCli(process.argv.slice(2))

// argv → a command of the command line; `start` is one of them. Errors that a person can mend are told as a sentence.
import { runCli } from './cli/index.ts'

process.exitCode = await runCli(process.argv.slice(2))

// Runs the CLI command that argv names, such as `start`. Errors that the user can fix are printed as one sentence.
import module from 'node:module'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'

// Starting makes much short-lived garbage. V8 would answer by doubling its young generation, and an idle service would
// keep that for good (measured: 121 against 104 MB). Once started it may grow: then it is for work.
setFlagsFromString('--semi-space-growth-factor=1')
keepCompiledCode()
const { runCli } = await import('./cli/index.ts')

process.exitCode = await runCli(process.argv.slice(2))

/** Node 22 and later can keep compiled code: a start takes 2.0 instead of 2.3 s of CPU. */
function keepCompiledCode(): void {
  const enable = Reflect.get(module, 'enableCompileCache') as ((folder: string) => unknown) | undefined
  try {
    // Not in the temporary folder, which others can write to.
    enable?.(join(homedir(), '.cache', 'orbweaver', 'compiled'))
  } catch {
    // A user without a home folder: code is compiled at every start.
  }
}

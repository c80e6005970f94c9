// The first process of a Python or shell sandbox: offers the browser on loopback, and for Python drives it with
// Playwright.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import type { Duplex } from 'node:stream'
import { serveFileCalls } from './file-rpc.ts'
import { servePlaywrightCalls } from './playwright-for-python.ts'
import { connectToBrowser, runnerEnvironment } from './runner-environment.ts'
import { makeOutputBlocking } from './serve-code-requests.ts'

const COMMANDS: Record<string, string[]> = {
  python: ['python3', '-I', '-u', join(runnerEnvironment.bundle, 'python-runner.py')],
  bash: ['bash', '--noprofile', '--norc', join(runnerEnvironment.bundle, 'bash-runner.sh')],
}

await connectToBrowser()
serveFileCalls()
makeOutputBlocking()
const [command = '', ...args] = COMMANDS[runnerEnvironment.language] ?? []
// Python reaches the driver over an inherited socket pair, because it may not be allowed to open a socket.
const child = spawn(command, args, {
  stdio: ['ignore', 1, 2, 3, 4, runnerEnvironment.language === 'python' ? 'pipe' : 'ignore'],
})
child.on('error', ({ message }) => {
  process.stderr.write(`${message}\n`)
  process.exit(127)
})
child.on('exit', (code, signal) => process.exit(signal ? 137 : (code ?? 1)))
if (runnerEnvironment.language === 'python')
  await servePlaywrightCalls((child.stdio as unknown as Duplex[])[5] as Duplex)

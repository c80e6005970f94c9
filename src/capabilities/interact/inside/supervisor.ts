// The first process of a Python or shell sandbox: offers the browser on loopback, and for Python drives it with
// Playwright. Its child runs the code and answers the service directly.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import type { Duplex } from 'node:stream'
import { blockOnOutput } from './channel.ts'
import { drive } from './driver.ts'
import { serveFileCalls } from './file-rpc.ts'
import { place, reachBrowser } from './place.ts'

const COMMANDS: Record<string, string[]> = {
  python: ['python3', '-I', '-u', join(place.bundle, 'python-runner.py')],
  bash: ['bash', '--noprofile', '--norc', join(place.bundle, 'bash-runner.sh')],
}

await reachBrowser()
serveFileCalls()
blockOnOutput()
const [command = '', ...args] = COMMANDS[place.language] ?? []
// Python reaches the driver over an inherited socket pair, because it may not be allowed to open a socket.
const child = spawn(command, args, { stdio: ['ignore', 1, 2, 3, 4, place.language === 'python' ? 'pipe' : 'ignore'] })
child.on('error', ({ message }) => {
  process.stderr.write(`${message}\n`)
  process.exit(127)
})
child.on('exit', (code, signal) => process.exit(signal ? 137 : (code ?? 1)))
if (place.language === 'python') await drive((child.stdio as unknown as Duplex[])[5] as Duplex)

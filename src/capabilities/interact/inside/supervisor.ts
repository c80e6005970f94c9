// The first process of a sandbox for Python or a shell: offers the browser on loopback, and for Python drives it with the
// library. The program that runs the code is its child, and speaks with the service outside itself.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import type { Duplex } from 'node:stream'
import { drive } from './driver.ts'
import { servePosts } from './letterbox.ts'
import { place, reachBrowser } from './place.ts'

const COMMANDS: Record<string, string[]> = {
  python: ['python3', '-I', '-u', join(place.kit, 'python-runner.py')],
  bash: ['bash', '--noprofile', '--norc', join(place.kit, 'bash-runner.sh')],
}

await reachBrowser()
servePosts()
const [command = '', ...args] = COMMANDS[place.language] ?? []
// Python asks the driver over a pair of sockets that both were given, because it may not be allowed to open one.
const child = spawn(command, args, { stdio: ['ignore', 1, 2, 3, 4, place.language === 'python' ? 'pipe' : 'ignore'] })
child.on('error', ({ message }) => {
  process.stderr.write(`${message}\n`)
  process.exit(127)
})
child.on('exit', (code, signal) => process.exit(signal ? 137 : (code ?? 1)))
if (place.language === 'python') await drive((child.stdio as unknown as Duplex[])[5] as Duplex)

// The first process of a sandbox for Python or a shell: offers the browser on loopback, and for Python drives it with the
// library. The program that runs the code is its child, and speaks with the service outside itself.
import { spawn } from 'node:child_process'
import { openDriver } from './driver.ts'
import { openRelay } from './relay.ts'

const [, , language] = process.argv
const COMMANDS: Record<string, string[]> = {
  python: ['python3', '-I', '-u', '/orb/kit/python-runner.py'],
  bash: ['bash', '--noprofile', '--norc', '/orb/kit/bash-runner.sh'],
}

await openRelay('/orb/session/cdp.sock')
if (language === 'python') openDriver('/tmp/.driver')
const [command = '', ...args] = COMMANDS[language ?? ''] ?? []
const child = spawn(command, args, { stdio: ['ignore', 1, 2, 3, 4] })
child.on('error', ({ message }) => {
  process.stderr.write(`${message}\n`)
  process.exit(127)
})
child.on('exit', (code, signal) => process.exit(signal ? 137 : (code ?? 1)))

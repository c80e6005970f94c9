// Processes that a run of the tests started: each has the folder of the run in its environment or on its command line. A
// service, a browser or a server among them after the run is one that a test forgot.
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

const POLL_MS = 200

/** @returns {{ pid: number, command: string }[]} */
export function processesOf(folder) {
  const mine = (one) => one.pid !== process.pid
  if (process.platform === 'linux')
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map((pid) => ({ pid: Number(pid), command: read(pid, 'cmdline'), environment: read(pid, 'environ') }))
      .filter(({ command, environment }) => command.includes(folder) || environment.includes(folder))
      .filter(mine)
  const { stdout } = spawnSync('ps', ['-axo', 'pid=,command='], { encoding: 'utf8' })
  return stdout
    .split('\n')
    .filter((line) => line.includes(folder))
    .map((line) => ({ pid: Number.parseInt(line, 10), command: line.trim().replace(/^\d+ /, '') }))
    .filter(mine)
}

/** Those still there after a while: the children of a killed service notice its end by themselves. */
export async function remainingProcesses(folder, patienceMs) {
  const until = Date.now() + patienceMs
  for (;;) {
    const found = processesOf(folder)
    if (found.length === 0 || Date.now() > until) return found
    await sleep(POLL_MS)
  }
}

function read(pid, file) {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'latin1').replaceAll('\0', ' ').trim()
  } catch {
    return ''
  }
}

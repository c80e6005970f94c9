// Runs the built program again and again in one process, for hosts.ts: each message is a start with the environment of the
// service and nothing else of this process's.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { cpuSeconds } from '../../scripts/testing/cpu.mjs'

const MAIN = join(import.meta.dirname, '../../dist/main.js')
const { TMPDIR } = process.env
const OUTPUTS = [process.stdout, process.stderr]
const POLL_MS = 5
let starts = 0

process.on('message', async ({ env, args, begin, end }) => {
  const atRest = process.getActiveResourcesInfo().length
  for (const name of ['SIGINT', 'SIGTERM']) process.removeAllListeners(name)
  for (const name of Object.keys(process.env)) delete process.env[name]
  Object.assign(process.env, env)
  process.argv.splice(1, Number.POSITIVE_INFINITY, MAIN, ...args)
  for (const output of OUTPUTS) output.write(begin)
  // Another address is another module, which runs again; what it imports is there already.
  await import(`${pathToFileURL(MAIN).href}?${starts++}`)
  // As Node does: a process ends when nothing keeps it.
  while (process.getActiveResourcesInfo().length > atRest) await sleep(POLL_MS)
  for (const output of OUTPUTS) output.write(end)
  process.send({ exitCode: process.exitCode })
})

// The worker of vitest has ended; it waits for no child, so that the CPU seconds are kept as those of shared services are.
process.on('disconnect', () => {
  if (TMPDIR) writeFileSync(join(TMPDIR, `orb-shared-cpu-${process.pid}`), `0m${cpuSeconds()}s`)
  process.kill(process.pid, 'SIGKILL')
})

// `orb open`: opens the dashboard in the browser, signed in by a one-time code.

import { spawn } from 'node:child_process'
import { abortAfter } from '../base/abort-after.ts'
import { CommandExitError, exitCodes } from './command.ts'
import { makeCommand } from './local-command.ts'
import { callService, connectionFlags, describeErrorReply, readConnection } from './service-call.ts'

const REQUEST_MS = 30_000

export const openDashboardCommand = makeCommand({
  name: 'open',
  summary: 'open the dashboard in the browser, signed in',
  flags: [{ name: 'print', help: 'Only print the URL.' }, ...connectionFlags],
  async run({ own }) {
    await openDashboard(own)
    return exitCodes.done.code
  },
})

/** Opens a screen, by its address after `#`, signed in. */
export async function openDashboard(given: Readonly<Record<string, string | true>>, screen = ''): Promise<void> {
  const connection = await readConnection(given)
  const signal = abortAfter(REQUEST_MS)
  const answer = await callService(connection, { method: 'POST', path: '/api/session/code', body: {} }, signal)
  const code = (answer.json?.data as { code?: unknown } | undefined)?.code
  if (answer.status !== 200 || typeof code !== 'string')
    throw new CommandExitError(describeErrorReply(answer, connection))
  const address = `${connection.url}/#code=${code}${screen}`
  console.log(address)
  if (given.print !== true && process.stdout.isTTY) show(address)
}

function show(address: string): void {
  const [program, ...before] =
    process.platform === 'darwin' ? ['open'] : process.platform === 'win32' ? ['cmd', '/c', 'start', ''] : ['xdg-open']
  const child = spawn(program ?? 'xdg-open', [...before, address], { stdio: 'ignore', detached: true })
  child.on('error', () => console.error('Open it in a browser; it signs in once, for two minutes.'))
  child.unref()
}

// `orb open`: opens the dashboard in the browser, signed in by a one-time code.

import { spawn } from 'node:child_process'
import { abortAfter } from '../base/abort-after.ts'
import { type Command, CommandExitError, exitCodes, UsageError } from './command.ts'
import { alignColumns, describeOwnFlags, listFlagNames } from './flag-help.ts'
import { type CommandFlag, parseFlags } from './flags.ts'
import { callService, connectionFlags, describeErrorReply, readConnection } from './service-call.ts'

const REQUEST_MS = 30_000

const NO_INPUTS = { properties: {}, required: [] }
const own: readonly CommandFlag[] = [{ name: 'print', help: 'Only print the URL.' }, ...connectionFlags]

export const openDashboardCommand: Command = {
  name: 'open',
  usage: 'open [flags]',
  summary: 'open the dashboard in the browser, signed in',
  details: () => alignColumns(describeOwnFlags(own)),
  flags: () => listFlagNames(NO_INPUTS, [], own),
  async run(args) {
    const { own: given, positionals } = parseFlags(args, NO_INPUTS, own)
    if (positionals.length > 0) throw new UsageError(`unexpected argument: ${positionals[0]}`)
    await openDashboard(given)
    return exitCodes.done.code
  },
}

/** Opens a screen, by its address after `#`, signed in. */
export async function openDashboard(given: Readonly<Record<string, string | true>>, screen = ''): Promise<void> {
  const connection = await readConnection(given)
  const signal = abortAfter(REQUEST_MS)
  const answer = await callService(connection, { method: 'POST', path: '/api/session/code', body: {} }, signal)
  const code = (answer.json?.data as { code?: unknown } | undefined)?.code
  if (answer.status !== 200 || typeof code !== 'string')
    throw new CommandExitError(describeErrorReply(answer, connection), exitCodes.failed.code)
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

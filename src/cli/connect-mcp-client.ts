// `orb connect <client>`: adds this service to an MCP client's settings, leaving the rest unchanged, or prints what to
// paste into any other client.

import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { homedir, platform } from 'node:os'
import { dirname, join } from 'node:path'
import { isObject } from '../base/values.ts'
import { clientSetups, mcpClientSetups } from '../capabilities/account/client-setup-instructions.ts'
import { type Command, CommandExitError, exitCodes, UsageError } from './command.ts'
import { alignColumns, describeOwnFlags, listFlagNames } from './flag-help.ts'
import { type CommandFlag, NO_INPUTS, parseFlags } from './flags.ts'
import { connectionFlags, readConnection } from './service-call.ts'

const settings = (name: string): string =>
  platform() === 'darwin'
    ? join(homedir(), 'Library', 'Application Support', name)
    : platform() === 'win32'
      ? join(homedir(), 'AppData', 'Roaming', name)
      : join(homedir(), '.config', name)

const files: Readonly<Record<string, () => string>> = {
  claude: () => join(homedir(), '.claude.json'),
  'claude-desktop': () => join(settings('Claude'), 'claude_desktop_config.json'),
  cursor: () => join(homedir(), '.cursor', 'mcp.json'),
  vscode: () => join(settings('Code'), 'User', 'mcp.json'),
  windsurf: () => join(homedir(), '.codeium', 'windsurf', 'mcp_config.json'),
}

const names = clientSetups.map(({ id }) => id)

const own: readonly CommandFlag[] = [
  { name: 'file', value: 'path', help: 'The settings file, if it is not at its usual path.' },
  { name: 'print', help: 'Print the entry and write nothing.' },
  ...connectionFlags,
]

export const connectMcpClientCommand: Command = {
  name: 'connect',
  usage: 'connect <client> [flags]',
  summary: 'connect a client: write its settings, or print what to paste',
  details: () =>
    [
      alignColumns(
        clientSetups.map(({ id, title, where }) => ({ flag: id, help: `${title}: ${files[id]?.() ?? where}` })),
      ),
      alignColumns(describeOwnFlags(own)),
      'Give each program its own key: `orb keys create default my-agent`, then --key.',
    ].join('\n\n'),
  flags: () => listFlagNames(NO_INPUTS, [], own),
  async run(args) {
    const { own: given, positionals } = parseFlags(args, NO_INPUTS, own)
    const [name = '', ...more] = positionals
    const client = clientSetups.find(({ id }) => id === name)
    if (!client || more.length > 0) throw new UsageError(`say which: ${names.join(', ')}`)
    const { url, key } = await readConnection(given)
    if (!key) throw new CommandExitError('There is no key to write: set --key or ORB_API_KEY.', exitCodes.usage.code)
    const mcp = mcpClientSetups.find(({ id }) => id === name)
    const file = typeof given.file === 'string' ? given.file : files[name]?.()
    if (given.print === true || !mcp || file === undefined) {
      if (given.print !== true)
        console.error([`${client.title}, ${client.where}:`, client.note].filter(Boolean).join('\n'))
      console.log(client.text({ url, key }))
      return exitCodes.done.code
    }
    write(file, mcp.list, mcp.entry({ url, key }))
    console.log(`${client.title} is connected to this service: ${file}\nRestart it to see the tools.`)
    return exitCodes.done.code
  },
}

function write(file: string, list: string, entry: object): void {
  const before = existsSync(file) ? readFileSync(file, 'utf8') : ''
  const known = before.trim() === '' ? {} : settingsIn(before, file)
  const servers = known[list] !== null && typeof known[list] === 'object' ? (known[list] as object) : {}
  const text = `${JSON.stringify({ ...known, [list]: { ...servers, orbweaver: entry } }, null, 2)}\n`
  mkdirSync(dirname(file), { recursive: true })
  // Atomic: a client that reads half a file loses its settings. It contains an API key, hence the mode.
  const half = `${file}.orb-new`
  writeFileSync(half, text, { mode: 0o600 })
  if (existsSync(file)) chmodSync(half, 0o600)
  renameSync(half, file)
}

function settingsIn(text: string, file: string): Record<string, unknown> {
  try {
    const known: unknown = JSON.parse(text)
    if (isObject(known)) return known
  } catch {}
  throw new CommandExitError(
    `${file} is not plain JSON, so nothing was written. Add the entry yourself: orb connect … --print shows it.`,
  )
}

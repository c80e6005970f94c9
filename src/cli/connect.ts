// `orb connect claude|cursor|vscode|…`: adds this service to an MCP client's settings, leaving the rest unchanged.
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { homedir, platform } from 'node:os'
import { dirname, join } from 'node:path'
import { type Command, CommandEnd, exitCodes, UsageError } from './command.ts'
import { columns, flagNames, ownLines } from './flag-help.ts'
import { type OwnFlag, parseFlags } from './flags.ts'
import { connectionFlags, connectionFrom, type ServiceConnection } from './service-call.ts'

interface Client {
  title: string
  file(): string
  /** The key that lists servers. */
  list: string
  entry(at: ServiceConnection): object
}

const authorization = ({ key }: ServiceConnection) => ({ Authorization: `Bearer ${key}` })
const byHttp = (at: ServiceConnection) => ({ type: 'http', url: `${at.url}/mcp`, headers: authorization(at) })
const byProgram = ({ url, key }: ServiceConnection) => ({
  command: 'npx',
  args: ['-y', 'orbweaver', 'mcp'],
  env: { ORB_URL: url, ORB_API_KEY: key },
})

const settings = (name: string): string =>
  platform() === 'darwin'
    ? join(homedir(), 'Library', 'Application Support', name)
    : platform() === 'win32'
      ? join(homedir(), 'AppData', 'Roaming', name)
      : join(homedir(), '.config', name)

const clients: Readonly<Record<string, Client>> = {
  claude: { title: 'Claude Code', file: () => join(homedir(), '.claude.json'), list: 'mcpServers', entry: byHttp },
  'claude-desktop': {
    title: 'Claude Desktop',
    file: () => join(settings('Claude'), 'claude_desktop_config.json'),
    list: 'mcpServers',
    entry: byProgram,
  },
  cursor: {
    title: 'Cursor',
    file: () => join(homedir(), '.cursor', 'mcp.json'),
    list: 'mcpServers',
    entry: (at) => ({ url: `${at.url}/mcp`, headers: authorization(at) }),
  },
  vscode: { title: 'VS Code', file: () => join(settings('Code'), 'User', 'mcp.json'), list: 'servers', entry: byHttp },
  windsurf: {
    title: 'Windsurf',
    file: () => join(homedir(), '.codeium', 'windsurf', 'mcp_config.json'),
    list: 'mcpServers',
    entry: (at) => ({ serverUrl: `${at.url}/mcp`, headers: authorization(at) }),
  },
}

const NO_INPUTS = { properties: {}, required: [] }
const own: readonly OwnFlag[] = [
  { name: 'file', value: 'path', help: 'The settings file, where it is not at its usual place.' },
  { name: 'print', help: 'Print the entry and write nothing.' },
  ...connectionFlags,
]

export const connect: Command = {
  name: 'connect',
  usage: `connect <${Object.keys(clients).join('|')}> [flags]`,
  summary: 'write this service into the settings of an MCP client',
  details: () =>
    [
      columns(Object.entries(clients).map(([name, { title, file }]) => ({ flag: name, help: `${title}: ${file()}` }))),
      columns(ownLines(own)),
      'Give each program a key of its own: `orb keys create default my-agent`, then --key.',
    ].join('\n\n'),
  flags: () => flagNames(NO_INPUTS, [], own),
  async run(args) {
    const { own: given, positionals } = parseFlags(args, NO_INPUTS, own)
    const [name = '', ...more] = positionals
    const client = Object.hasOwn(clients, name) ? clients[name] : undefined
    if (!client || more.length > 0) throw new UsageError(`say which: ${Object.keys(clients).join(', ')}`)
    const connection = await connectionFrom(given)
    if (!connection.key)
      throw new CommandEnd('There is no key to write: give one with --key or ORB_API_KEY.', exitCodes.usage.code)
    const entry = client.entry(connection)
    if (given.print === true) {
      console.log(JSON.stringify({ [client.list]: { orbweaver: entry } }, null, 2))
      return exitCodes.done.code
    }
    const file = typeof given.file === 'string' ? given.file : client.file()
    write(file, client.list, entry)
    console.log(`${client.title} knows this service now: ${file}\nStart it anew to see the tools.`)
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
    if (known !== null && typeof known === 'object' && !Array.isArray(known)) return known as Record<string, unknown>
  } catch {
    // Reported below: comments, or another format.
  }
  throw new CommandEnd(
    `${file} is not plain JSON, so nothing was written. Add the entry yourself: orb connect … --print shows it.`,
    exitCodes.failed.code,
  )
}

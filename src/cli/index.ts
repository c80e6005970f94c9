// `orb`: the list of commands. Imports happen when a command runs, so that help and completion start fast.
import { nearest } from '../base/did-you-mean.ts'
import { backup, restore } from './backup.ts'
import { browser } from './browser.ts'
import { type Command, CommandEnd, exitCodes, UsageError } from './command.ts'
import { completion } from './completion.ts'
import { conformance } from './conformance.ts'
import { connect } from './connect.ts'
import { doctor } from './doctor.ts'
import { flowRecord } from './flow-record.ts'
import { help } from './help.ts'
import { withPromptLine } from './interact-line.ts'
import { keys } from './keys.ts'
import { login, logout } from './login.ts'
import { mcp } from './mcp.ts'
import { migrate } from './migrate.ts'
import { withMonitorFlags } from './monitor-flags.ts'
import { ocr } from './ocr.ts'
import { openDashboard } from './open.ts'
import { operationCommands } from './operation-command.ts'
import { operations } from './operations-file.ts'
import { serve, start, work } from './start.ts'
import { sync } from './sync/sync.ts'
import { teams } from './teams.ts'
import { version } from './version.ts'
import { webhookSecret } from './webhooks.ts'

const running: readonly Command[] = [start, serve, work]

export const commands = (): Command[] => [
  ...running,
  ...withMonitorFlags(withPromptLine(operationCommands(operations()))),
  sync,
  flowRecord,
  ...keys,
  ...teams,
  webhookSecret,
  browser,
  ...ocr,
  doctor,
  migrate,
  backup,
  restore,
  openDashboard,
  login,
  logout,
  connect,
  mcp,
  conformance,
  version,
  completion(commands),
]

export async function runCli(argv: readonly string[]): Promise<number> {
  const [first = 'help'] = argv
  // Other commands would stay in the memory of a long-running service.
  const all = running.some(({ name }) => name === first) ? running : commands()
  if (['help', '--help', '-h'].includes(first)) return help(all, argv.slice(1))
  const command = commandOf(all, ['--version', '-V'].includes(first) ? ['version'] : argv)
  if (!command) {
    console.error(unknownCommand(all, first))
    return exitCodes.usage.code
  }
  const args = argv.slice(command.name.split(' ').length)
  if (args.includes('--help') || args.includes('-h')) return help(all, command.name.split(' '))
  try {
    return await command.run(args)
  } catch (error) {
    return reportError(error, command, args.includes('--json'))
  }
}

/** The longest match: `crawl watch` before `crawl`. */
function commandOf(all: readonly Command[], argv: readonly string[]): Command | undefined {
  const fits = all.filter(({ name }) => name.split(' ').every((word, at) => argv[at] === word))
  return fits.sort((a, b) => b.name.split(' ').length - a.name.split(' ').length)[0]
}

function unknownCommand(all: readonly Command[], first: string): string {
  const below = all.filter(({ name }) => name.startsWith(`${first} `)).map(({ name }) => `  orb ${name}`)
  return below.length > 0
    ? `orb: say which of these:\n${below.join('\n')}`
    : `orb: there is no command \`${first}\`.${suggestion(all, first)} See \`npx orbweaver help\`.`
}

export function suggestion(all: readonly Command[], asked: string): string {
  const meant = nearest(asked, new Set(all.flatMap(({ name }) => [name, name.split(' ')[0] ?? ''])))
  return meant ? ` Did you mean \`orb ${meant}\`?` : ''
}

/** Prints to standard error; with --json, to standard output in the form of the service. */
async function reportError(error: unknown, { name, usage }: Command, asJson: boolean): Promise<number> {
  const { sentence, code } = await endOf(error, name, usage)
  if (asJson) console.log(JSON.stringify({ success: false, error: sentence }))
  else console.error(sentence)
  return code
}

async function endOf(error: unknown, name: string, usage: string): Promise<{ sentence: string; code: number }> {
  const sentence = error instanceof Error ? error.message : String(error)
  if (error instanceof UsageError)
    return { sentence: `orb ${name}: ${sentence}\nUsage: orb ${usage}`, code: exitCodes.usage.code }
  const { ConfigError } = await import('../config.ts')
  if (error instanceof ConfigError)
    return { sentence: `The configuration cannot be used:\n${sentence}`, code: exitCodes.usage.code }
  return { sentence, code: error instanceof CommandEnd ? error.code : exitCodes.failed.code }
}

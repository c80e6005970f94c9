// `orb`: the list of commands. Imports happen when a command runs, so that help and completion start fast.
import { findNearestName } from '../base/did-you-mean.ts'
import { backupCommand, restoreCommand } from './backup-commands.ts'
import { type Command, CommandExitError, exitCodes, UsageError } from './command.ts'
import { conformanceCommand } from './conformance.ts'
import { connectMcpClientCommand } from './connect-mcp-client.ts'
import { isTypedRequest, runTypedRequests } from './do-command.ts'
import { doctorCommand } from './doctor.ts'
import { browserCommand } from './download-browser.ts'
import { addExtractorTeaching } from './extractor-teach.ts'
import { flowRecordCommand } from './flow-record.ts'
import { printHelp } from './help.ts'
import { addInteractRepl } from './interact-repl.ts'
import { keyCommands } from './key-commands.ts'
import { loginCommand, logoutCommand } from './login.ts'
import { mcpCommand } from './mcp.ts'
import { migrateCommand } from './migrate.ts'
import { addMonitorFlags } from './monitor-flags.ts'
import { ocrLanguageCommands } from './ocr-language-commands.ts'
import { openDashboardCommand } from './open-dashboard.ts'
import { makeOperationCommands } from './operation-command.ts'
import { readOperations } from './operations-file.ts'
import { makeShellCompletionCommand } from './shell-completion.ts'
import { serveCommand, startCommand, workCommand } from './start-commands.ts'
import { syncCommand } from './sync/sync.ts'
import { teamCommands } from './team-commands.ts'
import { versionCommand } from './version.ts'
import { webhookSecretCommand } from './webhook-secret.ts'

const running: readonly Command[] = [startCommand, serveCommand, workCommand]

export const makeCommands = (): Command[] => [
  ...running,
  ...runTypedRequests(addExtractorTeaching(addMonitorFlags(addInteractRepl(makeOperationCommands(readOperations()))))),
  syncCommand,
  flowRecordCommand,
  ...keyCommands,
  ...teamCommands,
  webhookSecretCommand,
  browserCommand,
  ...ocrLanguageCommands,
  doctorCommand,
  migrateCommand,
  backupCommand,
  restoreCommand,
  openDashboardCommand,
  loginCommand,
  logoutCommand,
  connectMcpClientCommand,
  mcpCommand,
  conformanceCommand,
  versionCommand,
  makeShellCompletionCommand(makeCommands),
]

export async function runCli(argv: readonly string[]): Promise<number> {
  const [first = 'help'] = argv
  // Other commands would stay in the memory of a long-running service.
  const all = running.some(({ name }) => name === first) ? running : makeCommands()
  if (['help', '--help', '-h'].includes(first)) return printHelp(all, argv.slice(1))
  if (isTypedRequest(first)) return runCli(['do', ...argv])
  const command = commandOf(all, ['--version', '-V', '-v'].includes(first) ? ['version'] : argv)
  if (!command) {
    console.error(unknownCommand(all, first))
    return exitCodes.usage.code
  }
  const args = argv.slice(command.name.split(' ').length)
  if (args.includes('--help') || args.includes('-h')) return printHelp(all, command.name.split(' '))
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
    ? `orb: choose one of these:\n${below.join('\n')}`
    : `orb: there is no command \`${first}\`.${suggestCommand(all, first)} See \`npx orbweaver help\`.`
}

export function suggestCommand(all: readonly Command[], asked: string): string {
  const meant = findNearestName(asked, new Set(all.flatMap(({ name }) => [name, name.split(' ')[0] ?? ''])))
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
  return { sentence, code: error instanceof CommandExitError ? error.code : exitCodes.failed.code }
}

// `orb`: the list of commands. One more costs one file and one line here.
import { ConfigError } from '../config.ts'
import type { Command } from './command.ts'
import { UsageError } from './command.ts'
import { help } from './help.ts'
import { keys } from './keys.ts'
import { serve, start, work } from './start.ts'
import { teams } from './teams.ts'
import { webhooks } from './webhooks.ts'

const commands: readonly Command[] = [start, serve, work, keys, teams, webhooks]

/** Runs one command; the number is the exit code (2: the command line or the configuration is wrong). */
export async function runCli(argv: readonly string[]): Promise<number> {
  const [name = 'help', ...args] = argv
  if (['help', '--help', '-h'].includes(name)) return help(commands, args)
  const command = commands.find((candidate) => candidate.name === name)
  if (!command) {
    console.error(`orb: there is no command \`${name}\`. See \`npx orb help\`.`)
    return 2
  }
  try {
    return await command.run(args)
  } catch (error) {
    if (error instanceof UsageError) console.error(`orb ${name}: ${error.message}\nUsage: orb ${command.usage}`)
    else if (error instanceof ConfigError) console.error(`The configuration cannot be used:\n${error.message}`)
    else console.error(error instanceof Error ? error.message : error)
    return error instanceof UsageError || error instanceof ConfigError ? 2 : 1
  }
}

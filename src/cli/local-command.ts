// Commands that work locally instead of calling a service. `--json` chooses data instead of text.
import { Problem } from '../base/problem.ts'
import { type Command, exitCodes, UsageError } from './command.ts'
import { alignColumns, describeOwnFlags, listFlagNames } from './flag-help.ts'
import { type CommandFlag, parseFlags } from './flags.ts'
import { JQ_FLAG, readJqFilter } from './jq.ts'

interface CommandSaid {
  text: string
  data: object
  code?: number
}

export interface GivenArguments {
  own: Readonly<Record<string, string | true>>
  words: readonly string[]
}

interface OwnCommand {
  name: string
  places?: readonly string[]
  summary: string
  flags?: readonly CommandFlag[]
  run(given: GivenArguments): Promise<CommandSaid>
}

const NO_INPUTS = { properties: {}, required: [] }
const JSON_FLAG: CommandFlag = { name: 'json', help: 'Print it as JSON.' }

export function makeLocalCommand({ name, places = [], summary, flags = [], run }: OwnCommand): Command {
  const all = [...flags, JSON_FLAG, JQ_FLAG]
  return {
    name,
    usage: [name, ...places, '[flags]'].join(' '),
    summary,
    details: () => alignColumns(describeOwnFlags(all)),
    flags: () => listFlagNames(NO_INPUTS, [], all),
    async run(args) {
      const { own, positionals } = parseFlags(args, NO_INPUTS, all)
      const needed = places.filter((place) => place.startsWith('<'))
      if (positionals.length < needed.length) throw new UsageError(`${needed[positionals.length]} is missing`)
      if (positionals.length > places.length) throw new UsageError(`unexpected argument: ${positionals[places.length]}`)
      const filter = await readJqFilter(own)
      const { text, data, code = exitCodes.done.code } = await run({ own, words: positionals })
      const json = own.json === true || filter ? JSON.stringify(data, null, 2) : undefined
      console.log(json && filter ? await filter(json) : (json ?? text))
      return code
    },
  }
}

export const readTextFlag = (own: GivenArguments['own'], name: string): string | undefined => {
  const value = own[name]
  return typeof value === 'string' ? value : undefined
}

export const splitList = (text: string): string[] =>
  text
    .split(',')
    .map((word) => word.trim())
    .filter(Boolean)

export function throwAsUsageError<T>(check: () => T): T {
  try {
    return check()
  } catch (error) {
    throw error instanceof Problem ? new UsageError(error.message.replace(/^Bad Request: /, '')) : error
  }
}

// Commands that work locally instead of calling a service. `--json` chooses data instead of text.
import { Problem } from '../base/problem.ts'
import { type Command, exitCodes, UsageError } from './command.ts'
import { alignColumns, describeOwnFlags, listFlagNames } from './flag-help.ts'
import { type CommandFlag, NO_INPUTS, parseFlags } from './flags.ts'
import { JQ_FLAG, readJqFilter } from './jq.ts'

type CommandSaid = { text: string; data: object; code?: number }

export type GivenArguments = { own: Readonly<Record<string, string | true>>; words: readonly string[] }

interface OwnCommand<Result> {
  name: string
  places?: readonly string[]
  /** Instead of `<place> is missing`. */
  missing?: string
  summary: string
  flags?: readonly CommandFlag[]
  run(given: GivenArguments): Promise<Result>
}

const JSON_FLAG: CommandFlag = { name: 'json', help: 'Print it as JSON.' }

/** A command that prints by itself and returns its exit code. */
export function makeCommand({ name, places = [], missing, summary, flags = [], run }: OwnCommand<number>): Command {
  return {
    name,
    usage: [name, ...places, '[flags]'].join(' '),
    summary,
    details: () => alignColumns(describeOwnFlags(flags)),
    flags: () => listFlagNames(NO_INPUTS, [], flags),
    async run(args) {
      const { own, positionals: words } = parseFlags(args, NO_INPUTS, flags)
      const needed = places.filter((place) => place.startsWith('<'))
      if (words.length < needed.length) throw new UsageError(missing ?? `${needed[words.length]} is missing`)
      if (words.length > places.length) throw new UsageError(`unexpected argument: ${words[places.length]}`)
      return run({ own, words })
    },
  }
}

export const makeLocalCommand = ({ flags = [], run, ...rest }: OwnCommand<CommandSaid>): Command =>
  makeCommand({
    ...rest,
    flags: [...flags, JSON_FLAG, JQ_FLAG],
    async run(given) {
      const filter = await readJqFilter(given.own)
      const { text, data, code = exitCodes.done.code } = await run(given)
      const json = given.own.json === true || filter ? JSON.stringify(data, null, 2) : undefined
      console.log(json && filter ? await filter(json) : (json ?? text))
      return code
    },
  })

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

// `orb extractor teach <url>`: one page, with its values in a file (`--data`) or chosen by clicks in the dashboard
// (`--pick`). With `--examples` it is the plain operation.
import { readFileSync } from 'node:fs'
import { type Command, exitCodes, UsageError } from './command.ts'
import { alignColumns, describeOwnFlags } from './flag-help.ts'
import { type CommandFlag, NO_INPUTS, parseFlags } from './flags.ts'
import { openDashboard } from './open-dashboard.ts'
import { connectionFlags } from './service-call.ts'

const DATA: CommandFlag = {
  name: 'data',
  value: 'file',
  help: 'A JSON file with the values of the page, by field. Without --schema their types are taken from it.',
}

const PICK: CommandFlag = { name: 'pick', help: 'Opens the page in the dashboard, to choose values by clicks.' }

export const addExtractorTeaching = (commands: readonly Command[]): Command[] =>
  commands.map((command) => (command.name === 'extractor teach' ? teachByFile(command) : command))

const teachByFile = (operation: Command): Command => ({
  ...operation,
  usage: 'extractor teach <url> --data <file> [flags], or --pick',
  details: () => [alignColumns(describeOwnFlags([DATA, PICK])), operation.details?.() ?? ''].join('\n\n'),
  flags: () => [`--${DATA.name}`, `--${PICK.name}`, ...(operation.flags?.() ?? [])],
  run: (args) => (args.includes('--pick') ? pickInDashboard(args) : operation.run(withExample(args))),
})

async function pickInDashboard(args: readonly string[]): Promise<number> {
  const { own, positionals } = parseFlags(args, NO_INPUTS, [PICK, ...connectionFlags])
  const [url, ...more] = positionals
  if (!url || more.length > 0) throw new UsageError('name the URL of one page, then --pick')
  await openDashboard(own, `/extractors/new?${new URLSearchParams({ url })}`)
  return exitCodes.done.code
}

function withExample(args: readonly string[]): string[] {
  const [url, ...flags] = args
  const at = flags.findIndex((flag) => flag === '--data' || flag.startsWith('--data='))
  if (at === -1) return [...args]
  const isSplit = flags[at] === '--data'
  const file = isSplit ? flags[at + 1] : flags[at]?.slice('--data='.length)
  if (!url || url.startsWith('-') || !file) throw new UsageError('name the URL of a page, then --data and a file')
  const data = readData(file)
  const rest = flags.filter((_, index) => index !== at && !(isSplit && index === at + 1))
  const hasSchema = rest.some((flag) => flag === '--schema' || flag.startsWith('--schema='))
  const schema = hasSchema ? [] : ['--schema', JSON.stringify(schemaOf(data))]
  return [...rest, ...schema, '--examples', JSON.stringify([{ url, data }])]
}

function readData(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    throw new UsageError(`--data: ${file} could not be read as JSON: ${(error as Error).message}`)
  }
}

/** The types that the values have; the first member of a list stands for all. */
function schemaOf(value: unknown): object {
  if (Array.isArray(value)) return { type: 'array', items: schemaOf(value[0] ?? '') }
  if (value === null || typeof value !== 'object') return { type: value === null ? 'string' : typeof value }
  const properties = Object.entries(value).map(([name, one]) => [name, schemaOf(one)])
  return { type: 'object', properties: Object.fromEntries(properties) }
}

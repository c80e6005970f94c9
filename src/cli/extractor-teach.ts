// `orb extractor teach <url> --data file.json`: one page and its values. With `--examples` it is the plain operation.
import { readFileSync } from 'node:fs'
import { type Command, UsageError } from './command.ts'
import { alignColumns, describeOwnFlags } from './flag-help.ts'
import type { CommandFlag } from './flags.ts'

const DATA: CommandFlag = {
  name: 'data',
  value: 'file',
  help: 'A JSON file with the values of the page, by field. Without --schema their types are taken from it.',
}

export const addExtractorTeaching = (commands: readonly Command[]): Command[] =>
  commands.map((command) => (command.name === 'extractor teach' ? teachByFile(command) : command))

const teachByFile = (operation: Command): Command => ({
  ...operation,
  usage: 'extractor teach <url> --data <file> [flags]',
  details: () => [alignColumns(describeOwnFlags([DATA])), operation.details?.() ?? ''].join('\n\n'),
  flags: () => [`--${DATA.name}`, ...(operation.flags?.() ?? [])],
  run: (args) => operation.run(withExample(args)),
})

function withExample(args: readonly string[]): string[] {
  const [url, ...flags] = args
  const at = flags.findIndex((flag) => flag === '--data' || flag.startsWith('--data='))
  if (at === -1) return [...args]
  const isSplit = flags[at] === '--data'
  const file = isSplit ? flags[at + 1] : flags[at]?.slice('--data='.length)
  if (!url || url.startsWith('-') || !file) throw new UsageError('give the address of a page, then --data and a file')
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

// Turns every named route into a command with flags from its schema.
import { basename } from 'node:path'
import {
  findStatusOperation,
  makeOperationRequest,
  type Operation,
  type OperationSchema,
  toKebabCase,
} from '../capabilities/operation.ts'
import { splitReplyText } from '../capabilities/split-reply-text.ts'
import { type Command, exitCodes, UsageError } from './command.ts'
import { exampleValueOfPlaceholder } from './examples.ts'
import { readFileBytes } from './file-bytes.ts'
import { alignColumns, describeOperationFlags, describeOwnFlags, listFlagNames } from './flag-help.ts'
import {
  type CommandFlag,
  NO_INPUTS,
  type ParsedFlags,
  parseFlags,
  parseFlagValue,
  takes,
  takesBoolean,
} from './flags.ts'
import { type Filter, JQ_FLAG, readJqFilter } from './jq.ts'
import { expandListArguments } from './read-list-input.ts'
import {
  callService,
  connectionFlags,
  describeErrorReply,
  readConnection,
  type ServiceAnswer,
  type ServiceConnection,
} from './service-call.ts'
import { withSpinner } from './spinner.ts'
import { formatReplyTable, makeTextStyler, removeControlCharacters } from './terminal-output.ts'
import { watchJob } from './watch-job.ts'
import { addFrontMatter, findPictureLink, writeOutputFile, writePicture } from './write-page-file.ts'

const JSON_FLAG: CommandFlag = { name: 'json', help: 'Print the response as JSON, as the service sent it.' }
const OUTPUT_FLAG: CommandFlag = {
  name: 'output',
  short: 'o',
  value: 'file',
  help: 'Write to a file instead. A page in a .md file has its URL on top; a .png file is the screenshot.',
}
const SCHEMA_FLAG: CommandFlag = {
  name: 'schema',
  value: 'json',
  help: 'Extract data by a JSON Schema: JSON text, or @ and the name of a JSON file. The same as a format of type json.',
}
const FAIL_FLAG: CommandFlag = { name: 'fail', help: 'End with code 1 if the site returned an error page.' }
const JOB_FLAGS: readonly CommandFlag[] = [
  { name: 'json', help: 'One line of JSON for each page as it comes, then one for the job.' },
  JQ_FLAG,
  { name: 'output', short: 'o', value: 'folder', help: 'Also write each page to a file in this folder.' },
]
const SCRAPE_FLAG: CommandFlag = { name: 'scrape', help: 'Also fetch each page, as markdown.' }
const START_FLAGS: readonly CommandFlag[] = [
  { name: 'wait', help: 'Watch the job to its end; the default without `--detach`.' },
  { name: 'detach', help: 'Start the job and do not watch it.' },
]

export function makeOperationCommands(operations: readonly Operation[]): Command[] {
  return operations.flatMap((operation) => {
    const status = findStatusOperation(operation, operations)
    const trace = status && operations.find(({ method, path }) => method === 'GET' && path === `${status.path}/trace`)
    return status
      ? [operationCommand(operation, status, trace), watchCommand(operation, status, trace)]
      : [operationCommand(operation)]
  })
}

function operationCommand(operation: Operation, status?: Operation, trace?: Operation): Command {
  const { name, summary, params, cliGroup: group } = operation
  const ownFlags = () => [
    ...(takesSchema(operation) ? [SCHEMA_FLAG] : []),
    ...(takesSchema(operation) && !status ? [FAIL_FLAG] : []),
    ...(status ? [...JOB_FLAGS, ...START_FLAGS] : [JSON_FLAG, JQ_FLAG, OUTPUT_FLAG]),
    ...(!status && operation.inputs().properties.scrapeOptions ? [SCRAPE_FLAG] : []),
    ...connectionFlags,
  ]
  return {
    name,
    usage: `${name}${placesOf(operation)} [flags]`,
    summary: status ? `${summary}, and watch it` : summary,
    group,
    details: () => detailsOf(operation, ownFlags()),
    example: () => exampleWords(operation),
    flags: () => listFlagNames(operation.inputs(), params, ownFlags()),
    async run(args) {
      const parsed = parseFlags(args, operation.inputs(), ownFlags())
      addSchema(parsed)
      if (parsed.own.scrape === true) parsed.given.scrapeOptions = withMarkdown(parsed.given.scrapeOptions)
      const file = takePositionals(operation, parsed)
      const filter = await readJqFilter(parsed.own)
      const connection = await readConnection(parsed.own)
      return withCtrlC(async (signal) => {
        const answer = await withSpinner(summary, send(operation, parsed.given, file, connection, signal))
        if (answer.status >= 400) return refuse(answer, connection, parsed.own.json === true)
        const id = answer.json?.id
        if (!status || parsed.own.detach === true || typeof id !== 'string')
          return print(answer, { own: parsed.own, filter }, connection, signal)
        printReply(answer)
        const again = `orb ${name} watch ${id}`
        console.error(
          `Job ${id}${process.stderr.isTTY ? `  (Ctrl-C leaves it running; \`${again}\` continues it)` : ''}`,
        )
        return watchJob({ connection, status, trace, id, again, filter, ...jobRequest(parsed.own) }, signal)
      })
    },
  }
}

const withMarkdown = (asked: unknown): object => ({ formats: ['markdown'], ...(asked as object | undefined) })

function watchCommand({ name }: Operation, status: Operation, trace?: Operation): Command {
  const own = [...JOB_FLAGS, ...connectionFlags]
  return {
    name: `${name} watch`,
    usage: `${name} watch <id> [flags]`,
    summary: `Watch ${/^[aeiou]/.test(name) ? 'an' : 'a'} ${name} that was started before`,
    details: () => alignColumns(describeOwnFlags(own)),
    flags: () => listFlagNames(NO_INPUTS, [], own),
    async run(args) {
      const { positionals, own: given } = parseFlags(args, NO_INPUTS, own)
      const [id, ...more] = positionals
      if (!id || more.length > 0) throw new UsageError('say which: one id')
      const again = `orb ${name} watch ${id}`
      const filter = await readJqFilter(given)
      const connection = await readConnection(given)
      const watching = { connection, status, trace, id, again, filter, ...jobRequest(given) }
      return withCtrlC((signal) => watchJob(watching, signal))
    },
  }
}

const takesSchema = (operation: Operation): boolean => {
  const { properties } = operation.inputs()
  return properties.formats !== undefined && properties.schema === undefined
}

function addSchema({ given, own }: ParsedFlags): void {
  if (typeof own.schema !== 'string') return
  const schema = parseFlagValue({ type: 'object' }, own.schema, '--schema')
  const before = Array.isArray(given.formats) ? given.formats : []
  given.formats = [...before, { type: 'json', schema }]
}

const jobRequest = (own: ParsedFlags['own']) => ({
  json: own.json === true || typeof own.jq === 'string',
  output: typeof own.output === 'string' ? own.output : undefined,
})

/** The first required input that is text or a list. */
function bareInput({ params, inputs, takesFile }: Operation): string | undefined {
  const { required, properties } = inputs()
  if (takesFile) return undefined
  return required.find((name) => !params.includes(name) && /^(string|array)$/.test(properties[name]?.type ?? ''))
}

function placesOf(operation: Operation): string {
  const bare = bareInput(operation)
  const isList = bare !== undefined && operation.inputs().properties[bare]?.type === 'array'
  const places = [...operation.params, ...(operation.takesFile ? ['file'] : []), ...(bare ? [bare] : [])]
  return places.map((name, at) => ` <${name}>${isList && at === places.length - 1 ? '…' : ''}`).join('')
}

/** The example of the route, or a sample for each input that it needs; none when the places say all of it. */
function exampleWords(operation: Operation): string[] {
  const { example, params, takesFile } = operation
  const { required, properties } = operation.inputs()
  if (takesFile) return []
  const bare = bareInput(operation)
  const places = params.map(exampleValueOfPlaceholder)
  if (!example) {
    const flags = required.filter((name) => !params.includes(name) && name !== bare)
    if (flags.length === 0) return []
    const samples = flags.flatMap((name) => flagWords(name, sampleValue(name, properties[name] ?? {})))
    return [...places, ...(bare ? [exampleValueOfPlaceholder(bare)] : []), ...samples]
  }
  const { [bare ?? '']: first, ...rest } = example as Record<string, unknown>
  return [
    ...places,
    ...bareWords(bare, first),
    ...Object.entries(rest).flatMap(([name, value]) => flagWords(name, value)),
  ]
}

/** A list of texts is a word each, one of objects is read from a file. */
function bareWords(name: string | undefined, value: unknown): string[] {
  if (name === undefined || value === undefined) return []
  const values = [value].flat()
  return values.every((one) => typeof one === 'string') ? values : [exampleValueOfPlaceholder(name)]
}

const sampleValue = (name: string, schema: OperationSchema): unknown => {
  if (takesBoolean(schema)) return true
  return schema.type === 'string' ? (schema.enum?.[0] ?? exampleValueOfPlaceholder(name)) : `@${name}.json`
}

const flagWords = (name: string, value: unknown): string[] =>
  value === true ? [`--${toKebabCase(name)}`] : [`--${toKebabCase(name)}`, wordOf(value)]

function wordOf(value: unknown): string {
  if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return value.join(',')
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

function takePositionals(operation: Operation, { given, positionals }: ParsedFlags): string | undefined {
  const left = [...positionals]
  for (const name of operation.params) given[name] ??= left.shift()
  const file = operation.takesFile ? left.shift() : undefined
  const bare = bareInput(operation)
  if (bare !== undefined && left.length > 0 && given[bare] === undefined) {
    const schema = operation.inputs().properties[bare] ?? {}
    // A list of texts has one on each line of a file; any other list is JSON.
    given[bare] =
      schema.type === 'array' && takes(schema.items ?? {}, 'string')
        ? expandListArguments(left.splice(0), bare)
        : parseFlagValue(schema, left.shift() ?? '', `<${bare}>`)
  }
  if (left.length > 0) throw new UsageError(`unexpected argument: ${left[0]}`)
  const missing = operation.inputs().required.find((name) => given[name] === undefined)
  if (missing !== undefined) throw new UsageError(`<${missing}> is missing`)
  if (operation.takesFile && file === undefined && given.uploadRef === undefined)
    throw new UsageError('say which file to send')
  return file
}

async function send(
  operation: Operation,
  given: Record<string, unknown>,
  file: string | undefined,
  connection: ServiceConnection,
  signal: AbortSignal,
): Promise<ServiceAnswer> {
  const { method, path, body } = makeOperationRequest(operation, given)
  if (file === undefined) return callService(connection, { method, path, body }, signal)
  const form = new FormData()
  form.append('options', JSON.stringify(body ?? {}))
  form.append('file', new Blob([readFileBytes(file)]), basename(file))
  return callService(connection, { method, path, form }, signal)
}

async function print(
  answer: ServiceAnswer,
  { own, filter }: { own: ParsedFlags['own']; filter: Filter | undefined },
  connection: ServiceConnection,
  signal: AbortSignal,
): Promise<number> {
  const isPlain = own.json === true || filter !== undefined || !answer.json
  const plain = isPlain && filter && answer.json ? await filter(answer.text) : answer.text
  if (own.json !== true) printReply(answer)
  const { code } = own.fail === true && siteErrorOf(answer) ? exitCodes.failed : exitCodes.done
  const fields = isPlain ? undefined : (answer.json ?? {})
  if (typeof own.output !== 'string') {
    writeToTerminal(fields, plain)
    return code
  }
  const picture = fields && findPictureLink(fields, own.output)
  if (picture !== undefined) await writePicture(picture, own.output, connection, signal)
  else writeOutputFile(own.output, endWithNewline(fields ? writeToFile(fields, own.output) : plain))
  return code
}

/** `fields`: of a reply that is shown as a table or as words. */
function writeToTerminal(fields: Record<string, unknown> | undefined, plain: string): void {
  const { stdout } = process
  const table =
    stdout.isTTY && fields ? formatReplyTable(fields, makeTextStyler(stdout), stdout.columns ?? 100) : undefined
  const text = endWithNewline(table ?? (fields ? wordsOf(fields) : plain))
  // Table cells are already cleaned, and the colours are ours; a pipe gets every byte.
  stdout.write(stdout.isTTY && !table ? removeControlCharacters(text) : text)
}

const endWithNewline = (text: string): string => (text.endsWith('\n') ? text : `${text}\n`)

function writeToFile(answer: Record<string, unknown>, file: string): string {
  const { data } = answer as { data?: { markdown?: unknown; metadata?: Record<string, unknown> } }
  const text = wordsOf(answer)
  return /\.md$/i.test(file) && data?.markdown === text ? addFrontMatter(text, data.metadata) : text
}

function wordsOf(answer: Record<string, unknown>): string {
  const { main, isAll } = splitReplyText(answer)
  const { success: _, ...fields } = answer
  return main !== undefined && isAll ? main : JSON.stringify(fields, null, 2)
}

function siteErrorOf({ json }: ServiceAnswer): number | undefined {
  const { metadata } = (json?.data ?? {}) as { metadata?: { statusCode?: unknown } }
  const status = metadata?.statusCode
  return typeof status === 'number' && status >= 400 ? status : undefined
}

function printReply(answer: ServiceAnswer): void {
  if (typeof answer.json?.warning === 'string') console.error(`Note: ${answer.json.warning}`)
  const status = siteErrorOf(answer)
  if (status) console.error(`Note: the site returned ${status}; this is its error page, not the page.`)
}

function refuse(answer: ServiceAnswer, connection: ServiceConnection, json: boolean): number {
  if (json) console.log(answer.text)
  else console.error(describeErrorReply(answer, connection))
  return exitCodes.failed.code
}

async function withCtrlC(work: (signal: AbortSignal) => Promise<number>): Promise<number> {
  const stop = new AbortController()
  const onSignal = () => stop.abort()
  process.once('SIGINT', onSignal)
  try {
    return await work(stop.signal)
  } finally {
    process.off('SIGINT', onSignal)
  }
}

function detailsOf(operation: Operation, own: readonly CommandFlag[]): string {
  const { method, path, params } = operation
  const ofSchema = describeOperationFlags(operation.inputs(), params)
  return [
    `HTTP: ${method} ${path}`,
    ...(ofSchema.length > 0 ? [alignColumns(ofSchema)] : []),
    alignColumns(describeOwnFlags(own)),
    ...(ofSchema.some(({ flag }) => /<(list|json)>$/.test(flag))
      ? [
          'A list is separated by commas, or the flag is repeated. JSON is given as text, or as @ and a file name (@- for a pipe). URLs can also come from @file or - (a pipe), one per line. Parts of an object have flags of their own: --location.country de.',
        ]
      : []),
  ].join('\n\n')
}

// `orb do "…"` and `orb "…"`: runs the command that a typed request means, and prints it first.
import { abortAfter } from '../base/abort-after.ts'
import { toKebabCase } from '../capabilities/operation.ts'
import { type Command, exitCodes, UsageError } from './command.ts'
import { NO_INPUTS, parseFlags } from './flags.ts'
import { callService, connectionFlags, describeErrorReply, readConnection } from './service-call.ts'

type Offer = { label: string; operation: string; body: Record<string, unknown> }

/** No command has a space, a colon with slashes, or a dot in its name. */
export const isTypedRequest = (word: string): boolean => /\s|:\/\/|[^-.]\.[^.]/.test(word.trim())

export const runTypedRequests = (commands: readonly Command[]): Command[] =>
  commands.map((command) => (command.name === 'do' ? doCommand(command, commands) : command))

const doCommand = (operation: Command, commands: readonly Command[]): Command => ({
  ...operation,
  usage: 'do "<what to do>" [flags of the command it becomes]',
  summary: 'Run a request in plain words: a verb, a URL and the expected result',
  example: () => ['"screenshot of example.com"'],
  async run(args) {
    const [request = '', ...flags] = args
    if (request === '' || request.startsWith('-')) throw new UsageError('put the request in quotes, before any flags')
    const connection = await readConnection(connectionOf(flags))
    const call = { method: 'POST', path: '/v2/do', body: { request } }
    const answer = await callService(connection, call, abortAfter(REQUEST_MS))
    if (answer.status >= 400) {
      console.error(describeErrorReply(answer, connection))
      return exitCodes.failed.code
    }
    const [first, second] = (answer.json?.offers ?? []) as Offer[]
    const command = first && commands.find(({ name }) => name === first.operation)
    if (!command) {
      console.error('No capability fits this request. Try a URL, or a verb such as scrape, crawl or search.')
      return exitCodes.usage.code
    }
    console.error(`${first.label}: orb ${[command.name, ...flagsOf(first.body)].join(' ')}`)
    if (second) console.error(`Or ${second.label}: orb ${[second.operation, ...flagsOf(second.body)].join(' ')}`)
    return command.run([...flagsOf(first.body), ...flags])
  },
})

const REQUEST_MS = 30_000

/** Flags that name the service; the others belong to the command. */
function connectionOf(flags: readonly string[]): Record<string, string | true> {
  const named = flags.flatMap((flag, at) => {
    const own = connectionFlags.find(({ name }) => flag === `--${name}` || flag.startsWith(`--${name}=`))
    if (!own) return []
    return flag.includes('=') ? [flag] : [flag, flags[at + 1] ?? '']
  })
  return parseFlags(named, NO_INPUTS, connectionFlags).own
}

const flagsOf = (body: Readonly<Record<string, unknown>>): string[] =>
  Object.entries(body).map(
    ([name, value]) => `--${toKebabCase(name)}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
  )

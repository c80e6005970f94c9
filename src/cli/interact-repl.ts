// `orb interact`: a browser session with a prompt in the terminal.

import { createInterface } from 'node:readline'
import { abortAfter } from '../base/abort-after.ts'
import { type Command, exitCodes, UsageError } from './command.ts'
import { alignColumns, describeOwnFlags, listFlagNames } from './flag-help.ts'
import { type CommandFlag, NO_INPUTS, parseFlags } from './flags.ts'
import {
  callService,
  connectionFlags,
  describeErrorReply,
  readConnection,
  type ServiceConnection,
} from './service-call.ts'
import { removeControlCharacters } from './terminal-output.ts'

const REQUEST_MS = 30_000

const FLAGS: readonly CommandFlag[] = [
  { name: 'profile', value: 'name', help: 'Profile with cookies and storage to use, and to save at the end.' },
  { name: 'record', help: 'Record the session; the URL is printed at the end.' },
  ...connectionFlags,
]
const HELP = `A line of words is run in the page: click Sign in; type orb into Search and press Enter.
  /open <url>        go there
  /js <code>         run JavaScript with page, context and browser
  /py <code>         run Python
  /sh <command>      run a shell command, or agent-browser's: /sh snapshot -i
  /save <name>       save cookies and storage as a profile
  /quit              end the session`
const LANGUAGES: Readonly<Record<string, string>> = { js: 'node', py: 'python', sh: 'bash' }
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-/i

export function addInteractRepl(commands: readonly Command[]): Command[] {
  return commands.map((command) => (command.name === 'interact' ? lineOr(command) : command))
}

const lineOr = (operation: Command): Command => ({
  ...operation,
  usage: 'interact [url] [flags]   (a prompt line), or interact <jobId> [flags]',
  summary: 'Control a browser with prompts and code: a prompt line, or one call for the page of a scrape',
  details: () => [HELP, alignColumns(describeOwnFlags(FLAGS)), operation.details?.() ?? ''].join('\n\n'),
  flags: () => [...new Set([...listFlagNames(NO_INPUTS, [], FLAGS), ...(operation.flags?.() ?? [])])],
  run: (args) => (isOneCall(args) ? operation.run(args) : line(args)),
})

const isOneCall = (args: readonly string[]): boolean =>
  args.some((arg) => UUID.test(arg) || /^--(prompt|code|jobId|job-id)\b/.test(arg))

async function line(args: readonly string[]): Promise<number> {
  const { own, positionals } = parseFlags(args, NO_INPUTS, FLAGS)
  const [address, ...more] = positionals
  if (more.length > 0) throw new UsageError(`unexpected argument: ${more[0]}`)
  const connection = await readConnection(own)
  const stop = new AbortController()
  const body = {
    ttl: 3600,
    activityTtl: 900,
    ...(own.record === true ? { recordSession: true } : {}),
    ...(typeof own.profile === 'string' ? { profile: { name: own.profile } } : {}),
  }
  const made = await callService(connection, { method: 'POST', path: '/v2/interact', body }, stop.signal)
  if (made.status >= 400) {
    console.error(describeErrorReply(made, connection))
    return exitCodes.failed.code
  }
  const id = String(made.json?.id)
  console.log(`Watch and drive: ${made.json?.interactiveLiveViewUrl}\n/help lists the commands.`)
  const session = { connection, path: `/v2/interact/${id}`, signal: stop.signal }
  try {
    if (address) await runLine(session, `/open ${address}`)
    return await converse(session)
  } finally {
    await end(session)
  }
}

type Talk = { connection: ServiceConnection; path: string; signal: AbortSignal }

async function converse(talk: Talk): Promise<number> {
  const input = createInterface({
    input: process.stdin,
    output: process.stdout,
    terminal: process.stdin.isTTY === true,
  })
  let code: number = exitCodes.done.code
  input.on('SIGINT', () => {
    code = exitCodes.interrupted.code
    input.close()
  })
  input.setPrompt('orb> ')
  const wait = () => void (process.stdin.isTTY && input.prompt())
  wait()
  for await (const typed of input) {
    const words = typed.trim()
    if (words === '/quit') break
    if (words !== '') await runLine(talk, words)
    wait()
  }
  input.close()
  return code
}

async function runLine({ connection, path, signal }: Talk, words: string): Promise<void> {
  const [, name = '', rest = ''] = /^\/(\w+)\s*([\s\S]*)$/.exec(words) ?? []
  if (name === 'help') return console.log(HELP)
  const options = requestOf(words, name, rest)
  if (!options) return console.log(`There is no /${name}. /help lists the commands.`)
  const answer = await callService(connection, { method: 'POST', path: path + options.to, body: options.body }, signal)
  if (answer.status >= 400) return console.error(describeErrorReply(answer, connection))
  const { output, stdout, result, stderr } = (answer.json ?? {}) as Record<string, string | null | undefined>
  const said = output ? [output] : [stdout?.trimEnd(), result, stderr?.trimEnd()].filter(Boolean)
  console.log(said.length > 0 ? removeControlCharacters(said.join('\n')) : 'Done.')
}

function requestOf(words: string, name: string, rest: string): { to: string; body: object } | undefined {
  if (name === '') return { to: '/prompt', body: { prompt: words, timeout: 300 } }
  if (name === 'save') return { to: '/profile', body: { name: rest } }
  if (name === 'open')
    return { to: '/execute', body: { code: `open ${JSON.stringify(rest)}`, language: 'bash', timeout: 60 } }
  const language = LANGUAGES[name]
  return language ? { to: '/execute', body: { code: rest, language, timeout: 300 } } : undefined
}

async function end({ connection, path }: Talk): Promise<void> {
  const late = abortAfter(REQUEST_MS)
  const { json } = await callService(connection, { method: 'DELETE', path }, late)
  console.log(`The session has ended: ${json?.creditsBilled ?? 0} credits.`)
  const read = await callService(connection, { method: 'GET', path }, late)
  if (typeof read.json?.recordingUrl === 'string') console.log(`Recording: ${read.json.recordingUrl}`)
}

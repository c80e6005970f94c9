// `orb help`, `orb help <command>` and `orb help config`. A large family of commands has one line; `orb help
// monitor` lists it.
import { findNearestName } from '../base/did-you-mean.ts'
import { CLI_GROUPS, type CliGroup } from '../capabilities/operation.ts'
import { type Command, exitCodes } from './command.ts'
import { writeExample } from './examples.ts'
import { makeTextStyler, type TextStyler } from './terminal-output.ts'

const OWN: Readonly<Record<string, CliGroup>> = {
  open: 'Connect',
  login: 'Connect',
  logout: 'Connect',
  connect: 'Connect',
  mcp: 'Connect',
  start: 'Run the service',
  serve: 'Run the service',
  work: 'Run the service',
  doctor: 'Run the service',
  browser: 'Run the service',
  backup: 'Run the service',
  restore: 'Run the service',
  conformance: 'Run the service',
  keys: 'Keys and teams',
  teams: 'Keys and teams',
  'webhook-secret': 'Look after jobs',
}

const MOST_BELOW = 2

export async function printHelp(commands: readonly Command[], words: readonly string[]): Promise<number> {
  const topic = words.join(' ')
  const paint = makeTextStyler(process.stdout)
  if (topic === 'config') console.log((await import('../config.ts')).writeConfigTable())
  else if (topic === '') console.log(overview(commands, paint))
  else {
    const command = commands.find(({ name }) => name === topic)
    const below = commands.filter(({ name }) => name.startsWith(`${topic} `))
    if (!command && below.length === 0) {
      const meant = findNearestName(topic, new Set(commands.flatMap(({ name }) => [name, name.split(' ')[0] ?? ''])))
      const hint = meant ? ` Did you mean \`orb help ${meant}\`?` : ''
      console.error(`orb: there is no command \`${topic}\`.${hint} See \`npx orbweaver help\`.`)
      return exitCodes.usage.code
    }
    const family = below.length > 0 ? [[paint.bold(`Below orb ${topic}`), ...rows(below)].join('\n')] : []
    console.log([...(command ? [writeCommandHelp(command)] : []), ...family].join('\n\n'))
  }
  return exitCodes.done.code
}

const WIDTH = 34

const row = (usage: string, summary: string): string =>
  usage.length > WIDTH
    ? `  orb ${usage}\n      ${' '.repeat(WIDTH)}  ${summary}`
    : `  orb ${usage.padEnd(WIDTH)}  ${summary}`

const rows = (commands: readonly Command[]): string[] =>
  commands.map(({ usage, summary }) => row(usage.replace(/ \[flags\]$/, ''), summary))

function familyRows(word: string, commands: readonly Command[]): string[] {
  const family = commands.filter(({ name }) => name === word || name.startsWith(`${word} `))
  if (family.length <= MOST_BELOW) return rows(family)
  const own = family.filter(({ name }) => name === word)
  const below = family.filter(({ name }) => name !== word).map(({ name }) => name.slice(word.length + 1))
  const more = `${below.slice(0, 4).join(', ')}${below.length > 4 ? ', …' : ''}`
  return [...rows(own), row(`${word} <command>`, `${more}  (orb help ${word})`)]
}

function overview(commands: readonly Command[], paint: TextStyler): string {
  const firstWord = ({ name }: Command) => name.split(' ')[0] ?? ''
  const groupOf = new Map(commands.map((command) => [firstWord(command), OWN[firstWord(command)] ?? command.group]))
  const wordsIn = (group: CliGroup | undefined) => [...groupOf].flatMap(([word, its]) => (its === group ? [word] : []))
  const groups = [...CLI_GROUPS.map((group) => [group, wordsIn(group)] as const), ['More', wordsIn(undefined)] as const]
  return [
    `${paint.bold('orb')}: web data from the command line. It calls the service on this machine, or at ORB_URL.`,
    '',
    ...groups.flatMap(([title, words]) => {
      const lines = words.flatMap((word) => familyRows(word, commands))
      return lines.length > 0 ? [paint.bold(title), ...lines, ''] : []
    }),
    paint.bold('Help'),
    row('help <command>', 'its flags'),
    row('help config', 'every setting, its default and meaning'),
    '',
    paint.bold('Exit codes'),
    ...Object.values(exitCodes).map(({ code, means }) => `  ${String(code).padStart(3)}  ${means}`),
  ].join('\n')
}

export const writeCommandHelp = (command: Command): string =>
  [
    `Usage: orb ${command.usage}`,
    command.summary,
    ...(command.details ? [command.details()] : []),
    `Example: ${writeExample(command)}`,
  ].join('\n\n')

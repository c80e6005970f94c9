// `orb help`, `orb help <command>` and `orb help config`. The overview is in groups, as people look for things; a family of
// commands (`monitor …`) has one line, and `orb help monitor` lists it.
import { nearest } from '../base/nearest.ts'
import { type Command, exitCodes } from './command.ts'
import { type Paint, paintFor } from './paint.ts'

/** Each command by its first word; what nobody put into a group comes last. */
const GROUPS: readonly (readonly [string, readonly string[]])[] = [
  ['Get pages', ['scrape', 'crawl', 'map', 'batch', 'search', 'parse']],
  ['Work with pages', ['interact', 'session', 'agent', 'monitor', 'extract']],
  ['Look after jobs', ['jobs', 'webhooks', 'webhook-secret', 'concurrency-check']],
  ['Connect', ['open', 'connect', 'mcp']],
  ['Run the service', ['start', 'serve', 'work', 'doctor', 'browser', 'backup', 'restore', 'conformance']],
  ['Keys and teams', ['keys', 'teams', 'team', 'admin', 'feedback']],
]

/** More than this many below one word are listed by `orb help <word>`. */
const MOST_BELOW = 2

export async function help(commands: readonly Command[], words: readonly string[]): Promise<number> {
  const topic = words.join(' ')
  const paint = paintFor(process.stdout)
  if (topic === 'config') console.log((await import('../config.ts')).configTable())
  else if (topic === '') console.log(overview(commands, paint))
  else {
    const command = commands.find(({ name }) => name === topic)
    const below = commands.filter(({ name }) => name.startsWith(`${topic} `))
    if (!command && below.length === 0) {
      const meant = nearest(topic, new Set(commands.flatMap(({ name }) => [name, name.split(' ')[0] ?? ''])))
      const hint = meant ? ` Did you mean \`orb help ${meant}\`?` : ''
      console.error(`orb: there is no command \`${topic}\`.${hint} See \`npx orbweaver help\`.`)
      return exitCodes.usage.code
    }
    const family = below.length > 0 ? [[paint.bold(`Below orb ${topic}`), ...rows(below)].join('\n')] : []
    console.log([...(command ? [pageOf(command)] : []), ...family].join('\n\n'))
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

/** A family of commands as one line or a few. */
function familyRows(word: string, commands: readonly Command[]): string[] {
  const family = commands.filter(({ name }) => name === word || name.startsWith(`${word} `))
  if (family.length <= MOST_BELOW) return rows(family)
  const own = family.filter(({ name }) => name === word)
  const below = family.filter(({ name }) => name !== word).map(({ name }) => name.slice(word.length + 1))
  const more = `${below.slice(0, 4).join(', ')}${below.length > 4 ? ', …' : ''}`
  return [...rows(own), row(`${word} <command>`, `${more}  (orb help ${word})`)]
}

function overview(commands: readonly Command[], paint: Paint): string {
  const known = new Set(GROUPS.flatMap(([, words]) => words))
  const first = [...new Set(commands.map(({ name }) => name.split(' ')[0] ?? ''))]
  const groups = [...GROUPS, ['More', first.filter((word) => !known.has(word))] as const]
  return [
    `${paint.bold('orb')}: web data from the command line. It asks the service on this machine, or ORB_URL.`,
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

export const pageOf = ({ usage, summary, details }: Command): string =>
  [`Usage: orb ${usage}`, summary, ...(details ? [details()] : [])].join('\n\n')

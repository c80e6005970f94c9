// `orb monitor create <url> --every 1h --goal …`: the usual monitor in one line. With `--targets` it is the plain operation.
import { type Command, UsageError } from './command.ts'
import { alignColumns, describeOwnFlags } from './flag-help.ts'
import type { CommandFlag } from './flags.ts'

const EVERY: CommandFlag = {
  name: 'every',
  value: 'time',
  help: 'How often: 30m, 1h, 6h, 1d, or words such as "weekdays at 9am". 1h by default.',
}
const UNITS: Readonly<Record<string, string>> = { m: 'minutes', h: 'hours', d: 'days' }

export const addMonitorFlags = (commands: readonly Command[]): Command[] =>
  commands.map((command) => (command.name === 'monitor create' ? makeShortForm(command) : command))

const makeShortForm = (operation: Command): Command => ({
  ...operation,
  usage: 'monitor create <url>… [flags]',
  details: () =>
    [
      'With URLs it watches those pages under the name of the first; --targets, --schedule and --name set everything.',
      alignColumns(describeOwnFlags([EVERY])),
      operation.details?.() ?? '',
    ].join('\n\n'),
  flags: () => [`--${EVERY.name}`, ...(operation.flags?.() ?? [])],
  example: () => ['https://example.com/pricing', '--every', '1h', '--goal', 'the price of a plan changes'],
  run: (args) => operation.run(inFull(args)),
})

function inFull(args: readonly string[]): string[] {
  const urls: string[] = []
  const rest: string[] = []
  let every: string | undefined
  const left = [...args]
  for (let word = left.shift(); word !== undefined; word = left.shift()) {
    const isEvery = word === '--every' || word.startsWith('--every=')
    if (isEvery) every = word.includes('=') ? word.slice('--every='.length) : left.shift()
    else if (/^https?:\/\//i.test(word) && !takesValue(rest.at(-1))) urls.push(word)
    else rest.push(word)
    if (isEvery && !every) throw new UsageError('--every needs a value, such as 1h')
  }
  const has = (name: string) =>
    rest.some((word) => word === `--${name}` || word.startsWith(`--${name}=`) || word.startsWith(`--${name}.`))
  const [first] = urls
  if (first === undefined) return every === undefined ? rest : [...rest, '--schedule', scheduleOf(every)]
  if (has('targets')) throw new UsageError('use URLs or --targets, not both')
  return [
    ...rest,
    ...(has('name') ? [] : ['--name', new URL(first).host]),
    ...(has('schedule') && every === undefined ? [] : ['--schedule', scheduleOf(every ?? '1h')]),
    '--targets',
    JSON.stringify([{ type: 'scrape', urls }]),
  ]
}

/** An address after a flag is its value: `--webhook https://…`. */
const takesValue = (before: string | undefined): boolean => before !== undefined && /^--[^=]+$/.test(before)

function scheduleOf(every: string): string {
  const [, count, unit = ''] = /^(\d+)\s*([mhd])$/.exec(every.trim()) ?? []
  const text = count === undefined ? every : unit === 'd' && count === '1' ? 'daily' : `every ${count} ${UNITS[unit]}`
  return JSON.stringify({ text })
}

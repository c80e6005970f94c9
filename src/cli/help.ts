// `orb help`, `orb help <command>` and `orb help config`.
import { type Command, exitCodes } from './command.ts'

export async function help(commands: readonly Command[], words: readonly string[]): Promise<number> {
  const topic = words.join(' ')
  if (topic === 'config') console.log((await import('../config.ts')).configTable())
  else if (topic === '') console.log(overview(commands))
  else {
    const command = commands.find(({ name }) => name === topic)
    if (!command) {
      console.error(`orb: there is no command \`${topic}\`. See \`npx orbweaver help\`.`)
      return exitCodes.usage.code
    }
    console.log(pageOf(command))
  }
  return exitCodes.done.code
}

function overview(commands: readonly Command[]): string {
  const width = Math.min(44, Math.max(...commands.map(({ usage }) => usage.length)))
  const row = (usage: string, summary: string) =>
    usage.length > width
      ? `  orb ${usage}\n      ${' '.repeat(width)}   ${summary}`
      : `  orb ${usage.padEnd(width)}   ${summary}`
  return [
    'Usage:',
    ...commands.map(({ usage, summary }) => row(usage.replace(/ \[flags\]$/, ''), summary)),
    row('help <command>', 'its flags'),
    row('help config', 'every setting, its default and meaning'),
    '',
    'Exit codes:',
    ...Object.values(exitCodes).map(({ code, means }) => `  ${String(code).padStart(3)}  ${means}`),
  ].join('\n')
}

export const pageOf = ({ usage, summary, details }: Command): string =>
  [`Usage: orb ${usage}`, summary, ...(details ? [details()] : [])].join('\n\n')

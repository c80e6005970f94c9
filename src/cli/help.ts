// `orb help` and `orb help config`.
import { configTable } from '../config.ts'
import type { Command } from './command.ts'

export function help(commands: readonly Command[], [topic]: readonly string[]): number {
  if (topic === 'config') {
    console.log(configTable())
    return 0
  }
  const width = Math.max(...commands.map(({ usage }) => usage.length))
  const rows = commands.map(({ usage, summary }) => `  orb ${usage.padEnd(width)}   ${summary}`)
  console.log(
    ['Usage:', ...rows, `  orb ${'help config'.padEnd(width)}   every setting, its default and meaning`].join('\n'),
  )
  return 0
}

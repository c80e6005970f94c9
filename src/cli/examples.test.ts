// Every example is a command line that its command takes: it fails only because no service answers.
import { expect, it } from 'vitest'
import { capabilities } from '../capabilities/index.ts'
import { operationsOf } from '../capabilities/operations.ts'
import { exitCodes } from './command.ts'
import { exampleOf } from './examples.ts'
import { withMonitorFlags } from './monitor-flags.ts'
import { operationCommands } from './operation-command.ts'

const NOWHERE = ['--service', 'http://127.0.0.1:1', '--key', 'fc-00000000000000000000000000000000']
const wordsOf = (line: string) =>
  [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '')

it('examples are taken as they are', async () => {
  const commands = withMonitorFlags(operationCommands(operationsOf(capabilities)))
  const wrong: string[] = []
  for (const command of commands) {
    const line = exampleOf(command)
    // What it reads is not here.
    if (/report\.pdf$|@\w+\.json/.test(line)) continue
    const words = wordsOf(line).slice(1 + command.name.split(' ').length)
    const end = await command.run([...words, ...NOWHERE]).catch((error) => error)
    if (end.code !== exitCodes.unreachable.code) wrong.push(`${line}: ${end.message ?? end}`)
  }
  expect(wrong).toEqual([])
  expect(commands.length).toBeGreaterThan(80)
})

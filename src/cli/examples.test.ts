// Every example is a command line that its command takes: it fails only because no service answers.
import { expect, it } from 'vitest'
import { deriveOperations } from '../capabilities/derive-operations.ts'
import { capabilities } from '../capabilities/index.ts'
import { exitCodes } from './command.ts'
import { writeExample } from './examples.ts'
import { addMonitorFlags } from './monitor-flags.ts'
import { makeOperationCommands } from './operation-command.ts'

const NOWHERE = ['--service', 'http://127.0.0.1:1', '--key', 'fc-00000000000000000000000000000000']
const wordsOf = (line: string) =>
  [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '')

it('examples are taken as they are', async () => {
  const commands = addMonitorFlags(makeOperationCommands(deriveOperations(capabilities)))
  const wrong: string[] = []
  for (const command of commands) {
    const line = writeExample(command)
    // What it reads is not here.
    if (/report\.pdf$|@\w+\.json/.test(line)) continue
    const words = wordsOf(line).slice(1 + command.name.split(' ').length)
    const end = await command.run([...words, ...NOWHERE]).catch((error) => error)
    if (end.code !== exitCodes.unreachable.code) wrong.push(`${line}: ${end.message ?? end}`)
  }
  expect(wrong).toEqual([])
  expect(commands.length).toBeGreaterThan(80)
})

// `orb doctor`: looks at everything the service stands on and says of each part whether it is well, and if not, how to
// mend it. It changes nothing.
import { ConfigError, readConfig } from '../config.ts'
import { type Command, exitCodes, UsageError } from './command.ts'
import { checks, type Finding, type Ground } from './doctor-checks.ts'
import { columns, flagNames, ownLines } from './flag-help.ts'
import { type OwnFlag, parseFlags } from './flags.ts'
import { connectionFlags, connectionFrom } from './service-call.ts'

const NO_INPUTS = { properties: {}, required: [] }
const FLAGS: readonly OwnFlag[] = [{ name: 'json', help: 'Print the findings as JSON.' }, ...connectionFlags]
const SIGN: Readonly<Record<Finding['state'], string>> = { ok: '✓', note: '–', broken: '✗' }
const CHECK_MS = 30_000

export const doctor: Command = {
  name: 'doctor',
  usage: 'doctor [flags]',
  summary: 'look at everything the service needs, and say how to mend what is broken',
  details: () => columns(ownLines(FLAGS)),
  flags: () => flagNames(NO_INPUTS, [], FLAGS),
  async run(args) {
    const { own, positionals } = parseFlags(args, NO_INPUTS, FLAGS)
    if (positionals.length > 0) throw new UsageError(`there is a word too many: ${positionals[0]}`)
    const findings = await examine(own)
    if (own.json === true) console.log(JSON.stringify({ well: isWell(findings), findings }, null, 2))
    else print(findings)
    return isWell(findings) ? exitCodes.done.code : exitCodes.failed.code
  },
}

const isWell = (findings: readonly Finding[]): boolean => findings.every(({ state }) => state !== 'broken')

async function examine(own: Readonly<Record<string, string | true>>): Promise<Finding[]> {
  const ground = groundOf(own)
  if (Array.isArray(ground)) return ground
  const signal = AbortSignal.timeout(CHECK_MS)
  return Promise.all(
    checks.map(async ({ name, look }): Promise<Finding> => {
      const found = await look(ground, signal).catch((error: Error) => ({
        state: 'broken' as const,
        says: error.message.split('\n', 1)[0] ?? '',
      }))
      return { name, ...found }
    }),
  )
}

/** What the checks stand on, or the one finding that there is no ground. */
function groundOf(own: Readonly<Record<string, string | true>>): Ground | Finding[] {
  try {
    return { config: readConfig(), connection: connectionFrom(own) }
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    const mend = 'See `orb help config` for every setting.'
    return [{ name: 'settings', state: 'broken', says: error.message, mend }]
  }
}

function print(findings: readonly Finding[]): void {
  const width = Math.max(...findings.map(({ name }) => name.length))
  for (const { name, state, says, mend } of findings) {
    console.log(`${SIGN[state]} ${name.padEnd(width)}  ${says}`)
    if (mend && state !== 'ok') console.log(`  ${' '.repeat(width)}  → ${mend}`)
  }
}

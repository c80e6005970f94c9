// `orb doctor`: checks everything the service depends on and suggests fixes. It changes nothing.
import { abortAfter } from '../base/abort-after.ts'
import { exitCodes } from './command.ts'
import type { DoctorContext, DoctorFinding } from './doctor-checks.ts'
import { makeLocalCommand } from './local-command.ts'
import { connectionFlags, readConnection } from './service-call.ts'

const SIGN: Readonly<Record<DoctorFinding['state'], string>> = { ok: '✓', note: '–', broken: '✗' }
const CHECK_MS = 30_000

export const doctorCommand = makeLocalCommand({
  name: 'doctor',
  summary: 'check everything the service needs, and print how to fix problems',
  flags: connectionFlags,
  run: async ({ own }) => {
    const findings = await examine(own)
    const well = findings.every(({ state }) => state !== 'broken')
    return {
      data: { well, findings },
      text: table(findings),
      code: well ? exitCodes.done.code : exitCodes.failed.code,
    }
  },
})

async function examine(own: Readonly<Record<string, string | true>>): Promise<DoctorFinding[]> {
  const context = await contextOf(own)
  if (Array.isArray(context)) return context
  const { doctorChecks } = await import('./doctor-checks.ts')
  const signal = abortAfter(CHECK_MS)
  return Promise.all(
    Object.entries(doctorChecks).map(async ([name, run]): Promise<DoctorFinding> => {
      const found = await run(context, signal).catch((error: Error) => ({
        state: 'broken' as const,
        says: error.message.split('\n', 1)[0] ?? '',
      }))
      return { name, ...found }
    }),
  )
}

async function contextOf(own: Readonly<Record<string, string | true>>): Promise<DoctorContext | DoctorFinding[]> {
  const { ConfigError, readConfig } = await import('../config.ts')
  try {
    return { config: readConfig(), connection: await readConnection(own) }
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    const mend = 'See `orb help config` for every setting.'
    return [{ name: 'settings', state: 'broken', says: error.message, mend }]
  }
}

function table(findings: readonly DoctorFinding[]): string {
  const width = Math.max(...findings.map(({ name }) => name.length))
  return findings
    .flatMap(({ name, state, says, mend }) => [
      `${SIGN[state]} ${name.padEnd(width)}  ${says}`,
      ...(mend && state !== 'ok' ? [`  ${' '.repeat(width)}  → ${mend}`] : []),
    ])
    .join('\n')
}

// `orb teams`: manages teams; a new team gets its first key. Changes enter the audit log.
import { validateInput } from '../base/validate-input.ts'
import { planNames } from '../teams/plans.ts'
import { type Command, UsageError } from './command.ts'
import type { CommandFlag } from './flags.ts'
import { AUDIT_ACTOR, importTeamAndKeyAdmin, loadAdminSchemas, type ShownTeam } from './import-admin-modules.ts'
import { type GivenArguments, makeLocalCommand, readTextFlag, splitList, throwAsUsageError } from './local-command.ts'
import { findTeamByName, withStore } from './open-store.ts'

const FLAGS: readonly CommandFlag[] = [
  { name: 'plan', value: planNames.join('|'), help: 'Which limits it has.' },
  { name: 'credits', value: 'number', help: 'Total credits it may spend; `none`: no limit.' },
  { name: 'ip-allow', value: 'list', help: 'Addresses and CIDR blocks it may call from; empty: from anywhere.' },
  {
    name: 'zero-data-retention',
    value: 'off|allowed|forced',
    help: 'Whether pages are kept always, as requested, or never.',
  },
]

const list = makeLocalCommand({
  name: 'teams',
  places: ['[list]'],
  summary: 'list the teams',
  run: async ({ words: [verb = 'list'] }) => {
    if (verb !== 'list') throw new UsageError(`there is no \`teams ${verb}\``)
    const { toShownTeam } = await importTeamAndKeyAdmin()
    return withStore(async (store) => {
      const rows = await Promise.all((await store.teams.list()).map((team) => toShownTeam(store, team)))
      return { data: { teams: rows }, text: rows.map(line).join('\n') }
    })
  },
})

const create = makeLocalCommand({
  name: 'teams create',
  places: ['<name>'],
  summary: 'create a team and its first key, which is shown only once',
  flags: FLAGS,
  run: async ({ own, words: [name = ''] }) => {
    const [{ createTeam, toShownTeam }, { teamBody }] = await Promise.all([importTeamAndKeyAdmin(), loadAdminSchemas()])
    const given = throwAsUsageError(() => validateInput(teamBody, { name, ...optionsOf(own) }))
    const { origin: _, integration: __, ...options } = given
    return withStore(async (store) => {
      const { team, key } = await createTeam(store, options, AUDIT_ACTOR)
      return {
        data: { key, ...(await toShownTeam(store, team)) },
        text: `Team ${team.name} (${team.id})\nIts first key: ${key}\n(shown only once: only its hash is stored)`,
      }
    })
  },
})

const change = makeLocalCommand({
  name: 'teams change',
  places: ['<name>'],
  summary: 'change plan, credits, allowed addresses or retention of a team',
  flags: FLAGS,
  run: async ({ own, words: [name = ''] }) => {
    const asked = optionsOf(own)
    if (Object.keys(asked).length === 0)
      throw new UsageError(`name what to change: ${FLAGS.map((flag) => `--${flag.name}`).join(', ')}`)
    const [{ changeTeam, toShownTeam }, { teamChangeBody }] = await Promise.all([
      importTeamAndKeyAdmin(),
      loadAdminSchemas(),
    ])
    const given = throwAsUsageError(() => validateInput(teamChangeBody, asked))
    const { origin: _, integration: __, force: ___, ...options } = given
    return withStore(async (store) => {
      const { id } = await findTeamByName(store, name)
      await changeTeam(store, id, options, AUDIT_ACTOR)
      return {
        data: await toShownTeam(store, await findTeamByName(store, name)),
        text: 'Changed. A running service applies it from the next request on.',
      }
    })
  },
})

export const teamCommands: readonly Command[] = [list, create, change]

function optionsOf(own: GivenArguments['own']): Record<string, unknown> {
  const [plan, credits, addresses, retention] = FLAGS.map(({ name }) => readTextFlag(own, name))
  if (credits !== undefined && credits !== 'none' && !/^\d{1,15}$/.test(credits))
    throw new UsageError('--credits takes a whole number, or `none` for no limit')
  return {
    ...(plan === undefined ? {} : { plan }),
    ...(credits === undefined ? {} : { credits: credits === 'none' ? null : Number(credits) }),
    ...(addresses === undefined ? {} : { ipAllow: splitList(addresses) }),
    ...(retention === undefined ? {} : { zeroDataRetention: retention }),
  }
}

function line({ id, name, plan, ipAllow, credits: { granted, spent } }: ShownTeam): string {
  const credits = granted === null ? `${spent} credits used, no limit` : `${spent} of ${granted} credits used`
  const from = ipAllow.length > 0 ? `  from ${ipAllow.join(', ')}` : ''
  return `${id}  ${name}  plan ${plan}  ${credits}${from}`
}

// `orb teams`: manages teams; a new team gets its first key. Changes enter the audit log.
import { checked } from '../base/validate-input.ts'
import { planNames } from '../teams/plans.ts'
import { ACTOR, changes, schemas, type TeamShown } from './administration.ts'
import { type Command, UsageError } from './command.ts'
import type { OwnFlag } from './flags.ts'
import { asUsage, type GivenArguments, listOf, ownCommand, textOf } from './own-command.ts'
import { teamNamed, withStore } from './store.ts'

const FLAGS: readonly OwnFlag[] = [
  { name: 'plan', value: planNames.join('|'), help: 'Which limits it has.' },
  { name: 'credits', value: 'number', help: 'What it may spend in all; `none`: no limit.' },
  { name: 'ip-allow', value: 'list', help: 'Addresses and CIDR blocks it may call from; empty: from anywhere.' },
  { name: 'zero-data-retention', value: 'off|allowed|forced', help: 'Whether pages are kept, as asked, or never.' },
]

const list = ownCommand({
  name: 'teams',
  places: ['[list]'],
  summary: 'list the teams',
  run: async ({ words: [verb = 'list'] }) => {
    if (verb !== 'list') throw new UsageError(`there is no \`teams ${verb}\``)
    const { shownTeam } = await changes()
    return withStore(async (store) => {
      const rows = await Promise.all((await store.teams.list()).map((team) => shownTeam(store, team)))
      return { data: { teams: rows }, text: rows.map(line).join('\n') }
    })
  },
})

const create = ownCommand({
  name: 'teams create',
  places: ['<name>'],
  summary: 'make a team and its first key, which is shown this once',
  flags: FLAGS,
  run: async ({ own, words: [name = ''] }) => {
    const [{ makeTeam, shownTeam }, { teamBody }] = await Promise.all([changes(), schemas()])
    const { origin: _, integration: __, ...options } = asUsage(() => checked(teamBody, { name, ...optionsOf(own) }))
    return withStore(async (store) => {
      const { team, key } = await makeTeam(store, options, ACTOR)
      return {
        data: { key, ...(await shownTeam(store, team)) },
        text: `Team ${team.name} (${team.id})\nIts first key: ${key}\n(shown this once: only its hash is kept)`,
      }
    })
  },
})

const change = ownCommand({
  name: 'teams change',
  places: ['<name>'],
  summary: 'change the plan, the credits, the addresses or the retention of a team',
  flags: FLAGS,
  run: async ({ own, words: [name = ''] }) => {
    const asked = optionsOf(own)
    if (Object.keys(asked).length === 0)
      throw new UsageError(`say what to change: ${FLAGS.map((flag) => `--${flag.name}`).join(', ')}`)
    const [{ changeTeam, shownTeam }, { teamChange }] = await Promise.all([changes(), schemas()])
    const { origin: _, integration: __, force: ___, ...options } = asUsage(() => checked(teamChange, asked))
    return withStore(async (store) => {
      const { id } = await teamNamed(store, name)
      await changeTeam(store, id, options, ACTOR)
      return {
        data: await shownTeam(store, await teamNamed(store, name)),
        text: 'Changed. A running service heeds it from the next request on.',
      }
    })
  },
})

export const teams: readonly Command[] = [list, create, change]

function optionsOf(own: GivenArguments['own']): Record<string, unknown> {
  const [plan, credits, addresses, retention] = FLAGS.map(({ name }) => textOf(own, name))
  if (credits !== undefined && credits !== 'none' && !/^\d{1,15}$/.test(credits))
    throw new UsageError('--credits takes a whole number, or `none` for no limit')
  return {
    ...(plan === undefined ? {} : { plan }),
    ...(credits === undefined ? {} : { credits: credits === 'none' ? null : Number(credits) }),
    ...(addresses === undefined ? {} : { ipAllow: listOf(addresses) }),
    ...(retention === undefined ? {} : { zeroDataRetention: retention }),
  }
}

function line({ id, name, plan, ipAllow, credits: { granted, spent } }: TeamShown): string {
  const credits = granted === null ? `${spent} credits used, no limit` : `${spent} of ${granted} credits used`
  const from = ipAllow.length > 0 ? `  from ${ipAllow.join(', ')}` : ''
  return `${id}  ${name}  plan ${plan}  ${credits}${from}`
}

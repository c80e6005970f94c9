// `orb teams`: list and create teams; a new team gets its first key at once.
import { issueKey } from '../teams/keys.ts'
import { type Command, UsageError } from './command.ts'
import { withStore } from './store.ts'

export const teams: Command = {
  name: 'teams',
  usage: 'teams [list | create <name> [--credits <n>]]',
  summary: 'list and create teams',
  async run([verb = 'list', ...args]) {
    return withStore(async (store) => {
      if (verb === 'create') {
        const { name, creditLimit } = newTeam(args)
        const team = await store.teams.create({ name, ...(creditLimit === undefined ? {} : { creditLimit }) })
        const { key } = await issueKey(store, team.id, 'first key')
        console.log(`Team ${team.name} (${team.id})\nIts first key: ${key}\n(shown this once: only its hash is kept)`)
        return 0
      }
      if (verb !== 'list') throw new UsageError(`there is no \`teams ${verb}\``)
      for (const team of await store.teams.list()) {
        const { granted, spent } = await store.ledger.balance(team.id)
        const credits = granted === null ? `${spent} credits used, no limit` : `${spent} of ${granted} credits used`
        console.log(`${team.id}  ${team.name}  plan ${team.plan}  ${credits}`)
      }
      return 0
    })
  },
}

function newTeam(args: readonly string[]): { name: string; creditLimit: number | undefined } {
  const [name, option, value, ...rest] = args
  if (!name || name.startsWith('-')) throw new UsageError('create needs a name for the team')
  if (option === undefined) return { name, creditLimit: undefined }
  const creditLimit = Number(value)
  if (option !== '--credits' || rest.length > 0 || !Number.isInteger(creditLimit) || creditLimit < 0)
    throw new UsageError('after the name only `--credits` and a whole number may follow')
  return { name, creditLimit }
}

// `orb keys`: the first key again, and the keys of every team; create and revoke.
import { ensureFirstKey, issueKey } from '../teams/keys.ts'
import { type Command, UsageError } from './command.ts'
import { withStore } from './store.ts'

export const keys: Command = {
  name: 'keys',
  usage: 'keys [list | create <team> <name> | revoke <id>]',
  summary: 'show the first key, list, create and revoke keys',
  async run([verb = 'list', ...args]) {
    return withStore(async (store, { dataDir, apiKey }) => {
      if (verb === 'create') {
        const [teamName, name] = args
        if (!teamName || !name) throw new UsageError('create needs a team and a name for the key')
        const team = await store.teams.byName(teamName)
        if (!team) throw new Error(`There is no team \`${teamName}\`. \`npx orb teams\` lists them.`)
        const { key } = await issueKey(store, team.id, name)
        console.log(`${key}\n(shown this once: only its hash is kept)`)
        return 0
      }
      if (verb === 'revoke') {
        const [id] = args
        if (!id) throw new UsageError('revoke needs the id of a key; `npx orb keys` lists them')
        const done = await store.keys.revoke(id)
        console.log(done ? 'Revoked.' : 'There is no such key, or it was revoked before.')
        return done ? 0 : 1
      }
      if (verb !== 'list') throw new UsageError(`there is no \`keys ${verb}\``)
      const { key } = await ensureFirstKey({ store, dataDir, configuredKey: apiKey })
      console.log(`First key of the default team: ${key}\n`)
      const teams = new Map((await store.teams.list()).map((team) => [team.id, team.name]))
      for (const row of await store.keys.list()) {
        const state = row.revokedAt ? 'revoked' : 'valid'
        console.log(
          `${row.id}  ${state.padEnd(7)}  fc-…${row.hint}  ${teams.get(row.teamId) ?? row.teamId}  ${row.name}`,
        )
      }
      return 0
    })
  },
}

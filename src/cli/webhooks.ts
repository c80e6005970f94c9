// `orb webhooks secret`: the secret with which a team's webhooks are signed; show, make anew, remove.
import { randomBytes } from 'node:crypto'
import { secretName } from '../jobs/delivery.ts'
import { type Command, UsageError } from './command.ts'
import { parseFlags } from './flags.ts'
import { withStore } from './store.ts'

const NO_INPUTS = { properties: {}, required: [] }
const JSON_FLAG = { name: 'json', help: 'Print it as JSON.' }

export const webhooks: Command = {
  name: 'webhooks',
  usage: 'webhooks secret <team> [show | rotate | remove] [--json]',
  summary: 'the secret that signs the webhooks of a team',
  async run(args) {
    const { own, positionals } = parseFlags(args, NO_INPUTS, [JSON_FLAG])
    const [noun, teamName, verb = 'show'] = positionals
    if (noun !== 'secret' || !teamName) throw new UsageError('say `secret` and the name of a team')
    return withStore(async (store) => {
      const team = await store.teams.byName(teamName)
      if (!team) throw new Error(`There is no team \`${teamName}\`. \`npx orb teams\` lists them.`)
      const name = secretName(team.id)
      if (verb === 'rotate') await store.settings.set(name, randomBytes(32).toString('hex'))
      else if (verb === 'remove') await store.settings.set(name, '')
      else if (verb !== 'show') throw new UsageError(`there is no \`webhooks secret ${teamName} ${verb}\``)
      const secret = (await store.settings.get(name)) || null
      if (own.json === true) console.log(JSON.stringify({ team: team.name, secret }))
      else console.log(secret ?? 'There is no secret: webhooks of this team are not signed.')
      return 0
    })
  },
}

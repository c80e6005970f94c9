// `orb webhooks secret`: shows, renews or removes the secret that signs a team's webhooks.
import { randomBytes } from 'node:crypto'
import { webhookSecretSettingName } from '../store/settings.ts'
import { UsageError } from './command.ts'
import { makeLocalCommand } from './local-command.ts'
import { findTeamByName, withStore } from './open-store.ts'

export const webhookSecretCommand = makeLocalCommand({
  name: 'webhooks secret',
  places: ['<team>', '[show|rotate|remove]'],
  summary: 'the secret that signs the webhooks of a team',
  run: ({ words: [teamName = '', verb = 'show'] }) =>
    withStore(async (store) => {
      const team = await findTeamByName(store, teamName)
      const name = webhookSecretSettingName(team.id)
      if (verb === 'rotate') await store.settings.set(name, randomBytes(32).toString('hex'))
      else if (verb === 'remove') await store.settings.set(name, '')
      else if (verb !== 'show') throw new UsageError(`there is no \`webhooks secret ${teamName} ${verb}\``)
      const secret = (await store.settings.get(name)) || null
      return {
        data: { team: team.name, secret },
        text: secret ?? 'There is no secret: webhooks of this team are not signed.',
      }
    }),
})

// The team's webhook signing secret (deliveries are under /v2/webhooks), and the service's health.

import { randomBytes } from 'node:crypto'
import { webhookSecretSettingName } from '../../store/settings.ts'
import { teamStore } from '../../teams/store/index.ts'
import { defineRoute, type Route, type Services } from '../route.ts'
import { healthReply, secretReply } from './schema.ts'

const PATH = '/v2/admin/webhook-secret'

const show = defineRoute({
  method: 'GET',
  path: PATH,
  summary: 'The secret that signs the webhooks of the team',
  reply: secretReply,
  async handle({ store }, _input, { caller }) {
    return {
      success: true,
      data: { secret: (await store.settings.get(webhookSecretSettingName(caller.teamId))) || null },
    }
  },
})

const rotate = defineRoute({
  method: 'POST',
  path: PATH,
  summary: 'Create a new secret that signs webhooks from now on',
  reply: secretReply,
  async handle({ store }, _input, { caller }) {
    const secret = randomBytes(32).toString('hex')
    await store.settings.set(webhookSecretSettingName(caller.teamId), secret)
    await teamStore(store).audit.add({ ...about(caller), details: { to: 'a new one' } })
    return { success: true, data: { secret } }
  },
})

const remove = defineRoute({
  method: 'DELETE',
  path: PATH,
  summary: 'Stop signing webhooks',
  reply: secretReply,
  async handle({ store }, _input, { caller }) {
    await store.settings.set(webhookSecretSettingName(caller.teamId), '')
    await teamStore(store).audit.add({ ...about(caller), details: { to: 'none' } })
    return { success: true, data: { secret: null } }
  },
})

const about = ({ teamId, keyId }: { teamId: string; keyId: string }) => ({
  teamId,
  actor: keyId,
  action: 'webhook.secret' as const,
  subject: teamId,
})

const health = defineRoute({
  method: 'GET',
  path: '/v2/admin/health',
  summary: 'State of the service: browsers, queue, disk, memory, and why it is degraded',
  reply: healthReply,
  async handle({ condition }) {
    return { success: true, data: await condition() }
  },
})

export const webhookSecretAndHealthRoutes: readonly Route<Services>[] = [show, rotate, remove, health]

// Sends a test message to all receivers of a monitor and returns the outcome for each of them.

import { z } from 'zod'
import { Problem } from '../../base/problem.ts'
import { signDelivery } from '../../jobs/deliver-webhooks.ts'
import type { WebhookSettings } from '../../jobs/webhook-option.ts'
import { newId } from '../../store/id.ts'
import { webhookSecretSettingName } from '../../store/settings.ts'
import { successReply } from '../schema-parts.ts'
import { channelFor } from './channels/index.ts'
import { findMonitorOfTeam } from './find-and-add-monitors.ts'
import type { MonitorMessage } from './notification-message.ts'
import type { NotificationOption } from './notification-options.ts'
import { defineRoute, type HandlerServices } from './own-services.ts'
import { describeSendFailure, sendLimit, sendMessage } from './send-notices.ts'
import { monitorStore } from './store/index.ts'
import type { Monitor } from './store/monitors.ts'

type Receiver = { channel: string; to: string; send(signal: AbortSignal): Promise<void> }

export const sendTestRoute = defineRoute({
  method: 'POST',
  path: '/v2/monitor/:id/test',
  summary: 'Send a test to the webhook, the mail addresses and the chats of a monitor',
  command: 'monitor test',
  bucket: 'crawl',
  reply: successReply({
    data: z.array(
      z.object({
        channel: z.string(),
        to: z.string(),
        sent: z.boolean(),
        error: z.string().optional().describe('Why the receiver refused it.'),
      }),
    ),
  }),
  async handle(services, { params }, { caller }) {
    const monitor = await findMonitorOfTeam(services, params.id, caller.teamId)
    const receivers = await receiversOf(services, monitor)
    if (receivers.length === 0)
      throw new Problem('bad_request', {
        instead:
          'This monitor has no receivers. Set `webhook`, `notification.email.recipients` or `notification.channels` first.',
      })
    const limit = sendLimit()
    const data = await Promise.all(
      receivers.map(async ({ channel, to, send }) => {
        try {
          await send(limit)
          return { channel, to, sent: true }
        } catch (error) {
          return { channel, to, sent: false, error: describeSendFailure(error).text }
        }
      }),
    )
    return { success: true, data }
  },
})

async function receiversOf(services: HandlerServices, monitor: Monitor): Promise<Receiver[]> {
  const { store, clock, monitoring } = services
  const options = (monitor.notification ?? {}) as NotificationOption
  const webhook = monitor.webhook as WebhookSettings | null
  const message = testMessage(monitor, clock.now())
  const notice = { id: newId(clock.now()), monitorId: monitor.id }
  const recipients = options.email?.enabled ? await monitorStore(store).notices.recipients(monitor.id) : []
  return [
    ...(webhook
      ? [
          {
            channel: 'webhook',
            to: webhook.url,
            send: (ends: AbortSignal) => postTest(services, monitor, webhook, ends),
          },
        ]
      : []),
    ...recipients.map(({ email, status }) => ({
      channel: 'email',
      to: email,
      async send(ends: AbortSignal) {
        if (!monitoring.mail) throw new Error('No mail server is set up (ORB_SMTP_URL)')
        if (status !== 'confirmed') throw new Error(`The recipient has not confirmed: ${status}`)
        await sendMessage(services, { ...notice, channel: 'email', address: email }, message, ends)
      },
    })),
    ...(options.channels ?? []).map((address) => {
      const channel = channelFor(address)?.name ?? 'unknown'
      const send = (ends: AbortSignal) => sendMessage(services, { ...notice, channel, address }, message, ends)
      return { channel, to: address, send }
    }),
  ]
}

async function postTest(
  { store, clock, reach, threats, monitoring }: HandlerServices,
  { id: monitorId, teamId, keyId }: Monitor,
  webhook: WebhookSettings,
  signal: AbortSignal,
): Promise<void> {
  const { url, metadata } = webhook
  const id = newId(clock.now())
  const event = { success: true, type: 'monitor.test', id, webhookId: id, data: [{ monitorId }] }
  const body = JSON.stringify(metadata === undefined ? event : { ...event, metadata })
  const signed = signDelivery(
    { headers: webhook.headers, body },
    await store.settings.get(webhookSecretSettingName(teamId)),
  )
  const { status } = await reach.as(keyId, () =>
    threats.under(teamId, { keeps: true }, () =>
      monitoring.post({ url, headers: signed.headers, body: signed.body }, signal),
    ),
  )
  if (status < 200 || status >= 300) throw new Error(`The receiver returned ${status}`)
}

function testMessage({ id, name }: Monitor, at: number): MonitorMessage {
  const none = { same: 0, changed: 0, new: 0, removed: 0, error: 0 }
  return {
    title: `${name}: a test`,
    monitor: name,
    monitorId: id,
    at,
    summary: { totalPages: 0, ...none },
    pages: [],
    more: 0,
  }
}

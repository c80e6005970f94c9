// Schemas of notifications: e-mail and Slack as in the contract, and further channels by URL.
import { z } from 'zod'

const email = z
  .strictObject({
    enabled: z.boolean().default(false),
    recipients: z.array(z.email().max(320)).max(25).default([]).describe('Each must confirm first.'),
    includeDiffs: z.boolean().default(false),
  })
  .describe('By e-mail.')

const slack = z
  .strictObject({
    enabled: z.boolean().default(false),
    channelId: z.string().max(200).optional(),
    channelName: z.string().max(200).optional(),
  })
  .refine(({ enabled }) => !enabled, {
    error:
      'notification.slack needs a Slack app, which this service does not have. Name an incoming webhook of Slack in `notification.channels`',
  })
  .describe('Needs a Slack app, which this service does not have: refused if enabled. Use `channels`.')

const CLOCK = /^([01]\d|2[0-3]):[0-5]\d$/
const quietHours = z
  .strictObject({
    from: z.string().regex(CLOCK, { error: 'must look like 22:00' }).max(5),
    to: z.string().regex(CLOCK, { error: 'must look like 07:00' }).max(5),
  })
  .describe('In the time zone of the schedule; notifications are sent afterwards.')

export const notificationOption = z
  .strictObject({
    email: email.optional(),
    slack: slack.optional(),
    channels: z
      .array(z.string().min(8).max(2000))
      .max(10)
      .optional()
      .describe(
        'URLs to notify: an incoming webhook of Slack or Discord, `ntfy://host/topic`, `telegram://token@chat`.',
      ),
    quietHours: quietHours.optional(),
    digest: z.enum(['off', 'hourly', 'daily']).optional().describe('Send one message an hour or a day.'),
  })
  .describe('Who gets notifications of changes.')
export type NotificationOption = z.output<typeof notificationOption>

// Operator settings of monitors and their mails.
import { z } from 'zod'
import { type Setting, setting, whole } from '../../base/setting.ts'

export const monitorSettings = {
  smtpUrl: setting(
    'ORB_SMTP_URL',
    z
      .string()
      .regex(/^smtps?:\/\//, 'must look like smtp://user:password@mail.example.org:587')
      .optional(),
    'unset',
    'Mail server for messages of monitors; unset: messages are only logged.',
  ),
  mailFrom: setting(
    'ORB_MAIL_FROM',
    z.string().min(3).default('Orbweaver <orbweaver@localhost>'),
    'Orbweaver <orbweaver@localhost>',
    'Sender of those mails.',
  ),
  monitorMinMinutes: setting(
    'ORB_MONITOR_MIN_MINUTES',
    whole(1, 1440).default(5),
    '5',
    'Shortest interval of a monitor, in minutes.',
  ),
  monitorConfirmMs: setting(
    'ORB_MONITOR_CONFIRM_MS',
    whole(0, 60_000).default(3000),
    '3000',
    'Milliseconds after which a page that changed is looked at again, before the change counts.',
  ),
} satisfies Record<string, Setting>

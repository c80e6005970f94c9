// Operator settings of monitors and their mails.
import { z } from 'zod'
import { defineSetting, type Setting, wholeNumberSchema } from '../../base/setting.ts'

export const monitorSettings = {
  smtpUrl: defineSetting(
    'ORB_SMTP_URL',
    z
      .string()
      .regex(/^smtps?:\/\//, 'must look like smtp://user:password@mail.example.org:587')
      .optional(),
    'Mail server for messages of monitors; unset: messages are only logged.',
  ),
  mailFrom: defineSetting(
    'ORB_MAIL_FROM',
    z.string().min(3).default('Orbweaver <orbweaver@localhost>'),
    'Sender of those mails.',
  ),
  monitorMinMinutes: defineSetting(
    'ORB_MONITOR_MIN_MINUTES',
    wholeNumberSchema(1, 1440).default(5),
    'Minimum interval of a monitor, in minutes.',
  ),
  monitorConfirmMs: defineSetting(
    'ORB_MONITOR_CONFIRM_MS',
    wholeNumberSchema(0, 60_000).default(3000),
    'Milliseconds after which a changed page is read again to confirm the change.',
  ),
} satisfies Record<string, Setting>

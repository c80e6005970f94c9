// Operator settings of live sessions.
import { z } from 'zod'
import { commaListSchema, defineSetting, type Setting, webAddressSchema } from '../../base/setting.ts'

export const interactSettings = {
  internalUrl: defineSetting(
    'ORB_INTERNAL_URL',
    webAddressSchema,
    'URL at which other machines of this service (ORB_DATABASE_URL) reach this one, for live sessions whose browser is here.',
  ),
  codeSandbox: defineSetting(
    'ORB_CODE_SANDBOX',
    z.enum(['auto', 'bubblewrap', 'user', 'off']).default('auto'),
    'Sandbox for callers’ code in live sessions. `auto`: by bubblewrap, otherwise (as root) by a separate user, Landlock and seccomp; otherwise no code runs. `off`: never run.',
  ),
  liveViewFrames: defineSetting(
    'ORB_LIVE_VIEW_FRAMES',
    commaListSchema,
    'Comma list of origins whose pages may show live views and recordings in a frame (`*`: all); the dashboard always may.',
  ),
} satisfies Record<string, Setting>

// Operator settings of live sessions.
import { z } from 'zod'
import { list, type Setting, setting, webAddress } from '../../base/setting.ts'

export const interactSettings = {
  internalUrl: setting(
    'ORB_INTERNAL_URL',
    webAddress,
    'unset',
    'Where other machines of this service (ORB_DATABASE_URL) reach this one, for live sessions whose browser is here.',
  ),
  codeSandbox: setting(
    'ORB_CODE_SANDBOX',
    z.enum(['auto', 'bubblewrap', 'user', 'off']).default('auto'),
    'auto',
    'How code of callers in live sessions is shut in. `auto`: by bubblewrap, or else (as root) by a user of its own, Landlock and seccomp, or else not run at all. `off`: never run.',
  ),
  liveViewFrames: setting(
    'ORB_LIVE_VIEW_FRAMES',
    list,
    'unset',
    'Comma list of origins whose pages may show live views and recordings in a frame (`*`: all); the dashboard always may.',
  ),
} satisfies Record<string, Setting>

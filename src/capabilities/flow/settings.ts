// Operator settings of flows.
import { defineSetting, type Setting, switchSchema } from '../../base/setting.ts'

export const flowSettings = {
  vaultLoopbackHttp: defineSetting(
    'ORB_VAULT_LOOPBACK_HTTP',
    switchSchema('off'),
    '`on`: vault entries are also typed into http pages of this machine (127.0.0.1, localhost), for tests. All other pages need https.',
  ),
} satisfies Record<string, Setting>

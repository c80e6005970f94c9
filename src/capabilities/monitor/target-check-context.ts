// The work on one target of a check, common to all kinds of target.

import type { HandlerServices } from './own-services.ts'
import type { Check } from './store/checks.ts'
import type { Monitor } from './store/monitors.ts'
import type { StoredTarget } from './stored-monitor.ts'

export interface TargetCheckState {
  targetId: string
  type: StoredTarget['type']
  done?: boolean
  error?: string
  /** Credits besides its pages; `paid` ones were charged elsewhere. */
  credits?: number
  [field: string]: unknown
}

export interface TargetCheckContext {
  parts: HandlerServices
  monitor: Monitor
  check: Check
  plan: string
  state: TargetCheckState
  isFresh: boolean
}

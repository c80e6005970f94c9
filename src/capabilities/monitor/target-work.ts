// The work on one target of a check, as each kind of target sees it.
import type { Check } from '../../store/monitor-checks.ts'
import type { Monitor } from '../../store/monitors.ts'
import type { MonitorParts } from './needs.ts'
import type { StoredTarget } from './settle-monitor.ts'

/** What is told of a target, and what a check that is taken up again must know. */
export interface TargetState {
  targetId: string
  type: StoredTarget['type']
  done?: boolean
  error?: string
  /** Credits that the target cost beside its pages; `paid` ones were charged elsewhere. */
  credits?: number
  [told: string]: unknown
}

export interface TargetWork {
  parts: MonitorParts
  monitor: Monitor
  check: Check
  plan: string
  /** As it stood; a step returns it as it stands now. */
  state: TargetState
  /** Nobody has looked at any page of the check before. */
  isFresh: boolean
}

// The tables of monitors in both dialects, added to those of the store. JSON is stored as text.
import type { Generated } from 'kysely'
import type { Bytes } from '../../../store/column-types.ts'

type MonitorStatus = 'active' | 'paused' | 'deleted'
export type CheckStatus =
  | 'queued'
  | 'running'
  | 'completed'
  | 'partial'
  | 'failed'
  | 'skipped_overlap'
  | 'skipped_no_credits'
export type CheckTrigger = 'scheduled' | 'manual'
type BillingStatus = 'not_applicable' | 'reserved' | 'confirmed' | 'released' | 'failed'
export type CheckPageStatus = 'same' | 'new' | 'changed' | 'removed' | 'error'
export type NoticeState = 'pending' | 'held' | 'sent' | 'logged' | 'dead'

export interface MonitorTable {
  id: string
  team_id: string
  key_id: string | null
  name: string
  status: MonitorStatus
  cron: string
  timezone: string
  interval_ms: number
  targets: string
  webhook: string | null
  notification: string | null
  watch: string
  retention_days: number
  goal: string | null
  judge_enabled: number
  estimated_credits: number
  next_run_at: number | null
  last_run_at: number | null
  current_check_id: string | null
  last_summary: string | null
  calm: Generated<number>
  feed_token: string
  created_at: number
  updated_at: number
}

export interface MonitorCheckTable {
  id: string
  monitor_id: string
  team_id: string
  status: CheckStatus
  trigger: CheckTrigger
  scheduled_for: number | null
  started_at: number | null
  finished_at: number | null
  estimated_credits: number | null
  reserved_credits: number | null
  actual_credits: number | null
  billing: BillingStatus
  summary: string
  targets: string
  notified: string | null
  error: string | null
  created_at: number
  updated_at: number
  expires_at: number
}

export interface MonitorCheckPageTable {
  id: string
  check_id: string
  monitor_id: string
  target_id: string
  url: string
  status: CheckPageStatus
  previous_scrape_id: string | null
  current_scrape_id: string | null
  status_code: number | null
  credits: Generated<number>
  error: string | null
  metadata: string | null
  judgment: string | null
  diff: string | null
  snapshot: string | null
  suppressed: string | null
  texts: Bytes
  created_at: number
}

export interface MonitorPageTable {
  monitor_id: string
  target_id: string
  url: string
  state: 'here' | 'gone'
  scrape_id: string | null
  seen_at: number
  changed_at: number
  marks: string | null
  body: Bytes
  data: string | null
  memory: string | null
}

export interface MonitorNoticeTable {
  id: string
  monitor_id: string
  team_id: string
  check_id: string | null
  channel: string
  address: string
  state: NoticeState
  attempts: Generated<number>
  next_at: number
  message: string
  error: string | null
  created_at: number
  ended_at: number | null
  expires_at: number
}

declare module '../../../store/tables.ts' {
  interface Tables {
    monitors: MonitorTable
    monitor_checks: MonitorCheckTable
    monitor_check_pages: MonitorCheckPageTable
    monitor_pages: MonitorPageTable
    monitor_recipients: {
      monitor_id: string
      email: string
      status: string
      source: string
      asked_at: number | null
      updated_at: number
    }
    monitor_notices: MonitorNoticeTable
    asked_addresses: { print: string; notice_id: string; asked_at: number; declined_at: number | null }
  }
}

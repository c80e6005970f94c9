// The answers about monitors, as far as the screens read them.

interface Summary {
  totalPages: number
  same: number
  changed: number
  new: number
  removed: number
  error: number
}

export interface Monitor {
  id: string
  name: string
  status: 'active' | 'paused'
  schedule: { cron: string; timezone: string }
  scheduleInWords: string
  nextRunAt: string | null
  lastRunAt: string | null
  currentCheckId: string | null
  lastCheckSummary: Summary | null
  estimatedCreditsPerMonth: number
  goal: string | null
  feedUrl: string
  /** Pages with news at each of the last checks; only in lists. */
  recentChanges?: number[]
  targets: object[]
  watch: object
  webhook: object | null
  notification: Notification | null
  retentionDays: number
  judgeEnabled: boolean
}

export interface Notification {
  email?: { enabled: boolean; recipients: string[]; includeDiffs?: boolean }
  slack?: object
  channels?: string[]
  quietHours?: { from: string; to: string }
  digest?: 'off' | 'hourly' | 'daily'
}

export interface Message {
  id: string
  channel: string
  to: string
  state: string
  message: { title?: string } | null
  createdAt: string
  error: string | null
}

export interface SeenPage {
  id: string
  checkId: string
  url: string
  status: 'same' | 'new' | 'changed' | 'removed' | 'error'
  statusCode: number | null
  error: string | null
  metadata: { title?: string; met?: string[] } | null
  judgment: { meaningful: boolean; confidence: string; reason: string } | null
  diff: { text?: string; json?: Record<string, unknown> } | null
  suppressed?: { reason: string; before: string | null; after: string | null }[]
  createdAt: string
  previousScrapeId: string | null
  currentScrapeId: string | null
}

// The screens, in the order of the menu.
import type { ComponentType } from 'preact'
import type { IconName } from '../parts/icons.tsx'
import { Playground } from '../playground/playground.tsx'
import { AgentsScreen } from './agents.tsx'
import { DocumentsScreen } from './documents.tsx'
import { HealthScreen } from './health.tsx'
import { JobsScreen } from './jobs.tsx'
import { KeysScreen } from './keys.tsx'
import { LimitsScreen } from './limits.tsx'
import { MonitorsScreen } from './monitors.tsx'
import { TeamsScreen } from './teams.tsx'
import { UsageScreen } from './usage.tsx'
import { WebhooksScreen } from './webhooks.tsx'

export interface Screen {
  id: string
  label: string
  icon: IconName
  /** `rest` is what stands behind the screen's name in the address. */
  Screen: ComponentType<{ rest: string[] }>
}

export const screens: readonly Screen[] = [
  { id: 'playground', label: 'Playground', icon: 'play', Screen: Playground },
  { id: 'jobs', label: 'Jobs', icon: 'jobs', Screen: JobsScreen },
  { id: 'agents', label: 'Agent', icon: 'search', Screen: AgentsScreen },
  { id: 'monitors', label: 'Monitors', icon: 'health', Screen: MonitorsScreen },
  { id: 'documents', label: 'Documents', icon: 'document', Screen: DocumentsScreen },
  { id: 'usage', label: 'Usage', icon: 'usage', Screen: UsageScreen },
  { id: 'keys', label: 'Keys', icon: 'key', Screen: KeysScreen },
  { id: 'teams', label: 'Teams', icon: 'team', Screen: TeamsScreen },
  { id: 'limits', label: 'Limits', icon: 'limit', Screen: LimitsScreen },
  { id: 'webhooks', label: 'Webhooks', icon: 'hook', Screen: WebhooksScreen },
  { id: 'health', label: 'Health', icon: 'health', Screen: HealthScreen },
]

export const screenAt = (id: string): Screen => screens.find((screen) => screen.id === id) ?? screens[0]!

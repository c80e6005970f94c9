// The screens, in the order of the menu.
import type { ComponentType } from 'preact'
import { Home } from '../home/home.tsx'
import type { IconName } from '../parts/icons.tsx'
import { Playground } from '../playground/playground.tsx'
import { AgentsScreen } from './agents.tsx'
import { ConnectScreen } from './connect.tsx'
import { DocumentsScreen } from './documents.tsx'
import { ExtractorsScreen } from './extractors.tsx'
import { FeedsScreen } from './feeds.tsx'
import { FlowsScreen } from './flows.tsx'
import { HealthScreen } from './health.tsx'
import { HistoryScreen } from './history.tsx'
import { JobsScreen } from './jobs.tsx'
import { KeysScreen } from './keys.tsx'
import { LimitsScreen } from './limits.tsx'
import { ModelScreen } from './model.tsx'
import { MonitorsScreen } from './monitors.tsx'
import { SearchScreen } from './search.tsx'
import { SessionsScreen } from './sessions.tsx'
import { TeamsScreen } from './teams.tsx'
import { UsageScreen } from './usage.tsx'
import { WebhooksScreen } from './webhooks.tsx'

interface Screen {
  group: (typeof GROUPS)[number]
  id: string
  label: string
  icon: IconName
  /** `rest` is what stands behind the screen's name in the address. */
  Screen: ComponentType<{ rest: string[] }>
}

export const GROUPS = ['Work', 'Watch', 'Build', 'Admin'] as const

export const screens: readonly Screen[] = [
  { group: 'Work', id: 'home', label: 'Home', icon: 'home', Screen: Home },
  { group: 'Work', id: 'playground', label: 'Playground', icon: 'play', Screen: Playground },
  { group: 'Work', id: 'search', label: 'Search', icon: 'search', Screen: SearchScreen },
  { group: 'Work', id: 'agents', label: 'Agent', icon: 'bolt', Screen: AgentsScreen },
  { group: 'Work', id: 'sessions', label: 'Sessions', icon: 'window', Screen: SessionsScreen },
  { group: 'Work', id: 'flows', label: 'Flows', icon: 'flow', Screen: FlowsScreen },
  { group: 'Work', id: 'jobs', label: 'Jobs', icon: 'jobs', Screen: JobsScreen },
  { group: 'Work', id: 'documents', label: 'Documents', icon: 'document', Screen: DocumentsScreen },
  { group: 'Work', id: 'history', label: 'History', icon: 'clock', Screen: HistoryScreen },
  { group: 'Watch', id: 'monitors', label: 'Monitors', icon: 'eye', Screen: MonitorsScreen },
  { group: 'Watch', id: 'feeds', label: 'Feeds', icon: 'feed', Screen: FeedsScreen },
  { group: 'Build', id: 'connect', label: 'Connect', icon: 'plug', Screen: ConnectScreen },
  { group: 'Build', id: 'extractors', label: 'Extractors', icon: 'target', Screen: ExtractorsScreen },
  { group: 'Build', id: 'webhooks', label: 'Webhooks', icon: 'hook', Screen: WebhooksScreen },
  { group: 'Build', id: 'model', label: 'Model', icon: 'chip', Screen: ModelScreen },
  { group: 'Admin', id: 'keys', label: 'Keys', icon: 'key', Screen: KeysScreen },
  { group: 'Admin', id: 'usage', label: 'Usage', icon: 'usage', Screen: UsageScreen },
  { group: 'Admin', id: 'teams', label: 'Teams', icon: 'team', Screen: TeamsScreen },
  { group: 'Admin', id: 'limits', label: 'Limits', icon: 'limit', Screen: LimitsScreen },
  { group: 'Admin', id: 'health', label: 'Health', icon: 'health', Screen: HealthScreen },
]

export const screenAt = (id: string): Screen => screens.find((screen) => screen.id === id) ?? screens[0]!

// The screens, in the order of the menu.
import type { ComponentType } from 'preact'
import { Home } from '../home/home.tsx'
import type { IconName } from '../parts/icons.tsx'
import { Playground } from '../playground/playground.tsx'
import { AgentsScreen } from './agents.tsx'
import { ConnectScreen } from './connect.tsx'
import { DocumentsScreen } from './documents.tsx'
import { FeedsScreen } from './feeds.tsx'
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
  id: string
  label: string
  icon: IconName
  /** `rest` is what stands behind the screen's name in the address. */
  Screen: ComponentType<{ rest: string[] }>
}

export const screens: readonly Screen[] = [
  { id: 'home', label: 'Home', icon: 'home', Screen: Home },
  { id: 'playground', label: 'Playground', icon: 'play', Screen: Playground },
  { id: 'search', label: 'Search', icon: 'search', Screen: SearchScreen },
  { id: 'jobs', label: 'Jobs', icon: 'jobs', Screen: JobsScreen },
  { id: 'sessions', label: 'Sessions', icon: 'window', Screen: SessionsScreen },
  { id: 'agents', label: 'Agent', icon: 'bolt', Screen: AgentsScreen },
  { id: 'monitors', label: 'Monitors', icon: 'eye', Screen: MonitorsScreen },
  { id: 'feeds', label: 'Feeds', icon: 'feed', Screen: FeedsScreen },
  { id: 'history', label: 'History', icon: 'clock', Screen: HistoryScreen },
  { id: 'documents', label: 'Documents', icon: 'document', Screen: DocumentsScreen },
  { id: 'usage', label: 'Usage', icon: 'usage', Screen: UsageScreen },
  { id: 'keys', label: 'Keys', icon: 'key', Screen: KeysScreen },
  { id: 'connect', label: 'Connect', icon: 'plug', Screen: ConnectScreen },
  { id: 'teams', label: 'Teams', icon: 'team', Screen: TeamsScreen },
  { id: 'limits', label: 'Limits', icon: 'limit', Screen: LimitsScreen },
  { id: 'webhooks', label: 'Webhooks', icon: 'hook', Screen: WebhooksScreen },
  { id: 'model', label: 'Model', icon: 'bolt', Screen: ModelScreen },
  { id: 'health', label: 'Health', icon: 'health', Screen: HealthScreen },
]

export const screenAt = (id: string): Screen => screens.find((screen) => screen.id === id) ?? screens[0]!

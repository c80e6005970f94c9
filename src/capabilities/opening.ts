// What a capability opens when the service starts, for itself and for others, and what it is given to open it with.
import type { Log } from '../base/log.ts'
import type { Clock } from '../base/time.ts'
import type { Live } from '../fetch/live.ts'
import type { Post } from '../jobs/delivery.ts'
import type { Llm } from '../llm/llm.ts'
import type { Workshop } from '../scrape/workshop/workshop.ts'
import type { Store } from '../store/index.ts'
import type { Services } from './route.ts'
import type { CapabilitySettings } from './settings.ts'

/** How the service reaches the web; the same for every part that opens a way of its own. */
export interface NetworkSettings {
  allowPrivate: readonly string[]
  dnsServers: readonly string[]
  proxiesBasic: readonly string[]
  proxiesEnhanced: readonly string[]
}

export interface CapabilityContext {
  config: CapabilitySettings & NetworkSettings
  store: Store
  clock: Clock
  log: Log
  version: string
  maker: string
  llm: Llm
  /** Browsers for live sessions. */
  live: Live
  watchLooks: Workshop['watch']
  /** One POST to an address that a caller named. */
  post: Post
  /** To be asked for later: all services, when every capability has opened its own. */
  services(): Services
  /** What was opened is closed in reverse order. */
  closing: { add(step: () => Promise<void> | void): void }
}

export interface Opened {
  /** What it gives to every capability that needs it. */
  services?: Partial<Services>
  /** What is worth knowing for /health although nothing is wrong. */
  notes?(): string[]
  /** A part that can fail while the service goes on: its name for /health, and why it does not work now. */
  part?: { name: string; trouble(): string | undefined }
}

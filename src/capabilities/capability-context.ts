// What a capability opens when the service starts, and the context that it gets.
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Clock } from '../base/clock.ts'
import type { Log } from '../base/log.ts'
import type { LiveSessionPool } from '../fetch/live-session-pool.ts'
import type { PostWebhook } from '../jobs/deliver-webhooks.ts'
import type { Llm } from '../llm/llm.ts'
import type { ContentWorkerPool } from '../scrape/workshop/content-worker-pool.ts'
import type { Store } from '../store/index.ts'
import type { AllServices } from './route.ts'
import type { CapabilitySettings } from './settings.ts'

interface NetworkSettings {
  allowPrivate: readonly string[]
  dnsServers: readonly string[]
  proxiesBasic: readonly string[]
  proxiesEnhanced: readonly string[]
  llmProxy: string | undefined
  llmCertificates: string | undefined
}

export interface CapabilityContext {
  config: CapabilitySettings & NetworkSettings
  store: Store
  clock: Clock
  log: Log
  version: string
  maker: string
  llm: Llm
  live: LiveSessionPool
  comparePages: ContentWorkerPool['watch']
  learnFromPages: ContentWorkerPool['learn']
  /** Sends one POST to a URL that a caller named. */
  post: PostWebhook
  services(): AllServices
  closing: { add(step: () => Promise<void> | void): void }
}

/** False: the path belongs to another handler. */
export type UpgradeHandler = (request: IncomingMessage, socket: Duplex, head: Buffer) => boolean

export interface OpenedCapability<Own extends object> {
  /** Services that it offers to other capabilities. */
  services?: Partial<Omit<AllServices, 'own'>>
  own?: Own
  /** Takes WebSocket upgrades of its own paths. */
  upgrade?: UpgradeHandler
  /** Notes for /health that are not failures. */
  notes?(): string[]
  /** A part that can fail while the service runs: its name in /health and its current failure. */
  part?: { name: string; trouble(): string | undefined }
}

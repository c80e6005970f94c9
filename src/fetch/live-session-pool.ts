// Live sessions, in a browser pool of their own so that long sessions take no slots from scrapes. All their traffic
// goes through egress.
import { AsyncResource } from 'node:async_hooks'
import { randomBytes } from 'node:crypto'
import type { Clock } from '../base/clock.ts'
import type { SecretMasker } from '../base/secret-masker.ts'
import type { Visit } from '../base/visit-and-capture-types.ts'
import type { BrowserProxy } from './browser-proxy.ts'
import { type IsAdHost, makeAdCheckForSite } from './chrome/ad-hosts.ts'
import type { BrowserPool } from './chrome/browser-pool.ts'
import { makeContextOptions } from './chrome/context-options.ts'
import { type EncodedVideo, encodeVideo, type TimedPicture } from './chrome/encode-video.ts'
import { type LiveSession, openLiveSession } from './chrome/live/live-session.ts'
import { openLoopbackServer } from './chrome/live/local-session-sockets.ts'
import type { RecordedAction } from './chrome/live/record-user-actions.ts'
import type { Egress } from './egress.ts'

interface LiveOptions {
  id: string
  team: string
  visit: Visit
  ttlMs: number
  masker: SecretMasker
  hear(event: RecordedAction): void
}

export interface LiveSessionPool {
  open(options: LiveOptions, signal: AbortSignal): Promise<LiveSession>
  most: number
  /** Makes video of a recording's pictures. */
  encode(
    pictures: readonly TimedPicture[],
    options: { team: string; endMs: number },
    signal: AbortSignal,
  ): Promise<EncodedVideo>
  close(): Promise<void>
}

interface LiveBrowserParts {
  pool: BrowserPool
  /** Browsers for work outside of sessions. */
  pagePool: BrowserPool
  proxy(): Promise<BrowserProxy>
  egress: Egress
  isAd: IsAdHost
  most: number
  clock: Clock
}

const MAX_BYTES = 4 * 1024 * 1024 * 1024
const GRACE_MS = 30_000

export function openLiveSessionPool({
  pool,
  pagePool,
  proxy,
  egress,
  isAd,
  most,
  clock,
}: LiveBrowserParts): LiveSessionPool {
  const loopback = openLoopbackServer()
  const watchName = `_${randomBytes(8).toString('hex')}`
  return {
    most,
    async open({ id, team, visit, ttlMs, masker, hear }, signal) {
      const { server, admit } = await proxy()
      const site = visit.url === '' ? 'session' : new URL(visit.url).hostname
      const pass = admit({
        route: { tier: visit.proxy === 'enhanced' ? 'enhanced' : 'basic', site, country: visit.country, team },
        blocks: visit.blockAds ? makeAdCheckForSite(isAd, site) : () => false,
        maxBytes: MAX_BYTES,
        assert: AsyncResource.bind((address: string) => egress.checkResolved(address)),
      })
      // The context is created with only its proxy, so a pre-created one fits every session.
      const { proxy: wayOut } = makeContextOptions(visit, server)('')
      const options = {
        owner: id,
        team,
        kind: 'live' as const,
        ownBrowser: true,
        profile: () => (wayOut ? { proxy: wayOut } : {}),
      }
      let lease: Awaited<ReturnType<BrowserPool['lease']>> | undefined
      try {
        lease = await pool.lease({ ...options, ttlMs: ttlMs + GRACE_MS }, signal)
        const now = () => clock.now()
        return await openLiveSession({
          ...{ id, lease, pass, visit, watchName, masker, hear, now },
          proxyServer: server,
          listenFor: loopback.open,
        })
      } catch (error) {
        await lease?.release()
        pass.close()
        throw error
      }
    },
    encode: (pictures, options, signal) => encodeVideo(pagePool, pictures, options, signal),
    async close() {
      await loopback.close()
      await pool.close()
    },
  }
}

// Live sessions, in a browser pool of their own so that long sessions take no slots from scrapes. All their traffic
// goes through egress.
import { AsyncResource } from 'node:async_hooks'
import { randomBytes } from 'node:crypto'
import type { Clock } from '../base/clock.ts'
import type { Visit } from '../base/page.ts'
import type { BrowserProxy } from './browser-proxy.ts'
import { type AdCheck, foreignAds } from './chrome/ads.ts'
import { type EncodedVideo, encodeVideo, type TimedPicture } from './chrome/encode-video.ts'
import { type LiveSession, openLiveSession } from './chrome/live/live-session.ts'
import { openLoopbackServer } from './chrome/live/loopback.ts'
import type { PageEvent } from './chrome/live/recorder.ts'
import type { Pool } from './chrome/pool.ts'
import { contextOptions } from './chrome/profile.ts'
import type { Egress } from './egress.ts'

interface LiveOptions {
  id: string
  team: string
  visit: Visit
  ttlMs: number
  hear(event: PageEvent): void
}

export interface LiveBrowsers {
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
  pool: Pool
  /** For work that is no session. */
  pagePool: Pool
  proxy(): Promise<BrowserProxy>
  egress: Egress
  isAd: AdCheck
  most: number
  clock: Clock
}

const MAX_BYTES = 4 * 1024 * 1024 * 1024
const GRACE_MS = 30_000

export function openLive({ pool, pagePool, proxy, egress, isAd, most, clock }: LiveBrowserParts): LiveBrowsers {
  const loopback = openLoopbackServer()
  const watchName = `_${randomBytes(8).toString('hex')}`
  return {
    most,
    async open({ id, team, visit, ttlMs, hear }, signal) {
      const { server, admit } = await proxy()
      const site = visit.url === '' ? 'session' : new URL(visit.url).hostname
      const pass = admit({
        route: { tier: visit.proxy === 'enhanced' ? 'enhanced' : 'basic', site, country: visit.country },
        blocks: visit.blockAds ? foreignAds(isAd, site) : () => false,
        maxBytes: MAX_BYTES,
        assert: AsyncResource.bind((address: string) => egress.checkResolved(address)),
      })
      // The context is created with only its proxy, so a pre-created one fits every session.
      const { proxy: wayOut } = contextOptions(visit, server)('')
      const options = {
        owner: id,
        team,
        kind: 'live' as const,
        ownBrowser: true,
        profile: () => (wayOut ? { proxy: wayOut } : {}),
      }
      let lease: Awaited<ReturnType<Pool['lease']>> | undefined
      try {
        lease = await pool.lease({ ...options, ttlMs: ttlMs + GRACE_MS }, signal)
        const now = () => clock.now()
        return await openLiveSession({
          ...{ id, lease, pass, visit, watchName, hear, now },
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

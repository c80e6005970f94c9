// The browser side of the outside web as one thing to open and close: binary, pool, proxy and engine, introduced to each
// other. Nothing of it is started before the first visit that needs it.
import { createHash } from 'node:crypto'
import { homedir } from 'node:os'
import { join } from 'node:path'
import type { Log } from '../base/log.ts'
import { browserEngine } from './browser.ts'
import { type BrowserProxy, openBrowserProxy } from './browser-proxy.ts'
import { adHosts } from './chrome/ads.ts'
import { findBinary } from './chrome/binary.ts'
import { openPool } from './chrome/pool.ts'
import type { Egress } from './egress.ts'
import type { Engine } from './engine.ts'

export interface BrowsingOptions {
  egress: Egress
  /** The operator's Chromium, when one is named. */
  chromium: string | undefined
  dataDir: string
  machine: { cores: number; memoryBytes: number }
  log: Log
}

export interface Browsing {
  engine: Engine
  /** Rejects with the reason when no browser can be had. */
  check(): Promise<void>
  /** Browsers that run now. */
  running(): number
  close(): Promise<void>
}

const MB = 1024 * 1024
/** A context with one page of the heavier kind. */
const CONTEXT_BYTES = 150 * MB
const MAX_BROWSER_BYTES = 3072 * MB

export function openBrowsing({ egress, chromium, dataDir, machine, log }: BrowsingOptions): Browsing {
  const { cores, memoryBytes } = machine
  let opening: Promise<BrowserProxy> | undefined
  const proxy = () => {
    opening ??= openBrowserProxy(egress)
    return opening
  }
  const pool = openPool({
    findBinary: () =>
      findBinary({ given: chromium, cacheDirs: [join(homedir(), '.cache', 'orbweaver'), join(dataDir, 'browser')] }),
    // One service for each data folder: whatever carries its mark at start is an orphan.
    mark: createHash('sha256').update(dataDir).digest('hex').slice(0, 16),
    proxyServer: async () => (await proxy()).server,
    maxContexts: Math.max(1, Math.min(cores * 4, Math.floor((memoryBytes * 0.5) / CONTEXT_BYTES))),
    maxBrowserBytes: Math.min(MAX_BROWSER_BYTES, memoryBytes * 0.5),
    log,
  })
  return {
    engine: browserEngine({ pool, proxy, egress, isAd: adHosts() }),
    check: () => pool.check(),
    running: () => pool.browsers(),
    async close() {
      await pool.close()
      await (await opening)?.close()
    },
  }
}

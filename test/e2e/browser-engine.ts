// The browser engine without a service: its own proxy, supply and pool.
import { silentLog } from '../../src/base/log.ts'
import { makeBrowserEngine } from '../../src/fetch/browser-engine.ts'
import { openBrowserProxy, type ProxyLoginOptions } from '../../src/fetch/browser-proxy.ts'
import { openBrowserPool } from '../../src/fetch/chrome/browser-pool.ts'
import { writeFontsConf } from '../../src/fetch/chrome/fonts.ts'
import { makeLocalBrowserStarter } from '../../src/fetch/chrome/start-browsers.ts'
import { openEgress } from '../../src/fetch/egress.ts'
import type { FetchEngine } from '../../src/fetch/fetch-engine.ts'
import { findBrowserBinary, findFullBrowserBinary } from '../../src/fetch/open-browser-services.ts'
import { emptyFolder } from './service.ts'

interface EngineOptions {
  /** Shown to our proxy in place of the visit's own. */
  password?: string
  headful?: boolean
}

export async function openEngine({ password, headful = false }: EngineOptions = {}): Promise<{
  engine: FetchEngine
  close(): Promise<void>
}> {
  const log = silentLog
  const proxies = { basic: [], enhanced: [] }
  const egress = openEgress({ allowPrivate: ['127.0.0.1'], dnsServers: [], proxies, log })
  const real = await openBrowserProxy(egress)
  const admit = (options: ProxyLoginOptions) => ({ ...real.admit(options), ...(password ? { password } : {}) })
  const folder = emptyFolder()
  const supply = makeLocalBrowserStarter({
    findBinary: () => findBrowserBinary(process.env.ORB_CHROMIUM, folder),
    findFullBinary: async () => (headful ? findFullBrowserBinary(process.env.ORB_CHROMIUM, folder) : undefined),
    fontsConf: ({ fonts }) => writeFontsConf(folder, fonts),
    mark: `engine${process.pid}`,
    proxyServer: async () => real.server,
    sandbox: process.getuid?.() === 0 ? 'off' : 'auto',
    safetyDir: folder,
    dataDir: folder,
    log,
  })
  const book = { write: () => () => {}, close: async () => {} }
  const pool = openBrowserPool({ supply, book, log, maxContexts: 2, maxBrowserBytes: 2 ** 31 })
  const engine = makeBrowserEngine({
    pool,
    proxy: async () => ({ ...real, admit }),
    egress,
    isAd: () => false,
    refuseByRules: async () => '',
    hasEastAsianFonts: async () => true,
    runFlow: async () => Promise.reject(new Error('there is no flow')),
  })
  return {
    engine,
    async close() {
      await pool.close()
      await real.close()
      await egress.close()
    },
  }
}

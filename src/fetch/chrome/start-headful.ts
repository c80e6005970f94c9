// Starts headful browsers for the enhanced tier, where the machine has a full Chromium and a virtual display.
import type { Log } from '../../base/log.ts'
import type { ChromiumBinary } from './find-chromium.ts'
import { launchBrowser, type RunningBrowser } from './launch-browser.ts'
import { findXvfb, openDisplay, writeDisplayKey } from './virtual-display.ts'

interface HeadfulOptions {
  findFullBinary(): Promise<ChromiumBinary | undefined>
  /** Adds fonts, isolation and priority. */
  prepare(binary: ChromiumBinary): Promise<ChromiumBinary>
  mark: string
  sandbox: boolean
  dataDir: string
  log: Log
}

interface HeadfulBrowsers {
  /** Undefined where the browser has to be headless. */
  start(id: string, proxyServer: string): Promise<RunningBrowser | undefined>
}

interface HeadfulParts {
  binary: ChromiumBinary
  xvfb: string
  key: string
}

export function openHeadfulBrowsers(options: HeadfulOptions): HeadfulBrowsers {
  const { mark, sandbox, log } = options
  let parts: Promise<HeadfulParts | undefined> | undefined
  return {
    async start(id, proxyServer) {
      try {
        parts ??= findParts(options)
        const found = await parts
        if (!found) return undefined
        const display = await openDisplay(found.xvfb, found.key, `${mark}-${id}`)
        const own = { kind: 'enhanced' as const, mark: `${mark}-${id}`, proxyServer, sandbox, cheap: false }
        return await launchBrowser({ ...own, binary: found.binary, display }).catch((error) => {
          display.end()
          throw error
        })
      } catch (error) {
        const [because] = (error as Error).message.split('\n', 1)
        log.warn({ because }, 'a headful browser did not start; the enhanced tier runs headless')
        parts = Promise.resolve(undefined)
        return undefined
      }
    },
  }
}

async function findParts({ findFullBinary, prepare, dataDir }: HeadfulOptions): Promise<HeadfulParts | undefined> {
  const xvfb = findXvfb()
  const full = xvfb === undefined ? undefined : await findFullBinary()
  if (xvfb === undefined || full === undefined) return undefined
  const key = await writeDisplayKey(dataDir)
  return { binary: await prepare({ ...full, env: { ...full.env, XAUTHORITY: key } }), xvfb, key }
}

// Browser contexts for pages that are only read: frames on request only, and few CDP calls. This halves the CPU.
import { setTimeout as sleep } from 'node:timers/promises'
import type { BrowserContextOptions } from 'playwright-core'
import { withinTime } from '../../base/deadline.ts'
import type { BrowserContextOpener } from './browser-context-opener-type.ts'
import type { CdpPipe, CdpSession } from './cdp-pipe.ts'
import { emulateDevice } from './emulate-device.ts'
import { isClosedOrCrashed } from './playwright-errors.ts'
import { NETWORK_BUFFERS } from './record-network.ts'

export interface UnpaintedContext {
  undrawn: true
  session: CdpSession
  frameId: string
  wire: CdpPipe
  close(): Promise<void>
}

export const UNPAINTED_BROWSER_FLAGS = [
  '--enable-begin-frame-control',
  '--run-all-compositor-stages-before-draw',
  '--block-new-web-contents',
  // Each visit has its own process. Without site isolation its frames share that process and one CDP session.
  '--disable-site-isolation-trials',
]

/** Saves a process wake-up per page, since nothing is drawn. Some Chromium builds crash as a whole in this mode. */
export const IN_PROCESS_GPU_FLAGS = ['--in-process-gpu']

export async function makeUnpaintedContextOpener(
  wire: CdpPipe,
  version: string,
): Promise<BrowserContextOpener<UnpaintedContext>> {
  if (version.startsWith(ONE_FRAME_AT_A_TIME)) drawnUntil.set(wire, Promise.resolve())
  const open: BrowserContextOpener<UnpaintedContext> = async (options) => {
    const { proxy } = options
    const { browserContextId } = await wire.browser.send('Target.createBrowserContext', {
      disposeOnDetach: true,
      ...(proxy ? { proxyServer: proxy.server, proxyBypassList: proxy.bypass ?? '' } : {}),
    })
    const close = async () => void (await wire.browser.send('Target.disposeBrowserContext', { browserContextId }))
    try {
      const [{ targetId }] = await Promise.all([
        wire.browser.send('Target.createTarget', {
          url: 'about:blank',
          browserContextId,
          enableBeginFrameControl: true,
        }),
        wire.browser.send('Browser.setDownloadBehavior', { behavior: 'deny', browserContextId }),
      ])
      const { sessionId } = await wire.browser.send('Target.attachToTarget', { targetId, flatten: true })
      const session = wire.session(sessionId)
      await Promise.all([
        furnish(session, options),
        options.geolocation &&
          wire.browser.send('Browser.grantPermissions', { permissions: ['geolocation'], browserContextId }),
      ])
      return { undrawn: true, session, frameId: targetId, wire, close }
    } catch (error) {
      void close().catch(() => {})
      throw error
    }
  }
  const tried = await open({})
  await drawFrame(tried)
  await tried.close()
  return open
}

async function furnish(session: CdpSession, options: BrowserContextOptions): Promise<void> {
  await Promise.all([
    session.send('Page.enable'),
    session.send('Inspector.enable'),
    session.send('Network.enable', NETWORK_BUFFERS),
    ...emulateDevice(session, options),
    // Workers pause until their requests are observed.
    session.send('Target.setAutoAttach', {
      autoAttach: true,
      waitForDebuggerOnStart: true,
      flatten: true,
      filter: [{ type: 'worker' }],
    }),
  ])
}

/** When each browser that draws one frame at a time has drawn the frames that were asked for so far. */
const drawnUntil = new WeakMap<CdpPipe, Promise<unknown>>()
/** In this version, frames of two pages that overlap end the GPU process. */
const ONE_FRAME_AT_A_TIME = '156.'
/** A page that hangs keeps others from drawing for no longer than this. */
const STUCK_FRAME_MS = 1000

async function drawFrame({ session, wire }: Pick<UnpaintedContext, 'session' | 'wire'>): Promise<void> {
  const draw = () => session.send('HeadlessExperimental.beginFrame', { noDisplayUpdates: true })
  const before = drawnUntil.get(wire)
  const frame = before ? before.then(draw) : draw()
  if (before) {
    const ended = frame.catch(() => {})
    drawnUntil.set(
      wire,
      before.then(() => withinTime(STUCK_FRAME_MS, ended)),
    )
  }
  await frame
}

/** Frames on demand: quickly at first, for scripts that continue frame by frame, then slowly. */
export function makeFrameLoopStarter(context: Pick<UnpaintedContext, 'session' | 'wire'>): (quickMs?: number) => void {
  const QUICK = { frames: 30, ms: 20 }
  const SLOW_MS = 100
  const HURRIED_MS = 4
  let begun = false
  let quickUntil = 0
  const beat = async () => {
    let open = true
    for (let frames = 0; open; frames++) {
      await drawFrame(context).catch((error: unknown) => {
        open = !isClosedOrCrashed(error)
      })
      const isHurried = performance.now() < quickUntil
      await sleep(isHurried ? HURRIED_MS : frames < QUICK.frames ? QUICK.ms : SLOW_MS)
    }
  }
  return (quickMs = 0) => {
    quickUntil = Math.max(quickUntil, performance.now() + quickMs)
    if (begun) return
    begun = true
    void beat()
  }
}

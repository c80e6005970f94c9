// Rooms for pages that nobody looks at. They are opened still: the browser draws no frame of them until it is told to. And
// they are asked for no more than a reader needs to know, over the wire itself. Both together save half of their CPU.
// Only the headless shell can do that.
import type { BrowserContextOptions } from 'playwright-core'
import type { OpenRoom } from './open-room.ts'
import type { BrowserWire, Session } from './wire.ts'

export interface StillRoom {
  still: true
  session: Session
  /** The main frame of the page: its target goes by the same name. */
  frameId: string
  wire: BrowserWire
  close(): Promise<void>
}

/** What a browser must be started with for its pages to be still. */
export const STILL_FLAGS = [
  '--enable-begin-frame-control',
  '--run-all-compositor-stages-before-draw',
  // Windows that a page opens are nobody's to read.
  '--block-new-web-contents',
  // Every visit has a process of its own. That its foreign frames share it saves one process for each of them, and lets
  // one conversation reach them all.
  '--disable-site-isolation-trials',
]

/**
 * Nothing is drawn, so nothing is lost with the process that draws, and a page wakes one process less. But some builds of
 * Chromium trap in the thread that takes its place, and then all of the browser is gone.
 */
export const CHEAP_FLAGS = ['--in-process-gpu']

/** Where a browser thinks it is that nobody has told otherwise. */
export const USUAL = { locale: 'en-US', timezone: 'America/New_York' }

/** Rejects when this browser cannot keep pages still. */
export async function stillRooms(wire: BrowserWire): Promise<OpenRoom<StillRoom>> {
  const open: OpenRoom<StillRoom> = async (options) => {
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
      return { still: true, session, frameId: targetId, wire, close }
    } catch (error) {
      void close().catch(() => {})
      throw error
    }
  }
  const tried = await open({})
  await drawFrame(tried.session)
  await tried.close()
  return open
}

/** Only what differs from what the browser does by itself is asked for. */
async function furnish(session: Session, options: BrowserContextOptions): Promise<void> {
  const { viewport, isMobile = false, hasTouch, deviceScaleFactor = 1, locale, timezoneId, geolocation } = options
  await Promise.all([
    session.send('Page.enable'),
    session.send('Inspector.enable'),
    // Bodies are not kept: nobody asks for them.
    session.send('Network.enable', { maxTotalBufferSize: 0, maxResourceBufferSize: 0 }),
    session.send('Emulation.setFocusEmulationEnabled', { enabled: true }),
    viewport &&
      session.send('Emulation.setDeviceMetricsOverride', {
        ...viewport,
        screenWidth: viewport.width,
        screenHeight: viewport.height,
        mobile: isMobile,
        deviceScaleFactor,
      }),
    hasTouch && session.send('Emulation.setTouchEmulationEnabled', { enabled: true, maxTouchPoints: 5 }),
    locale && locale !== USUAL.locale && session.send('Emulation.setLocaleOverride', { locale }),
    timezoneId && timezoneId !== USUAL.timezone && session.send('Emulation.setTimezoneOverride', { timezoneId }),
    geolocation && session.send('Emulation.setGeolocationOverride', geolocation),
    options.ignoreHTTPSErrors && session.send('Security.setIgnoreCertificateErrors', { ignore: true }),
    // Workers begin when somebody listens to their requests.
    session.send('Target.setAutoAttach', {
      autoAttach: true,
      waitForDebuggerOnStart: true,
      flatten: true,
      filter: [{ type: 'worker' }],
    }),
  ])
}

/** One frame of a still page: its observers and animation frames run, and nothing is painted. */
async function drawFrame(session: Session): Promise<void> {
  await session.send('HeadlessExperimental.beginFrame', { noDisplayUpdates: true })
}

/** Frames as they are needed: quickly at first, for scripts that go on from frame to frame, then at a walk. */
export function frameBeat(session: Session): () => void {
  const QUICK = { frames: 30, ms: 20 }
  const SLOW_MS = 100
  let begun = false
  const beat = async () => {
    let open = true
    for (let frames = 0; open; frames++) {
      await drawFrame(session).catch(({ message }: Error) => {
        open = !/closed|crashed/i.test(message)
      })
      await new Promise((resolve) => setTimeout(resolve, frames < QUICK.frames ? QUICK.ms : SLOW_MS))
    }
  }
  return () => {
    if (begun) return
    begun = true
    void beat()
  }
}

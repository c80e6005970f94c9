// A room is a context with one empty page. Pages that nobody looks at are opened still: the browser draws no frame of
// them until it is told to, which saves a third of their CPU. Only the headless shell can do that.
import type { Browser, BrowserContext, BrowserContextOptions, CDPSession, Page } from 'playwright-core'

export interface Room {
  context: BrowserContext
  page: Page
}

export type OpenRoom = (options: BrowserContextOptions) => Promise<Room>

/** What a browser must be started with for its pages to be still. */
export const STILL_FLAGS = ['--enable-begin-frame-control', '--run-all-compositor-stages-before-draw']

/** The rooms of a browser whose pages are drawn all the time, as for a person. */
export const drawnRooms =
  (browser: Browser): OpenRoom =>
  async (options) => {
    const context = await browser.newContext(options)
    return { context, page: await context.newPage() }
  }

/** Rejects when this browser cannot keep pages still. */
export async function stillRooms(browser: Browser): Promise<OpenRoom> {
  const session = await browser.newBrowserCDPSession()
  const known = new Set<string>()
  let last: Promise<unknown> = Promise.resolve()

  // The library does not tell the id of a context that it made, so contexts are made one at a time: the id that was not
  // there before is the one.
  const newContext = async (options: BrowserContextOptions) => {
    const context = await browser.newContext(options)
    const { browserContextIds } = await session.send('Target.getBrowserContexts')
    const browserContextId = browserContextIds.find((id) => !known.has(id))
    known.clear()
    for (const id of browserContextIds) known.add(id)
    if (browserContextId === undefined) throw new Error('the browser does not name its contexts')
    return { context, browserContextId }
  }

  const open: OpenRoom = async (options) => {
    const turn = last.then(() => newContext(options))
    last = turn.catch(() => {})
    const { context, browserContextId } = await turn
    const opened = context.waitForEvent('page')
    opened.catch(() => {})
    try {
      await session.send('Target.createTarget', { url: 'about:blank', browserContextId, enableBeginFrameControl: true })
      return { context, page: await opened }
    } catch (error) {
      void context.close().catch(() => {})
      throw error
    }
  }

  const { context, page } = await open({})
  await drawFrame(await context.newCDPSession(page))
  await context.close()
  return open
}

/** One frame of a still page: its observers and animation frames run, and nothing is painted. */
export async function drawFrame(session: CDPSession): Promise<void> {
  await session.send('HeadlessExperimental.beginFrame', { noDisplayUpdates: true })
}

/** Frames as they are needed: quickly at first, for scripts that go on from frame to frame, then at a walk. */
export function frameBeat(session: CDPSession, over: () => boolean): () => void {
  const QUICK = { frames: 30, ms: 20 }
  const SLOW_MS = 100
  let begun = false
  const beat = async () => {
    for (let frames = 0; !over(); frames++) {
      // A page that is closed or stuck in its scripts draws nothing; whoever waits for it says so.
      await drawFrame(session).catch(() => {})
      await new Promise((resolve) => setTimeout(resolve, frames < QUICK.frames ? QUICK.ms : SLOW_MS))
    }
  }
  return () => {
    if (begun) return
    begun = true
    void beat()
  }
}

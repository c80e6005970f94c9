// Browser contexts of live sessions, each with one empty page, driven over CDP because callers' programs use it too.

import type { BrowserContextOpener } from './browser-context-opener-type.ts'
import type { CdpPipe, CdpSession } from './cdp-pipe.ts'

export interface CdpTarget {
  targetId: string
  type: string
  title: string
  url: string
  attached: boolean
  openerId?: string
  browserContextId?: string
}

export type TargetEvent =
  | { what: 'created' | 'changed' | 'destroyed'; target: CdpTarget }
  | { what: 'crashed'; target: CdpTarget; status: string }

type DownloadListener = (method: string, params: object) => void

export interface LiveContext {
  undrawn: 'live'
  wire: CdpPipe
  contextId: string
  /** Further contexts of the session, which a program opened. */
  added: ReadonlySet<string>
  /** `prepare` gets a page of the new context that programs do not see. */
  addContext(prepare: (page: CdpSession) => Promise<void>): Promise<string>
  removeContext(contextId: string): Promise<void>
  firstTarget: string
  targets: ReadonlyMap<string, CdpTarget>
  onTarget(listener: (news: TargetEvent) => void): () => void
  /** Downloads announced by the browser; all are denied. */
  onDownload(listener: DownloadListener): () => void
  close(): Promise<void>
}

/** A desktop window size by flag: an emulation override would be visible to a caller's program. */
export const LIVE_BROWSER_FLAGS = ['--window-size=1280,800', '--font-render-hinting=none', '--disable-popup-blocking']

interface ContextTargets {
  targets: Map<string, CdpTarget>
  listeners: Set<(news: TargetEvent) => void>
}

async function trackTargets(wire: CdpPipe) {
  /** Targets by context. */
  const books = new Map<string, ContextTargets>()
  /** Context of each known target: later events contain only its id. */
  const homes = new Map<string, ContextTargets>()
  const report = (book: ContextTargets, news: TargetEvent) => {
    for (const listener of [...book.listeners]) listener(news)
  }
  wire.browser.on('Target.targetCreated', ({ targetInfo }) => {
    const book = books.get(targetInfo.browserContextId ?? '')
    if (!book) return
    homes.set(targetInfo.targetId, book)
    book.targets.set(targetInfo.targetId, targetInfo)
    report(book, { what: 'created', target: targetInfo })
  })
  wire.browser.on('Target.targetInfoChanged', ({ targetInfo }) => {
    const book = homes.get(targetInfo.targetId)
    if (!book) return
    book.targets.set(targetInfo.targetId, targetInfo)
    report(book, { what: 'changed', target: targetInfo })
  })
  const lose = (targetId: string, crash: string | undefined) => {
    const book = homes.get(targetId)
    const target = book?.targets.get(targetId)
    if (!book || !target) return
    if (crash !== undefined) return report(book, { what: 'crashed', target, status: crash })
    homes.delete(targetId)
    book.targets.delete(targetId)
    report(book, { what: 'destroyed', target })
  }
  wire.browser.on('Target.targetDestroyed', ({ targetId }) => lose(targetId, undefined))
  wire.browser.on('Target.targetCrashed', ({ targetId, status }) => lose(targetId, status))
  await wire.browser.send('Target.setDiscoverTargets', { discover: true, filter: [{}] })
  return { books, homes }
}

export async function makeLiveContextOpener(wire: CdpPipe): Promise<BrowserContextOpener<LiveContext>> {
  const { books, homes } = await trackTargets(wire)
  return async ({ proxy }) => {
    const create = async () => {
      const { browserContextId } = await wire.browser.send('Target.createBrowserContext', {
        disposeOnDetach: true,
        ...(proxy ? { proxyServer: proxy.server, proxyBypassList: proxy.bypass ?? '' } : {}),
      })
      return browserContextId
    }
    const dispose = (browserContextId: string) =>
      wire.browser.send('Target.disposeBrowserContext', { browserContextId })
    const contextId = await create()
    const book: ContextTargets = { targets: new Map(), listeners: new Set() }
    books.set(contextId, book)
    const downloads = new Set<DownloadListener>()
    const onDownload: DownloadListener = (method, params) => {
      for (const listener of [...downloads]) listener(method, params)
    }
    const added = makeAddedContexts(wire, {
      create,
      dispose,
      onDownload,
      show: (id) => books.set(id, book),
      hide: (id) => books.delete(id),
    })
    const close = async () => {
      for (const id of [contextId, ...added.added]) books.delete(id)
      await Promise.all([...added.added].map(added.removeContext))
      await dispose(contextId)
      for (const targetId of book.targets.keys()) homes.delete(targetId)
    }
    try {
      const [{ targetId }, stopDenying] = await Promise.all([
        wire.browser.send('Target.createTarget', { url: 'about:blank', browserContextId: contextId }),
        denyDownloads(wire, contextId, onDownload),
      ])
      return {
        undrawn: 'live',
        wire,
        contextId,
        ...added,
        firstTarget: targetId,
        targets: book.targets,
        onTarget(listener) {
          book.listeners.add(listener)
          return () => book.listeners.delete(listener)
        },
        onDownload(listener) {
          downloads.add(listener)
          return () => downloads.delete(listener)
        },
        close: () => close().finally(stopDenying),
      }
    } catch (error) {
      void close().catch(() => {})
      throw error
    }
  }
}

interface AddedContextParts {
  create(): Promise<string>
  dispose(contextId: string): Promise<unknown>
  onDownload: DownloadListener
  /** From then on, its pages are those of the session. */
  show(contextId: string): void
  hide(contextId: string): void
}

function makeAddedContexts(
  wire: CdpPipe,
  { create, dispose, onDownload, show, hide }: AddedContextParts,
): Pick<LiveContext, 'added' | 'addContext' | 'removeContext'> {
  const added = new Set<string>()
  const stops = new Map<string, () => void>()
  return {
    added,
    async addContext(prepare) {
      const id = await create()
      try {
        stops.set(id, await denyDownloads(wire, id, onDownload))
        const { targetId } = await wire.browser.send('Target.createTarget', {
          url: 'about:blank',
          browserContextId: id,
        })
        const { sessionId } = await wire.browser.send('Target.attachToTarget', { targetId, flatten: true })
        await prepare(wire.session(sessionId))
        await wire.browser.send('Target.closeTarget', { targetId })
        added.add(id)
        show(id)
        return id
      } catch (error) {
        await dispose(id).catch(() => {})
        throw error
      }
    },
    async removeContext(id) {
      if (!added.delete(id)) return
      // Programs first receive the ends of its pages.
      await dispose(id).finally(() => hide(id))
      stops.get(id)?.()
      stops.delete(id)
    },
  }
}

/**
 * Uses a separate CDP session per context: the events carry no context id, and the browser drops the setting with its
 * session.
 */
async function denyDownloads(wire: CdpPipe, contextId: string, listener: DownloadListener) {
  const { sessionId } = await wire.browser.send('Target.attachToBrowserTarget')
  const session = wire.session(sessionId)
  for (const event of ['Browser.downloadWillBegin', 'Browser.downloadProgress'] as const)
    session.on(event, (params) => listener(event, params))
  await session.send('Browser.setDownloadBehavior', {
    behavior: 'deny',
    browserContextId: contextId,
    eventsEnabled: true,
  })
  return () => void wire.browser.send('Target.detachFromTarget', { sessionId }).catch(() => {})
}

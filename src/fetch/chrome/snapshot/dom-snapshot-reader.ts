// Reads a page through all its frames, and finds elements again by ref.
import type { ElementHandle, Frame, JSHandle, Page } from 'playwright-core'
import { limitWithin, withinTime } from '../../../base/deadline.ts'
import { makeDomReaderScript } from '../page-scripts.ts'
import { throwUnresponsive, UNRESPONSIVE_MS } from '../wait-for-idle.ts'
import type { DomSnapshot, SnapshotElement, SnapshotNode } from './dom-snapshot.ts'
import { ANSWER_RESERVE_MS, NextPageWatch } from './next-page-watch.ts'

interface Reader {
  look(): string
  find(id: number): unknown
  idOf(element: unknown): number
  match(selector: string): number[] | null
  changes(): number
  quiet(still: number, most: number): Promise<number>
}

interface FrameView {
  handle: JSHandle<Reader>
  refs: Map<number, string>
}

interface Seen {
  nodes: SnapshotNode[]
  over: boolean
  title: string
  focus: number
  view: number[]
}

const MAX_FRAMES = 30
const FRAME_MS = 2000

export interface DomSnapshotReader {
  page: Page
  read(signal: AbortSignal): Promise<DomSnapshot>
  /** The element of a ref from any snapshot since the document was loaded; nothing when it has gone. */
  find(ref: string): Promise<ElementHandle | undefined>
  /** Refs of the first elements of a CSS selector in each frame that was read. Fails when it is not a selector. */
  match(selector: string): Promise<Set<string>>
  /** Waits for the page that was asked for and until nothing changes. Fails when that page does not respond. */
  quiet(stillMs: number, mostMs: number, signal: AbortSignal): Promise<void>
}

const known = new WeakMap<Page, DomSnapshotReader>()

export function getDomSnapshotReader(page: Page): DomSnapshotReader {
  let reader = known.get(page)
  if (reader === undefined) {
    reader = new BrowserPageReader(page)
    known.set(page, reader)
  }
  return reader
}

class BrowserPageReader implements DomSnapshotReader {
  readonly page: Page
  private readonly views = new Map<Frame, FrameView>()
  private readonly origins = new Map<string, { frame: Frame; id: number }>()
  private next = 1
  private readonly nextPage: NextPageWatch

  constructor(page: Page) {
    this.page = page
    this.nextPage = new NextPageWatch(page)
    page.on('framedetached', (frame) => this.forget(frame))
  }

  async read(signal: AbortSignal): Promise<DomSnapshot> {
    signal.throwIfAborted()
    const { page } = this
    await this.nextPage.listening
    const snapshot: DomSnapshot = {
      elements: [],
      url: page.url(),
      title: '',
      view: [0, 0, 0, 0, 0, 0],
      focus: -1,
      cut: false,
    }
    await within(
      this.add(page.mainFrame(), { up: -1, x: 0, y: 0 }, snapshot, { frames: 0 }),
      limitWithin(signal, UNRESPONSIVE_MS, ANSWER_RESERVE_MS),
    )
    return snapshot
  }

  async find(ref: string): Promise<ElementHandle | undefined> {
    const place = this.origins.get(ref.replace(/^@/, ''))
    const view = place && this.views.get(place.frame)
    if (!view) return undefined
    const handle = await view.handle.evaluateHandle((reader, id) => reader.find(id), place.id).catch(() => undefined)
    return (handle?.asElement() as ElementHandle | null | undefined) ?? undefined
  }

  async match(selector: string): Promise<Set<string>> {
    const refs = new Set<string>()
    for (const [frame, view] of this.views) {
      const matching = view.handle.evaluate((reader, css) => reader.match(css), selector)
      // A failure: the document of the frame was replaced, and the next reading has the new one.
      const ids = await within(matching, FRAME_MS).catch((): number[] => [])
      if (ids === null) throw new Error(`"${selector}" is not a CSS selector`)
      for (const id of ids) refs.add(this.refOf(frame, view, id))
    }
    return refs
  }

  async quiet(stillMs: number, mostMs: number, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted()
    const frame = this.page.mainFrame()
    const limit = (ms: number) => Math.max(1, limitWithin(signal, ms, ANSWER_RESERVE_MS))
    const waitUntilLoaded = () =>
      this.page.waitForLoadState('domcontentloaded', { timeout: limit(mostMs) }).catch(() => {})
    const wait = async () => {
      const { handle } = await this.viewOf(frame)
      return handle.evaluate((reader, [still, most]) => reader.quiet(still!, most!), [stillMs, mostMs])
    }
    // Chromium runs no script in the old page while it waits for the next one.
    await this.nextPage.arrival(signal)
    await waitUntilLoaded()
    // A document that goes away while we wait is the change we wait for.
    await within(wait(), limit(mostMs + 2000)).catch(async () => {
      this.forget(frame)
      // The request for the next page may be seen only now, and this page answers no more.
      if (this.nextPage.isExpected()) return
      await waitUntilLoaded()
      await within(wait(), limit(mostMs + 2000)).catch(() => {})
    })
    if (!this.nextPage.isExpected()) return
    await this.nextPage.arrival(signal)
    await waitUntilLoaded()
    await within(wait(), limit(mostMs + 2000)).catch(() => {})
  }

  private forget(frame: Frame): void {
    if (!this.views.delete(frame)) return
    for (const [ref, place] of this.origins) if (place.frame === frame) this.origins.delete(ref)
  }

  private async viewOf(frame: Frame): Promise<FrameView> {
    const open = this.views.get(frame)
    if (open) return open
    const handle = (await frame.evaluateHandle(makeDomReaderScript())) as JSHandle<Reader>
    const view = { handle, refs: new Map<number, string>() }
    this.views.set(frame, view)
    return view
  }

  private async seen(frame: Frame, again = true): Promise<{ view: FrameView; seen: Seen }> {
    try {
      const view = await this.viewOf(frame)
      return { view, seen: JSON.parse(await view.handle.evaluate((reader) => reader.look())) as Seen }
    } catch (error) {
      this.forget(frame)
      // The document may have been replaced in between; the new one is read instead.
      if (!again || frame.isDetached() || this.page.isClosed()) throw error
      await frame.waitForLoadState('domcontentloaded', { timeout: FRAME_MS }).catch(() => {})
      return this.seen(frame, false)
    }
  }

  private refOf(frame: Frame, view: FrameView, id: number): string {
    let ref = view.refs.get(id)
    if (ref === undefined) {
      ref = `e${this.next++}`
      view.refs.set(id, ref)
      this.origins.set(ref, { frame, id })
    }
    return ref
  }

  private async add(frame: Frame, place: Place, snapshot: DomSnapshot, count: { frames: number }): Promise<void> {
    const { view, seen: document } = await this.seen(frame)
    const number = count.frames++
    const base: number[] = []
    const inner = await this.framesIn(frame, view)
    if (number === 0) Object.assign(snapshot, { title: document.title, view: document.view })
    if (document.over) snapshot.cut = true
    for (const node of document.nodes) {
      const at = snapshot.elements.length
      base.push(at)
      const up = node.up < 0 ? place.up : base[node.up]!
      const element: SnapshotElement = { ...node, at, frame: number, up, ref: this.refOf(frame, view, node.id) }
      if (node.box) element.box = [node.box[0] + place.x, node.box[1] + place.y, node.box[2], node.box[3]]
      snapshot.elements.push(element)
      if (document.focus === node.id) snapshot.focus = at
      const below = inner.get(node.id)
      if (below === undefined || node.hidden || count.frames >= MAX_FRAMES) continue
      const [x = 0, y = 0] = element.box ?? []
      await within(this.add(below, { up: at, x, y }, snapshot, count), FRAME_MS).catch(() => {})
    }
  }

  private async framesIn(frame: Frame, { handle }: FrameView): Promise<Map<number, Frame>> {
    const found = new Map<number, Frame>()
    for (const child of frame.childFrames().slice(0, MAX_FRAMES)) {
      const element = await child.frameElement().catch(() => undefined)
      if (!element) continue
      found.set(await handle.evaluate((reader, one) => reader.idOf(one), element as unknown), child)
      await element.dispose()
    }
    return found
  }
}

/** Where a document's nodes belong: below which element, and how far from the page's corner. */
interface Place {
  up: number
  x: number
  y: number
}

const within = <T>(work: Promise<T>, ms: number): Promise<T> => withinTime(ms, work, throwUnresponsive)

// Looks at a page through all its frames, and finds again what was seen. Readers hang on handles, one for each document;
// a document that went away takes its reader along, and its refs with it.
import type { ElementHandle, Frame, JSHandle, Page } from 'playwright-core'
import { Problem } from '../../../base/problem.ts'
import { READER } from './reader-script.ts'
import type { Node, Scene, SceneThing } from './scene.ts'

interface Reader {
  look(): string
  find(id: number): unknown
  idOf(element: unknown): number
  changes(): number
  quiet(still: number, most: number): Promise<number>
}

interface FrameView {
  handle: JSHandle<Reader>
  /** Number of an element → its ref on the page. */
  refs: Map<number, string>
}

interface Seen {
  nodes: Node[]
  over: boolean
  title: string
  focus: number
  view: number[]
}

const MAX_FRAMES = 30
/** A page that does not answer for so long is busy with itself. */
const ANSWER_MS = 8000
const FRAME_MS = 2000

export interface Eyes {
  page: Page
  look(signal: AbortSignal): Promise<Scene>
  /** The element of a ref from any look since the document was loaded; nothing when it has gone. */
  find(ref: string): Promise<ElementHandle | undefined>
  /** Waits until nothing has changed for `stillMs`. */
  quiet(stillMs: number, mostMs: number, signal: AbortSignal): Promise<void>
}

const known = new WeakMap<Page, Eyes>()

/** The eyes for a page; refs live as long as they do, so there is one pair for each page. */
export function eyesOf(page: Page): Eyes {
  let eyes = known.get(page)
  if (eyes === undefined) {
    eyes = new PageEyes(page)
    known.set(page, eyes)
  }
  return eyes
}

class PageEyes implements Eyes {
  readonly page: Page
  private readonly sights = new Map<Frame, FrameView>()
  private readonly places = new Map<string, { frame: Frame; id: number }>()
  private next = 1

  constructor(page: Page) {
    this.page = page
    page.on('framedetached', (frame) => this.forget(frame))
  }

  async look(signal: AbortSignal): Promise<Scene> {
    signal.throwIfAborted()
    const { page } = this
    const scene: Scene = { things: [], url: page.url(), title: '', view: [0, 0, 0, 0, 0, 0], focus: -1, cut: false }
    await within(this.add(page.mainFrame(), { up: -1, x: 0, y: 0 }, scene, { frames: 0 }), ANSWER_MS)
    return scene
  }

  async find(ref: string): Promise<ElementHandle | undefined> {
    const place = this.places.get(ref.replace(/^@/, ''))
    const sight = place && this.sights.get(place.frame)
    if (!sight) return undefined
    const handle = await sight.handle.evaluateHandle((reader, id) => reader.find(id), place.id).catch(() => undefined)
    return (handle?.asElement() as ElementHandle | null | undefined) ?? undefined
  }

  async quiet(stillMs: number, mostMs: number, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted()
    const frame = this.page.mainFrame()
    const loaded = () => this.page.waitForLoadState('domcontentloaded', { timeout: mostMs }).catch(() => {})
    const wait = async () => {
      const { handle } = await this.sightOf(frame)
      return handle.evaluate((reader, [still, most]) => reader.quiet(still!, most!), [stillMs, mostMs])
    }
    await loaded()
    // A document that goes away while we wait is the change we wait for.
    await within(wait(), mostMs + 2000).catch(async () => {
      this.forget(frame)
      await loaded()
      await within(wait(), mostMs + 2000).catch(() => {})
    })
  }

  private forget(frame: Frame): void {
    if (!this.sights.delete(frame)) return
    for (const [ref, place] of this.places) if (place.frame === frame) this.places.delete(ref)
  }

  private async sightOf(frame: Frame): Promise<FrameView> {
    const open = this.sights.get(frame)
    if (open) return open
    const handle = (await frame.evaluateHandle(READER)) as JSHandle<Reader>
    const sight = { handle, refs: new Map<number, string>() }
    this.sights.set(frame, sight)
    return sight
  }

  private async seen(frame: Frame, again = true): Promise<{ sight: FrameView; seen: Seen }> {
    try {
      const sight = await this.sightOf(frame)
      return { sight, seen: JSON.parse(await sight.handle.evaluate((reader) => reader.look())) as Seen }
    } catch (error) {
      this.forget(frame)
      // The document may have been replaced in between; the new one is looked at instead.
      if (!again || frame.isDetached() || this.page.isClosed()) throw error
      await frame.waitForLoadState('domcontentloaded', { timeout: FRAME_MS }).catch(() => {})
      return this.seen(frame, false)
    }
  }

  private refOf(frame: Frame, sight: FrameView, id: number): string {
    let ref = sight.refs.get(id)
    if (ref === undefined) {
      ref = `e${this.next++}`
      sight.refs.set(id, ref)
      this.places.set(ref, { frame, id })
    }
    return ref
  }

  /** Adds a document's nodes to the scene, and those of the frames in it right below the element that holds them. */
  private async add(frame: Frame, place: Place, scene: Scene, count: { frames: number }): Promise<void> {
    const { sight, seen: document } = await this.seen(frame)
    const number = count.frames++
    const base: number[] = []
    const inner = await this.framesIn(frame, sight)
    if (number === 0) Object.assign(scene, { title: document.title, view: document.view })
    if (document.over) scene.cut = true
    for (const node of document.nodes) {
      const at = scene.things.length
      base.push(at)
      const up = node.up < 0 ? place.up : base[node.up]!
      const thing: SceneThing = { ...node, at, frame: number, up, ref: this.refOf(frame, sight, node.id) }
      if (node.box) thing.box = [node.box[0] + place.x, node.box[1] + place.y, node.box[2], node.box[3]]
      scene.things.push(thing)
      if (document.focus === node.id) scene.focus = at
      const below = inner.get(node.id)
      if (below === undefined || node.hidden || count.frames >= MAX_FRAMES) continue
      const [x = 0, y = 0] = thing.box ?? []
      await within(this.add(below, { up: at, x, y }, scene, count), FRAME_MS).catch(() => {})
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

/** Where a document's nodes belong: below which thing, and how far from the page's corner. */
interface Place {
  up: number
  x: number
  y: number
}

async function within<T>(work: Promise<T>, ms: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    const because = 'the page keeps the browser busy and does not answer'
    timer = setTimeout(() => reject(new Problem('site_failed', { because })), ms)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}

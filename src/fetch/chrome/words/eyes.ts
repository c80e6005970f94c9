// Looks at a page through all its frames, and finds again what was seen. Readers hang on handles, one for each document;
// a document that went away takes its reader along, and its refs with it.
import type { ElementHandle, Frame, JSHandle, Page } from 'playwright-core'
import { Problem } from '../../../base/problem.ts'
import { READER } from './reader-script.ts'
import type { Node, Scene, Thing } from './scene.ts'

interface Reader {
  look(): string
  find(id: number): unknown
  changes(): number
  quiet(still: number, most: number): Promise<number>
}

interface Sight {
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
    eyes = openEyes(page)
    known.set(page, eyes)
  }
  return eyes
}

function openEyes(page: Page): Eyes {
  const sights = new Map<Frame, Sight>()
  const places = new Map<string, { frame: Frame; id: number }>()
  let next = 1

  page.on('framedetached', (frame) => forget(frame))
  function forget(frame: Frame): void {
    if (!sights.delete(frame)) return
    for (const [ref, place] of places) if (place.frame === frame) places.delete(ref)
  }

  async function sightOf(frame: Frame): Promise<Sight> {
    const open = sights.get(frame)
    if (open) return open
    const handle = (await frame.evaluateHandle(READER)) as JSHandle<Reader>
    const sight = { handle, refs: new Map<number, string>() }
    sights.set(frame, sight)
    return sight
  }

  async function seen(frame: Frame, again = true): Promise<{ sight: Sight; seen: Seen }> {
    try {
      const sight = await sightOf(frame)
      return { sight, seen: JSON.parse(await sight.handle.evaluate((reader) => reader.look())) as Seen }
    } catch (error) {
      forget(frame)
      // The document may have been replaced in between; the new one is looked at instead.
      if (!again || frame.isDetached() || page.isClosed()) throw error
      await frame.waitForLoadState('domcontentloaded', { timeout: FRAME_MS }).catch(() => {})
      return seen(frame, false)
    }
  }

  function refOf(frame: Frame, sight: Sight, id: number): string {
    let ref = sight.refs.get(id)
    if (ref === undefined) {
      ref = `e${next++}`
      sight.refs.set(id, ref)
      places.set(ref, { frame, id })
    }
    return ref
  }

  /** Adds a document's nodes to the scene, and those of the frames in it right below the element that holds them. */
  async function add(
    frame: Frame,
    up: number,
    offset: readonly [number, number],
    scene: Scene,
    state: { frames: number },
  ) {
    const { sight, seen: document } = await seen(frame)
    const number = state.frames++
    const base: number[] = []
    const inner = await framesIn(frame, sight)
    const { nodes } = document
    if (number === 0) Object.assign(scene, { title: document.title, view: document.view })
    if (document.over) scene.cut = true
    for (const node of nodes) {
      const at = scene.things.length
      base.push(at)
      const thing: Thing = {
        ...node,
        at,
        frame: number,
        up: node.up < 0 ? up : base[node.up]!,
        ref: refOf(frame, sight, node.id),
      }
      if (node.box && number > 0)
        thing.box = [node.box[0] + offset[0], node.box[1] + offset[1], node.box[2], node.box[3]]
      scene.things.push(thing)
      if (document.focus === node.id) scene.focus = at
      const below = inner.get(node.id)
      if (below === undefined || node.hidden || state.frames >= MAX_FRAMES) continue
      const place: [number, number] = [(thing.box?.[0] ?? 0) + 0, (thing.box?.[1] ?? 0) + 0]
      await within(add(below, at, place, scene, state), FRAME_MS).catch(() => {})
    }
  }

  async function framesIn(frame: Frame, sight: Sight): Promise<Map<number, Frame>> {
    const found = new Map<number, Frame>()
    for (const child of frame.childFrames().slice(0, MAX_FRAMES)) {
      const element = await child.frameElement().catch(() => undefined)
      if (!element) continue
      const id = await sight.handle.evaluate(
        (reader, el) => (reader as Reader & { idOf(e: unknown): number }).idOf(el),
        element,
      )
      await element.dispose()
      found.set(id, child)
    }
    return found
  }

  return {
    page,
    async look(signal) {
      signal.throwIfAborted()
      const scene: Scene = { things: [], url: page.url(), title: '', view: [0, 0, 0, 0, 0, 0], focus: -1, cut: false }
      await within(add(page.mainFrame(), -1, [0, 0], scene, { frames: 0 }), ANSWER_MS)
      return scene
    },
    async find(ref) {
      const place = places.get(ref.replace(/^@/, ''))
      const sight = place && sights.get(place.frame)
      if (!sight) return undefined
      const handle = await sight.handle.evaluateHandle((reader, id) => reader.find(id), place.id).catch(() => undefined)
      return (handle?.asElement() as ElementHandle | null | undefined) ?? undefined
    },
    async quiet(stillMs, mostMs, signal) {
      signal.throwIfAborted()
      const frame = page.mainFrame()
      await page.waitForLoadState('domcontentloaded', { timeout: mostMs }).catch(() => {})
      const wait = async () =>
        (await sightOf(frame)).handle.evaluate((reader, [s, m]) => reader.quiet(s!, m!), [stillMs, mostMs])
      // A document that goes away while we wait is the change we wait for.
      await within(wait(), mostMs + 2000).catch(async () => {
        sights.delete(frame)
        await page.waitForLoadState('domcontentloaded', { timeout: mostMs }).catch(() => {})
        await within(wait(), mostMs + 2000).catch(() => {})
      })
    },
  }
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

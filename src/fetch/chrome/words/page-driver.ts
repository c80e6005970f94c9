// Acts on a page: presses, fills, chooses, drags, and looks after each act what it changed. An act that had no effect
// says so; nothing is taken for done because it was tried.
import type { ElementHandle, Page } from 'playwright-core'
import { digest } from './effects.ts'
import type { Eyes } from './eyes.ts'
import type { Near } from './likeness.ts'
import { above, inside, isShown, labelOf, type Scene, type SceneThing, wordsIn } from './scene.ts'

export interface PageDriverOptions {
  eyes: Eyes
  near: Near | undefined
  prompt: string
  /** When all must be over, on the clock of `performance.now()`. */
  ends: number
  maxActs: number
  signal: AbortSignal
}

/** Thrown when time or the number of acts is used up; what was done stays told. */
export class Spent extends Error {}

const CLICK_MS = 1500
const STILL_MS = 60
const MOST_MS = 900

export class PageDriver {
  readonly page: Page
  readonly eyes: Eyes
  readonly near: Near | undefined
  readonly prompt: string
  readonly signal: AbortSignal
  scene: Scene = { things: [], url: '', title: '', view: [], focus: -1, cut: false }
  /** What the browser itself said meanwhile: dialogs, downloads, new tabs. */
  readonly news: string[] = []
  private acts = 0
  private readonly ends: number
  private readonly maxActs: number

  constructor({ eyes, near, prompt, ends, maxActs, signal }: PageDriverOptions) {
    this.eyes = eyes
    this.page = eyes.page
    this.near = near
    this.prompt = prompt
    this.signal = signal
    this.ends = ends
    this.maxActs = maxActs
  }

  async look(): Promise<Scene> {
    this.checkTime()
    this.scene = withoutPrompt(await this.eyes.look(this.signal), this.prompt)
    return this.scene
  }

  checkTime(): void {
    this.signal.throwIfAborted()
    if (performance.now() > this.ends) throw new Spent('the time was up')
  }

  timeLeft = (): number => this.ends - performance.now()

  private count(): void {
    this.checkTime()
    if (++this.acts > this.maxActs) throw new Spent(`the limit of ${this.maxActs} acts was reached`)
  }

  /** Waits until the page rests, and looks again. */
  async settle(stillMs = STILL_MS, mostMs = MOST_MS): Promise<Scene> {
    await this.eyes.quiet(stillMs, mostMs, this.signal)
    return this.look()
  }

  /** Looks until something is so, or the wait is over. */
  async until(isSo: (scene: Scene) => boolean, mostMs: number): Promise<boolean> {
    const ends = performance.now() + Math.min(mostMs, Math.max(0, this.timeLeft()))
    for (;;) {
      if (isSo(await this.look())) return true
      if (performance.now() >= ends) return false
      await pause(60)
    }
  }

  /** The same thing in the newest look, by its ref. */
  again = (thing: SceneThing): SceneThing | undefined => this.scene.things.find(({ ref }) => ref === thing.ref)

  async handle(thing: SceneThing): Promise<ElementHandle> {
    const handle = await this.eyes.find(thing.ref)
    if (!handle) throw new Error(`"${labelOf(thing)}" has left the page`)
    return handle
  }

  /** Presses a thing; true when the page changed by it. */
  async press(thing: SceneThing, { times = 1, settle = true } = {}): Promise<boolean> {
    this.count()
    const before = digest(this.scene)
    const news = this.news.length
    const handle = await this.handle(thing)
    await this.click(handle, times)
    if (!settle) return true
    await this.settle()
    return digest(this.scene) !== before || this.news.length > news
  }

  private async click(handle: ElementHandle, times: number): Promise<void> {
    try {
      await handle.click({ timeout: CLICK_MS, noWaitAfter: true, clickCount: times })
    } catch (error) {
      this.signal.throwIfAborted()
      if (!(await handle.isVisible().catch(() => false))) {
        // Boxes that a style replaces by a picture are not visible themselves; their label is.
        await handle.dispatchEvent('click').catch(() => {
          throw error
        })
        return
      }
      if (/intercepts pointer events/.test((error as Error).message) && (await this.clearWay()))
        return this.clickPlainly(handle)
      await this.clickPlainly(handle)
    }
  }

  private async clickPlainly(handle: ElementHandle): Promise<void> {
    await handle.click({ timeout: CLICK_MS, noWaitAfter: true }).catch(() => handle.dispatchEvent('click'))
  }

  /** Presses what leads on, and waits longer for the page to answer than after other presses. */
  async pressOn(thing: SceneThing, mostMs = 1500): Promise<boolean> {
    const before = digest(this.scene)
    return (await this.press(thing)) || this.until((scene) => digest(scene) !== before, mostMs)
  }

  async hover(thing: SceneThing): Promise<boolean> {
    this.count()
    const before = digest(this.scene)
    await (await this.handle(thing)).hover({ timeout: CLICK_MS, force: true }).catch(() => {})
    await this.settle()
    return digest(this.scene) !== before
  }

  async key(combo: string): Promise<boolean> {
    this.count()
    const before = digest(this.scene)
    const news = this.news.length
    await this.page.keyboard.press(combo)
    await this.settle()
    return digest(this.scene) !== before || this.news.length > news
  }

  /** Types a text in place of what stands in a field; true when it stands there afterwards. */
  async type(thing: SceneThing, text: string): Promise<boolean> {
    this.count()
    const handle = await this.handle(thing)
    await this.emptied(thing, handle)
    if (text.length > 200) await handle.fill(text, { timeout: CLICK_MS })
    else await this.page.keyboard.type(text)
    await this.settle(30, 500)
    const now = this.again(thing)
    if (now === undefined || holds(now, text)) return now !== undefined
    await handle.fill(text, { timeout: CLICK_MS }).catch(() => {})
    await this.settle(30, 500)
    return holds(this.again(thing), text)
  }

  private async emptied(thing: SceneThing, handle: ElementHandle): Promise<void> {
    await handle.click({ timeout: CLICK_MS, noWaitAfter: true }).catch(async () => {
      if (!(await this.clearWay())) await handle.focus()
      else await handle.click({ timeout: CLICK_MS, noWaitAfter: true })
    })
    await handle.focus()
    if (thing.value || thing.type === 'editable') await handle.fill('', { timeout: CLICK_MS }).catch(() => {})
  }

  /** Sets a field in one go, as scripts of date and range fields expect it. */
  async fill(thing: SceneThing, text: string): Promise<boolean> {
    this.count()
    await (await this.handle(thing)).fill(text, { timeout: CLICK_MS }).catch(() => {})
    await this.settle(30, 500)
    return holds(this.again(thing), text)
  }

  async select(thing: SceneThing, texts: readonly string[]): Promise<boolean> {
    this.count()
    const handle = await this.handle(thing)
    await handle
      .selectOption(
        texts.map((label) => ({ label })),
        { timeout: CLICK_MS },
      )
      .catch(() => [])
    await this.settle(30, 600)
    const now = this.again(thing)
    // A page that redraws itself at once has taken the choice.
    if (!now) return true
    return texts.every((text) => now.options?.some(([label, on]) => label === text && on))
  }

  async check(thing: SceneThing, on: boolean): Promise<boolean> {
    if (stateOf(thing) === on) return true
    this.count()
    const handle = await this.handle(thing)
    await handle.click({ timeout: 700, noWaitAfter: true }).catch(() => this.clickLabel(thing, handle))
    await this.settle(30, 600)
    const now = this.again(thing)
    return now === undefined || stateOf(now) === undefined || stateOf(now) === on
  }

  private async clickLabel(thing: SceneThing, handle: ElementHandle): Promise<void> {
    const label = above(this.scene, thing).find(({ tag }) => tag === 'label')
    if (label && isShown(label))
      await (await this.handle(label))
        .click({ timeout: 700, noWaitAfter: true })
        .catch(() => handle.dispatchEvent('click'))
    else await handle.dispatchEvent('click')
  }

  /** Drags with the mouse from one place to another, in steps as a hand would. */
  async drag(from: { x: number; y: number }, to: { x: number; y: number }): Promise<boolean> {
    this.count()
    const before = digest(this.scene)
    const { mouse } = this.page
    await mouse.move(from.x, from.y)
    await mouse.down()
    await mouse.move((from.x * 3 + to.x) / 4, (from.y * 3 + to.y) / 4, { steps: 4 })
    await mouse.move(to.x, to.y, { steps: 8 })
    await mouse.move(to.x, to.y)
    await mouse.up()
    await this.settle()
    return digest(this.scene) !== before
  }

  /** The middle of a thing in the window, scrolled into view. */
  async middle(thing: SceneThing): Promise<{ x: number; y: number; width: number; height: number }> {
    const handle = await this.handle(thing)
    await handle.scrollIntoViewIfNeeded({ timeout: CLICK_MS }).catch(() => {})
    const box = await handle.boundingBox()
    if (!box) throw new Error(`"${labelOf(thing)}" is not shown`)
    return { x: box.x + box.width / 2, y: box.y + box.height / 2, width: box.width, height: box.height }
  }

  /** Closes what lies over the page and asks for consent or attention; true when something was closed. */
  async clearWay(): Promise<boolean> {
    const scene = await this.look()
    const over = overlayOf(scene)
    if (!over) return false
    const buttons = inside(scene, over).filter(
      (thing) => isShown(thing) && thing.does && thing.does < 3 && !thing.disabled,
    )
    const ways = [
      /^(reject|decline|refuse|deny|no,? thanks|only necessary|necessary)/i,
      /^(close|dismiss|×|x|✕|✖|not now|skip|later|got it|cancel)/i,
      /^(accept|agree|i agree|allow|ok|okay|continue|yes)/i,
    ]
    for (const way of ways) {
      const button = buttons.find(
        (thing) =>
          way.test(labelOf(thing).trim()) || (/close|dismiss/i.test(thing.cls ?? '') && way.source.includes('close')),
      )
      if (!button) continue
      const handle = await this.handle(button)
      await handle.click({ timeout: CLICK_MS, noWaitAfter: true }).catch(() => handle.dispatchEvent('click'))
      await this.settle()
      this.news.push(`closed what lay over the page with "${labelOf(button)}"`)
      return true
    }
    return false
  }
}

/** A page that shows the prompt itself, as exercises do: its words there are no label of anything. */
function withoutPrompt(scene: Scene, prompt: string): Scene {
  const bare = (text: string) => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '')
  const asked = bare(prompt)
  if (asked.length < 8) return scene
  const says = scene.things
    .filter((thing) => bare(wordsIn(scene, thing, prompt.length + 200)) === asked && !thing.does)
    .at(-1)
  if (says) for (const one of [says, ...inside(scene, says)]) delete one.text
  for (const thing of scene.things)
    if (thing.beside && bare(thing.beside).startsWith(asked.slice(0, 60))) delete thing.beside
  return scene
}

/** The dialog or banner that covers the page. */
export function overlayOf(scene: Scene): SceneThing | undefined {
  const [, , width = 1280, height = 800] = scene.view
  const shown = scene.things.filter((thing) => isShown(thing) && thing.box)
  return (
    shown.find((thing) => /^(dialog|alertdialog)$/.test(thing.role ?? '') && thing.modal === true) ??
    shown.find(
      (thing) =>
        thing.fixed &&
        thing.box![2] * thing.box![3] > 0.3 * width * height &&
        inside(scene, thing).some(({ does }) => does),
    ) ??
    shown.find(
      (thing) =>
        (/^(dialog|alertdialog)$/.test(thing.role ?? '') ||
          /\b(popup|modal|overlay)\b/i.test(`${thing.cls} ${thing.dom}`)) &&
        inside(scene, thing).some(({ does }) => does),
    )
  )
}

/** On or off, for things that can be; nothing for others. */
export function stateOf(thing: SceneThing): boolean | undefined {
  for (const state of [thing.checked, thing.pressed, thing.selected]) if (typeof state === 'boolean') return state
  return undefined
}

function holds(thing: SceneThing | undefined, text: string): boolean {
  if (!thing) return false
  const value = (thing.value ?? '').replace(/\r\n?/g, '\n').trim()
  return (
    value === text.trim() ||
    (thing.role === 'slider' && Number(value) === Number(text)) ||
    (thing.type === 'password' && value.length === text.length)
  )
}

export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

// Acts on a page and reads it again after each act. An act returns whether its effect was seen.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Dialog, Download, ElementHandle, Page } from 'playwright-core'
import { hasNavigated, isCovered, wasPressed } from '../fetch/chrome/playwright-errors.ts'
import {
  ancestorsOf,
  type DomSnapshot,
  descendantsOf,
  isDescendantOf,
  isShown,
  labelOfElement,
  type SnapshotElement,
  textOfElement,
} from '../fetch/chrome/snapshot/dom-snapshot.ts'
import type { DomSnapshotReader } from '../fetch/chrome/snapshot/dom-snapshot-reader.ts'
import { serializeVisibleState } from './compare-page-states.ts'
import { checkedStateOf, findOpenDialog } from './page-controls.ts'

interface PageDriverOptions {
  reader: DomSnapshotReader
  /** On the clock of `performance.now()`. */
  ends: number
  maxActs: number
  signal: AbortSignal
  /** When closing an overlay, presses an accept button only on cookie notices. */
  cautious?: boolean
}

/** Time or acts are used up. */
export class OutOfBudgetError extends Error {}

const CLICK_MS = 3000
/** Boxes are often covered by a picture of themselves. */
const CHECK_MS = 1500
/** To set a field, which has no fallback. */
const FILL_MS = 10_000
const SCROLL_MS = 500
const STILL_MS = 60
const MOST_MS = 900
const EFFECT_MS = 2500

export class PageDriver {
  readonly page: Page
  readonly signal: AbortSignal
  snapshot: DomSnapshot = { elements: [], url: '', title: '', view: [], focus: -1, cut: false }
  /** Dialogs, downloads and new tabs since the request began. */
  readonly news: string[] = []
  private readonly reader: DomSnapshotReader
  /** While set, each reading of the page also notes the refs that this CSS selector matches. */
  selector: string | undefined
  matches: ReadonlySet<string> | undefined
  private acts = 0
  private readonly ends: number
  private readonly maxActs: number
  private readonly cautious: boolean

  constructor({ reader, ends, maxActs, signal, cautious = false }: PageDriverOptions) {
    this.cautious = cautious
    this.reader = reader
    this.page = reader.page
    this.signal = signal
    this.ends = ends
    this.maxActs = maxActs
  }

  /** Notes what the browser reports. Its dialogs are accepted: the caller asked for what they ask about. */
  listen(): () => void {
    const { page, news } = this
    const onDialog = (dialog: Dialog) => {
      news.push(`the page showed the dialog "${dialog.message().slice(0, 200)}", which was accepted`)
      dialog.accept().catch(() => {})
    }
    const onDownload = (download: Download) => news.push(`downloaded "${download.suggestedFilename()}"`)
    const onPopup = (popup: Page) => news.push(`a new tab opened (${popup.url()})`)
    page.on('dialog', onDialog)
    page.on('download', onDownload)
    page.on('popup', onPopup)
    return () => {
      page.off('dialog', onDialog)
      page.off('download', onDownload)
      page.off('popup', onPopup)
    }
  }

  async read(): Promise<DomSnapshot> {
    this.signal.throwIfAborted()
    if (performance.now() > this.ends) throw new OutOfBudgetError('the time was up')
    this.snapshot = await this.reader.read(this.signal)
    this.matches = this.selector === undefined ? undefined : await this.reader.match(this.selector)
    return this.snapshot
  }

  timeLeft = (): number => this.ends - performance.now()

  /** For calls of the browser library, where 0 would mean no limit. */
  within = (limitMs: number): number => Math.max(1, Math.min(limitMs, this.timeLeft()))

  private count(): void {
    if (++this.acts > this.maxActs) throw new OutOfBudgetError(`the limit of ${this.maxActs} acts was reached`)
  }

  async waitForIdle(stillMs = STILL_MS, mostMs = MOST_MS): Promise<DomSnapshot> {
    await this.reader.quiet(stillMs, mostMs, this.signal)
    return this.read()
  }

  async until(isSo: (snapshot: DomSnapshot) => boolean, mostMs: number): Promise<boolean> {
    const ends = performance.now() + Math.min(mostMs, Math.max(0, this.timeLeft()))
    for (;;) {
      if (isSo(await this.read())) return true
      if (performance.now() >= ends) return false
      await sleep(60)
    }
  }

  again = (element: SnapshotElement): SnapshotElement | undefined =>
    this.snapshot.elements.find(({ ref }) => ref === element.ref)

  async handle(element: SnapshotElement): Promise<ElementHandle> {
    const handle = await this.reader.find(element.ref)
    if (!handle) throw new Error(`"${labelOfElement(element)}" has left the page`)
    return handle
  }

  /** True when something changed, at once or within a moment. */
  private async act(work: () => Promise<void>): Promise<boolean> {
    this.count()
    const before = serializeVisibleState(this.snapshot)
    const news = this.news.length
    await work()
    await this.waitForIdle()
    const isChanged = (snapshot: DomSnapshot) => serializeVisibleState(snapshot) !== before || this.news.length > news
    return isChanged(this.snapshot) || this.until(isChanged, EFFECT_MS)
  }

  press = (element: SnapshotElement): Promise<boolean> => this.act(() => this.click(element))

  private async click(element: SnapshotElement): Promise<void> {
    const handle = await this.handle(element)
    await this.uncover(handle, element)
    try {
      await handle.click({ timeout: this.within(CLICK_MS), noWaitAfter: true })
    } catch (error) {
      this.signal.throwIfAborted()
      if (wasPressed(error)) return
      if (isCovered(error) && (await this.closeOverlay(element)))
        return void (await handle.click({ timeout: this.within(CLICK_MS), noWaitAfter: true }))
      if (!hasNavigated(error)) await clickByScript(handle)
    }
  }

  /**
   * Closes what covers the element, sooner than a press would give up. Playwright's trial click would tell it too, but
   * sends real mouse events, which a recording takes for a press.
   */
  private async uncover(handle: ElementHandle, element: SnapshotElement): Promise<void> {
    const over = findOverlay(this.snapshot, this.again(element))
    const cover = over && (await this.handle(over).catch(() => undefined))
    if (!cover) return
    await handle.scrollIntoViewIfNeeded({ timeout: SCROLL_MS }).catch(() => {})
    // Across frames the two cannot be compared: then the press itself finds out.
    const isCovered = await handle
      .evaluate((one, over) => {
        const { x, y, width, height } = (one as unknown as BoxInPage).getBoundingClientRect()
        const root = (one as unknown as BoxInPage).getRootNode()
        return (over as unknown as BoxInPage).contains(root.elementFromPoint(x + width / 2, y + height / 2))
      }, cover)
      .catch(() => false)
    if (isCovered) await this.closeOverlay(element)
  }

  hover = (element: SnapshotElement): Promise<boolean> =>
    this.act(async () =>
      (await this.handle(element)).hover({ timeout: this.within(CLICK_MS), force: true }).catch(() => {}),
    )

  key = (combination: string): Promise<boolean> => this.act(() => this.page.keyboard.press(combination))

  /** Replaces the text of a field by typing; true when the field has the new text afterwards. */
  async type(element: SnapshotElement, text: string): Promise<boolean> {
    this.count()
    const handle = await this.handle(element)
    await this.click(element)
    await handle.focus()
    if (element.value || element.type === 'editable')
      await handle.fill('', { timeout: this.within(CLICK_MS) }).catch(() => {})
    if (text.length > 200) await handle.fill(text, { timeout: this.within(FILL_MS) })
    else await this.page.keyboard.type(text)
    await this.waitForIdle(30, 500)
    return holds(this.again(element), text) || this.fill(element, text)
  }

  /** Sets a field in one go, as date and range fields expect it. */
  async fill(element: SnapshotElement, text: string): Promise<boolean> {
    this.count()
    await (await this.handle(element)).fill(text, { timeout: this.within(FILL_MS) }).catch(() => {})
    await this.waitForIdle(30, 500)
    return holds(this.again(element), text)
  }

  async select(element: SnapshotElement, label: string): Promise<boolean> {
    this.count()
    const handle = await this.handle(element)
    await handle.selectOption([{ label }], { timeout: this.within(FILL_MS) }).catch(() => [])
    await this.waitForIdle(30, 600)
    const isChosen = ({ options }: SnapshotElement) => options?.some(([text, on]) => text === label && on) ?? false
    const now = this.again(element)
    // A choice may load the page anew.
    return now ? isChosen(now) : this.snapshot.elements.some((one) => one.name === element.name && isChosen(one))
  }

  async check(element: SnapshotElement, on: boolean): Promise<boolean> {
    if (checkedStateOf(element) === on) return true
    this.count()
    const handle = await this.handle(element)
    const label = ancestorsOf(this.snapshot, element).find(({ tag }) => tag === 'label')
    await handle.click({ timeout: this.within(CHECK_MS), noWaitAfter: true }).catch(async (error: unknown) => {
      if (wasPressed(error)) return
      if (isCovered(error) && !label && (await this.closeOverlay(element))) return this.click(element)
      return label && isShown(label) ? this.click(label) : clickByScript(handle)
    })
    await this.waitForIdle(30, 600)
    const now = this.again(element) ?? this.redrawn(element)
    return now !== undefined && checkedStateOf(now) === on
  }

  /** The only element of its role and name, when the page has put another in its place. */
  private redrawn({ role, name }: SnapshotElement): SnapshotElement | undefined {
    const found = this.snapshot.elements.filter((one) => isShown(one) && one.role === role && one.name === name)
    return found.length === 1 ? found[0] : undefined
  }

  /** Drags with the mouse in steps, as a hand would. */
  drag = (from: Point, to: Point): Promise<boolean> =>
    this.act(async () => {
      const { mouse } = this.page
      await mouse.move(from.x, from.y)
      await mouse.down()
      await mouse.move((from.x * 3 + to.x) / 4, (from.y * 3 + to.y) / 4, { steps: 4 })
      await mouse.move(to.x, to.y, { steps: 8 })
      await mouse.move(to.x, to.y)
      await mouse.up()
    })

  async middle(element: SnapshotElement): Promise<Point & { height: number }> {
    const handle = await this.handle(element)
    await handle.scrollIntoViewIfNeeded({ timeout: this.within(CLICK_MS) }).catch(() => {})
    const box = await handle.boundingBox()
    if (!box) throw new Error(`"${labelOfElement(element)}" is not shown`)
    return { x: box.x + box.width / 2, y: box.y + box.height / 2, height: box.height }
  }

  /** Closes a notice that covers the page, refusing where that is possible; never the one that `inner` is in. */
  async closeOverlay(inner?: SnapshotElement): Promise<boolean> {
    const snapshot = await this.read()
    const over = findOverlay(snapshot, inner && this.again(inner))
    if (!over) return false
    const buttons = descendantsOf(snapshot, over).filter(
      (one) => isShown(one) && one.does && one.does < 3 && !one.disabled,
    )
    const mayAccept = !this.cautious || CONSENT_TEXT.test(textOfElement(snapshot, over))
    const button = [REFUSE_COOKIES_LABEL, CLOSE_BUTTON_LABEL, ...(mayAccept ? [ACCEPT_COOKIES_LABEL] : [])].flatMap(
      (way) => buttons.find((one) => way.test(labelOfElement(one).trim())) ?? [],
    )[0]
    if (!button) return false
    this.count()
    const handle = await this.handle(button)
    await handle.click({ timeout: this.within(CLICK_MS), noWaitAfter: true }).catch((error: unknown) => {
      if (!wasPressed(error)) return clickByScript(handle)
    })
    await this.waitForIdle()
    this.news.push(`closed an overlay of the page with "${labelOfElement(button)}"`)
    return true
  }
}

/**
 * For boxes that a style replaces by a picture, which cannot be hit themselves. A click that leads away ends with the page
 * it was made on: it has worked.
 */
async function clickByScript(handle: ElementHandle): Promise<void> {
  await handle.dispatchEvent('click').catch((error: unknown) => {
    if (!hasNavigated(error)) throw error
  })
}

type Point = { x: number; y: number }

interface BoxInPage {
  getBoundingClientRect(): { x: number; y: number; width: number; height: number }
  getRootNode(): { elementFromPoint(x: number, y: number): unknown }
  contains(other: unknown): boolean
}

const REFUSE_COOKIES_LABEL =
  /^(reject|decline|refuse|deny|disagree|no\b|(use )?(only )?(strictly )?(necessary|essential)|continue without)/i
const CLOSE_BUTTON_LABEL = /^(close|dismiss|×|x|✕|✖|not now|skip|later|maybe later|got it)\b|^[×✕✖]$/i
const ACCEPT_COOKIES_LABEL = /^(accept|agree|i agree|i accept|allow|ok|okay|yes|got it)/i

const CONSENT_TEXT = /\b(cookies?|consent|privacy|tracking)\b/i

/** `inner`: overlays that contain this element are skipped. */
function findOverlay(snapshot: DomSnapshot, inner?: SnapshotElement): SnapshotElement | undefined {
  const [, , width = 1280, height = 800] = snapshot.view
  const dialog = findOpenDialog(snapshot, inner)
  const isActive = (element: SnapshotElement) => descendantsOf(snapshot, element).some(({ does }) => does)
  return (
    (dialog && isActive(dialog) ? dialog : undefined) ??
    snapshot.elements.find(
      (one) =>
        isShown(one) &&
        one.fixed &&
        one.box![2] * one.box![3] > 0.08 * width * height &&
        isActive(one) &&
        !(inner && isDescendantOf(snapshot, inner, one)),
    )
  )
}

function holds(element: SnapshotElement | undefined, text: string): boolean {
  if (!element) return false
  const value = (element.value ?? '').replace(/\r\n?/g, '\n').trim()
  const isSame = value === text.trim() || (element.role === 'slider' && Number(value) === Number(text))
  return isSame || (element.type === 'password' && value.length === text.length)
}

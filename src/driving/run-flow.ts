// Does the steps of a flow on a page, each once its element is there. A step whose element is not found, or found more
// than once, ends the run: nothing is pressed on a guess.
import { setTimeout as sleep } from 'node:timers/promises'
import type { BrowserContext, Dialog, Download, Page } from 'playwright-core'
import type { FlowDownload, FlowRun, FlowRunStep, ScreenshotOrPdf } from '../base/browser-action-types.ts'
import { Problem } from '../base/problem.ts'
import { fetchUrlInPage } from '../fetch/chrome/collect-page-downloads.ts'
import type { SignInGuard } from '../fetch/chrome/sign-in-guard.ts'
import { isShown, labelOfElement, type SnapshotElement, textOfElement } from '../fetch/chrome/snapshot/dom-snapshot.ts'
import { getDomSnapshotReader } from '../fetch/chrome/snapshot/dom-snapshot-reader.ts'
import { comparePage, describePage, type ExpectedPage } from './expected-page.ts'
import {
  type ElementDescriptor,
  type Flow,
  type FlowStep,
  fillParameters,
  formatElementDescriptor,
  makeElementDescriptor,
  roleOfElement,
} from './flow-steps-and-element-descriptors.ts'
import { findValueBesideLabel, locateElement } from './locate-element.ts'
import { maskValues } from './mask-values.ts'
import { goBackOrForwardInHistory } from './navigate.ts'
import { PageDriver } from './page-driver.ts'
import { revealElement, scrollUntil } from './reveal-hidden.ts'
import { maskField, signIn, type VaultAccess } from './sign-in.ts'

interface FlowRunOptions extends VaultAccess {
  /** On the clock of `performance.now()`. */
  ends: number
  guard: SignInGuard
}

const FIND_MS = 8000
const EXPECT_MS = 3000
const WAIT_MS = 30_000
const MAX_ACTS = 2000
const MAX_EXTRACTED = 1000
const MAX_TEXT = 20_000
/** A step goes on without its picture. */
const PICTURE_MS = 5000
const PICTURE = { type: 'jpeg', quality: 50 } as const
const SCREENSHOT_MS = 20_000
const POPUP_MS = 10_000

export async function runFlow(
  page: Page,
  { name, version, flow }: { name: string; version: number; flow: Flow },
  values: Readonly<Record<string, string>>,
  options: FlowRunOptions,
  signal: AbortSignal,
): Promise<FlowRun> {
  const run = new FlowRunner(page, flow, values, options, signal)
  return run.all(name, version)
}

/** A step could not be done. */
class StepFailure extends Error {
  readonly candidates: readonly SnapshotElement[] | undefined
  constructor(message: string, candidates?: readonly SnapshotElement[]) {
    super(message)
    this.candidates = candidates
  }
}

class FlowRunner {
  private readonly driver: PageDriver
  private readonly page: Page
  private readonly context: BrowserContext
  private readonly steps: FlowRunStep[] = []
  private readonly data: Record<string, string | string[]> = {}
  private readonly downloads: FlowDownload[] = []
  private readonly screenshots: ScreenshotOrPdf[] = []
  private readonly renewed: FlowStep[] = []
  private readonly secrets = new Set<string>()
  private readonly arrived: Download[] = []
  private readonly popups: Page[] = []
  /** The recorded answer to the next question of the page. */
  private reply: { accept: boolean; text: string | undefined } = { accept: false, text: undefined }
  private healed = false
  private warning: string | undefined
  private readonly flow: Flow
  private readonly values: Readonly<Record<string, string>>
  private readonly options: FlowRunOptions
  private readonly signal: AbortSignal

  constructor(
    page: Page,
    flow: Flow,
    values: Readonly<Record<string, string>>,
    options: FlowRunOptions,
    signal: AbortSignal,
  ) {
    this.flow = flow
    this.values = values
    this.options = options
    this.signal = signal
    this.page = page
    this.context = page.context()
    this.driver = new PageDriver({
      reader: getDomSnapshotReader(page),
      ends: options.ends,
      maxActs: MAX_ACTS,
      signal,
      cautious: true,
    })
    for (const [name, { secret }] of Object.entries(flow.parameters)) {
      const value = values[name]
      if (secret && value) this.secrets.add(value)
    }
    options.guard.masker.add([...this.secrets])
  }

  async all(name: string, version: number): Promise<FlowRun> {
    const onDialog = (dialog: Dialog) => void this.answer(dialog).catch(() => {})
    const onDownload = (download: Download) => void this.arrived.push(download)
    const onPopup = (other: Page) => void (other !== this.page && this.popups.push(other))
    this.page.on('dialog', onDialog)
    this.page.on('download', onDownload)
    this.context.on('page', onPopup)
    try {
      for (const [at, step] of this.flow.steps.entries()) await this.one(step, at)
    } finally {
      this.page.off('dialog', onDialog)
      this.page.off('download', onDownload)
      this.context.off('page', onPopup)
    }
    return {
      name,
      version,
      steps: this.steps,
      data: this.data,
      downloads: this.downloads,
      screenshots: this.screenshots,
      ...(this.healed ? { healed: this.renewed } : {}),
      ...(this.warning ? { warning: this.warning } : {}),
    }
  }

  private async one(step: FlowStep, at: number): Promise<void> {
    const started = performance.now()
    const news = this.driver.news.length
    const ms = () => Math.round(performance.now() - started)
    try {
      this.driver.selector = undefined
      const healed = await this.perform(fillParameters(step, this.values), step, at)
      await this.follow()
      const note = this.driver.news.slice(news).join('; ')
      const picture = await this.picture()
      this.healed ||= healed
      this.steps.push({ type: step.type, ok: true, healed, ms: ms(), ...(note ? { note } : {}), picture })
    } catch (error) {
      this.signal.throwIfAborted()
      if (error instanceof Problem || this.page.isClosed()) throw error
      await this.fail(step, at, error as Error)
    }
  }

  private async fail(step: FlowStep, at: number, error: Error): Promise<never> {
    const isMissing = error instanceof StepFailure && error.candidates !== undefined
    const candidates = error instanceof StepFailure ? (error.candidates ?? []) : []
    const picture = await this.picture()
    throw new Problem(isMissing ? 'flow_step_not_found' : 'flow_step_failed', {
      because: `step ${at + 1} (${step.type}): ${this.hidden(error.message.split('\n', 1)[0] ?? '')}`,
      details: {
        step: at + 1,
        type: step.type,
        ...('target' in step && step.target ? { target: step.target } : {}),
        url: this.hidden(this.page.url()),
        candidates: candidates.map((one) => `${roleOfElement(one)} "${this.hidden(labelOfElement(one).slice(0, 80))}"`),
        done: this.steps.map(({ type, healed }) => ({ type, healed })),
        ...(picture ? { picture: `data:image/jpeg;base64,${Buffer.from(picture.bytes).toString('base64')}` } : {}),
      },
      cause: error,
    })
  }

  private hidden = (text: string): string => this.options.guard.masker.text(text)

  private async picture(): Promise<ScreenshotOrPdf | undefined> {
    const bytes = await this.page
      .screenshot({ ...PICTURE, timeout: this.driver.within(PICTURE_MS) })
      .catch(() => undefined)
    return bytes && { bytes, contentType: 'image/jpeg' }
  }

  private async screenshot(fullPage: boolean): Promise<ScreenshotOrPdf> {
    const bytes = await this.page.screenshot({ fullPage, timeout: this.driver.within(SCREENSHOT_MS) })
    return { bytes, contentType: 'image/png' }
  }

  /** Questions get the recorded answer; one that was not recorded is dismissed. */
  private async answer(dialog: Dialog): Promise<void> {
    const accept = this.reply.accept || dialog.type() === 'alert' || dialog.type() === 'beforeunload'
    this.driver.news.push(
      `the page showed the dialog "${dialog.message().slice(0, 200)}", which was ${accept ? 'accepted' : 'dismissed'}`,
    )
    await (accept ? dialog.accept(this.reply.text) : dialog.dismiss())
  }

  /** A page that opened in a new tab is read in this one. */
  private async follow(): Promise<void> {
    for (const popup of this.popups.splice(0)) {
      await popup.waitForURL(/^https?:/, { waitUntil: 'commit', timeout: this.driver.within(POPUP_MS) }).catch(() => {})
      const url = popup.url()
      await popup.close().catch(() => {})
      if (/^https?:/.test(url)) await this.open(url)
    }
  }

  private async open(url: string): Promise<void> {
    if (!/^https?:\/\//.test(url)) throw new StepFailure(`"${url.slice(0, 200)}" is no http or https address`)
    await this.page.goto(url, { waitUntil: 'domcontentloaded', timeout: this.driver.within(this.driver.timeLeft()) })
    await this.driver.waitForIdle()
  }

  /** True when the element was found by another of its names. */
  private async perform(step: FlowStep, original: FlowStep, at: number): Promise<boolean> {
    this.renewed[at] = original
    switch (step.type) {
      case 'open':
        // The visit has opened the first page already.
        if (at > 0 || this.page.url() !== new URL(step.url, 'http://none').href) await this.open(step.url)
        return false
      case 'back':
      case 'forward': {
        const { ok } = await goBackOrForwardInHistory(this.driver, step.type === 'back' ? 'goBack' : 'goForward')
        if (!ok) throw new StepFailure(`there is no page to go ${step.type} to`)
        return false
      }
      case 'expect':
        await this.expect(step)
        return false
      case 'press':
        if (step.target) await (await this.driver.handle((await this.find(step.target)).element)).focus()
        await this.driver.key(step.key)
        return false
      case 'scroll':
        await this.scroll(step.to, step.target)
        return false
      case 'waitFor':
        await this.waitFor(step)
        return false
      case 'extract':
        this.data[step.as] = await this.extract(step)
        return false
      case 'screenshot':
        this.screenshots.push(await this.screenshot(step.fullPage ?? false))
        return false
      case 'login':
        await this.login(step.vault)
        return false
      default:
        return this.act(step, original, at)
    }
  }

  private async act(
    step: Extract<FlowStep, { type: 'click' | 'type' | 'choose' | 'check' | 'upload' | 'download' }>,
    original: FlowStep,
    at: number,
  ): Promise<boolean> {
    const { driver } = this
    const found = await this.find(step.target)
    const { element, healed } = found
    if (healed) this.renewed[at] = { ...original, target: makeElementDescriptor(driver.snapshot, element) } as FlowStep
    const makeUnseenFailure = (what: string) => new StepFailure(`${what} ${formatElementDescriptor(step.target)}`)
    if (step.type === 'click') {
      this.reply = { accept: step.dialog === 'accept', text: step.answer }
      if (!(await driver.press(element))) driver.news.push('nothing changed on the page')
      this.reply = { accept: false, text: undefined }
    } else if (step.type === 'type') {
      const isSecret = this.secrets.has(step.value)
      if (isSecret) {
        await maskField(await driver.handle(element))
        await maskValues(this.context, new URL(this.page.url()).hostname, [step.value])
      }
      const isSet = /^(date|time|month|week|datetime-local|range|color|number)$/.test(element.type ?? '')
      if (!(await (isSet ? driver.fill(element, step.value) : driver.type(element, step.value))))
        throw makeUnseenFailure('the value does not stand in')
    } else if (step.type === 'choose') {
      const wanted = step.value.trim().toLowerCase()
      const option = element.options?.find(([text]) => text.trim().toLowerCase() === wanted)
      const named = formatElementDescriptor(step.target)
      if (!option) throw new StepFailure(`"${step.value.slice(0, 80)}" is not offered by ${named}`, [])
      if (!(await driver.select(element, option[0]))) throw makeUnseenFailure('the choice is not applied to')
    } else if (step.type === 'check') {
      if (!(await driver.check(element, step.on)))
        throw makeUnseenFailure(`${step.on ? 'on' : 'off'} is not applied to`)
    } else if (step.type === 'upload') await this.upload(element, step.file)
    else await this.download(element)
    return healed
  }

  private locate(target: ElementDescriptor) {
    const { snapshot, matches = new Set() } = this.driver
    return locateElement(snapshot, target, cssOf(target) === undefined ? undefined : matches)
  }

  /** Waits until the page has the element, opens what it is folded in, and scrolls for what loads late. */
  private async find(target: ElementDescriptor): Promise<{ element: SnapshotElement; healed: boolean }> {
    const { driver } = this
    const locate = () => this.locate(target)
    const isThere = () => locate().element !== undefined
    driver.selector = cssOf(target)
    if (!(await driver.until(isThere, FIND_MS)) && (await driver.closeOverlay())) await driver.until(isThere, 1000)
    if (!isThere()) await scrollUntil(driver, isThere)
    let { element, healed, candidates } = locate()
    // A page that is still being built may show the old element for a moment longer under its first name.
    if (element && healed) {
      await driver.waitForIdle()
      ;({ element, healed, candidates } = locate())
    }
    if (!element) {
      const count =
        candidates.length > 1 &&
        (driver.selector || candidates.every((one) => labelOfElement(one) === labelOfElement(candidates[0]!)))
      throw new StepFailure(
        `${count ? 'several elements match' : 'no element matches'} ${formatElementDescriptor(target)}`,
        candidates,
      )
    }
    const isNative = element.tag === 'input' && element.hidden !== 2
    if (!isShown(element) && !isNative && !(await revealElement(driver, element)))
      throw new StepFailure(`${formatElementDescriptor(target)} is not shown`, candidates)
    return { element: driver.again(element) ?? element, healed }
  }

  private async scroll(to: 'top' | 'bottom' | undefined, target: ElementDescriptor | undefined): Promise<void> {
    if (target) {
      const { element } = await this.find(target)
      await (await this.driver.handle(element)).scrollIntoViewIfNeeded({ timeout: FIND_MS })
    } else await this.page.evaluate(`scrollTo(0, ${to === 'top' ? 0 : 'document.documentElement.scrollHeight'})`)
    await this.driver.waitForIdle()
  }

  private async waitFor({ target, text, gone = false }: Extract<FlowStep, { type: 'waitFor' }>): Promise<void> {
    const { driver } = this
    const isThere = () =>
      target
        ? isLocated(this.locate(target))
        : driver.snapshot.elements.some((one) => isShown(one) && (one.text ?? one.name ?? '').includes(text ?? ''))
    driver.selector = target && cssOf(target)
    // Rows of a list are waited for with one selector.
    const isLocated = ({ element, candidates }: ReturnType<typeof locateElement>) =>
      element !== undefined || (driver.selector !== undefined && candidates.length > 0)
    if (await driver.until(() => isThere() !== gone, WAIT_MS)) return
    const what = target ? formatElementDescriptor(target) : `the text "${text}"`
    throw new StepFailure(`${what} ${gone ? 'is still there' : 'did not appear'}`, gone ? undefined : [])
  }

  /** Another page is one of another path and heading; values that differ from the recorded ones may lead there. */
  private async expect(page: ExpectedPage): Promise<void> {
    const { driver } = this
    const others = Object.entries(this.flow.parameters).filter(
      ([name, one]) => !one.secret && one.default !== this.values[name],
    )
    const changed = others.map(([name, one]) => [one.default ?? '', this.values[name] ?? ''] as const)
    const compare = () => comparePage(page, driver.snapshot, changed)
    if (await driver.until(() => compare().isSamePath, EXPECT_MS)) return
    const formatExpectedPage = ({ path, heading }: ExpectedPage) => `${path}${heading ? ` "${heading}"` : ''}`
    const ended = `the run ended on ${formatExpectedPage(describePage(driver.snapshot))}, the recording on ${formatExpectedPage(page)}`
    if (!compare().isSameHeading && others.length === 0) throw new StepFailure(ended)
    this.warning = this.hidden(ended)
  }

  private async extract(step: Extract<FlowStep, { type: 'extract' }>): Promise<string | string[]> {
    const { target, all = false, attribute } = step
    const findElements = () => findExtracted(this.driver, target)
    const bySelector = () => (target.selector ? this.page.locator(target.selector) : undefined)
    const isThere = async () =>
      findElements().length > 0 ||
      ((await bySelector()
        ?.count()
        .catch(() => 0)) ?? 0) > 0
    for (const ends = performance.now() + FIND_MS; ; await sleep(100)) {
      await this.driver.read()
      if (await isThere()) break
      if (performance.now() > ends) throw new StepFailure(`no element matches ${formatElementDescriptor(target)}`, [])
    }
    const elements = findElements()
    const texts: string[] = []
    for (const one of elements.slice(0, MAX_EXTRACTED)) {
      const text = attribute
        ? await (await this.driver.handle(one)).getAttribute(attribute)
        : (one.value ?? textOfElement(this.driver.snapshot, one, MAX_TEXT)) || labelOfElement(one)
      texts.push(this.hidden((text ?? '').trim()))
    }
    if (elements.length === 0)
      for (const one of (await bySelector()!.all()).slice(0, all ? MAX_EXTRACTED : 2))
        texts.push(this.hidden((attribute ? await one.getAttribute(attribute) : await one.innerText())?.trim() ?? ''))
    if (!all && texts.length > 1)
      throw new StepFailure(`several elements match ${formatElementDescriptor(target)}`, elements.slice(0, 3))
    return all ? texts : (texts[0] ?? '')
  }

  private async upload(element: SnapshotElement, file: string): Promise<void> {
    const parts = /^data:([\w.+/-]*)((?:;[\w-]+=[^;,]*)*)(;base64)?,(.*)$/s.exec(file)
    if (!parts)
      throw new StepFailure('the file of an upload must be a data URL, such as data:text/csv;name=a.csv;base64,…')
    const [, type = '', facts = '', base64, body = ''] = parts
    const name = decodeURIComponent(/;name=([^;]*)/.exec(facts)?.[1] ?? 'file')
    const buffer = base64 ? Buffer.from(body, 'base64') : Buffer.from(decodeURIComponent(body))
    const handle = await this.driver.handle(element)
    await handle.setInputFiles({ name, mimeType: type || 'application/octet-stream', buffer })
    await this.driver.waitForIdle()
  }

  private async download(element: SnapshotElement): Promise<void> {
    const before = this.arrived.length
    await this.driver.press(element)
    const ends = performance.now() + Math.min(WAIT_MS, this.driver.timeLeft())
    while (this.arrived.length === before && performance.now() < ends) await sleep(50)
    const download = this.arrived[before]
    if (!download) throw new StepFailure('nothing was downloaded')
    // The browser may not write files; the page fetches it again, with its cookies.
    const { bytes } = await fetchUrlInPage(this.page, download.url()).catch((error: Error) => {
      throw new StepFailure(`the download could not be fetched: ${error.message.split('\n', 1)[0]}`)
    })
    this.downloads.push({ name: download.suggestedFilename(), bytes })
  }

  private async login(name: string): Promise<void> {
    const entry = await this.options.vault(name)
    if (typeof entry === 'string') throw new StepFailure(entry)
    const why = await signIn(this.driver, entry, this.options)
    if (why) throw new StepFailure(why)
  }
}

/** The selector of a target that has no other name; names of an element last longer than its place in the document. */
const cssOf = ({ name, label, selector }: ElementDescriptor): string | undefined =>
  name || label ? undefined : selector

/** A value has no lasting name of its own: its label comes first. */
function findExtracted(driver: PageDriver, target: ElementDescriptor): SnapshotElement[] {
  const beside = target.label ? findValueBesideLabel(driver.snapshot, target.label) : []
  if (beside.length > 0) return beside
  if (!target.role && !target.name) return []
  const { element } = locateElement(driver.snapshot, { ...target, selector: undefined })
  return element ? [element] : []
}

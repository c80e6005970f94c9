// The live view: one screencast of the front page, shared by all viewers, and the input of one driver.
import { setTimeout as sleep } from 'node:timers/promises'
import type { CdpSession } from '../cdp-pipe.ts'
import type { LiveContext } from '../live-contexts.ts'
import { evaluateInPage } from '../tab-interface.ts'
import type { SessionPages } from './session-pages.ts'
import { countHumanViewers, type LiveViewer, openViewers, type ViewerRole, type ViewFacts } from './viewers.ts'

interface ViewerConnection {
  shown(): void
  input(event: Record<string, unknown>): void
  leave(): void
}

export interface LiveView {
  addViewer(watcher: LiveViewer, role: ViewerRole): ViewerConnection
  isDriven(): boolean
  /** Shows a message to all viewers until it is null. */
  notice(text: string | null): void
  close(): void
}

const CAST = { format: 'jpeg' as const, quality: 60, maxWidth: 1280, maxHeight: 1280, everyNthFrame: 1 }

const TITLE_MS = 600
const CAST_RETRY_MS = 100
const MAX_CAST_RETRY_MS = 1600
/** An unanswered dialog would block the page. */
const DIALOG_MS = 30_000

interface ViewParts {
  context: LiveContext
  control: SessionPages
  touch(): void
  programs(): number
  /** Writes dots for values of the vault. */
  mask<T>(value: T): T
  /** Records the element at this place of a page as pointed at. */
  point(targetId: string, x: number, y: number): Promise<void>
}

export function openLiveView({ context, control, touch, programs, mask, point }: ViewParts): LiveView {
  const audience = openViewers()
  const { guests } = audience
  let current: string | undefined
  let session: Promise<Cast | undefined> | undefined
  // Sequential: two concurrent changes of the front page would leave a screencast running.
  const inTurn = oneByOne()
  let starting = 0
  let size = { width: 1280, height: 800 }
  let dialog: ViewFacts['dialog'] = null
  let notice: ViewFacts['notice'] = null
  const titles = openTitles(context, () => report())

  const report = () => {
    const people = { ...countHumanViewers(audience), programs: programs() }
    const viewFacts: ViewFacts = mask({ ...placeOf(context, titles, current), ...people, dialog, notice, ...size })
    for (const { watcher } of guests) watcher.facts(viewFacts)
  }
  const onMessage: CastListener = {
    picture(picture, next, goOn) {
      titles.ask(current)
      const isOther = next.width !== size.width || next.height !== size.height
      size = next
      if (isOther) report()
      audience.show(picture, goOn)
    },
    dialog(asked) {
      dialog = asked
      report()
    },
  }
  const stop = async () => {
    const old = await session?.catch(() => undefined)
    session = undefined
    dialog = null
    audience.forget()
    await old?.end()
  }
  const show = (targetId: string | undefined) => {
    starting += 1
    return inTurn(async () => {
      await stop()
      current = targetId ?? control.pages()[0]
      if (current === undefined || guests.size === 0) return
      session = castOnceReady(context, current, onMessage, () => starting > 1)
      report()
      await session
    }).finally(() => {
      starting -= 1
    })
  }
  const stopIfAlone = () => inTurn(async () => (guests.size === 0 ? stop() : undefined))
  const stopListening = context.onTarget(({ what, target }) => {
    if (target.type !== 'page' || guests.size === 0) return
    if (what !== 'created') titles.forget(target.targetId)
    if (what === 'destroyed' && target.targetId === current) void show(undefined)
    else if (what === 'created') void show(target.targetId)
    else report()
  })
  const pass = openInput(mask)
  const act = async (event: Record<string, unknown>, watcher: LiveViewer) => {
    if (typeof event.tab === 'string' && context.targets.has(event.tab)) return show(event.tab)
    if (event.type === 'point' && current !== undefined)
      return point(current, number(event.x) * size.width, number(event.y) * size.height)
    const { talk } = (await session) ?? {}
    if (talk) await pass(talk, event, { size, watcher })
  }
  return {
    notice(text) {
      notice = text
      report()
    },
    isDriven: () => [...guests].some(({ role }) => role === 'drive'),
    addViewer(watcher, role) {
      const guest = audience.add(watcher, role)
      if (audience.catchUp(guest) || starting > 0) report()
      else void show(current)
      return {
        shown: () => audience.ready(guest),
        input(event) {
          if (role !== 'drive') return
          touch()
          void act(event, watcher).catch(() => {})
        },
        leave() {
          audience.remove(guest)
          if (guests.size === 0) void stopIfAlone()
          else report()
        },
      }
    },
    close() {
      stopListening()
      for (const { watcher } of guests) watcher.ended?.()
      audience.clear()
      void stopIfAlone()
    },
  }
}

function oneByOne(): (work: () => Promise<void>) => Promise<void> {
  let turn: Promise<void> = Promise.resolve()
  return (work) => {
    turn = turn.then(work).catch(() => {})
    return turn
  }
}

const placeOf = (
  context: LiveContext,
  titles: Titles,
  current: string | undefined,
): Pick<ViewFacts, 'url' | 'title' | 'tabs'> => {
  const tabs = pagesIn(context).map(({ targetId, title, url }) => ({
    id: targetId,
    title: titles.of(targetId) ?? title,
    url,
    current: targetId === current,
  }))
  const { url = '', title = '' } = tabs.find((tab) => tab.current) ?? {}
  return { url, title, tabs }
}

interface Cast {
  talk: CdpSession
  end(): Promise<void>
}

interface CastListener {
  picture(jpeg: Buffer, size: { width: number; height: number }, goOn: () => void): void
  dialog(asked: ViewFacts['dialog']): void
}

/** A tab that was just opened may not have a page to attach to yet. */
async function castOnceReady(
  context: LiveContext,
  targetId: string,
  onMessage: CastListener,
  isSuperseded: () => boolean,
): Promise<Cast | undefined> {
  for (let waitMs = CAST_RETRY_MS; waitMs <= MAX_CAST_RETRY_MS; waitMs *= 2) {
    const started = await cast(context, targetId, onMessage).catch(() => undefined)
    if (started || isSuperseded() || !context.targets.has(targetId)) return started
    await sleep(waitMs)
  }
  return undefined
}

async function cast(context: LiveContext, targetId: string, onMessage: CastListener): Promise<Cast> {
  const { sessionId } = await context.wire.browser.send('Target.attachToTarget', { targetId, flatten: true })
  const talk = context.wire.session(sessionId)
  let patience: NodeJS.Timeout | undefined
  talk.on('Page.screencastFrame', ({ data, sessionId: frame, metadata }) => {
    const size = { width: metadata.deviceWidth, height: metadata.deviceHeight }
    const goOn = () => void talk.send('Page.screencastFrameAck', { sessionId: frame }).catch(() => {})
    onMessage.picture(Buffer.from(data, 'base64'), size, goOn)
  })
  // A connected program answers dialogs itself; without one, the driver does.
  talk.on('Page.javascriptDialogOpening', ({ type, message, defaultPrompt = '' }) => {
    const no = () => void talk.send('Page.handleJavaScriptDialog', { accept: false }).catch(() => {})
    clearTimeout(patience)
    patience = setTimeout(no, DIALOG_MS).unref()
    onMessage.dialog({ kind: type, message: message.slice(0, 2000), value: defaultPrompt.slice(0, 2000) })
  })
  talk.on('Page.javascriptDialogClosed', () => {
    clearTimeout(patience)
    onMessage.dialog(null)
  })
  const end = async () => {
    clearTimeout(patience)
    await context.wire.browser.send('Target.detachFromTarget', { sessionId }).catch(() => {})
  }
  try {
    await talk.send('Page.enable')
    await talk.send('Page.startScreencast', CAST)
    return { talk, end }
  } catch (error) {
    await end()
    throw error
  }
}

interface Titles {
  of(targetId: string | undefined): string | undefined
  forget(targetId: string): void
  ask(targetId: string | undefined): void
}

function openTitles(context: LiveContext, report: () => void): Titles {
  const titles = new Map<string, string>()
  let asked = 0
  const ask = async (targetId: string) => {
    await sleep(TITLE_MS / 2)
    const { targetInfo } = await context.wire.browser.send('Target.getTargetInfo', { targetId })
    if (titles.get(targetId) === targetInfo.title) return
    titles.set(targetId, targetInfo.title)
    report()
  }
  return {
    of: (targetId: string | undefined) => titles.get(targetId ?? ''),
    forget: (targetId: string) => void titles.delete(targetId),
    ask(targetId: string | undefined) {
      if (targetId === undefined || performance.now() - asked < TITLE_MS) return
      asked = performance.now()
      void ask(targetId).catch(() => {})
    },
  }
}

function openInput(mask: ViewParts['mask']) {
  let performed: Promise<unknown> = Promise.resolve()
  return async (
    talk: CdpSession,
    event: Record<string, unknown>,
    { size, watcher }: { size: Parameters<typeof perform>[2]; watcher: LiveViewer },
  ): Promise<void> => {
    if (event.type !== 'copy') {
      performed = perform(talk, event, size)
      await performed
      return
    }
    // The selection is that of the keys before, which the browser may still be handing to the page.
    await performed.catch(() => {})
    watcher.copied?.(mask(await markedIn(talk)))
  }
}

const markedIn = async (talk: CdpSession): Promise<string> =>
  String(await evaluateInPage(talk, MARKED)).slice(0, 1_000_000)

const MARKED = `(() => { const at = document.activeElement
  const field = at && 'selectionStart' in at && at.type !== 'password' ? at.value.slice(at.selectionStart, at.selectionEnd) : ''
  return field || String(getSelection()) })()`

const pagesIn = ({ targets }: LiveContext) => [...targets.values()].filter(({ type }) => type === 'page')

const MOUSE = new Set(['mousePressed', 'mouseReleased', 'mouseMoved', 'mouseWheel'])
const TOUCH = new Set(['touchStart', 'touchMove', 'touchEnd', 'touchCancel'])
const KEYS = new Set(['keyDown', 'keyUp', 'rawKeyDown', 'char'])
const BUTTONS = new Set(['none', 'left', 'middle', 'right'])
const number = (value: unknown): number => (typeof value === 'number' && Number.isFinite(value) ? value : 0)
const text = (value: unknown, most: number): string => (typeof value === 'string' ? value.slice(0, most) : '')

/** Coordinates are fractions of the frame, because only the service has the page's size. */
async function perform(
  talk: CdpSession,
  event: Record<string, unknown>,
  size: { width: number; height: number },
): Promise<void> {
  const type = text(event.type, 20)
  const at = { x: number(event.x) * size.width, y: number(event.y) * size.height }
  const modifiers = number(event.modifiers) & 15
  if (MOUSE.has(type)) {
    const button = BUTTONS.has(String(event.button)) ? (event.button as 'left') : ('none' as const)
    const wheel = type === 'mouseWheel' ? { deltaX: number(event.dx), deltaY: number(event.dy) } : {}
    const clicks = { button, buttons: number(event.buttons) & 7, clickCount: number(event.clicks) & 3 }
    await talk.send('Input.dispatchMouseEvent', { type: type as 'mouseMoved', ...at, modifiers, ...clicks, ...wheel })
  } else if (TOUCH.has(type)) {
    const given = Array.isArray(event.points) ? (event.points as Record<string, unknown>[]).slice(0, 5) : []
    const touchPoints = given.map(({ x, y }, id) => ({ x: number(x) * size.width, y: number(y) * size.height, id }))
    const points = type === 'touchStart' || type === 'touchMove' ? touchPoints : []
    await talk.send('Input.dispatchTouchEvent', { type: type as 'touchStart', touchPoints: points, modifiers })
  } else if (KEYS.has(type)) {
    const typed = text(event.text, 8)
    await talk.send('Input.dispatchKeyEvent', {
      type: type as 'keyDown',
      modifiers,
      key: text(event.key, 40),
      code: text(event.code, 40),
      windowsVirtualKeyCode: number(event.keyCode),
      ...(typed ? { text: typed } : {}),
    })
  } else if (type === 'text') await talk.send('Input.insertText', { text: text(event.text, 100_000) })
  else if (type === 'go' && /^https?:/i.test(text(event.url, 4096)))
    await talk.send('Page.navigate', { url: text(event.url, 4096) })
  else if (type === 'reload') await talk.send('Page.reload')
  else if (type === 'back' || type === 'forward') {
    const { currentIndex, entries } = await talk.send('Page.getNavigationHistory')
    const there = entries[currentIndex + (type === 'back' ? -1 : 1)]
    if (there) await talk.send('Page.navigateToHistoryEntry', { entryId: there.id })
  } else if (type === 'dialog') {
    const promptText = text(event.text, 2000)
    await talk.send('Page.handleJavaScriptDialog', { accept: event.accept === true, promptText })
  }
}

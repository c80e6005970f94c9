// The picture of a live session for people: one screencast of the page in front, shared by all who watch, and the mouse and
// keyboard of one who drives. Whoever is slow is given the newest picture, never a queue of old ones.

import type { LiveRoom } from '../live-rooms.ts'
import type { Session } from '../wire.ts'
import type { Control } from './control.ts'

export interface Watcher {
  /** A JPEG of the page. */
  picture(bytes: Buffer): void
  /** Where the page is, which tabs there are, and who drives. */
  facts(facts: ViewFacts): void
}

export interface ViewFacts {
  url: string
  title: string
  tabs: { id: string; title: string; url: string; current: boolean }[]
  watchers: number
  width: number
  height: number
}

export interface Seat {
  /** The last picture has been shown. */
  shown(): void
  /** What a driver does; others are not heard. */
  input(event: Record<string, unknown>): void
  leave(): void
}

export interface LiveView {
  sit(watcher: Watcher, drives: boolean): Seat
  close(): void
}

interface Guest {
  watcher: Watcher
  drives: boolean
  /** It has not shown the last picture yet. */
  busy: boolean
  waiting: Buffer | undefined
}

const CAST = { format: 'jpeg' as const, quality: 60, maxWidth: 1280, maxHeight: 1280, everyNthFrame: 1 }

export function openView(room: LiveRoom, control: Control, touch: () => void): LiveView {
  const guests = new Set<Guest>()
  let current: string | undefined
  let session: Promise<Session | undefined> | undefined
  let size = { width: 1280, height: 800 }

  const tell = () => {
    const page = room.targets.get(current ?? '')
    const tabs = pagesIn(room).map(({ targetId, title, url }) => ({
      id: targetId,
      title,
      url,
      current: targetId === current,
    }))
    const facts = { url: page?.url ?? '', title: page?.title ?? '', tabs, watchers: guests.size, ...size }
    for (const { watcher } of guests) watcher.facts(facts)
  }
  const give = (guest: Guest, picture: Buffer) => {
    if (guest.busy) guest.waiting = picture
    else {
      guest.busy = true
      guest.watcher.picture(picture)
    }
  }
  const open = async (targetId: string): Promise<Session | undefined> => {
    const { sessionId } = await room.wire.browser.send('Target.attachToTarget', { targetId, flatten: true })
    const talk = room.wire.session(sessionId)
    talk.on('Page.screencastFrame', ({ data, sessionId: frame, metadata }) => {
      void talk.send('Page.screencastFrameAck', { sessionId: frame }).catch(() => {})
      const next = { width: metadata.deviceWidth, height: metadata.deviceHeight }
      if (next.width !== size.width || next.height !== size.height) {
        size = next
        tell()
      }
      const picture = Buffer.from(data, 'base64')
      for (const guest of guests) give(guest, picture)
    })
    // A question of the page would stand in front of everything; nobody here can answer it.
    talk.on('Page.javascriptDialogOpening', () => {
      void talk.send('Page.handleJavaScriptDialog', { accept: false }).catch(() => {})
    })
    await talk.send('Page.enable')
    await talk.send('Page.startScreencast', CAST)
    return talk
  }
  const stop = async () => {
    const old = await session?.catch(() => undefined)
    session = undefined
    await old?.send('Page.stopScreencast').catch(() => {})
    await old?.send('Page.disable').catch(() => {})
  }
  const show = async (targetId: string | undefined) => {
    await stop()
    current = targetId ?? control.pages()[0]
    if (current === undefined || guests.size === 0) return
    session = open(current).catch(() => undefined)
    tell()
  }
  const stopListening = room.onTarget(({ what, target }) => {
    if (target.type !== 'page' || guests.size === 0) return
    if (what === 'destroyed' && target.targetId === current) void show(undefined)
    else if (what === 'created') void show(target.targetId)
    else tell()
  })
  const act = async (event: Record<string, unknown>) => {
    if (typeof event.tab === 'string' && room.targets.has(event.tab)) return show(event.tab)
    const talk = await session
    if (talk) await perform(talk, event, size)
  }
  return {
    sit(watcher, drives) {
      const guest: Guest = { watcher, drives, busy: false, waiting: undefined }
      guests.add(guest)
      // A page that stands still sends no picture by itself: whoever comes is shown the first one anew.
      void show(current)
      return {
        shown() {
          guest.busy = false
          const { waiting } = guest
          guest.waiting = undefined
          if (waiting) give(guest, waiting)
        },
        input(event) {
          if (!drives) return
          touch()
          void act(event).catch(() => {})
        },
        leave() {
          guests.delete(guest)
          if (guests.size === 0) void stop()
          else tell()
        },
      }
    },
    close() {
      stopListening()
      guests.clear()
      void stop()
    },
  }
}

const pagesIn = ({ targets }: LiveRoom) => [...targets.values()].filter(({ type }) => type === 'page')

const MOUSE = new Set(['mousePressed', 'mouseReleased', 'mouseMoved', 'mouseWheel'])
const TOUCH = new Set(['touchStart', 'touchMove', 'touchEnd', 'touchCancel'])
const KEYS = new Set(['keyDown', 'keyUp', 'rawKeyDown', 'char'])
const BUTTONS = new Set(['none', 'left', 'middle', 'right'])
const number = (value: unknown): number => (typeof value === 'number' && Number.isFinite(value) ? value : 0)
const text = (value: unknown, most: number): string => (typeof value === 'string' ? value.slice(0, most) : '')

/** Places are told as parts of the picture, because only the service knows how large the page is. */
async function perform(
  talk: Session,
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
    const points = type === 'touchStart' || type === 'touchMove' ? [at] : []
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
  else if (type === 'back') {
    const { currentIndex, entries } = await talk.send('Page.getNavigationHistory')
    const before = entries[currentIndex - 1]
    if (before) await talk.send('Page.navigateToHistoryEntry', { entryId: before.id })
  }
}

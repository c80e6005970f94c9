// Records what is done in the pages of a session by a person, a prompt or a program. Listeners run in an isolated
// world, and values of secret fields never leave the page.
import { randomBytes } from 'node:crypto'
import type { CdpSession } from '../cdp-pipe.ts'
import type { DomSnapshot, SnapshotElement, SnapshotNode } from '../snapshot/dom-snapshot.ts'
import { DOM_SNAPSHOT_SCRIPT } from '../snapshot/dom-snapshot-script.ts'

export interface RecordedInput {
  /** `point`: a person pointed at the element, without acting on it. */
  kind: 'click' | 'focus' | 'type' | 'choose' | 'check' | 'upload' | 'press' | 'point'
  key: string
  path: SnapshotElement[]
  /** The document when it happened; undefined while one goes on typing. */
  snapshot: DomSnapshot | undefined
  value?: string
  on?: boolean
  secret?: boolean
  byKey?: boolean
  /** Of the element that was pointed at. */
  selector?: string
}

export type RecordedAction =
  | RecordedInput
  /** `byPage`: by a link, a form or a script. */
  | { kind: 'navigated'; url: string; byPage: boolean }
  /** Within the document. `delta`: entries of the history, 0 for a new address. */
  | { kind: 'moved'; url: string; delta: number; byUser: boolean }
  | { kind: 'dialog'; accept: boolean; text: string }
  | { kind: 'download' }

interface Sent {
  kind: RecordedInput['kind']
  doc: string
  ids: number[]
  seen?: string
  url: string
  frame?: string
  value?: string
  on?: boolean
  secret?: boolean
  byKey?: boolean
  selector?: string
}

const MAX_SENT_CHARS = 20_000_000
const WORLD = `_${randomBytes(8).toString('hex')}`
const BINDING = `_${randomBytes(8).toString('hex')}`
const POINT = `_${randomBytes(8).toString('hex')}`
const READ = `_${randomBytes(8).toString('hex')}`

export interface PageRecorder {
  /** Records the element at this place of the page as pointed at. */
  point(x: number, y: number): Promise<void>
  /** The document as it is now; undefined while it is being left for another. */
  read(): Promise<DomSnapshot | undefined>
}

export async function recordUserActions(
  session: CdpSession,
  {
    targetId,
    hasOpener,
    isAnswered,
    hear,
  }: { targetId: string; hasOpener: boolean; isAnswered(): boolean; hear(event: RecordedAction): void },
): Promise<PageRecorder> {
  let requested = hasOpener
  let isLeaving = false
  let world: number | undefined
  session.on('Runtime.executionContextCreated', ({ context }) => {
    if (context.name === WORLD && context.auxData?.frameId === targetId) world = context.id
  })
  session.on('Runtime.bindingCalled', ({ name, payload }) => {
    if (name !== BINDING || payload.length > MAX_SENT_CHARS) return
    const action = actionOf(payload)
    if (action) hear(action)
  })
  session.on('Page.frameRequestedNavigation', ({ disposition, frameId }) => {
    if (disposition !== 'currentTab' || frameId !== targetId) return
    requested = true
    isLeaving = true
  })
  session.on('Page.frameNavigated', ({ frame }) => {
    if (frame.parentId !== undefined) return
    isLeaving = false
    if (/^https?:/.test(frame.url)) hear({ kind: 'navigated', url: frame.url, byPage: requested })
    requested = false
  })
  session.on('Page.downloadWillBegin', () => {
    requested = false
    isLeaving = false
    hear({ kind: 'download' })
  })
  session.on('Page.javascriptDialogOpening', () => {
    if (!isAnswered()) void session.send('Page.handleJavaScriptDialog', { accept: false }).catch(() => {})
  })
  session.on('Page.javascriptDialogClosed', ({ result, userInput }) =>
    hear({ kind: 'dialog', accept: result, text: userInput }),
  )
  await Promise.all([
    session.send('Page.enable'),
    session.send('Runtime.enable'),
    session.send('Runtime.addBinding', { name: BINDING, executionContextName: WORLD }),
    session.send('Page.addScriptToEvaluateOnNewDocument', {
      source: LISTENERS,
      worldName: WORLD,
      runImmediately: true,
    }),
  ])
  const evaluate = async (expression: string): Promise<unknown> => {
    if (world === undefined) return undefined
    const { result } = await session.send('Runtime.evaluate', { contextId: world, expression, returnByValue: true })
    return result.value
  }
  return {
    async point(x, y) {
      await evaluate(`globalThis.${POINT}?.(${Number(x)}, ${Number(y)})`)
    },
    async read() {
      const read = isLeaving ? undefined : await evaluate(`globalThis.${READ}?.()`).catch(() => undefined)
      if (typeof read !== 'string' || read.length > MAX_SENT_CHARS || isLeaving) return undefined
      const { seen, url } = JSON.parse(read) as { seen: string; url: string }
      return snapshotOf(seen, url, undefined)
    },
  }
}

function actionOf(payload: string): RecordedAction | undefined {
  try {
    const sent = JSON.parse(payload) as Sent | Extract<RecordedAction, { kind: 'moved' }>
    if (sent.kind === 'moved') return sent
    const { kind, doc, ids, seen, url, frame, value, on, secret, byKey, selector } = sent
    const snapshot = seen === undefined ? undefined : snapshotOf(seen, url, frame)
    const path = snapshot ? ids.flatMap((id) => snapshot.elements.find((one) => one.id === id) ?? []) : []
    return {
      kind,
      key: `${doc} ${ids[0]}`,
      path,
      snapshot,
      ...(value === undefined ? {} : { value }),
      ...(on === undefined ? {} : { on }),
      ...(secret ? { secret } : {}),
      ...(byKey ? { byKey } : {}),
      ...(selector ? { selector } : {}),
    }
  } catch {
    return undefined
  }
}

/** A document alone; one in a frame gets an element for its frame, as it has in a snapshot of the whole page. */
function snapshotOf(seen: string, url: string, frame: string | undefined): DomSnapshot {
  const { nodes, title, view, over } = JSON.parse(seen) as {
    nodes: SnapshotNode[]
    title: string
    view: number[]
    over: boolean
  }
  const holder = frame === undefined ? [] : [{ id: 0, up: -1, tag: 'iframe', name: frame }]
  const inside = holder.length
  const elements = [...holder, ...nodes].map((node, at): SnapshotElement => {
    const isInside = at >= inside
    const up = isInside ? (node.up < 0 ? inside - 1 : node.up + inside) : -1
    return { ...node, at, up, frame: isInside ? inside : 0, ref: `e${node.id}` }
  })
  return { elements, url, title, view, focus: -1, cut: over }
}

const LISTENERS = String.raw`(() => {
  const send = globalThis[${JSON.stringify(BINDING)}]
  if (typeof send !== 'function') return
  const doc = Math.random().toString(36).slice(2)
  const secrets = new WeakSet()
  let reader, typing
  const pathOf = (event) => event.composedPath().filter((one) => one instanceof Element)
  const frameName = () => {
    if (window === top) return undefined
    try { const el = window.frameElement; return el ? el.title || el.name || el.id || location.pathname : location.pathname } catch { return location.pathname }
  }
  const open = () => { reader = reader || ${DOM_SNAPSHOT_SCRIPT} }
  const describe = (kind, path, more, light) => {
    open()
    const ids = path.slice(0, 15).map((el) => reader.idOf(el))
    return JSON.stringify({ kind, doc, ids, url: location.href, frame: frameName(), ...(light ? {} : { seen: reader.look() }), ...more })
  }
  const tell = (kind, path, more, light) => {
    if (!document.body) return
    send(describe(kind, path, more, light))
    if (kind !== 'type') typing = undefined
  }
  const TEXT = /^(text|search|email|url|tel|password|number|date|time|month|week|datetime-local|color|range)$/
  const SET = /^(number|date|time|month|week|datetime-local|color|range)$/
  const isText = (el) => el.localName === 'textarea' || (el.localName === 'input' && TEXT.test(el.type)) || el.isContentEditable
  const isShown = (el) => !el.checkVisibility || el.checkVisibility()
  const on = (name, listener) => addEventListener(name, (event) => { try { listener(event, pathOf(event)) } catch {} }, true)
  on('focusin', (event, [el]) => { if (el && el.type === 'password') secrets.add(el) })
  // Lists that choose on the press are gone before the click, which then falls on something else.
  let chosen
  const tellChosen = () => {
    if (chosen && !(chosen.option.isConnected && isShown(chosen.option))) send(chosen.message)
    chosen = undefined
  }
  on('mousedown', (event, path) => {
    const at = path.findIndex((one) => /^(option|menuitem|menuitemradio|treeitem)$/.test(one.getAttribute('role') || ''))
    chosen = event.isTrusted && at >= 0 ? { option: path[at], message: describe('click', path.slice(at), {}) } : undefined
  })
  on('mouseup', () => setTimeout(tellChosen))
  on('click', (event, path) => {
    const [el] = path
    if (!event.isTrusted || !el) return
    if (chosen && !path.includes(chosen.option)) return tellChosen()
    chosen = undefined
    const toggle = path.find((one) => /^(switch|checkbox|menuitemcheckbox)$/.test(one.getAttribute('role') || ''))
    if (toggle && toggle.localName !== 'input') return tell('check', path.slice(path.indexOf(toggle)), { on: toggle.getAttribute('aria-checked') !== 'true' })
    const label = el.closest('label')
    if (label && label.control && !label.control.contains(el) && !el.closest('a,button')) return
    if (el.localName === 'select' || el.localName === 'option') return
    if (el.localName === 'input' && /^(checkbox|radio|file)$/.test(el.type)) return
    tell(isText(el) ? 'focus' : 'click', path, { byKey: event.detail === 0 })
  })
  on('input', (event, path) => {
    const el = path.find(isText)
    if (!el || (!event.isTrusted && !(SET.test(el.type) && isShown(el)))) return
    const kept = el.type === 'password' || secrets.has(el) || /one-time-code|cc-|password/.test(el.autocomplete || '')
    if (kept) secrets.add(el)
    const isSame = typing === el
    const value = kept ? {} : { value: String(el.isContentEditable ? el.innerText : el.value).slice(0, 10000) }
    tell('type', path.slice(path.indexOf(el)), { ...value, secret: kept }, isSame)
    typing = el
  })
  on('change', (event, path) => {
    const [el] = path
    if (!el || (!event.isTrusted && !isShown(el))) return
    if (el.localName === 'select') tell('choose', path, { value: [...el.selectedOptions].map((one) => one.label || one.text).join(', ') })
    else if (el.localName === 'input' && /^(checkbox|radio)$/.test(el.type)) tell('check', path, { on: el.checked })
    else if (el.localName === 'input' && el.type === 'file') tell('upload', path, { value: [...el.files].map((one) => one.name).join(', ') })
  })
  const NAMED = /^(Enter|Escape|ArrowUp|ArrowDown|ArrowLeft|ArrowRight|PageUp|PageDown|Home|End|Delete|Backspace|F\d+)$/
  on('keydown', (event, path) => {
    const [el] = path
    if (!event.isTrusted || event.isComposing || !el) return
    const text = isText(el), { key } = event
    const held = [event.ctrlKey && 'Control', event.altKey && 'Alt', event.metaKey && 'Meta'].filter(Boolean)
    const isEdit = text && (/^(Backspace|Delete|Home|End|ArrowLeft|ArrowRight)$/.test(key) || (held.length > 0 && /^[acvxz]$/i.test(key)))
    const isLine = key === 'Enter' && (el.localName === 'textarea' || el.isContentEditable)
    const isTyped = text && held.length === 0 && key.length === 1
    if (isEdit || isLine || isTyped || !(NAMED.test(key) || (key.length === 1 && key !== ' '))) return
    tell('press', path, { value: [...held, key].join('+') })
  })
  const selectorOf = (el) => {
    const parts = []
    for (let one = el; one && one !== document.body; one = one.parentElement) {
      const id = one.id && !/\d{3}|:/.test(one.id) ? '#' + CSS.escape(one.id) : ''
      if (id && document.querySelectorAll(id).length === 1) return [id, ...parts].join(' > ')
      const twins = one.parentElement ? [...one.parentElement.children].filter(({ localName }) => localName === one.localName) : []
      parts.unshift(one.localName + (twins.length > 1 ? ':nth-of-type(' + (twins.indexOf(one) + 1) + ')' : ''))
    }
    return parts.join(' > ')
  }
  if (window === top && globalThis.navigation) {
    let byUser = false
    // False for scripts, also for those of a button's handler; true for links that are clicked.
    navigation.addEventListener('navigate', (event) => { byUser = event.userInitiated })
    navigation.addEventListener('currententrychange', ({ navigationType, from }) => {
      if (navigationType !== 'push' && navigationType !== 'traverse') return
      const delta = navigationType === 'traverse' ? navigation.currentEntry.index - from.index : 0
      send(JSON.stringify({ kind: 'moved', url: location.href, delta, byUser }))
      typing = undefined
    })
  }
  globalThis[${JSON.stringify(READ)}] = () => {
    if (!document.body || document.readyState === 'loading') return
    open()
    return JSON.stringify({ seen: reader.look(), url: location.href })
  }
  globalThis[${JSON.stringify(POINT)}] = (x, y) => {
    const path = []
    for (let el = document.elementFromPoint(x, y); el; el = el.parentElement) path.push(el)
    if (path.length > 2) tell('point', path, { selector: selectorOf(path[0]) })
  }
})()`

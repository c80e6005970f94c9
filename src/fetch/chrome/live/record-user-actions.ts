// Records what is done in the pages of a session by a person, a prompt or a program. Listeners run in an isolated
// world, and values of secret fields never leave the page.
import { randomBytes } from 'node:crypto'
import type { CdpSession } from '../cdp-pipe.ts'
import { makeListenersScript } from '../page-scripts.ts'
import type { DomSnapshot, SnapshotElement, SnapshotNode } from '../snapshot/dom-snapshot.ts'

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
      source: makeListenersScript({ binding: BINDING, point: POINT, read: READ }),
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

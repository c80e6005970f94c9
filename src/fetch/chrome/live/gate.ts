// The door between one program that speaks the DevTools protocol and the browser of its session. The program sees a
// browser that holds its session's pages and nothing else; what rules.ts does not allow goes no further.
import type { LiveRoom, TargetFacts, TargetNews } from './live-rooms.ts'
import { type OwnMethod, ruleFor, wants } from './rules.ts'

export interface GateClient {
  send(text: string): void
  /** Ends the conversation. */
  close(): void
}

export interface Gate {
  hear(text: string): void
  close(): void
}

interface Request {
  id: number
  method: string
  params: Record<string, unknown>
  sessionId: string | undefined
}

/** Of the whole browser, only these are attached to by themselves; frames and workers come with their page. */
const TOP = new Set(['page', 'tab', 'service_worker', 'shared_worker'])
const MAX_WAITING = 500
/** Frames and workers of all pages together that one program may hold. */
const MAX_SESSIONS = 500

export function openGate(room: LiveRoom, client: GateClient, onActivity: () => void): Gate {
  const { wire, contextId } = room
  /** Conversations that belong to this program, and with which target each is. */
  const sessions = new Map<string, string>()
  const attached = new Map<string, Promise<void>>()
  let root: string | undefined
  let waiting: Request[] = []
  let closed = false
  let discover: { filter: unknown } | undefined
  let autoAttach: { filter: unknown } | undefined

  const send = (message: object) => {
    if (!closed) client.send(JSON.stringify(message))
  }
  const reply = ({ id, sessionId }: Request, answer: object) =>
    send({ id, ...answer, ...(sessionId ? { sessionId } : {}) })
  const fail = (request: Request, message: string) => reply(request, { error: { code: -32000, message } })

  /** Events of a conversation, on to the program; those that begin another one are noted. */
  const listen = (session: string, name: string | undefined) =>
    wire.tap(session, (method, params) => {
      const { sessionId, targetInfo } = (params ?? {}) as { sessionId?: string; targetInfo?: TargetFacts }
      if (method === 'Target.attachedToTarget' && sessionId && targetInfo) {
        if (sessions.size >= MAX_SESSIONS) return close()
        sessions.set(sessionId, targetInfo.targetId)
        listen(sessionId, sessionId)
      }
      if (method === 'Target.detachedFromTarget' && sessionId) {
        attached.delete(sessions.get(sessionId) ?? '')
        sessions.delete(sessionId)
      }
      send({ method, params, ...(name ? { sessionId: name } : {}) })
    })

  const attach = (targetId: string): Promise<void> => {
    const known = attached.get(targetId)
    if (known || root === undefined) return known ?? Promise.resolve()
    const begun = new Promise<void>((resolve) =>
      wire.ask(root as string, 'Target.attachToTarget', { targetId, flatten: true }, () => resolve()),
    )
    attached.set(targetId, begun)
    return begun
  }
  const attachable = (target: TargetFacts) =>
    autoAttach && TOP.has(target.type) && wants(autoAttach.filter, target.type)

  const onTarget = (news: TargetNews) => {
    const { target, what } = news
    const { targetId } = target
    if (discover && wants(discover.filter, target.type)) {
      if (what === 'created') send({ method: 'Target.targetCreated', params: { targetInfo: target } })
      else if (what === 'changed') send({ method: 'Target.targetInfoChanged', params: { targetInfo: target } })
      else if (what === 'crashed')
        send({ method: 'Target.targetCrashed', params: { targetId, status: news.status, errorCode: 0 } })
      else send({ method: 'Target.targetDestroyed', params: { targetId } })
    }
    if (what === 'created' && attachable(target)) void attach(targetId)
    if (what === 'destroyed') attached.delete(targetId)
  }
  const stopListening = room.onTarget(onTarget)

  const own: Record<OwnMethod, (request: Request) => void> = {
    setDiscoverTargets(request) {
      discover = request.params.discover ? { filter: request.params.filter } : undefined
      if (discover)
        for (const target of room.targets.values())
          if (wants(discover.filter, target.type))
            send({ method: 'Target.targetCreated', params: { targetInfo: target } })
      reply(request, { result: {} })
    },
    setAutoAttach(request) {
      autoAttach = request.params.autoAttach ? { filter: request.params.filter } : undefined
      const wanted = [...room.targets.values()].filter(attachable)
      // Programs count on hearing of all there is before this is answered.
      void Promise.all(wanted.map(({ targetId }) => attach(targetId))).then(() => reply(request, { result: {} }))
    },
    createTarget(request) {
      const params = { ...request.params, browserContextId: contextId }
      wire.ask(root as string, 'Target.createTarget', params, (answer) => {
        const { targetId } = (answer.result ?? {}) as { targetId?: string }
        const target = targetId ? room.targets.get(targetId) : undefined
        if (!target || !attachable(target)) return reply(request, answer)
        void attach(target.targetId).then(() => reply(request, answer))
      })
    },
    getTargets(request) {
      const { filter } = request.params
      const targetInfos = [...room.targets.values()].filter(({ type }) => wants(filter, type))
      reply(request, { result: { targetInfos } })
    },
    close(request) {
      reply(request, { result: {} })
      client.close()
    },
  }

  const handle = (request: Request) => {
    const { method, params, sessionId } = request
    if (sessionId !== undefined && !sessions.has(sessionId))
      return reply(request, { error: { code: -32001, message: 'Session with given id not found.' } })
    const ruling = ruleFor(method, params, {
      contextId,
      root: sessionId === undefined,
      isOwnTarget: (id) => typeof id === 'string' && (room.targets.has(id) || [...sessions.values()].includes(id)),
      isOwnSession: (id) => typeof id === 'string' && sessions.has(id),
    })
    if ('refuse' in ruling) return fail(request, ruling.refuse)
    if ('answer' in ruling) return reply(request, { result: ruling.answer })
    if ('own' in ruling) return own[ruling.own](request)
    wire.ask(sessionId ?? (root as string), method, ruling.pass, (answer) => reply(request, answer))
  }

  wire.ask('', 'Target.attachToBrowserTarget', {}, ({ result, error }) => {
    const id = (result as { sessionId?: string } | undefined)?.sessionId
    if (error || !id) return close()
    root = id
    if (closed) return leave(id)
    listen(id, undefined)
    const held = waiting
    waiting = []
    for (const request of held) handle(request)
  })
  const leave = (session: string) => {
    wire.tap(session, undefined)
    wire.ask('', 'Target.detachFromTarget', { sessionId: session }, () => {})
  }
  const close = () => {
    if (closed) return
    closed = true
    stopListening()
    for (const session of sessions.keys()) wire.tap(session, undefined)
    sessions.clear()
    if (root !== undefined) leave(root)
    client.close()
  }
  return {
    hear(text) {
      const request = requestIn(text)
      if (!request) return close()
      onActivity()
      if (root !== undefined) return handle(request)
      if (waiting.push(request) > MAX_WAITING) close()
    },
    close,
  }
}

function requestIn(text: string): Request | undefined {
  try {
    const { id, method, params = {}, sessionId } = JSON.parse(text) as Partial<Request>
    if (!Number.isSafeInteger(id) || typeof method !== 'string' || typeof params !== 'object' || params === null)
      return undefined
    return { id: id as number, method, params, sessionId: typeof sessionId === 'string' ? sessionId : undefined }
  } catch {
    return undefined
  }
}

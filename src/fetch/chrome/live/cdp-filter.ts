// The CDP filter between one program and its session's browser.
import { parseJson } from '../../../base/attempt.ts'
import { isObject } from '../../../base/values.ts'
import type { CdpTarget, LiveContext, TargetEvent } from '../live-contexts.ts'
import { type AnsweredMethod, matchesTargetFilter, ruleForMessage } from './cdp-message-rules.ts'
import { SessionTracing } from './session-tracing.ts'

export interface CdpFilterClient {
  send(text: string): void
  close(): void
}

export interface CdpFilter {
  receive(text: string): void
  close(): void
}

export interface CdpFilterEvents {
  onActivity(gate: CdpFilter): void
  /** True: another client caused the dialog and will answer it; this program might dismiss it at once. */
  keepsDialogs(gate: CdpFilter): boolean
  /** Opens another context of the session. */
  addContext(): Promise<string>
}

interface Request {
  id: number
  method: string
  params: Record<string, unknown>
  sessionId: string | undefined
}

const TOP = new Set(['page', 'tab', 'service_worker', 'shared_worker'])
const MAX_WAITING = 500
const MAX_SESSIONS = 500
const MAX_CONTEXTS = 10

export const openCdpFilter = (context: LiveContext, client: CdpFilterClient, ears: CdpFilterEvents): CdpFilter =>
  new CdpFilterConnection(context, client, ears)

class CdpFilterConnection implements CdpFilter {
  readonly #context: LiveContext
  readonly #client: CdpFilterClient
  readonly #ears: CdpFilterEvents
  readonly #sessions = new Map<string, string>()
  readonly #roots = new Set<string>()
  readonly #attached = new Map<string, Promise<void>>()
  readonly #stopListening: (() => void)[]
  readonly #tracing: SessionTracing
  /** The target of the browser itself: programs may attach to it, and get a session of this filter. */
  #browser: CdpTarget | undefined
  #root: string | undefined
  #waiting: Request[] = []
  #closed = false
  #discover: { filter: unknown } | undefined
  #autoAttach: { filter: unknown } | undefined
  #downloads: { to: string | undefined } | undefined
  /** Contexts that end with this connection. */
  readonly #contexts = new Set<string>()
  #openingContexts = 0

  constructor(context: LiveContext, client: CdpFilterClient, ears: CdpFilterEvents) {
    this.#context = context
    this.#client = client
    this.#ears = ears
    this.#tracing = new SessionTracing({
      ask: context.wire.ask,
      send: (message) => this.#send(message),
      anyPage: () => [...this.#sessions].find(([, id]) => context.targets.get(id)?.type === 'page')?.[0],
    })
    this.#stopListening = [
      context.onTarget((news) => this.#hearOf(news)),
      context.onDownload((method, params) => this.#hearOfDownload(method, params)),
    ]
    context.wire.ask('', 'Target.attachToBrowserTarget', {}, ({ result, error }) => {
      const id = (result as { sessionId?: string } | undefined)?.sessionId
      if (error || !id) return this.close()
      if (this.#closed) return this.#leave(id)
      context.wire.ask(id, 'Target.getTargetInfo', {}, (answer) => {
        if (this.#closed) return this.#leave(id)
        this.#browser = (answer.result as { targetInfo?: CdpTarget } | undefined)?.targetInfo
        this.#root = id
        this.#listen(id, undefined)
        for (const request of this.#waiting.splice(0)) this.#handle(request)
      })
    })
  }

  receive(text: string): void {
    const request = requestIn(text)
    this.#ears.onActivity(this)
    if (!request) this.close()
    else if (this.#root !== undefined) this.#handle(request)
    else if (this.#waiting.push(request) > MAX_WAITING) this.close()
  }

  close(): void {
    if (this.#closed) return
    this.#closed = true
    for (const stop of this.#stopListening) stop()
    for (const session of this.#sessions.keys()) this.#context.wire.tap(session, undefined)
    this.#sessions.clear()
    for (const id of this.#contexts) void this.#context.removeContext(id).catch(() => {})
    if (this.#root !== undefined) this.#leave(this.#root)
    this.#client.close()
  }

  #leave(session: string): void {
    this.#context.wire.tap(session, undefined)
    this.#context.wire.ask('', 'Target.detachFromTarget', { sessionId: session }, () => {})
  }

  #send(message: object): void {
    if (!this.#closed) this.#client.send(JSON.stringify(message))
  }

  #reply({ id, sessionId }: Request, answer: object): void {
    this.#send({ id, ...answer, ...(sessionId ? { sessionId } : {}) })
  }

  #listen(session: string, name: string | undefined): void {
    this.#context.wire.tap(session, (method, params) => {
      const { sessionId, targetInfo } = (params ?? {}) as { sessionId?: string; targetInfo?: CdpTarget }
      if (method === 'Target.attachedToTarget' && sessionId && targetInfo) {
        if (this.#sessions.size >= MAX_SESSIONS) return this.close()
        this.#sessions.set(sessionId, targetInfo.targetId)
        if (targetInfo.type === 'browser') this.#roots.add(sessionId)
        this.#listen(sessionId, sessionId)
      }
      if (method === 'Target.detachedFromTarget' && sessionId) {
        if (name === undefined) this.#attached.delete(this.#sessions.get(sessionId) ?? '')
        this.#sessions.delete(sessionId)
        this.#roots.delete(sessionId)
        this.#tracing.detach(sessionId)
      }
      if (this.#tracing.take(session, method, params)) return
      if (method === 'Page.javascriptDialogOpening' && this.#ears.keepsDialogs(this)) return
      const told = /^(Network|Fetch)\./.test(method) ? withoutProxyLogin(params) : params
      this.#send({ method, params: told, ...(name ? { sessionId: name } : {}) })
    })
  }

  #attach(targetId: string): Promise<void> {
    const known = this.#attached.get(targetId)
    const root = this.#root
    if (known || root === undefined) return known ?? Promise.resolve()
    const begun = new Promise<void>((resolve) =>
      this.#context.wire.ask(root, 'Target.attachToTarget', { targetId, flatten: true }, () => resolve()),
    )
    this.#attached.set(targetId, begun)
    return begun
  }

  #attachable({ type }: CdpTarget): boolean {
    return this.#autoAttach !== undefined && TOP.has(type) && matchesTargetFilter(this.#autoAttach.filter, type)
  }

  #hearOf(news: TargetEvent): void {
    const { target, what } = news
    const { targetId } = target
    if (this.#discover && matchesTargetFilter(this.#discover.filter, target.type)) {
      if (what === 'created') this.#send({ method: 'Target.targetCreated', params: { targetInfo: target } })
      else if (what === 'changed') this.#send({ method: 'Target.targetInfoChanged', params: { targetInfo: target } })
      else if (what === 'crashed')
        this.#send({ method: 'Target.targetCrashed', params: { targetId, status: news.status, errorCode: 0 } })
      else this.#send({ method: 'Target.targetDestroyed', params: { targetId } })
    }
    if (what === 'created' && this.#attachable(target)) void this.#attach(targetId)
    if (what === 'destroyed') this.#attached.delete(targetId)
  }

  #hearOfDownload(method: string, params: object): void {
    const { to } = this.#downloads ?? {}
    if (this.#downloads) this.#send({ method, params, ...(to ? { sessionId: to } : {}) })
  }

  #handle(request: Request): void {
    const { params, sessionId } = request
    if (sessionId !== undefined && !this.#sessions.has(sessionId)) {
      this.#reply(request, { error: { code: -32001, message: 'Session with given id not found.' } })
      return
    }
    const isBrowser = request.method === 'Target.attachToTarget' && params.targetId === this.#browser?.targetId
    const method = isBrowser ? 'Target.attachToBrowserTarget' : request.method
    if (this.#tracing.read(method, params, (answer) => this.#reply(request, answer))) return
    const ruling = ruleForMessage(method, params, {
      contextId: this.#context.contextId,
      isOwnContext: (id) => id === this.#context.contextId || (typeof id === 'string' && this.#context.added.has(id)),
      root: sessionId === undefined || this.#roots.has(sessionId),
      isOwnTarget: (id) => typeof id === 'string' && this.#knows(id),
      isOwnSession: (id) => typeof id === 'string' && this.#sessions.has(id),
    })
    if ('refuse' in ruling) this.#reply(request, { error: { code: -32000, message: ruling.refuse } })
    else if ('answer' in ruling) this.#reply(request, { result: ruling.answer })
    else if ('own' in ruling) this.#own(ruling.own, request)
    else {
      const to = sessionId ?? (this.#root as string)
      this.#context.wire.ask(to, method, ruling.pass, (answer) => this.#reply(request, answer))
    }
  }

  #knows(targetId: string): boolean {
    if (this.#context.targets.has(targetId)) return true
    for (const known of this.#sessions.values()) if (known === targetId) return true
    return false
  }

  #own(method: AnsweredMethod, request: Request): void {
    // Only the first browser-level session gets target events; further ones attach explicitly.
    const isFirst = request.sessionId === undefined
    if (method === 'setDiscoverTargets' && isFirst) this.#setDiscover(request)
    else if (method === 'setAutoAttach' && isFirst) this.#setAutoAttach(request)
    else if (method === 'createTarget') this.#createTarget(request)
    else if (method === 'createContext') void this.#createContext(request)
    else if (method === 'disposeContext') void this.#disposeContext(request)
    else if (method === 'tracing') this.#trace(request)
    else if (method === 'getContexts') this.#reply(request, { result: { browserContextIds: [...this.#context.added] } })
    else if (method === 'getTargets') {
      const targetInfos = [...this.#context.targets.values()].filter(({ type }) =>
        matchesTargetFilter(request.params.filter, type),
      )
      this.#reply(request, { result: { targetInfos } })
    } else {
      if (method === 'downloads') this.#downloads = request.params.eventsEnabled ? { to: request.sessionId } : undefined
      this.#reply(request, { result: {} })
    }
    if (method === 'close') this.#client.close()
  }

  #trace(request: Request): void {
    const { sessionId } = request
    const isRoot = sessionId === undefined || this.#roots.has(sessionId)
    this.#tracing.handle({ ...request, isRoot }, (answer) => this.#reply(request, answer))
  }

  #setDiscover(request: Request): void {
    const { discover, filter } = request.params
    this.#discover = discover ? { filter } : undefined
    const own = this.#browser ? [this.#browser] : []
    for (const target of discover ? [...own, ...this.#context.targets.values()] : [])
      if (matchesTargetFilter(filter, target.type))
        this.#send({ method: 'Target.targetCreated', params: { targetInfo: target } })
    this.#reply(request, { result: {} })
  }

  #setAutoAttach(request: Request): void {
    const { autoAttach, filter } = request.params
    this.#autoAttach = autoAttach ? { filter } : undefined
    const wanted = [...this.#context.targets.values()].filter((target) => this.#attachable(target))
    // Programs expect all existing targets before the response.
    void Promise.all(wanted.map(({ targetId }) => this.#attach(targetId))).then(() =>
      this.#reply(request, { result: {} }),
    )
  }

  #createTarget(request: Request): void {
    const params = { browserContextId: this.#context.contextId, ...request.params }
    this.#context.wire.ask(this.#root as string, 'Target.createTarget', params, (answer) => {
      const { targetId } = (answer.result ?? {}) as { targetId?: string }
      const target = targetId ? this.#context.targets.get(targetId) : undefined
      if (!target || !this.#attachable(target)) return this.#reply(request, answer)
      void this.#attach(target.targetId).then(() => this.#reply(request, answer))
    })
  }

  async #createContext(request: Request): Promise<void> {
    const fail = (message: string) => this.#reply(request, { error: { code: -32000, message } })
    if (this.#context.added.size + this.#openingContexts >= MAX_CONTEXTS)
      return fail(`A session has at most ${MAX_CONTEXTS} further contexts`)
    this.#openingContexts += 1
    try {
      const browserContextId = await this.#ears.addContext()
      if (request.params.disposeOnDetach) this.#contexts.add(browserContextId)
      if (this.#closed && this.#contexts.has(browserContextId)) await this.#context.removeContext(browserContextId)
      this.#reply(request, { result: { browserContextId } })
    } catch {
      fail('The context could not be opened')
    } finally {
      this.#openingContexts -= 1
    }
  }

  async #disposeContext(request: Request): Promise<void> {
    const id = String(request.params.browserContextId)
    if (!this.#context.added.has(id)) {
      const message = 'The first context of a session ends with the session'
      return this.#reply(request, { error: { code: -32000, message } })
    }
    this.#contexts.delete(id)
    await this.#context.removeContext(id).catch(() => {})
    this.#reply(request, { result: {} })
  }
}

/** The login to our own proxy would let code of the session use it elsewhere. */
function withoutProxyLogin(params: unknown): unknown {
  const text = JSON.stringify(params) ?? ''
  if (!/proxy-authorization/i.test(text)) return params
  return JSON.parse(text, (name, value: unknown) => {
    if (/^proxy-authorization$/i.test(name)) return undefined
    return typeof value === 'string' ? value.replace(/^proxy-authorization:.*\r?\n?/gim, '') : value
  })
}

function requestIn(text: string): Request | undefined {
  const { id, method, params = {}, sessionId } = (parseJson(text) ?? {}) as Partial<Request>
  if (!Number.isSafeInteger(id) || typeof method !== 'string' || !isObject(params)) return undefined
  return { id: id as number, method, params, sessionId: typeof sessionId === 'string' ? sessionId : undefined }
}

// What a caller's program may say to the browser of its session. Pure. Everything is refused that is not known to stay
// inside the session: other contexts, files of this machine, ports, and what concerns the whole browser.

export type Ruling =
  /** On to the browser, with these parameters. */
  | { pass: Record<string, unknown> }
  /** Answered here. */
  | { answer: object }
  | { refuse: string }
  /** The gate itself knows what to do. */
  | { own: OwnMethod }

export type OwnMethod = 'setDiscoverTargets' | 'setAutoAttach' | 'createTarget' | 'getTargets' | 'close'

export interface GateContext {
  /** The context that the session is. */
  contextId: string
  /** True when the conversation is with the browser and not with a page. */
  root: boolean
  isOwnTarget(targetId: unknown): boolean
  isOwnSession(sessionId: unknown): boolean
}

/** Domains that concern one page and nothing else. */
const PAGE_DOMAINS = new Set(
  (
    'Accessibility Animation Audits Autofill BackgroundService CacheStorage Console CSS Database Debugger DOM DOMDebugger ' +
    'DOMSnapshot DOMStorage DeviceOrientation Emulation EventBreakpoints FedCm Fetch HeapProfiler IndexedDB Input ' +
    'Inspector IO LayerTree Log Media Network Overlay Page Performance PerformanceTimeline Preload Profiler Runtime ' +
    'Schema Security ServiceWorker WebAudio WebAuthn NodeWorker NodeRuntime'
  ).split(' '),
)

const NOT_HERE = 'is not open in a session'
const NAVIGABLE = /^(https?:|about:blank|about:srcdoc|data:|blob:https?:)/i

/** Where a page of a session may be sent. */
export const mayOpen = (url: unknown): boolean =>
  url === undefined || url === '' || (typeof url === 'string' && NAVIGABLE.test(url.trim()))

const refused = (url: unknown): Ruling => ({
  refuse: `${String(url).slice(0, 200)} cannot be opened in a session: only http and https addresses can`,
})

export function ruleFor(method: string, params: Record<string, unknown>, ground: GateContext): Ruling {
  const [domain = '', name = ''] = method.split('.', 2)
  if (domain === 'Target') return targetRule(name, params, ground)
  if (domain === 'Browser') return browserRule(name, params, ground)
  if (domain === 'Storage') return storageRule(name, params, ground)
  if (ground.root) {
    if (method === 'Schema.getDomains') return { pass: params }
    return { refuse: `${method} ${NOT_HERE}` }
  }
  if (!PAGE_DOMAINS.has(domain)) return { refuse: `${method} ${NOT_HERE}` }
  return pageRule(method, params)
}

function pageRule(method: string, params: Record<string, unknown>): Ruling {
  switch (method) {
    case 'Page.navigate':
    case 'Network.loadNetworkResource':
      return mayOpen(params.url) ? { pass: params } : refused(params.url)
    case 'Fetch.continueRequest':
      return params.url === undefined || /^https?:/i.test(String(params.url)) ? { pass: params } : refused(params.url)
    // Files of this machine are nobody's to send, and nobody's to write.
    case 'DOM.setFileInputFiles':
      return { refuse: 'Files are given by their content in a session, not by a path' }
    case 'Page.setDownloadBehavior':
      return { answer: {} }
    case 'Page.setRPHRegistrationMode':
      return { refuse: `${method} ${NOT_HERE}` }
    default:
      return { pass: params }
  }
}

function browserRule(name: string, params: Record<string, unknown>, { contextId, isOwnTarget }: GateContext): Ruling {
  switch (name) {
    case 'getVersion':
      return { pass: {} }
    case 'close':
      return { own: 'close' }
    case 'setDownloadBehavior':
      return { answer: {} }
    case 'getWindowForTarget':
      return params.targetId === undefined || isOwnTarget(params.targetId) ? { pass: params } : { refuse: NO_TARGET }
    case 'grantPermissions':
    case 'resetPermissions':
    case 'setPermission':
      return { pass: { ...params, browserContextId: contextId } }
    default:
      return { refuse: `Browser.${name} ${NOT_HERE}` }
  }
}

const STORAGE = new Set(['getCookies', 'setCookies', 'clearCookies'])
const STORAGE_OF_PAGE = new Set([
  'clearDataForOrigin',
  'getUsageAndQuota',
  'getStorageKeyForFrame',
  'getStorageKey',
  'trackIndexedDBForOrigin',
  'trackIndexedDBForStorageKey',
  'untrackIndexedDBForOrigin',
  'untrackIndexedDBForStorageKey',
])

function storageRule(name: string, params: Record<string, unknown>, { contextId, root }: GateContext): Ruling {
  if (STORAGE.has(name)) return { pass: { ...params, browserContextId: contextId } }
  if (!root && STORAGE_OF_PAGE.has(name)) return { pass: params }
  return { refuse: `Storage.${name} ${NOT_HERE}` }
}

const NO_TARGET = 'No target with given id found'

function targetRule(name: string, params: Record<string, unknown>, ground: GateContext): Ruling {
  const { root, contextId, isOwnTarget, isOwnSession } = ground
  switch (name) {
    case 'setDiscoverTargets':
      return root ? { own: 'setDiscoverTargets' } : { answer: {} }
    case 'setAutoAttach':
      // Of a page it reaches the frames and workers of that page.
      return root ? { own: 'setAutoAttach' } : { pass: { ...params, flatten: true } }
    case 'getTargets':
      return { own: 'getTargets' }
    case 'getBrowserContexts':
      return { answer: { browserContextIds: [] } }
    case 'createTarget': {
      const { browserContextId } = params
      if (browserContextId !== undefined && browserContextId !== contextId)
        return { refuse: 'Failed to find browser context with id' }
      return mayOpen(params.url) ? { own: 'createTarget' } : refused(params.url)
    }
    case 'getTargetInfo':
      if (params.targetId === undefined) return { pass: params }
      return isOwnTarget(params.targetId) ? { pass: params } : { refuse: NO_TARGET }
    case 'attachToTarget':
      return isOwnTarget(params.targetId) ? { pass: { ...params, flatten: true } } : { refuse: NO_TARGET }
    case 'closeTarget':
    case 'activateTarget':
      return isOwnTarget(params.targetId) ? { pass: params } : { refuse: NO_TARGET }
    case 'detachFromTarget':
      return isOwnSession(params.sessionId) ? { pass: params } : { refuse: 'No session with given id' }
    case 'attachToBrowserTarget':
      // Another conversation with the browser, under the same rules.
      return root ? { pass: {} } : { refuse: `Target.${name} ${NOT_HERE}` }
    case 'createBrowserContext':
      return { refuse: 'A session has one context; open another session for another one' }
    default:
      return { refuse: `Target.${name} ${NOT_HERE}` }
  }
}

type Filter = readonly { type?: string; exclude?: boolean }[]
const USUAL_FILTER: Filter = [{ type: 'browser', exclude: true }, { type: 'tab', exclude: true }, {}]

/** Whether a program that asked with this filter hears of targets of this type: the first entry that fits decides. */
export function wants(filter: unknown, type: string): boolean {
  const entries: Filter = Array.isArray(filter) ? (filter as Filter) : USUAL_FILTER
  const fit = entries.find((entry) => entry?.type === undefined || entry.type === type)
  return fit !== undefined && fit.exclude !== true
}

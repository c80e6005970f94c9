// What happens to an allowed CDP message: it is forwarded, possibly with changed parameters, or answered here, so that
// the program sees only its own session.
import { findCdpRefusal, type MessageContext } from './allowed-cdp-messages.ts'

type Ruling = { pass: Record<string, unknown> } | { answer: object } | { refuse: string } | { own: AnsweredMethod }

export type AnsweredMethod =
  | 'setDiscoverTargets'
  | 'setAutoAttach'
  | 'createTarget'
  | 'createContext'
  | 'disposeContext'
  | 'getContexts'
  | 'getTargets'
  | 'downloads'
  | 'tracing'
  | 'close'

/** Answered here, whatever their parameters. */
const OWN_METHODS: ReadonlyMap<string, AnsweredMethod> = new Map([
  ['Browser.close', 'close'],
  // A download would write to this machine: it is announced and denied. Programs send this when they connect.
  ['Browser.setDownloadBehavior', 'downloads'],
  ['Tracing.start', 'tracing'],
  ['Tracing.end', 'tracing'],
  ['Target.createBrowserContext', 'createContext'],
  ['Target.disposeBrowserContext', 'disposeContext'],
  ['Target.getBrowserContexts', 'getContexts'],
  ['Target.getTargets', 'getTargets'],
  ['Target.createTarget', 'createTarget'],
])

export function ruleForMessage(
  method: string,
  params: Record<string, unknown>,
  context: MessageContext & { contextId: string },
): Ruling {
  const { root, contextId } = context
  const refusal = findCdpRefusal(method, params, context)
  if (refusal) return { refuse: refusal }
  const own = OWN_METHODS.get(method)
  if (own) return { own }
  switch (method) {
    case 'Page.setDownloadBehavior':
    // The size of a view is emulated.
    case 'Browser.setWindowBounds':
      return { answer: {} }
    case 'Browser.grantPermissions':
    case 'Browser.resetPermissions':
    case 'Browser.setPermission':
    case 'Storage.getCookies':
    case 'Storage.setCookies':
    case 'Storage.clearCookies':
      return { pass: { browserContextId: contextId, ...params } }
    case 'Target.setDiscoverTargets':
      return root ? { own: 'setDiscoverTargets' } : { answer: {} }
    case 'Target.setAutoAttach':
      return root ? { own: 'setAutoAttach' } : { pass: { ...params, flatten: true } }
    case 'Target.attachToTarget':
      return { pass: { ...params, flatten: true } }
    case 'Target.attachToBrowserTarget':
      return root ? { pass: {} } : { refuse: `${method} is not allowed in a page` }
    default:
      return { pass: params }
  }
}

type Filter = readonly { type?: string; exclude?: boolean }[]
const USUAL_FILTER: Filter = [{ type: 'browser', exclude: true }, { type: 'tab', exclude: true }, {}]

/** Whether a target filter includes this type: the first matching entry decides. */
export function matchesTargetFilter(filter: unknown, type: string): boolean {
  const entries: Filter = Array.isArray(filter) ? (filter as Filter) : USUAL_FILTER
  const fit = entries.find((entry) => entry?.type === undefined || entry.type === type)
  return fit !== undefined && fit.exclude !== true
}

// What becomes of a caller's DevTools message that protocol.ts lets through: it goes on to the browser, perhaps with
// parameters of ours, or it is answered here, so that the program sees its own session and nothing else. Pure.
import { type GateContext, refusalOf } from './protocol.ts'

export type Ruling =
  /** On to the browser, with these parameters. */
  | { pass: Record<string, unknown> }
  /** Answered here. */
  | { answer: object }
  | { refuse: string }
  /** The gate itself knows what to do. */
  | { own: OwnMethod }

export type OwnMethod = 'setDiscoverTargets' | 'setAutoAttach' | 'createTarget' | 'getTargets' | 'downloads' | 'close'

export function ruleFor(method: string, params: Record<string, unknown>, context: GateContext): Ruling {
  const { root, contextId } = context
  if (method === 'Target.createBrowserContext')
    return { refuse: 'A session has one context; open another session for another one' }
  const refusal = refusalOf(method, params, context)
  if (refusal) return { refuse: refusal }
  switch (method) {
    case 'Browser.close':
      return { own: 'close' }
    // A download would write to this machine: it is announced and denied. Programs ask for it as they connect.
    case 'Browser.setDownloadBehavior':
      return { own: 'downloads' }
    case 'Page.setDownloadBehavior':
      return { answer: {} }
    case 'Browser.grantPermissions':
    case 'Browser.resetPermissions':
    case 'Browser.setPermission':
    case 'Storage.getCookies':
    case 'Storage.setCookies':
    case 'Storage.clearCookies':
      return { pass: { ...params, browserContextId: contextId } }
    case 'Target.getBrowserContexts':
      return { answer: { browserContextIds: [] } }
    case 'Target.getTargets':
      return { own: 'getTargets' }
    case 'Target.createTarget':
      return { own: 'createTarget' }
    case 'Target.setDiscoverTargets':
      return root ? { own: 'setDiscoverTargets' } : { answer: {} }
    // Of a page it reaches the frames and workers of that page.
    case 'Target.setAutoAttach':
      return root ? { own: 'setAutoAttach' } : { pass: { ...params, flatten: true } }
    case 'Target.attachToTarget':
      return { pass: { ...params, flatten: true } }
    // Another conversation with the browser, under the same rules.
    case 'Target.attachToBrowserTarget':
      return root ? { pass: {} } : { refuse: `${method} is not open in a page` }
    default:
      return { pass: params }
  }
}

type Filter = readonly { type?: string; exclude?: boolean }[]
const USUAL_FILTER: Filter = [{ type: 'browser', exclude: true }, { type: 'tab', exclude: true }, {}]

/** Whether a program that asked with this filter is told of targets of this type: the first entry that fits decides. */
export function wants(filter: unknown, type: string): boolean {
  const entries: Filter = Array.isArray(filter) ? (filter as Filter) : USUAL_FILTER
  const fit = entries.find((entry) => entry?.type === undefined || entry.type === type)
  return fit !== undefined && fit.exclude !== true
}

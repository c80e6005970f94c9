// Checks a caller's CDP message against the allowed methods and parameters. scripts/cdp-protocol.mjs generates
// protocol.json.
import { isObject } from '../../../base/values.ts'
import protocol from './protocol.json' with { type: 'json' }

export interface MessageContext {
  isOwnContext(contextId: unknown): boolean
  /** True for a browser-level session, false for a page's. */
  root: boolean
  isOwnTarget(targetId: unknown): boolean
  isOwnSession(sessionId: unknown): boolean
}

type Fields = Readonly<Record<string, string>>
type Methods = Readonly<Record<string, Fields>>

const { browser, page, types }: { browser: Methods; page: Methods; types: Methods } = protocol
/** Depth of a CDP command's parameters. Only IndexedDB keys nest without end. */
const MAX_PARAMETER_DEPTH = 20
const NAVIGABLE = /^(https?:|about:blank|about:srcdoc|data:|blob:https?:)/i

export const isNavigableUrl = (url: unknown): boolean =>
  url === undefined || url === '' || (typeof url === 'string' && NAVIGABLE.test(url.trim()))

/** Removes fields that are not listed from `params`: what is left goes to the browser. */
export function findCdpRefusal(
  method: string,
  params: Record<string, unknown>,
  context: MessageContext,
): string | undefined {
  const fields = ownValueOf(browser, method) ?? (context.root ? undefined : ownValueOf(page, method))
  if (!fields) return `${method.slice(0, 100)} is not allowed in a session`
  return faultIn(params, fields, method, context, 0)
}

const ownValueOf = <T>(table: Readonly<Record<string, T>>, key: string): T | undefined =>
  Object.hasOwn(table, key) ? table[key] : undefined

function faultIn(given: object, fields: Fields, where: string, context: MessageContext, depth: number): Fault {
  for (const [name, value] of Object.entries(given)) {
    const field = ownValueOf(fields, name)
    if (field === undefined) {
      delete (given as Record<string, unknown>)[name]
      continue
    }
    const fault = faultOf(value, field, `${where}: ${name}`, context, depth)
    if (fault) return fault
  }
}

type Fault = string | undefined

/** A field is `rule:type[]`; rule and brackets are optional. */
function faultOf(value: unknown, field: string, where: string, context: MessageContext, depth: number): Fault {
  const [, rule, type = '', list] = /^(?:([a-z-]+):)?([\w.]+)(\[\])?$/.exec(field) ?? []
  if (list && !Array.isArray(value)) return `${where} must be a list`
  for (const one of list ? (value as unknown[]) : [value]) {
    const fault = typeFault(one, type, where, context, depth)
    if (fault) return fault
  }
  return rule ? rules[rule as Rule](value, context) : undefined
}

function typeFault(value: unknown, type: string, where: string, context: MessageContext, depth: number): Fault {
  if (type === 'any') return
  const fields = ownValueOf(types, type)
  if (!fields) return typeof value === type ? undefined : `${where} must be a ${type}`
  if (!isObject(value)) return `${where} must be an object`
  return depth < MAX_PARAMETER_DEPTH
    ? faultIn(value, fields, where, context, depth + 1)
    : `${where} is nested too deeply`
}

type Rule = 'page-url' | 'web-url' | 'no-files' | 'drop-items' | 'own-context' | 'own-target' | 'own-session'

const notOpened = (url: unknown) =>
  `${String(url).slice(0, 200)} cannot be opened in a session: only http and https URLs can`

const rules: Record<Rule, (value: unknown, context: MessageContext) => Fault> = {
  'page-url': (url) => (isNavigableUrl(url) ? undefined : notOpened(url)),
  'web-url': (url) => (/^https?:/i.test(String(url)) ? undefined : notOpened(url)),
  'no-files': (files) =>
    (files as unknown[]).length > 0 ? 'Files are given by their content in a session, not by a path' : undefined,
  'drop-items': (items) => {
    const addresses = (items as { mimeType?: string; data?: string }[])
      .filter(({ mimeType = '' }) => /uri|url/i.test(mimeType))
      .flatMap(({ data = '' }) => data.split(/[\r\n]+/))
    const closed = addresses.find((address) => !isNavigableUrl(address))
    return closed === undefined ? undefined : notOpened(closed)
  },
  'own-context': (id, { isOwnContext }) =>
    isOwnContext(id) ? undefined : 'Failed to find browser context with given id',
  'own-target': (id, { isOwnTarget }) => (isOwnTarget(id) ? undefined : 'No target with given id found'),
  'own-session': (id, { isOwnSession }) => (isOwnSession(id) ? undefined : 'No session with given id'),
}

// Shared by providers: error statuses and pages, untyped JSON, HTML result pages, and how well a query suits a kind of
// source.

import { decodeHTMLStrict } from 'entities'
import { parseDocument } from 'htmlparser2'
import { parseDate, toTimestamp } from '../../../base/parse-dates.ts'
import { isObject } from '../../../base/values.ts'
import {
  type Provider,
  ProviderError,
  type ProviderFetch,
  type ProviderHit,
  type ProviderQuery,
  type ProviderReply,
  type ProviderRequest,
} from '../provider.ts'

type JsonObject = Record<string, unknown>

const CAPTCHA = /captcha|unusual traffic|are you a human|anomaly-modal|verify you are human|cf-challenge|robot check/i

export async function fetchChecked(
  web: ProviderFetch,
  ask: ProviderRequest,
  signal: AbortSignal,
): Promise<ProviderReply> {
  const answer = await web(ask, signal)
  const { status, text, headers } = answer
  if (status === 429 || status === 503) {
    const wait = Number(headers['retry-after'])
    throw new ProviderError('busy', `it returned ${status}`, Number.isFinite(wait) && wait > 0 ? wait : undefined)
  }
  if (CAPTCHA.test(text.slice(0, 20_000)) && (ask.asBrowser || status >= 400))
    throw new ProviderError('captcha', 'it returned a captcha')
  if (status === 401 || status === 402) throw new ProviderError('blocked', `it refused the key (${status})`)
  if (status === 403 || status === 451) throw new ProviderError('blocked', `it returned ${status}`)
  if (status >= 400) throw new ProviderError('failed', `it returned ${status}`)
  return answer
}

export async function fetchJson(web: ProviderFetch, ask: ProviderRequest, signal: AbortSignal): Promise<JsonObject> {
  const { text } = await fetchChecked(web, ask, signal)
  try {
    const value: unknown = JSON.parse(text)
    if (isObject(value)) return value
  } catch {}
  throw new ProviderError('changed', 'its response is not the expected JSON')
}

const valueAtKeys = (value: unknown, ...path: string[]): unknown =>
  path.reduce<unknown>((inner, key) => (isObject(inner) ? inner[key] : undefined), value)
const firstText = (value: unknown): string =>
  typeof value === 'string' ? value : Array.isArray(value) && typeof value[0] === 'string' ? value[0] : ''

/** Throws unless it is a list: the provider's format has changed. */
export function hitRowsOrThrow(value: unknown): JsonObject[] {
  if (!Array.isArray(value)) throw new ProviderError('changed', 'its answer has no list of hits')
  return value.filter(isObject)
}

/** Strips tags and entities, collapses white space. */
export const htmlToPlainText = (markup: unknown): string =>
  decodeHTMLStrict(firstText(markup).replace(/<[^>]{0,2000}>/g, ''))
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, 600)

export function dateField(value: unknown): { date?: number } {
  if (typeof value === 'number') return value > 0 ? { date: value * (value < 1e11 ? 1000 : 1) } : {}
  const date = parseDate(firstText(value))
  return date ? { date: toTimestamp(date) } : {}
}

/** A hit in the JSON of a provider; its parts are named by dotted paths. */
type JsonHit = ReturnType<typeof readJsonHit>

export function readJsonHit(hit: unknown) {
  const value = (path: string) => valueAtKeys(hit, ...path.split('.'))
  const text = (path: string) => firstText(value(path))
  const pixels = (path: string) => (Number(value(path)) > 0 ? Number(value(path)) : undefined)
  return {
    value,
    text,
    plain: (path: string) => htmlToPlainText(value(path)),
    date: (path: string) => dateField(value(path)),
    /** The first of these addresses that it has. */
    image(...paths: string[]) {
      const imageUrl = paths.map(text).find(Boolean)
      return imageUrl ? { imageUrl } : {}
    },
    size(width: string, height: string) {
      const [imageWidth, imageHeight] = [pixels(width), pixels(height)]
      return { ...(imageWidth ? { imageWidth } : {}), ...(imageHeight ? { imageHeight } : {}) }
    },
  }
}

interface JsonProvider extends Omit<Provider, 'ask'> {
  /** Only the address: a plain request. */
  request(query: ProviderQuery, base: string): ProviderRequest | string
  /** Dotted path of the list of hits; `?` at its end: without a hit there is none. */
  rows: string | ((query: ProviderQuery) => string)
  hit(hit: JsonHit, query: ProviderQuery, base: string): ProviderHit
}

/** A provider that returns one list of hits as JSON. */
export const makeJsonProvider = ({ request, rows, hit, ...provider }: JsonProvider): Provider => ({
  ...provider,
  async ask(query, base, web, signal) {
    const wanted = request(query, base)
    const answer = await fetchJson(web, typeof wanted === 'string' ? { url: wanted } : wanted, signal)
    const path = typeof rows === 'string' ? rows : rows(query)
    const list = readJsonHit(answer).value(path.replace(/\?$/, ''))
    return hitRowsOrThrow(list ?? (path.endsWith('?') ? [] : undefined)).map((row) =>
      hit(readJsonHit(row), query, base),
    )
  },
})

/** The URL with these parameters; empty ones are omitted. */
export function makeUrl(base: string, path: string, parameters: Record<string, string | number | undefined>): string {
  const url = new URL(base.replace(/\/$/, '') + path)
  for (const [name, value] of Object.entries(parameters))
    if (value !== undefined && value !== '') url.searchParams.set(name, String(value))
  return url.href
}

export const queryWithDomains = ({ full, includeDomains, excludeDomains }: ProviderQuery): string =>
  [
    full,
    includeDomains.length > 0 ? `(${includeDomains.map((host) => `site:${host}`).join(' OR ')})` : '',
    ...excludeDomains.map((host) => `-site:${host}`),
  ]
    .filter(Boolean)
    .join(' ')

/** The query is limited to sites that this source does not cover. */
export const isLimitedToOtherSites = ({ includeDomains, parsed }: ProviderQuery, own: readonly string[]): boolean => {
  const wanted = [...includeDomains, ...parsed.sites.map(({ host }) => host)]
  return (
    wanted.length > 0 &&
    !wanted.some((host) => own.some((site) => site === host || host.endsWith(`.${site}`) || site.endsWith(`.${host}`)))
  )
}

const CODE =
  /\b(api|bug|code|docker|error|exception|function|git|github|install|javascript|json|library|linux|node|npm|package|python|react|regex|rust|sdk|server|sql|stack ?overflow|typescript|vue)\b|[{}()=>;]|\w\.\w+\(/i
const SCIENCE =
  /\b(abstract|cell|clinical|disease|doi|effect of|gene|journal|meta-analysis|neural|paper|preprint|protein|quantum|research|review of|study|theorem|theory|therapy|trial)\b/i

/** Classifies a query by its words, well enough to skip sources that would add only noise. */
export const isAboutCode = ({ text: words, categories }: ProviderQuery): boolean =>
  CODE.test(words) || categories.includes('github') || categories.includes('developer')
export const isAboutScience = ({ text: words, categories }: ProviderQuery): boolean =>
  SCIENCE.test(words) || categories.includes('research')
/** Short and not a question: likely a name. */
export const looksLikeName = ({ parsed }: ProviderQuery): boolean => parsed.words.length > 0 && parsed.words.length <= 4

interface Node {
  name?: string
  attribs?: Record<string, string>
  children?: Node[]
  data?: string
  type: string
}

export function findElements(
  html: string,
  wanted: (name: string, classes: string, attribs: Record<string, string>) => boolean,
): Node[] {
  const found: Node[] = []
  const walk = (node: Node): void => {
    if (node.name && wanted(node.name, ` ${node.attribs?.class ?? ''} `, node.attribs ?? {})) found.push(node)
    for (const child of node.children ?? []) walk(child)
  }
  walk(parseDocument(html) as unknown as Node)
  return found
}

export function innerText(node: Node | undefined): string {
  const pieces: string[] = []
  const walk = (inner: Node): void => {
    if (inner.type === 'text') pieces.push(inner.data ?? '')
    for (const child of inner.children ?? []) walk(child)
  }
  if (node) walk(node)
  return pieces.join('').replace(/\s+/g, ' ').trim()
}

export function findInside(
  node: Node,
  wanted: (name: string, classes: string, attribs: Record<string, string>) => boolean,
): Node | undefined {
  for (const child of node.children ?? []) {
    if (child.name && wanted(child.name, ` ${child.attribs?.class ?? ''} `, child.attribs ?? {})) return child
    const deeper = findInside(child, wanted)
    if (deeper) return deeper
  }
  return undefined
}

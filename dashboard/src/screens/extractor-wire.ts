// What the screens of extractors share: shapes of replies, taught values, and addresses that look alike. Pure.
import type { z } from 'zod'
import type { extractorListReply, extractorReply, testReply } from '../../../src/capabilities/extractors/schema.ts'

export type ExtractorListed = z.output<typeof extractorListReply>['data'][number]
export type Extractor = z.output<typeof extractorReply>['data']
export type PageRead = z.output<typeof testReply>['data'][number]
type Item = Readonly<Record<string, unknown>>
export interface Way {
  data?: string
  state?: string
  path?: string
  css?: string
  xpath?: string
  label?: string
  column?: number
}
export interface FieldOfProgram {
  type: string
  ways: Way[]
  fields?: Record<string, FieldOfProgram>
}

export const PATH = '/v2/extractors'
export const pathOf = (id: string): string => `${PATH}/${encodeURIComponent(id)}`

const isItem = (value: unknown): value is Item => value !== null && typeof value === 'object' && !Array.isArray(value)

/** The records that a page has: one, or those of its list. */
export const recordsOf = (json: unknown): Item[] =>
  Array.isArray(json) ? json.filter(isItem) : isItem(json) ? [json] : []

export const textOf = (value: unknown): string =>
  value === null || value === undefined
    ? ''
    : Array.isArray(value)
      ? value.map(textOf).join('\n')
      : typeof value === 'object'
        ? JSON.stringify(value)
        : String(value)

export const wayText = ({ data, state, path, css, xpath, label, column }: Way): string =>
  data !== undefined
    ? `structured data ${data}`
    : state !== undefined
      ? `script state ${state}${path ? ` ${path}` : ''}`
      : label !== undefined
        ? `beside the label “${label}”`
        : column !== undefined
          ? `column ${column + 1}`
          : (css ?? xpath ?? '')

/** Kinds of values, as a person names them. */
export const KINDS = { text: 'Text', number: 'Number', list: 'List, one per line' } as const
export type Kind = keyof typeof KINDS

export const kindOf = (value: unknown): Kind =>
  typeof value === 'number' ? 'number' : Array.isArray(value) ? 'list' : 'text'

/** `12.450,00 €` → 12450. A last separator with other than three digits after it begins the decimals. */
function numberIn(text: string): number | undefined {
  const found = /-?\d[\d.,'’\s]*/.exec(text)?.[0].replaceAll(/[\s'’]/g, '')
  if (!found) return undefined
  const [, whole = '', decimals = ''] = /^(.*?)(?:[.,](\d{1,2}|\d{4,}))?[.,]?$/.exec(found) ?? []
  const value = Number(`${whole.replaceAll(/[.,]/g, '')}.${decimals || '0'}`)
  return Number.isNaN(value) ? undefined : value
}

export const valueIn = (text: string, kind: Kind): unknown =>
  kind === 'number'
    ? (numberIn(text) ?? text)
    : kind === 'list'
      ? text.split('\n').flatMap((line) => line.trim() || [])
      : text.trim()

const partsOf = (url: string): { origin: string; parts: string[] } => {
  const { origin, pathname, search } = new URL(url)
  return { origin, parts: `${pathname}${search}`.replaceAll(/\d+/g, '0').split(/[/?&=]/) }
}

/** Pages of the same site whose addresses are built like this one, the most similar first. */
export function alikeOf(url: string, links: readonly string[], most = 5): string[] {
  const own = partsOf(url)
  const scored = [...new Set(links.map((link) => link.split('#')[0]!))].flatMap((link) => {
    if (link === url || !URL.canParse(link)) return []
    const { origin, parts } = partsOf(link)
    if (origin !== own.origin || parts.length !== own.parts.length) return []
    const first = parts.findIndex((part, at) => part !== own.parts[at])
    return [{ link, shared: first === -1 ? parts.length : first }]
  })
  return scored
    .sort((a, b) => b.shared - a.shared)
    .slice(0, most)
    .map(({ link }) => link)
}

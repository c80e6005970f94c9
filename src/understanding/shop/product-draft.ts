// What one source says about a product before merging; every field is optional. Also readers for loose data: text,
// number, list.

import { decodeHTMLStrict } from 'entities'
import { isObject, setOfWords } from '../../base/values.ts'
import { collapseSpaces, isElement, isText, nextNode, parseTree } from '../../content/parse-tree.ts'
import type { Money } from '../money.ts'

export type ProductPicture = { url: string; alt?: string }

export interface VariantDraft {
  id?: string | undefined
  sku?: string | undefined
  title?: string | undefined
  values?: Readonly<Record<string, string>> | undefined
  price?: Money | undefined
  /** The price before a reduction. */
  was?: Money | undefined
  inStock?: boolean | undefined
  stockText?: string | undefined
  images?: readonly ProductPicture[] | undefined
}

export interface ProductDraft {
  title?: string | undefined
  brand?: string | undefined
  category?: string | undefined
  /** Category path, where the source has one. */
  path?: readonly string[] | undefined
  description?: string | undefined
  url?: string | undefined
  images?: readonly ProductPicture[] | undefined
  variants: readonly VariantDraft[]
  /** Variants beyond the limit. */
  left?: number | undefined
}

/** Shops have garments in 40 colours and 12 sizes; longer lists are a catalogue or an attack. */
export const MAX_VARIANTS = 500
export const MAX_IMAGES = 40
const MAX_TEXT = 20_000

export type LooseObject = Readonly<Record<string, unknown>>

export const asList = (value: unknown): readonly unknown[] =>
  value === undefined || value === null ? [] : Array.isArray(value) ? value : [value]

/** Data are often HTML-escaped, sometimes twice: `Marks &amp;amp; Spencer`. */
function unescapeText(text: string): string {
  let plain = text
  for (let times = 0; times < 3 && plain.includes('&'); times++) plain = decodeHTMLStrict(plain)
  return plain
}

/** A non-empty text; numbers count, and an object is its name or value. */
export function toTextOrName(value: unknown): string | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : undefined
  if (typeof value === 'string') return collapseSpaces(unescapeText(value.slice(0, MAX_TEXT))) || undefined
  if (Array.isArray(value)) return toTextOrName(value[0])
  if (isObject(value)) return toTextOrName(value.name ?? value['@value'] ?? value.value ?? value.label ?? value.title)
  return undefined
}

const BREAKS = setOfWords('p div br li ul ol h1 h2 h3 h4 h5 h6 tr td section')

/** Text without markup: descriptions are often HTML, sometimes escaped twice. */
export function toTextWithoutMarkup(value: unknown): string | undefined {
  const text = typeof value === 'string' ? value.slice(0, MAX_TEXT) : toTextOrName(value)
  if (text === undefined) return undefined
  if (!/[<&]/.test(text)) return collapseSpaces(text) || undefined
  const pieces: string[] = []
  const { tree } = parseTree(/^\s*&lt;/.test(text) ? text.replaceAll('&lt;', '<').replaceAll('&gt;', '>') : text)
  for (let node: ReturnType<typeof nextNode> = tree; node; node = nextNode(node, tree)) {
    if (isText(node) && !(isElement(node.parent) && /^(script|style)$/.test(node.parent.name))) pieces.push(node.data)
    else if (isElement(node) && BREAKS.has(node.name)) pieces.push(' ')
  }
  return collapseSpaces(pieces.join('')) || undefined
}

export function asBoolean(value: unknown): boolean | undefined {
  if (typeof value === 'boolean') return value
  if (value === 1 || value === '1' || value === 'true') return true
  if (value === 0 || value === '0' || value === 'false') return false
  return undefined
}

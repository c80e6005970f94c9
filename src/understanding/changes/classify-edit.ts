// Classifies an edit as price, stock, date, status, list item or text, by words and symbols in common languages.
import type { TextEdit } from './find-differences.ts'
import { lineShapeOf } from './line-shape-and-numbers.ts'

export type EditKind = 'price' | 'stock' | 'status' | 'date' | 'number' | 'item' | 'text'

const PRICE =
  /(?:[$€£¥₹₽₩]|\b(?:USD|EUR|GBP|CHF|JPY|PLN|SEK|NOK|DKK|CAD|AUD)\b)\s?\d|\d[\d.,]*\s?(?:[$€£¥₹₽₩]|(?:USD|EUR|GBP|CHF|JPY|PLN|SEK|NOK|DKK|CAD|AUD|kr|zł)\b)/iu
const STOCK =
  /\b(?:in stock|out of stock|sold out|back in stock|pre-?order|backorder|unavailable|available (?:now|again|from)|\d+ (?:left|remaining|in stock)|auf lager|ausverkauft|nicht (?:auf lager|lieferbar|verfügbar)|lieferbar|vorbestell\w*|en stock|rupture|épuisé|disponible|indisponible|agotado|sin existencias|esgotado|disponível|esaurito|disponibile)\b/iu
const STATUS =
  /\b(?:operational|degraded|outage|incident|resolved|investigating|identified|monitoring|maintenance|cancelled|canceled|delayed|closed|reopened|suspended|postponed|on time|online|offline|störung|behoben|wartung|abgesagt|verspätet|gestört|panne|annulé|retardé|suspendu|cancelado|retrasado|annullato|in ritardo)\b/iu
const MONTHS =
  '(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|jän|mär|mai|okt|dez|janv|févr|avr|juin|juil|août|déc|ene|abr|ago|dic)\\p{L}{0,7}'
const DATE = new RegExp(
  `\\b\\d{4}-\\d{2}-\\d{2}\\b|\\b\\d{1,2}[./]\\d{1,2}[./]\\d{2,4}\\b|\\b\\d{1,2}\\.?\\s(?:de\\s)?${MONTHS}\\b|\\b${MONTHS}\\s\\d{1,2}\\b|\\b\\d{1,2}:\\d{2}\\b`,
  'iu',
)
const ITEM = /^\s*(?:[-*+]|\d+[.)]|\|)\s/

export function classifyEdit({
  before,
  after,
  shape,
  type,
}: Pick<TextEdit, 'before' | 'after' | 'shape' | 'type'>): EditKind {
  const texts = [before, after].filter((text) => text !== null)
  const some = (pattern: RegExp) => texts.some((text) => pattern.test(text))
  // A line with a price is a price change only if the price differs.
  const inNumbers = shape !== null
  if (some(PRICE) && (inNumbers || type !== 'changed' || pricesDiffer(before, after))) return 'price'
  if (some(STOCK) && (type !== 'changed' || wordsDiffer(STOCK, before, after))) return 'stock'
  if (some(STATUS) && (type !== 'changed' || wordsDiffer(STATUS, before, after))) return 'status'
  if (some(DATE) && (inNumbers || type !== 'changed' || wordsDiffer(DATE, before, after))) return 'date'
  if (inNumbers) return 'number'
  if (type !== 'changed' && texts.every((text) => ITEM.test(text) || /^\s*#/.test(text))) return 'item'
  return 'text'
}

/** Kinds that are seldom noise. */
export const isPriceStockOrStatusEdit = (edit: TextEdit): boolean => SERIOUS.has(classifyEdit(edit))
const SERIOUS: ReadonlySet<EditKind> = new Set(['price', 'stock', 'status'])

function pricesDiffer(before: string | null, after: string | null): boolean {
  const [was, is] = [before, after].map((text) => [...(text ?? '').matchAll(new RegExp(PRICE, 'giu'))].join(' '))
  return was !== is
}

function wordsDiffer(pattern: RegExp, before: string | null, after: string | null): boolean {
  const all = (text: string | null) => [...(text ?? '').matchAll(new RegExp(pattern, 'giu'))].map(([found]) => found)
  return (
    lineShapeOf(all(before).join(' ')) !== lineShapeOf(all(after).join(' ')) || all(before).join() !== all(after).join()
  )
}

// The structured data of a page as JSON text, for a model: sizes, prices and dates often stand nowhere else.
import { readStructuredData } from '../../understanding/facts/read-structured-data.ts'
import type { FormatInputPage } from './format.ts'

const MAX_CHARS = 20_000

export function writeStructuredData(view: FormatInputPage): string {
  const { things, states } = readStructuredData(view)
  const fetched = states.flatMap(({ value, isFetched }) => (isFetched ? [value] : []))
  const text = JSON.stringify([...fetched, ...things]).slice(0, MAX_CHARS)
  return view.veil ? view.veil(text) : text
}

// The structured data of a page as JSON text, for a model: sizes, prices and dates often stand nowhere else.
import { factsOf } from '../../understanding/facts/facts.ts'
import type { PageView } from './format.ts'

const MAX_CHARS = 20_000

export function structuredDataText(view: PageView): string {
  const things = JSON.stringify(factsOf(view).things).slice(0, MAX_CHARS)
  return view.veil ? view.veil(things) : things
}

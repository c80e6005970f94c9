// Labelled values on a product page: "Brand: Anchor Optics", "Product code AL50", "Availability: In stock". Only labels
// outside the site's frame and other products count; the vocabulary is that of extract/.
import type { AnyNode } from 'domhandler'
import { termsNamed } from '../extract/terms.ts'
import { labelPhrase } from '../extract/words.ts'
import { readLines } from '../facts/lines.ts'
import { pairsIn } from '../facts/pairs.ts'
import { isAway } from './product-scan.ts'

export interface Labelled {
  brand: string | undefined
  number: string | undefined
  stock: string | undefined
}

const MAX_VALUE = 60

export function labelledIn(tree: AnyNode): Labelled {
  const { lines } = readLines(tree, (element) => isAway(element, false))
  const pairs = pairsIn(lines.filter(({ isMain }) => isMain))
  const beside = (...terms: string[]): string | undefined =>
    pairs
      .find(({ label, value }) => {
        const meant = termsNamed(labelPhrase(label))[0]?.id ?? ''
        return terms.includes(meant) && value.length <= MAX_VALUE && !/[.!?]\s+\p{L}/u.test(value)
      })
      ?.value.trim()
  const number = beside('sku', 'mpn')
  return {
    brand: beside('brand'),
    // A product number has a digit and at most one space.
    number: number && /^(?=.*\d)\S+(?: \S+)?$/.test(number) ? number : undefined,
    stock: beside('availability'),
  }
}

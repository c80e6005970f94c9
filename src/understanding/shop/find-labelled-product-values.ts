// Labelled values on a product page: "Brand: Anchor Optics", "Product code AL50", "Availability: In stock". Only labels
// outside the site's frame and other products count.
import type { AnyNode } from 'domhandler'
import { findTermsByPhrase } from '../extract/field-terms.ts'
import { labelToPhrase } from '../extract/normalise-labels.ts'
import { findLabelValuePairs } from '../facts/find-label-value-pairs.ts'
import { readVisibleLines } from '../facts/read-visible-lines.ts'
import { isOutsideProduct } from './scan-product-page.ts'

export interface LabelledProductValues {
  brand: string | undefined
  number: string | undefined
  stock: string | undefined
}

const MAX_VALUE = 60

export function findLabelledProductValues(tree: AnyNode): LabelledProductValues {
  const { lines } = readVisibleLines(tree, (element) => isOutsideProduct(element, false))
  const pairs = findLabelValuePairs(lines.filter(({ isMain }) => isMain))
  const beside = (...terms: string[]): string | undefined =>
    pairs
      .find(({ label, value }) => {
        const meant = findTermsByPhrase(labelToPhrase(label))[0]?.id ?? ''
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

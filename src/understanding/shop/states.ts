// Finds products in script state. Breadth first with its own queue and an object limit, so that ten megabytes of state
// take no longer than one.
import type { State } from '../facts/thing.ts'
import { isLoose, type Loose } from './draft.ts'
import type { ProductContext } from './linked.ts'
import { looseProduct } from './loose-product.ts'
import { bigCommerce, magento, prestaShop, type ShopReader, type StateDraft, shopify } from './shop-systems.ts'
import { squarespace } from './squarespace.ts'

const READERS: readonly ShopReader[] = [shopify, squarespace, magento, bigCommerce, prestaShop, looseProduct]
const MAX_OBJECTS = 40_000
const MAX_CANDIDATES = 60

export function productStates(states: readonly State[], context: ProductContext): StateDraft[] {
  const found: StateDraft[] = []
  const open: unknown[] = states.map(({ value }) => value)
  for (let at = 0, looked = 0; at < open.length && looked < MAX_OBJECTS && found.length < MAX_CANDIDATES; at++) {
    const one = open[at]
    if (Array.isArray(one)) {
      const bare = variantsAlone(one, context)
      if (bare) {
        found.push(bare)
        continue
      }
      for (const inner of one.slice(0, 2000)) if (inner !== null && typeof inner === 'object') open.push(inner)
      continue
    }
    if (!isLoose(one)) continue
    looked++
    const draft = readAs(one, context)
    if (draft) found.push(draft)
    // Do not descend into a product, except for the loosest reader, which may have matched a list of products.
    if (draft && draft.by !== 'state') continue
    for (const inner of Object.values(one)) {
      if (inner !== null && typeof inner === 'object') open.push(inner)
      // Nested state: JSON text in a property.
      else if (typeof inner === 'string' && inner.length > 200 && inner.length < 500_000 && /^\s*[{[]/.test(inner)) {
        const parsed = parse(inner)
        if (parsed) open.push(parsed)
      }
    }
  }
  return found
}

/** A list of variants without their product, as for a shop's picker. */
function variantsAlone(list: readonly unknown[], context: ProductContext): StateDraft | undefined {
  if (!isLoose(list[0])) return undefined
  return shopify({ variants: list }, context) ?? squarespace({ variants: list }, context)
}

function readAs(value: Loose, context: ProductContext): StateDraft | undefined {
  for (const read of READERS) {
    const draft = read(value, context)
    if (draft) return draft
  }
  return undefined
}

export function parse(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return value !== null && typeof value === 'object' ? value : undefined
  } catch {
    return undefined
  }
}

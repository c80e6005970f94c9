// Selects the product's current and previous price among the amounts on a page: by distance from the heading, by name,
// and by strike-through.
import type { Money } from '../money.ts'
import type { PageAmount, PlacedElement } from './find-amounts.ts'
import type { ProductScan } from './scan-product-page.ts'

export type ShownPrice = { price?: Money; was?: Money }

/** Elements between a heading and its price; further down, a price belongs to something else. */
const MAX_ELEMENTS_TO_PRICE = 700
const NEAR = 250
/** Elements between the two prices of one product. */
const MAX_ELEMENTS_BETWEEN_PRICES = 40

export function selectShownPrice({ amounts }: ProductScan, heading: PlacedElement | undefined): ShownPrice {
  const here = amounts.filter(({ away, beside }) => !away && !beside)
  const current = currentPrice(here, heading?.at ?? 0)
  if (!current) return {}
  const was = here
    .filter(
      (one) =>
        one.old &&
        Math.abs(one.at - current.at) <= MAX_ELEMENTS_BETWEEN_PRICES &&
        one.money.amount > current.money.amount,
    )
    .filter(({ money }) => !money.currency || !current.money.currency || money.currency === current.money.currency)
    .sort((a, b) => Math.abs(a.at - current.at) - Math.abs(b.at - current.at))[0]
  return { price: current.money, ...(was ? { was: was.money } : {}) }
}

function currentPrice(here: readonly PageAmount[], start: number): PageAmount | undefined {
  const real = here.filter(({ old, money }) => !old && money.amount > 0)
  const after = (distance: number) => (one: PageAmount) => one.at >= start && one.at - start < distance
  return (
    real.filter(({ named }) => named).find(after(MAX_ELEMENTS_TO_PRICE)) ??
    real.find(after(NEAR)) ??
    real.filter(({ named }) => named).findLast(({ at }) => at < start && start - at < NEAR) ??
    // An amount named old is the price when there is no other.
    here.filter(({ named }) => named).find(after(NEAR))
  )
}

export function findMatchingAmount(amounts: readonly PageAmount[], { amount, currency }: Money): Money | undefined {
  return amounts.find(
    ({ money }) => money.amount === amount && (!currency || !money.currency || money.currency === currency),
  )?.money
}

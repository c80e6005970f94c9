// Keeps the price of a card when another part of the card is kept. A card is one of several siblings of one form and
// has a link. Runs after units are decided.

import type { KeepState } from './keep-state-types.ts'
import { blockText, isInBoilerplateOrConcepts, MAX_PRICE_WORDS, RELATED_CONCEPT_BIT } from './keep-subject-facts.ts'
import { hasAmount } from './read-page-subject.ts'

const CARD_BLOCKS = 20
/** Concept bits of related goods, reviews and overlays; a wrapper around a grid may be named for its pagination. */
const OTHER_GOODS_CONCEPT_BITS = RELATED_CONCEPT_BIT | 2 | (1 << 9)

export function keepCardPrices(page: KeepState): void {
  const { outline, keep } = page
  const { blocks, firstBlock, endBlock } = outline
  for (let i = 0; i < blocks.length; i++) {
    const { words } = blocks[i]!
    if (keep[i] || words === 0 || words > MAX_PRICE_WORDS || !hasAmount(blockText(outline, i, 80))) continue
    const card = isInBoilerplateOrConcepts(page, i, OTHER_GOODS_CONCEPT_BITS) ? -1 : cardOf(page, i)
    if (card >= 0 && keep.subarray(firstBlock[card]!, endBlock[card]!).includes(1)) keep[i] = 1
  }
}

/** The smallest repeated element around a price that also has a link; -1 without one. */
function cardOf({ outline, reading }: KeepState, price: number): number {
  const { blocks, parent, firstBlock, endBlock } = outline
  const { repeated, sums } = reading.ancestry
  const { element, linkChars } = blocks[price]!
  let card = element < 0 ? -1 : repeated[element]!
  while (card >= 0 && endBlock[card]! - firstBlock[card]! <= CARD_BLOCKS) {
    const links = sums.links[endBlock[card]!]! - sums.links[firstBlock[card]!]!
    // The amount itself may be one of several like it, such as the old and the new price.
    if (links > linkChars) return card
    card = parent[card]! < 0 ? -1 : repeated[parent[card]!]!
  }
  return -1
}

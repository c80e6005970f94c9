// Keeps the facts of what the page is about: price and rating of its product, parts of its recipe, place of its event,
// pay of its job, address of its business, and the tables of a short page.
import { BOILERPLATE_LANDMARK_BITS, CELL_BITS, RARELY_CONTENT_LANDMARK_BITS, STORY_BITS } from './block-ancestry.ts'
import { classifyWholeUnit, elementSizeOf, sumBlockSizes } from './classify-whole-units.ts'
import { toLettersAndDigits } from './find-page-title.ts'
import type { FlatPage } from './flatten-page.ts'
import type { KeepState } from './keep-state-types.ts'
import { PAGE_KINDS } from './predict-page-kind.ts'
import {
  amountPattern,
  hasAmount,
  isAmount,
  type PageSubject,
  parseAmount,
  readPageSubject,
} from './read-page-subject.ts'

const PRODUCT = PAGE_KINDS.indexOf('product')
const PRODUCT_FROM = 0.5
/** Bits of CSS class concepts: related items; OTHER adds reviews, navigation and overlays. */
const RELATED_CONCEPT_BIT = 4
const OTHER = RELATED_CONCEPT_BIT | 2 | (1 << 5) | (1 << 9)

export function keepSubjectFacts(page: KeepState): void {
  const { outline, title } = page
  const heading = title ? toLettersAndDigits(blockText(outline, title.from, 400)) : ''
  const subject = readPageSubject(outline.facts, heading)
  if (subject) keepStated(page, subject)
  else keepShared(page)
  keepMarked(page)
  if (subject?.type === 'Product' || (page.reading.kind[PRODUCT] ?? 0) >= PRODUCT_FROM) keepPrice(page)
  keepSpecification(page)
}

function blockText({ blocks, texts }: FlatPage, i: number, maxChars: number): string {
  let out = ''
  for (let t = blocks[i]!.firstText; t < blocks[i]!.endText && out.length < maxChars; t++) out += texts[t]!.data
  return out.slice(0, maxChars)
}

const isInBoilerplateOrConcepts = ({ outline, reading }: KeepState, i: number, concepts: number): boolean => {
  const e = outline.blocks[i]!.element
  if (e < 0) return false
  return (
    (reading.ancestry.landmarks[e]! & RARELY_CONTENT_LANDMARK_BITS) !== 0 ||
    (reading.ancestry.chainConcepts[e]! & concepts) !== 0
  )
}

const STATED_WORDS = 120
const AMOUNT_WORDS = 12
const MIN_LETTERS = 4
/** A longer text is not found elsewhere by chance. */
const MIN_UNIQUE_LETTERS = 12

function keepStated(page: KeepState, { texts, amounts }: PageSubject): void {
  const { outline, keep } = page
  const { blocks } = outline
  if (texts.length > 0) {
    const wanted = texts
      .map((text) => toLettersAndDigits(text).slice(0, 60))
      .filter((text) => text.length >= MIN_LETTERS)
    const exact = new Set(wanted)
    const lines = wanted.join('\n')
    for (let i = 0; i < blocks.length; i++) {
      const { words } = blocks[i]!
      if (keep[i] || words === 0 || words > STATED_WORDS || isInBoilerplateOrConcepts(page, i, 0)) continue
      const said = toLettersAndDigits(blockText(outline, i, 600))
      // A part of an ingredient may be a block of its own, such as the amount.
      const isPart = said.length >= MIN_LETTERS && lines.includes(said)
      if (!exact.has(said.slice(0, 60)) && !isPart && !wanted.some((text) => said.includes(text))) continue
      if (said.length >= MIN_UNIQUE_LETTERS || !isInBoilerplateOrConcepts(page, i, OTHER)) keep[i] = 1
    }
  }
  for (const amount of amounts) {
    const forms = amountPattern(amount)
    keepNearest(page, (i) => blocks[i]!.words <= AMOUNT_WORDS && forms.test(blockText(outline, i, 120)), 0)
  }
}

/** Pages of other things declare a price of 1 or 0 too, so the block must look like a price. */
function keepShared(page: KeepState): void {
  const { outline } = page
  const amount = parseAmount(outline.facts.price)
  if (amount === undefined) return
  const forms = amountPattern(amount)
  const isPrice = (i: number): boolean => {
    if (outline.blocks[i]!.words > AMOUNT_WORDS) return false
    const text = blockText(outline, i, 120)
    return forms.test(text) && hasAmount(text)
  }
  keepNearest(page, isPrice, RELATED_CONCEPT_BIT)
}

/** The first match after the title, else the last one before it; nothing if one is kept already. */
function keepNearest(
  page: KeepState,
  matches: (block: number) => boolean,
  elsewhere: number,
  reach = Number.POSITIVE_INFINITY,
): void {
  const { outline, keep, title } = page
  const { blocks } = outline
  const from = title?.to ?? 0
  let found = -1
  for (let i = 0; i < Math.min(blocks.length, from + reach); i++) {
    if (i >= from && found >= from) break
    if (isInBoilerplateOrConcepts(page, i, elsewhere) || !matches(i)) continue
    if (keep[i]) return
    found = i
  }
  if (found >= 0) keep[found] = 1
}

const MARKED = new Set(
  (
    'price lowPrice highPrice availability ratingValue recipeIngredient ingredients recipeInstructions recipeYield ' +
    'prepTime cookTime totalTime startDate endDate baseSalary jobLocation streetAddress postalCode addressLocality ' +
    'telephone openingHours'
  ).split(' '),
)
const SUBJECT_SCOPE = /\/(?:Product|ProductGroup|Recipe|\w*Event|JobPosting|LocalBusiness|Restaurant|Store|Hotel)$/
const MARKED_BLOCKS = 60

/** Values inside the one scope of its type, or the one with the page's title. */
function keepMarked(page: KeepState): void {
  const { outline, keep, title } = page
  const { elements, end, firstBlock, endBlock } = outline
  const scopes: number[] = []
  for (let e = 0; e < elements.length; e++) {
    const { itemtype } = elements[e]!.attribs
    if (itemtype !== undefined && SUBJECT_SCOPE.test(itemtype.trim())) scopes.push(e)
  }
  const [scope] = title
    ? scopes.filter((e) => firstBlock[e]! <= title.from && endBlock[e]! >= title.to)
    : scopes.length === 1
      ? scopes
      : []
  if (scope === undefined) return
  const type = elements[scope]!.attribs.itemtype
  for (let e = scope + 1; e < end[scope]!; e++) {
    const { itemprop, itemtype } = elements[e]!.attribs
    // Related products are scopes of the same type.
    if (itemtype === type || itemprop === 'review') {
      e = end[e]! - 1
      continue
    }
    if (itemprop === undefined || !itemprop.split(/\s+/).some((name) => MARKED.has(name))) continue
    const from = firstBlock[e]!
    const to = Math.max(endBlock[e]!, from + (hasText(outline, e) ? 1 : 0))
    if (to - from > MARKED_BLOCKS) continue
    for (let i = from; i < to; i++) if (!isInBoilerplateOrConcepts(page, i, OTHER)) keep[i] = 1
  }
}

const hasText = ({ firstText, endText }: FlatPage, e: number): boolean => endText[e]! > firstText[e]!

const MAX_PRICE_WORDS = 8
const PRICE_REACH = 40

function keepPrice(page: KeepState): void {
  const { outline, reading, title } = page
  if (!title) return
  const { blocks } = outline
  const { repeated } = reading.ancestry
  const isPrice = (i: number): boolean => {
    const { words, element, chars, linkChars } = blocks[i]!
    if (words > MAX_PRICE_WORDS || linkChars * 2 > chars || (element >= 0 && repeated[element]! >= 0)) return false
    return isAmount(blockText(outline, i, 80))
  }
  keepNearest(page, isPrice, RELATED_CONCEPT_BIT, PRICE_REACH)
}

/** On a page with less running text in its main part, its tables and definition lists are what it is about. */
const SHORT_PAGE_WORDS = 400
const LINKED = 0.5
const MAX_TABLE_WORDS = 600

function keepSpecification(page: KeepState): void {
  const { outline, reading, keep } = page
  const { elements, firstBlock, endBlock, blocks, end } = outline
  const { landmarks, chainConcepts, repetition } = reading.ancestry
  const units: number[] = []
  const sizes = sumBlockSizes(outline, reading)
  for (let e = 0; e < elements.length; e++) {
    const { name } = elements[e]!
    if (name !== 'table' && name !== 'dl') continue
    if (
      !(landmarks[e]! & STORY_BITS) ||
      landmarks[e]! & (BOILERPLATE_LANDMARK_BITS | RARELY_CONTENT_LANDMARK_BITS) ||
      chainConcepts[e]! & OTHER
    )
      continue
    const { words, chars, links } = elementSizeOf(outline, sizes, e)
    if (words === 0 || words > MAX_TABLE_WORDS || links > chars * LINKED || repetition.count[e]! >= 3) continue
    if (classifyWholeUnit(outline, reading, sizes, e) !== 'whole') continue
    units.push(e)
    e = end[e]! - 1
  }
  if (units.length === 0) return
  let words = 0
  for (let i = 0; i < blocks.length; i++) {
    const e = blocks[i]!.element
    const isMain =
      e >= 0 &&
      landmarks[e]! & STORY_BITS &&
      !(landmarks[e]! & (BOILERPLATE_LANDMARK_BITS | RARELY_CONTENT_LANDMARK_BITS | CELL_BITS))
    if (isMain && blocks[i]!.linkChars * 2 < blocks[i]!.chars) words += blocks[i]!.words
  }
  if (words > SHORT_PAGE_WORDS) return
  for (const e of units) keep.fill(1, firstBlock[e]!, endBlock[e]!)
}

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

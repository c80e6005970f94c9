// What stands beside the page's main heading belongs to it: who wrote the page and when, what a thing costs, and the
// sentence that sums it up; in a <header> too. Found by types, by names, by <time> and by what the page's head says.
import { SELDOM } from './ancestry.ts'
import type { Whole } from './kept.ts'
import type { Outline } from './outline.ts'
import { blockFinder, isAuthor, isDated, isSaidAuthor, isTime, lineOf } from './posts.ts'
import { wordsShared } from './sections.ts'

/** Beside the heading: so many texts before and after it, until the text itself begins. */
const BEFORE = 3
const AFTER = 12
const TEXT_WORDS = 40
const ASIDE_OR_FORM = 8 | 64
const LINE_WORDS = 15
const MAX_TEXTS = 12
/** Both when a page was published and when it was changed. */
const DATES = 2

interface Place {
  from: number
  to: number
  isFree: (block: number) => boolean
}

/** The texts beside the title; undefined without a text that is kept soon after it: then it says nothing of what stands around. */
function placeOf({ outline, reading, keep, title }: Whole): Place | undefined {
  if (!title) return undefined
  const { blocks } = outline
  const { landmarks } = reading.ancestry
  const from = Math.max(0, title.from - BEFORE)
  let to = title.to
  while (to < blocks.length && to < title.to + AFTER && !(keep[to] && blocks[to]!.words >= TEXT_WORDS)) to++
  if (to === blocks.length || !keep[to]) return undefined
  const isFree = (block: number): boolean => {
    const e = blocks[block]!.element
    return block >= from && block < to && e >= 0 && !(landmarks[e]! & (SELDOM | ASIDE_OR_FORM))
  }
  return { from, to, isFree }
}

/** Keeps these, and returns those that were not kept before. */
function add(keep: Uint8Array, blocks: readonly number[]): number[] {
  const added = blocks.filter((block) => !keep[block])
  for (const block of added) keep[block] = 1
  return added
}

/** Keeps the author, the dates and the price beside the title, and returns what was not kept before. */
export function keepBeside(page: Whole): number[] {
  const place = placeOf(page)
  if (!place) return []
  const { outline, keep } = page
  const { blocks, elements, firstText, endText } = outline
  const [first, last] = [blocks[place.from]!.firstText, blocks[place.to - 1]!.endText]
  const near: number[] = []
  for (let e = 0; e < elements.length; e++)
    if (firstText[e]! >= first && endText[e]! <= last && endText[e]! > firstText[e]!)
      if (endText[e]! - firstText[e]! <= MAX_TEXTS) near.push(e)
  const blockOf = blockFinder(outline)
  const lines = (is: (e: number) => boolean): number[] => [
    ...new Set(near.flatMap((e) => (is(e) ? lineOf(outline, blockOf, e, LINE_WORDS) : [])).filter(place.isFree)),
  ]
  const signed = lines((e) => isSaidAuthor(outline, e, -1) || isAuthor(outline, e, -1) || isByline(outline, e))
  const dated = lines((e) => isTime(outline, e) || isDated(outline, e))
  const priced = lines((e) => isPrice(outline, e))
  return add(keep, [...new Set([...signed.slice(0, 1), ...dated.slice(0, DATES), ...priced.slice(0, 1)])])
}

/** Keeps the sentence that sums the page up, and returns it when it was not kept before. */
export function keepStandfirst(page: Whole): number[] {
  const place = placeOf(page)
  if (!place || !page.title) return []
  const found = standfirstIn(page.outline, page.title.to, place.to, place.isFree)
  return found < 0 ? [] : add(page.keep, [found])
}

const BYLINE = /(?:^|[\s_-])by-?line(?:[\s_-]|$)/i

const isByline = ({ elements }: Outline, e: number): boolean =>
  BYLINE.test((elements[e]!.attribs.class ?? '').slice(0, 300))

const PRICE = /(?:^|[\s_-])price(?:[\s_-]|$)/i

/** Named or typed as a price, and an amount of money. */
function isPrice({ elements, texts, firstText, endText }: Outline, e: number): boolean {
  const { class: names = '', itemprop } = elements[e]!.attribs
  if (itemprop !== 'price' && !PRICE.test(names.slice(0, 300))) return false
  for (let t = firstText[e]!; t < endText[e]!; t++) if (/\p{Sc}\s?\d|\d\s?\p{Sc}/u.test(texts[t]!.data)) return true
  return false
}

const STANDFIRST =
  /(?:^|[\s_-])(?:standfirst|dek|deck|subtitle|sub-?headline|sub-?heading|lead|lede|teaser-?text|bajada|chapo|vorspann|sommario|ingress)(?:[\s_-]|$)/i
const STANDFIRST_WORDS = 60
const FEW_WORDS = 6
const MOST = 0.7
const LINKED = 0.3

/** The first text after the title that sums the page up: named so, or said in the page's head as well; -1 when none does. */
function standfirstIn(outline: Outline, from: number, to: number, isFree: (block: number) => boolean): number {
  const { blocks, elements, parent, facts } = outline
  const shared = wordsShared(outline, facts.description)
  for (let i = from; i < to; i++) {
    const { words, chars, linkChars, element, firstWord, endWord } = blocks[i]!
    if (words < FEW_WORDS || words > STANDFIRST_WORDS || linkChars > chars * LINKED || !isFree(i)) continue
    const names = `${elements[element]!.attribs.class ?? ''} ${elements[parent[element]!]?.attribs.class ?? ''}`
    if (shared[i]! >= (endWord - firstWord) * MOST || STANDFIRST.test(names.slice(0, 400))) return i
  }
  return -1
}

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

/** Keeps what stands beside the title, and returns what was not kept before. */
export function keepBeside({ outline, reading, keep, title }: Whole): number[] {
  if (!title) return []
  const { blocks, elements, firstText, endText } = outline
  const { landmarks } = reading.ancestry
  const from = Math.max(0, title.from - BEFORE)
  let to = title.to
  while (to < blocks.length && to < title.to + AFTER && !(keep[to] && blocks[to]!.words >= TEXT_WORDS)) to++
  // Without a text that is kept soon after it, a heading says nothing of what stands around.
  if (to === blocks.length || !keep[to]) return []
  const added: number[] = []
  const isFree = (block: number): boolean => {
    const e = blocks[block]!.element
    return block >= from && block < to && e >= 0 && !(landmarks[e]! & (SELDOM | ASIDE_OR_FORM))
  }
  const add = (block: number): void => {
    if (!keep[block]) added.push(block)
    keep[block] = 1
  }
  const [first, last] = [blocks[from]!.firstText, blocks[to - 1]!.endText]
  const near: number[] = []
  for (let e = 0; e < elements.length; e++)
    if (firstText[e]! >= first && endText[e]! <= last && endText[e]! > firstText[e]!)
      if (endText[e]! - firstText[e]! <= MAX_TEXTS) near.push(e)
  const blockOf = blockFinder(outline)
  const lines = (is: (e: number) => boolean): number[] => [
    ...new Set(near.flatMap((e) => (is(e) ? lineOf(outline, blockOf, e, LINE_WORDS) : [])).filter(isFree)),
  ]
  for (const block of lines(
    (e) => isSaidAuthor(outline, e, -1) || isAuthor(outline, e, -1) || isByline(outline, e),
  ).slice(0, 1))
    add(block)
  for (const block of lines((e) => isTime(outline, e) || isDated(outline, e)).slice(0, DATES)) add(block)
  for (const block of lines((e) => isPrice(outline, e)).slice(0, 1)) add(block)
  const standfirst = standfirstIn(outline, title.to, to, isFree)
  if (standfirst >= 0) add(standfirst)
  return added
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

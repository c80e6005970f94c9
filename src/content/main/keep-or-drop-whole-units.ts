// After blocks are chosen, keeps or cuts tables, lists, figures, listings, quotations and question-answer pairs as
// wholes, and drops headings without content.
import type { Element } from 'domhandler'
import { BOILERPLATE_LANDMARK_BITS, RARELY_CONTENT_LANDMARK_BITS } from './block-ancestry.ts'
import { classifyWholeUnit, sumBlockSizes } from './classify-whole-units.ts'
import { isSiteNameHeading, type PageTitle } from './find-page-title.ts'
import type { FlatPage } from './flatten-page.ts'
import { keepReferencedFootnotes } from './keep-footnotes.ts'
import { keepPostBylines } from './keep-post-authors.ts'
import type { KeepState, PostsAndBylines } from './keep-state-types.ts'
import { headingLevelOfTag } from './page-structure.ts'
import { PAGE_KINDS } from './predict-page-kind.ts'

export function keepOrDropWholeUnits(page: KeepState): PostsAndBylines {
  const { title } = page
  if (title) keepTitle(page, title)
  decideUnits(page)
  keepQuestions(page)
  keepReferencedFootnotes(page)
  keepPictures(page)
  const thread = keepPostBylines(page)
  keepHeadingsOfKept(page)
  cutEmptyHeadings(page)
  return thread
}

function keepTitle({ outline, keep }: KeepState, title: PageTitle): void {
  const { elements, firstBlock, endBlock } = outline
  // The site's name in another <h1> is not a second title.
  elements.forEach(({ name }, e) => {
    if (name === 'h1' && e !== title.element && isSiteNameHeading(outline, e))
      keep.fill(0, firstBlock[e]!, endBlock[e]!)
  })
  keep.fill(1, title.from, title.to)
}

/** Share of a unit that must have been chosen for all of it to stay. */
const MIN_CHOSEN_SHARE = 0.4

/** Lower for listings and quotations, which are seldom boilerplate. */
const MIN_CHOSEN_SHARE_OF_TEXT = 0.25
const MAX_OPENED = 6

function decideUnits(page: KeepState): void {
  const { outline, reading, keep, title } = page
  const { elements, end, firstBlock, endBlock } = outline
  const inFigure = figureBlocks(outline)
  const sizes = sumBlockSizes(outline, reading)
  /** End indexes of opened lists, so nested lists are not counted repeatedly. */
  const opened: number[] = []
  for (let e = 0; e < elements.length; ) {
    while (opened.length > 0 && opened.at(-1)! <= e) opened.pop()
    const from = firstBlock[e]!
    const to = endBlock[e]!
    const kind = to > from ? classifyWholeUnit(outline, reading, sizes, e) : undefined
    if (kind === undefined || (title && title.from < to && title.to > from)) {
      e++
      continue
    }
    if (kind === 'figure') decideFigure(page, inFigure, e)
    else if (kind === 'items') {
      if (opened.length < MAX_OPENED) evenItems(outline, keep, e)
      opened.push(end[e]!)
    } else {
      const least = kind === 'text' ? MIN_CHOSEN_SHARE_OF_TEXT : MIN_CHOSEN_SHARE
      const stays = share(outline, keep, from, to) >= least || isAmid(page, e) || isQuoteInStory(page, e)
      keep.fill(stays ? 1 : 0, from, to)
    }
    e = kind === 'items' ? e + 1 : end[e]!
  }
}

function share({ blocks }: FlatPage, keep: Uint8Array, from: number, to: number): number {
  let kept = 0
  let all = 0
  for (let i = from; i < to; i++) {
    all += blocks[i]!.words
    if (keep[i]) kept += blocks[i]!.words
  }
  return all === 0 ? 0 : kept / all
}

const ARTICLE = PAGE_KINDS.indexOf('article')
const STORY_FROM = 0.7

/** Between kept blocks of a story, like embedded posts. */
function isQuoteInStory({ outline, reading, keep }: KeepState, e: number): boolean {
  const { kind, ancestry } = reading
  const [from, to] = [outline.firstBlock[e]!, outline.endBlock[e]!]
  const isInside = from > ancestry.heart.from && to < ancestry.heart.to
  const isQuote = outline.elements[e]!.name === 'blockquote'
  return isQuote && isInside && (kind[ARTICLE] ?? 0) > STORY_FROM && keep[from - 1] === 1 && keep[to] === 1
}

/** Between kept running text of the same part of the page. */
function isAmid({ outline, reading, keep }: KeepState, e: number): boolean {
  const { blocks, parent, firstBlock, endBlock } = outline
  const { landmarks, sums } = reading.ancestry
  const [from, to] = [firstBlock[e]!, endBlock[e]!]
  const isLinked = sums.links[to]! - sums.links[from]! > (sums.chars[to]! - sums.chars[from]!) * LINKED
  if (from === 0 || landmarks[e]! & BESIDE_OR_FORM || isLinked) return false
  let part = parent[e]!
  while (part >= 0 && firstBlock[part] === from && endBlock[part] === to) part = parent[part]!
  const isText = (i: number): boolean => keep[i] === 1 && blocks[i]!.linkChars <= blocks[i]!.chars * LINKED
  const before = levelOf(outline, from - 1) > 0 ? from - 2 : from - 1
  const after = to < endBlock[part]! && levelOf(outline, to) > 0 ? to + 1 : to
  return part >= 0 && before >= firstBlock[part]! && after < endBlock[part]! && isText(before) && isText(after)
}

/** A heading directly before kept text of its part of the page stays. */
function keepHeadingsOfKept({ outline, reading, keep }: KeepState): void {
  const { blocks, parent, endBlock } = outline
  const { landmarks } = reading.ancestry
  for (let i = blocks.length - 2; i >= 0; i--) {
    const { element, chars, linkChars } = blocks[i]!
    if (keep[i] || !keep[i + 1] || element < 0 || landmarks[element]! & BESIDE_OR_FORM) continue
    const level = levelOf(outline, i)
    const below = levelOf(outline, i + 1)
    const next = blocks[i + 1]!
    const isText = below > level || (below === 0 && next.linkChars <= next.chars * LINKED)
    let part = parent[element]!
    while (part >= 0 && endBlock[part] === i + 1) part = parent[part]!
    if (level > 1 && isText && linkChars < chars * LINKED && part >= 0 && endBlock[part]! > i + 1) keep[i] = 1
  }
}

function figureBlocks({ elements, blocks, firstBlock, endBlock }: FlatPage): Uint8Array {
  const out = new Uint8Array(blocks.length)
  let done = 0
  elements.forEach(({ name }, e) => {
    if (name !== 'figure' || endBlock[e]! <= done) return
    out.fill(1, firstBlock[e]!, endBlock[e]!)
    done = endBlock[e]!
  })
  return out
}

const LABEL_CHARS = 25
const LABELS = 4

/** The nearest block that is longer than a label and outside figures, or -1. */
function beside({ blocks }: FlatPage, keep: Uint8Array, inFigure: Uint8Array | undefined, from: number, step: 1 | -1) {
  let labels = 0
  for (let i = from; i >= 0 && i < blocks.length && labels <= LABELS; i += step) {
    if (inFigure?.[i]) continue
    if (blocks[i]!.chars >= LABEL_CHARS || keep[i]) return i
    labels++
  }
  return -1
}

function decideFigure({ outline, keep, pictures }: KeepState, inFigure: Uint8Array, e: number): void {
  const { firstBlock, endBlock, mediaParent, end } = outline
  const from = firstBlock[e]!
  const to = endBlock[e]!
  const before = beside(outline, keep, inFigure, from - 1, -1)
  const after = beside(outline, keep, inFigure, to, 1)
  const amid = before >= 0 && after >= 0 && keep[before] === 1 && keep[after] === 1
  const stays = amid || (share(outline, keep, from, to) > 0.5 && (keep[before] === 1 || keep[after] === 1))
  for (let i = from; i < to; i++) keep[i] = stays && !isCredit(outline, i) ? 1 : 0
  if (!stays) return
  for (let m = firstMedium(outline, from); m < mediaParent.length && outline.mediaAt[m]! <= to; m++)
    if (mediaParent[m]! >= e && mediaParent[m]! < end[e]!) pictures.add(m)
}

function firstMedium({ mediaAt }: FlatPage, block: number): number {
  let low = 0
  let high = mediaAt.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (mediaAt[middle]! < block) low = middle + 1
    else high = middle
  }
  return low
}

const CREDIT_WORDS = 8
const CREDIT_NAMES = /(?:^|[\s_-])(?:credits?|copyright|photographer|photo-?by)(?:[\s_-]|$)/i
/** `Foto: Ada Berg`, `© Ada Berg`, `(Bild: dpa)`. */
const IMAGE_CREDIT = /^[\s([]*(?:©|\(c\)|\p{L}{3,14}\s?[:：]\s?\p{L})/iu

function isCredit({ blocks, elements, texts }: FlatPage, i: number): boolean {
  const { words, element, firstText } = blocks[i]!
  if (words > CREDIT_WORDS) return false
  return (
    (element >= 0 && CREDIT_NAMES.test(elements[element]!.attribs.class ?? '')) ||
    IMAGE_CREDIT.test(texts[firstText]!.data)
  )
}

const CREDIT_CHARS = 120
const CAPTION_STEPS = 4

/** Picture credits inside captions, recognised by class name or itemprop. */
export function findImageCredits({ elements, parent, texts, firstText, endText }: FlatPage): Element[] {
  return elements.filter((element, e) => {
    const { class: names = '', itemprop } = element.attribs
    if (itemprop !== 'copyrightHolder' && !CREDIT_NAMES.test(names.slice(0, 300))) return false
    let chars = 0
    for (let t = firstText[e]!; t < endText[e]! && chars <= CREDIT_CHARS; t++) chars += texts[t]!.data.length
    if (chars > CREDIT_CHARS) return false
    for (let up = parent[e]!, step = 0; up >= 0 && step < CAPTION_STEPS; step++, up = parent[up]!)
      if (elements[up]!.name === 'figcaption') return endText[up]! - firstText[up]! > endText[e]! - firstText[e]!
    return false
  })
}

const BOX_WORDS = 40
const BOX_BLOCKS = 4
const BOX_CLIMB = 10
const NOT_BOX = new Set(['li', 'td', 'th', 'figure', 'body', 'html'])
const BESIDE_OR_FORM = BOILERPLATE_LANDMARK_BITS | RARELY_CONTENT_LANDMARK_BITS | 64

function keepPictures({ outline, reading, keep, pictures }: KeepState): void {
  const { media, mediaParent, blocks, elements, parent, firstBlock, endBlock } = outline
  for (let m = 0; m < media.length; m++) {
    if (pictures.has(m)) continue
    let box = -1
    let steps = 0
    for (let e = mediaParent[m]!; e >= 0 && steps < BOX_CLIMB && !NOT_BOX.has(elements[e]!.name); e = parent[e]!) {
      steps++
      const from = firstBlock[e]!
      const to = endBlock[e]!
      if (to - from > BOX_BLOCKS) break
      let words = 0
      for (let i = from; i < to; i++) words += blocks[i]!.words
      if (words > BOX_WORDS) break
      if (to > from) box = e
    }
    if (box < 0 || reading.ancestry.landmarks[box]! & BESIDE_OR_FORM) continue
    let isPlain = true
    for (let i = firstBlock[box]!; i < endBlock[box]!; i++)
      if (keep[i] || blocks[i]!.linkChars * 2 > blocks[i]!.chars || levelOf(outline, i) > 0) isPlain = false
    if (!isPlain) continue
    const before = beside(outline, keep, undefined, firstBlock[box]! - 1, -1)
    const after = beside(outline, keep, undefined, endBlock[box]!, 1)
    if (before >= 0 && after >= 0 && keep[before] && keep[after]) pictures.add(m)
  }
}

const LINKED = 0.6

/** Items with longer texts: if most stay, none is dropped entirely; if few do, all are dropped. */
function evenItems(outline: FlatPage, keep: Uint8Array, list: number): void {
  const { blocks, firstBlock, endBlock } = outline
  let kept = 0
  let all = 0
  const gone: number[] = []
  const items = itemsOf(outline, list)
  for (const e of items) {
    let words = 0
    let chars = 0
    let links = 0
    let stays = 0
    for (let i = firstBlock[e]!; i < endBlock[e]!; i++) {
      words += blocks[i]!.words
      chars += blocks[i]!.chars
      links += blocks[i]!.linkChars
      if (keep[i]) stays += blocks[i]!.words
    }
    if (links > chars * LINKED) continue
    all += words
    kept += stays > 0 ? words : 0
    if (stays === 0) gone.push(e)
  }
  if (kept === 0 || gone.length === 0) return
  if (kept >= all * MIN_CHOSEN_SHARE) for (const e of gone) keep.fill(1, firstBlock[e]!, endBlock[e]!)
  else for (const e of items) keep.fill(0, firstBlock[e]!, endBlock[e]!)
}

function itemsOf({ elements, end, firstBlock, endBlock }: FlatPage, list: number): number[] {
  const items: number[] = []
  for (let e = list + 1; e < end[list]!; e = end[e]!)
    if (elements[e]!.name === 'li' && endBlock[e]! > firstBlock[e]!) items.push(e)
  return items
}

const QUESTION = new Set([0x3f, 0xff1f, 0x61f, 0x37e])
const QUESTION_WORDS = 40
const ANSWER_REACH = 2

/** Keeps questions, and the openers of folded parts, with their kept answers. */
function keepQuestions({ outline, reading, keep }: KeepState): void {
  const { blocks, elements, parent, endBlock } = outline
  for (let i = blocks.length - 2; i >= 0; i--) {
    const { element, last, words } = blocks[i]!
    if (keep[i] || element < 0 || words > QUESTION_WORDS || words === 0) continue
    if (reading.ancestry.landmarks[element]! & RARELY_CONTENT_LANDMARK_BITS) continue
    const opener = openerOf(outline, element)
    if (opener < 0 && !QUESTION.has(last)) continue
    // The answer must follow within the same part of the page.
    let next = i + 1
    for (let step = 0; step < ANSWER_REACH && next < blocks.length && !keep[next]; step++) next++
    if (next >= blocks.length || !keep[next] || blocks[next]!.words < 3) continue
    // Consecutive questions are a table of contents or a list of related questions.
    if (opener < 0 && QUESTION.has(blocks[next]!.last)) continue
    if (opener >= 0 && elements[opener]!.name === 'summary') {
      if (next < endBlock[parent[opener]!]!) keep[i] = 1
      continue
    }
    let up = parent[element]!
    for (let step = 0; step < 4 && up >= 0 && endBlock[up]! <= next; step++) up = parent[up]!
    if (up >= 0 && endBlock[up]! > next && elements[up]!.name !== 'body') keep[i] = 1
  }
}

function openerOf({ elements, parent }: FlatPage, element: number): number {
  for (let e = element, step = 0; e >= 0 && step < 4; step++, e = parent[e]!) {
    const { name, attribs } = elements[e]!
    if (name === 'summary' || name === 'button' || attribs.role === 'button') return e
    if (attribs['aria-controls'] !== undefined && attribs.role !== 'tab') return e
  }
  return -1
}

/** Minimum running text cut below a heading for the heading to count as emptied. */
const MIN_CUT_CHARS_BELOW_HEADING = 60

/** Cuts headings whose text was cut. Headings without text on the original page stay. */
export function cutEmptyHeadings({ outline, keep, title }: KeepState): void {
  const { blocks, media, mediaAt } = outline
  // Backwards: per level, whether kept content follows before the next such heading, and how much was cut.
  const full = new Uint8Array(8)
  const lost = new Float64Array(8)
  let m = media.length - 1
  for (let i = blocks.length - 1; i >= 0; i--) {
    for (; m >= 0 && mediaAt[m]! > i; m--)
      if (keep[i] || (mediaAt[m]! < blocks.length && keep[mediaAt[m]!])) full.fill(1)
    const level = levelOf(outline, i)
    if (level === 0) {
      if (keep[i]) full.fill(1)
      else for (let k = 1; k < 8; k++) lost[k]! += blocks[i]!.chars - blocks[i]!.linkChars
      continue
    }
    const isTitle = title !== undefined && i >= title.from && i < title.to
    if (keep[i] && !full[level] && lost[level]! >= MIN_CUT_CHARS_BELOW_HEADING && !isTitle) keep[i] = 0
    if (!keep[i]) continue
    full.fill(0, level)
    lost.fill(0, level)
  }
}

function levelOf({ blocks, elements, parent }: FlatPage, block: number): number {
  for (let e = blocks[block]!.element, step = 0; e >= 0 && step < 3; step++, e = parent[e]!) {
    const level = headingLevelOfTag(elements[e]!.name)
    if (level > 0) return level
  }
  return 0
}

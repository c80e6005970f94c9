// Things are kept or cut whole: after the choice of blocks, each table, list, definition list, figure, listing, quotation
// and question with its answer becomes one decision, and no heading is left over nothing. One pass over the outline.
import type { Element } from 'domhandler'
import { BESIDE, SELDOM } from './ancestry.ts'
import type { Thread, Whole } from './kept.ts'
import { KINDS } from './kinds.ts'
import { keepNotes } from './notes.ts'
import type { Outline } from './outline.ts'
import { keepBylines } from './posts.ts'
import { headingLevel } from './sections.ts'
import { isLogo, type Title } from './title.ts'
import { sizesOf, unitOf } from './units.ts'

/** Changes `keep` and `pictures`. Returns the posts of a thread. */
export function makeWhole(page: Whole): Thread {
  const { title } = page
  if (title) keepTitle(page, title)
  decideUnits(page)
  keepQuestions(page)
  keepNotes(page)
  keepPictures(page)
  const thread = keepBylines(page)
  cutEmptyHeadings(page)
  return thread
}

function keepTitle({ outline, keep }: Whole, title: Title): void {
  const { elements, firstBlock, endBlock } = outline
  // The name of the site in a heading of the same order is no second title.
  elements.forEach(({ name }, e) => {
    if (name === 'h1' && e !== title.element && isLogo(outline, e)) keep.fill(0, firstBlock[e]!, endBlock[e]!)
  })
  keep.fill(1, title.from, title.to)
}

/** So much of a thing must have been chosen for all of it to stay. */
const MOST = 0.4

/** Of a listing or a quotation less is enough: they are seldom a part of the page's furniture. */
const SOME = 0.25
const MAX_OPENED = 6

function decideUnits(page: Whole): void {
  const { outline, reading, keep, title } = page
  const { elements, end, firstBlock, endBlock } = outline
  const inFigure = figureBlocks(outline)
  const sizes = sizesOf(outline, reading)
  /** Where the lists end that were opened up, so that lists in lists are not counted over and over. */
  const opened: number[] = []
  for (let e = 0; e < elements.length; ) {
    while (opened.length > 0 && opened.at(-1)! <= e) opened.pop()
    const from = firstBlock[e]!
    const to = endBlock[e]!
    const kind = to > from ? unitOf(outline, reading, sizes, e) : undefined
    if (kind === undefined || (title && title.from < to && title.to > from)) {
      e++
      continue
    }
    if (kind === 'figure') decideFigure(page, inFigure, e)
    else if (kind === 'items' || kind === 'pairs') {
      if (opened.length < MAX_OPENED) (kind === 'items' ? evenItems : pairTerms)(outline, keep, e)
      opened.push(end[e]!)
    } else if (elements[e]!.name === 'blockquote' && isAmid(page, from, to)) keep.fill(1, from, to)
    else keep.fill(share(outline, keep, from, to) >= (kind === 'text' ? SOME : MOST) ? 1 : 0, from, to)
    e = kind === 'items' || kind === 'pairs' ? e + 1 : end[e]!
  }
}

function share({ blocks }: Outline, keep: Uint8Array, from: number, to: number): number {
  let kept = 0
  let all = 0
  for (let i = from; i < to; i++) {
    all += blocks[i]!.words
    if (keep[i]) kept += blocks[i]!.words
  }
  return all === 0 ? 0 : kept / all
}

const ARTICLE = KINDS.indexOf('article')
const STORY_FROM = 0.7

/** Between texts of a story that stay, as posts of others are when they are embedded. */
function isAmid({ reading, keep }: Whole, from: number, to: number): boolean {
  const { kind, ancestry } = reading
  const isInside = from > ancestry.heart.from && to < ancestry.heart.to
  return isInside && (kind[ARTICLE] ?? 0) > STORY_FROM && keep[from - 1] === 1 && keep[to] === 1
}

// --- figures ----------------------------------------------------------------------------------------------------------

/** 1 for each block that stands in a figure. */
function figureBlocks({ elements, blocks, firstBlock, endBlock }: Outline): Uint8Array {
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

/** The nearest text before or after that is no mere label and stands in no figure; -1 when there is none. */
function beside({ blocks }: Outline, keep: Uint8Array, inFigure: Uint8Array | undefined, from: number, step: 1 | -1) {
  let labels = 0
  for (let i = from; i >= 0 && i < blocks.length && labels <= LABELS; i += step) {
    if (inFigure?.[i]) continue
    if (blocks[i]!.chars >= LABEL_CHARS || keep[i]) return i
    labels++
  }
  return -1
}

/** A picture with its caption stays where the text around it does. */
function decideFigure({ outline, keep, pictures }: Whole, inFigure: Uint8Array, e: number): void {
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

/** The first of the media that stands at a block or after it. */
function firstMedium({ mediaAt }: Outline, block: number): number {
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
const CREDIT = /^[\s([]*(?:©|\(c\)|\p{L}{3,14}\s?[:：]\s?\p{L})/iu

/** Who took a picture says nothing about it. */
function isCredit({ blocks, elements, texts }: Outline, i: number): boolean {
  const { words, element, firstText } = blocks[i]!
  if (words > CREDIT_WORDS) return false
  return (
    (element >= 0 && CREDIT_NAMES.test(elements[element]!.attribs.class ?? '')) || CREDIT.test(texts[firstText]!.data)
  )
}

const CREDIT_CHARS = 120
const CAPTION_STEPS = 4

/** The parts of captions that say who took the picture: what is named or typed so, inside a caption that says more. */
export function creditsOf({ elements, parent, texts, firstText, endText }: Outline): Element[] {
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
const BESIDE_OR_FORM = BESIDE | SELDOM | 64

/** A picture with a few words to it that were cut, between texts that stay: the picture stays. */
function keepPictures({ outline, reading, keep, pictures }: Whole): void {
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

// --- lists ------------------------------------------------------------------------------------------------------------

const LINKED = 0.6

/** Items that are texts of their own: when most of them stay, none is gone altogether; when few do, all go. */
function evenItems(outline: Outline, keep: Uint8Array, list: number): void {
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
  if (kept >= all * MOST) for (const e of gone) keep.fill(1, firstBlock[e]!, endBlock[e]!)
  else for (const e of items) keep.fill(0, firstBlock[e]!, endBlock[e]!)
}

function itemsOf({ elements, end, firstBlock, endBlock }: Outline, list: number): number[] {
  const items: number[] = []
  for (let e = list + 1; e < end[list]!; e = end[e]!)
    if (elements[e]!.name === 'li' && endBlock[e]! > firstBlock[e]!) items.push(e)
  return items
}

/** Terms with long definitions: each term goes where its definition goes. */
function pairTerms({ elements, end, firstBlock, endBlock }: Outline, keep: Uint8Array, list: number): void {
  let terms: number[] = []
  for (let e = list + 1; e < end[list]!; ) {
    const { name } = elements[e]!
    if (name === 'dt') terms.push(e)
    else if (name === 'dd') {
      let stays = 0
      for (let i = firstBlock[e]!; i < endBlock[e]! && !stays; i++) stays = keep[i]!
      if (endBlock[e]! > firstBlock[e]!) for (const term of terms) keep.fill(stays, firstBlock[term]!, endBlock[term]!)
      terms = []
    }
    // Terms may stand in <div>s, one pair in each.
    e = name === 'div' && elements[e]!.parent === elements[list] ? e + 1 : end[e]!
  }
}

// --- questions and headings -------------------------------------------------------------------------------------------

const QUESTION = new Set([0x3f, 0xff1f, 0x61f, 0x37e])
const QUESTION_WORDS = 40
const ANSWER_REACH = 2

/** A question stays with its answer, and so does what opens a folded part. */
function keepQuestions({ outline, reading, keep }: Whole): void {
  const { blocks, elements, parent, endBlock } = outline
  for (let i = blocks.length - 2; i >= 0; i--) {
    const { element, last, words } = blocks[i]!
    if (keep[i] || element < 0 || words > QUESTION_WORDS || words === 0) continue
    if (reading.ancestry.landmarks[element]! & SELDOM) continue
    const opener = openerOf(outline, element)
    if (opener < 0 && !QUESTION.has(last)) continue
    // The answer follows within the same part of the page.
    let next = i + 1
    for (let step = 0; step < ANSWER_REACH && next < blocks.length && !keep[next]; step++) next++
    if (next >= blocks.length || !keep[next] || blocks[next]!.words < 3) continue
    // A row of questions is a table of contents, or a list of what others ask.
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

/** The element that opens a folded part, of which this one is the label; -1 when it is none. */
function openerOf({ elements, parent }: Outline, element: number): number {
  for (let e = element, step = 0; e >= 0 && step < 4; step++, e = parent[e]!) {
    const { name, attribs } = elements[e]!
    if (name === 'summary' || name === 'button' || attribs.role === 'button') return e
    if (attribs['aria-controls'] !== undefined && attribs.role !== 'tab') return e
  }
  return -1
}

/** So much running text must have been cut from under a heading for it to be left over nothing. */
const LOST_CHARS = 60

/** Cuts headings whose text is cut. Those that stand over nothing on the page itself are its own affair. */
function cutEmptyHeadings({ outline, keep, title }: Whole): void {
  const { blocks, media, mediaAt } = outline
  // Going backwards: for each level, whether something kept, and how much that was cut, follows before the next like it.
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
    if (keep[i] && !full[level] && lost[level]! >= LOST_CHARS && !isTitle) keep[i] = 0
    if (!keep[i]) continue
    full.fill(0, level)
    lost.fill(0, level)
  }
}

/** The level of the heading that a block is, or is in; 0 for other texts. */
function levelOf({ blocks, elements, parent }: Outline, block: number): number {
  for (let e = blocks[block]!.element, step = 0; e >= 0 && step < 3; step++, e = parent[e]!) {
    const level = headingLevel(elements[e]!.name)
    if (level > 0) return level
  }
  return 0
}

// What on the page of a story leads away from it: teasers of other stories, and boxes that ask for an e-mail address. They
// are known by what they are (links to other pages of the site, repeated shape, pictures, place, fields) and not by words,
// so it works in any language.
import type { Element } from 'domhandler'
import type { MainReading } from './features.ts'
import type { Outline } from './outline.ts'
import { headingLevel, prefixSums } from './sections.ts'

/** Where a link leads. */
const WITHIN = 1
export const ELSEWHERE = 2

/** Where the links of a page lead, and what stands in each element: counts of anything inside are two look-ups. */
interface Ways {
  /** For each `a`: `WITHIN` when it leads to another page of the same site, `ELSEWHERE` to another site; else 0. */
  to: Uint8Array
  /** How many of either, and of pictures, come before each element. */
  own: Float64Array
  away: Float64Array
  pictures: Float64Array
  fields: Float64Array
}

export interface Teasers {
  /** 1 for each block that belongs to a row of teasers. */
  rows: Uint8Array
  /** 1 for each block that stands in a box with a field for an e-mail address. */
  signups: Uint8Array
  /** Where the link leads that is most of a block; 0 when it is unknown, or no link. */
  leads: Uint8Array
}

export function teasersOf(outline: Outline, reading: MainReading, url: string | undefined): Teasers {
  const n = outline.blocks.length
  const ways = waysOf(outline, url)
  const out = { rows: new Uint8Array(n), signups: new Uint8Array(n), leads: leadsOf(outline, ways.to) }
  markRows(outline, reading, ways, out.rows)
  closeGaps(out.rows)
  markSignups(outline, ways, reading.title, out.signups)
  return out
}

// --- links ------------------------------------------------------------------------------------------------------------

const SKIPPED = /^(?:#|javascript:|mailto:|tel:|data:)/i

function waysOf({ elements, mediaParent, fields: written }: Outline, url: string | undefined): Ways {
  const n = elements.length
  const [host, path] = placeOf(url ?? '')
  const to = new Uint8Array(n)
  for (let e = 0; e < n; e++) if (elements[e]!.name === 'a') to[e] = wayOf(elements[e]!, host, path)
  const pictures = new Uint16Array(n)
  for (const e of mediaParent) if (e >= 0) pictures[e]!++
  const fields = new Uint16Array(n)
  for (const e of written) fields[e]!++
  return {
    to,
    own: prefixSums(n, (e) => (to[e] === WITHIN ? 1 : 0)),
    away: prefixSums(n, (e) => (to[e] === ELSEWHERE ? 1 : 0)),
    pictures: prefixSums(n, (e) => pictures[e]!),
    fields: prefixSums(n, (e) => fields[e]!),
  }
}

/** Host (without `www.`) and path of an address. */
function placeOf(address: string): [string, string] {
  const [, host = '', path = ''] = /^(?:https?:)?\/\/([^/?#]*)([^?#]*)/i.exec(address.slice(0, 500)) ?? []
  return [host.toLowerCase().replace(/^www\./, ''), path]
}

function wayOf({ attribs }: Element, host: string, path: string): number {
  const href = attribs.href?.trim() ?? ''
  if (href === '' || SKIPPED.test(href)) return 0
  if (!/^(?:[a-z]+:)?\/\//i.test(href)) return href.split(/[?#]/)[0] === path ? 0 : WITHIN
  const [there, page] = placeOf(href)
  if (host === '') return 0
  if (there !== host && !there.endsWith(`.${host}`) && !host.endsWith(`.${there}`)) return ELSEWHERE
  return there === host && page === path ? 0 : WITHIN
}

const LINK_CLIMB = 5

function leadsOf({ blocks, elements, parent, textParent }: Outline, to: Uint8Array): Uint8Array {
  const out = new Uint8Array(blocks.length)
  for (let i = 0; i < blocks.length; i++) {
    const { linkChars, chars, firstText, endText } = blocks[i]!
    if (linkChars <= chars * 0.5) continue
    for (let t = firstText; t < endText && out[i] === 0; t++)
      for (let e = textParent[t]!, step = 0; e >= 0 && step < LINK_CLIMB; e = parent[e]!, step++)
        if (elements[e]!.name === 'a') {
          out[i] = to[e]!
          break
        }
  }
  return out
}

// --- rows of teasers --------------------------------------------------------------------------------------------------

const ROW_ITEMS = 2
const ITEM_WORDS = 80
/** No box of either sort has more texts: also a bound on the work. */
const BOX_BLOCKS = 30
const ITEM_LINKS = 4
/** So many of the items must look like teasers, and so many of those must show a picture. */
const ALIKE = 0.8
const ILLUSTRATED = 0.5
const LABEL_WORDS = 8
/** The story itself has this many times the text of a row of teasers. */
const STORY_SIZE = 2
const BOXES = new Set(['div', 'li', 'article', 'section', 'a', 'figure'])

/** Siblings of one shape, each a short text with a link to another page of the site, most with a picture. */
function markRows(outline: Outline, { ancestry }: MainReading, ways: Ways, out: Uint8Array): void {
  const { elements, firstBlock, endBlock, blocks } = outline
  const { repetition, sums, heart } = ancestry
  if (heart.best < 0) return
  const groups = new Map<number, number[]>()
  for (let e = 0; e < elements.length; e++) {
    if (repetition.count[e]! < ROW_ITEMS || firstBlock[e] === endBlock[e] || !BOXES.has(elements[e]!.name)) continue
    const items = groups.get(repetition.leader[e]!)
    if (items) items.push(e)
    else groups.set(repetition.leader[e]!, [e])
  }
  const story = sums.prose[heart.to]! - sums.prose[heart.from]!
  for (const items of groups.values()) {
    if (!areTeasers(outline, ways, items)) continue
    let chars = 0
    for (const e of items) chars += sums.chars[endBlock[e]!]! - sums.chars[firstBlock[e]!]!
    // Rows amid the story may be its own, such as the products of a review: those are left to the trees.
    const to = endBlock[items.at(-1)!]!
    const isAfter = to >= heart.to || sums.prose[heart.to]! === sums.prose[to]!
    if (!isAfter || story < chars * STORY_SIZE) continue
    for (const e of items) out.fill(1, firstBlock[e]!, endBlock[e]!)
    // What stands over the row as its heading goes with it.
    const over = firstBlock[items[0]!]! - 1
    if (over >= 0 && blocks[over]!.words <= LABEL_WORDS && isHeading(outline, over)) out[over] = 1
  }
}

const GAP = 3

/** The one box of another shape between two rows of teasers is one more. */
function closeGaps(rows: Uint8Array): void {
  let last = -1
  for (let i = 0; i < rows.length; i++) {
    if (!rows[i]) continue
    if (last >= 0 && i - last <= GAP + 1) rows.fill(1, last, i)
    last = i
  }
}

function areTeasers({ end, firstBlock, endBlock, blocks }: Outline, ways: Ways, items: readonly number[]): boolean {
  let teasers = 0
  let illustrated = 0
  for (const e of items) {
    const links = ways.own[end[e]!]! - ways.own[e]!
    if (links < 1 || links > ITEM_LINKS || endBlock[e]! - firstBlock[e]! > BOX_BLOCKS) continue
    // What also leads to other sites is a box about a thing that is sold there.
    if (ways.away[end[e]!]! > ways.away[e]!) continue
    let words = 0
    for (let i = firstBlock[e]!; i < endBlock[e]! && words <= ITEM_WORDS; i++) words += blocks[i]!.words
    if (words < 3 || words > ITEM_WORDS) continue
    teasers++
    if (ways.pictures[end[e]!]! > ways.pictures[e]!) illustrated++
  }
  return items.length >= ROW_ITEMS && teasers >= items.length * ALIKE && illustrated >= teasers * ILLUSTRATED
}

const isHeading = ({ blocks, elements }: Outline, block: number): boolean => {
  const e = blocks[block]!.element
  return e >= 0 && headingLevel(elements[e]!.name) > 0
}

// --- boxes that ask for an address ------------------------------------------------------------------------------------

const BOX_WORDS = 60
/** Terms and privacy; more links are a list of other things, such as the latest posts. */
const BOX_LINKS = 2
/** A name and an address; more is a form to get in touch, and may be what a page is for. */
const BOX_FIELDS = 2
const BOX_CLIMB = 8
const NOT_BOX = new Set(['body', 'main', 'article'])

/** The field and the few words around it are one box, under one heading at most; never the page's own title. */
function markSignups(outline: Outline, ways: Ways, title: number, out: Uint8Array): void {
  const { asks, end, parent, blocks, firstBlock, endBlock, elements } = outline
  for (const field of asks) {
    let box = -1
    for (
      let e = field, step = 0;
      e >= 0 && step < BOX_CLIMB && !NOT_BOX.has(elements[e]!.name);
      e = parent[e]!, step++
    ) {
      if (endBlock[e]! - firstBlock[e]! > BOX_BLOCKS || ways.own[end[e]!]! - ways.own[e]! > BOX_LINKS) break
      if (ways.fields[end[e]!]! - ways.fields[e]! > BOX_FIELDS) break
      let words = 0
      let headings = 0
      for (let i = firstBlock[e]!; i < endBlock[e]! && words <= BOX_WORDS; i++) {
        words += blocks[i]!.words
        if (isHeading(outline, i)) headings++
      }
      const isTitled = title >= firstBlock[e]! && title < endBlock[e]!
      if (words > BOX_WORDS || headings > 1 || isTitled) break
      box = e
    }
    if (box >= 0) out.fill(1, firstBlock[box]!, endBlock[box]!)
  }
}

// Finds teasers of other stories on article pages, by links, repetition, pictures and position, in any language.
import type { Element } from 'domhandler'
import type { PageAnalysis } from './block-features.ts'
import type { FlatPage } from './flatten-page.ts'
import { headingLevelOfTag, prefixSums } from './page-structure.ts'

const WITHIN = 1
export const LINK_TO_OTHER_SITE = 2

/** Link targets, and prefix sums over elements, so counting inside one is a subtraction. */
interface Ways {
  /** For each `a`: `WITHIN` for another page of the same site, `LINKS_ELSEWHERE` for another site, else 0. */
  to: Uint8Array
  own: Float64Array
  away: Float64Array
  pictures: Float64Array
}

export interface TeaserBlocks {
  rows: Uint8Array
  /** Target of the link that makes up most of a block; 0 if unknown or no link. */
  leads: Uint8Array
}

export function findTeasers(outline: FlatPage, reading: PageAnalysis, url: string | undefined): TeaserBlocks {
  const ways = waysOf(outline, url)
  const rows = new Uint8Array(outline.blocks.length)
  markRows(outline, reading, ways, rows)
  return { rows, leads: leadsOf(outline, ways.to) }
}

const SKIPPED = /^(?:#|javascript:|mailto:|tel:|data:)/i

function waysOf({ elements, mediaParent }: FlatPage, url: string | undefined): Ways {
  const n = elements.length
  const [host, path] = placeOf(url ?? '')
  const to = new Uint8Array(n)
  for (let e = 0; e < n; e++) if (elements[e]!.name === 'a') to[e] = wayOf(elements[e]!, host, path)
  const pictures = new Uint16Array(n)
  for (const e of mediaParent) if (e >= 0) pictures[e]!++
  return {
    to,
    own: prefixSums(n, (e) => (to[e] === WITHIN ? 1 : 0)),
    away: prefixSums(n, (e) => (to[e] === LINK_TO_OTHER_SITE ? 1 : 0)),
    pictures: prefixSums(n, (e) => pictures[e]!),
  }
}

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
  if (there !== host && !there.endsWith(`.${host}`) && !host.endsWith(`.${there}`)) return LINK_TO_OTHER_SITE
  return there === host && page === path ? 0 : WITHIN
}

const LINK_CLIMB = 5

function leadsOf({ blocks, elements, parent, textParent }: FlatPage, to: Uint8Array): Uint8Array {
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

const ROW_ITEMS = 2
const ITEM_WORDS = 80
/** Larger boxes are never teasers; this also bounds the work. */
const MAX_BOX_BLOCKS = 30
const ITEM_LINKS = 4
/** Minimum share of teaser-like items, and of those with a picture. */
const MIN_TEASER_SHARE = 0.8
const ILLUSTRATED = 0.5
const LABEL_WORDS = 8
/** The story must have at least this many times the text of a row. */
const MIN_STORY_TO_ROW_RATIO = 2
const BOXES = new Set(['div', 'li', 'article', 'section', 'a', 'figure'])

/** An item is a short text linked to another page of the site. */
function markRows(outline: FlatPage, { ancestry }: PageAnalysis, ways: Ways, out: Uint8Array): void {
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
    // Rows inside the story may belong to it, such as products of a review; they are left to the trees.
    const to = endBlock[items.at(-1)!]!
    const isAfter = to >= heart.to || sums.prose[heart.to]! === sums.prose[to]!
    if (!isAfter || story < chars * MIN_STORY_TO_ROW_RATIO) continue
    for (const e of items) out.fill(1, firstBlock[e]!, endBlock[e]!)
    // The heading above a row is part of it.
    const over = firstBlock[items[0]!]! - 1
    if (over >= 0 && blocks[over]!.words <= LABEL_WORDS && isHeading(outline, over)) out[over] = 1
  }
}

function areTeasers({ end, firstBlock, endBlock, blocks }: FlatPage, ways: Ways, items: readonly number[]): boolean {
  let teasers = 0
  let illustrated = 0
  for (const e of items) {
    const links = ways.own[end[e]!]! - ways.own[e]!
    if (links < 1 || links > ITEM_LINKS || endBlock[e]! - firstBlock[e]! > MAX_BOX_BLOCKS) continue
    // Boxes that also link to other sites describe a product sold there.
    if (ways.away[end[e]!]! > ways.away[e]!) continue
    let words = 0
    for (let i = firstBlock[e]!; i < endBlock[e]! && words <= ITEM_WORDS; i++) words += blocks[i]!.words
    if (words < 3 || words > ITEM_WORDS) continue
    teasers++
    if (ways.pictures[end[e]!]! > ways.pictures[e]!) illustrated++
  }
  return items.length >= ROW_ITEMS && teasers >= items.length * MIN_TEASER_SHARE && illustrated >= teasers * ILLUSTRATED
}

const isHeading = ({ blocks, elements }: FlatPage, block: number): boolean => {
  const e = blocks[block]!.element
  return e >= 0 && headingLevelOfTag(elements[e]!.name) > 0
}

// Classifies elements that must be kept or cut as one unit.
import { RARELY_CONTENT_LANDMARK_BITS } from './block-ancestry.ts'
import type { PageAnalysis } from './block-features.ts'
import type { FlatPage } from './flatten-page.ts'
import { prefixSums } from './page-structure.ts'

/**
 * `whole`: all or nothing; `text`: likewise, for a code listing or quotation; `items`: a list of longer texts.
 */
type UnitForm = 'whole' | 'text' | 'figure' | 'items'

const FORM = 64
const LINKED = 0.6

export function classifyWholeUnit(
  outline: FlatPage,
  { ancestry }: PageAnalysis,
  sizes: UnitSizes,
  e: number,
): UnitForm | undefined {
  const { name, attribs } = outline.elements[e]!
  switch (name) {
    case 'table':
      return attribs.role !== 'presentation' && isDataTable(outline, sizes, e) ? 'whole' : undefined
    case 'ul':
    case 'ol':
      return ancestry.landmarks[e]! & (RARELY_CONTENT_LANDMARK_BITS | FORM) ? undefined : listUnit(outline, sizes, e)
    case 'dl':
      return hasLongDefinitions(outline, sizes, e) ? undefined : 'whole'
    case 'pre':
      return 'text'
    case 'blockquote':
      return elementSizeOf(outline, sizes, e).words <= QUOTE_WORDS ? 'text' : undefined
    case 'figure':
      return isPicture(outline, sizes, e) ? 'figure' : undefined
    default:
      return attribs.class !== undefined &&
        name === 'div' &&
        CAPTIONED.test(attribs.class) &&
        isPicture(outline, sizes, e)
        ? 'figure'
        : undefined
  }
}

const QUOTE_WORDS = 150
const CAPTIONED = /(?:^|\s)(?:wp-caption|image-caption|caption-img|thumbinner)(?:\s|$)/

type UnitSizes = { words: Float64Array; chars: Float64Array; links: Float64Array }

export const sumBlockSizes = ({ blocks }: FlatPage, { ancestry }: PageAnalysis): UnitSizes => ({
  words: prefixSums(blocks.length, (i) => blocks[i]!.words),
  chars: ancestry.sums.chars,
  links: ancestry.sums.links,
})

export function elementSizeOf({ firstBlock, endBlock }: FlatPage, { words, chars, links }: UnitSizes, e: number) {
  const from = firstBlock[e]!
  const to = endBlock[e]!
  return { words: words[to]! - words[from]!, chars: chars[to]! - chars[from]!, links: links[to]! - links[from]! }
}

const LONG_CELL = 600

/** Rows of at least two cells, no very long cell and no nested table. */
function isDataTable(outline: FlatPage, sizes: UnitSizes, table: number): boolean {
  const { elements, end, parent } = outline
  let rows = 0
  let wide = 0
  for (let e = table + 1; e < end[table]!; e++) {
    const { name } = elements[e]!
    if (name === 'table' || name === 'form') return false
    if (name !== 'tr') continue
    let cells = 0
    for (let cell = e + 1; cell < end[e]!; cell = end[cell]!) {
      const inner = elements[cell]!.name
      if (inner !== 'td' && inner !== 'th') continue
      cells++
      if (elementSizeOf(outline, sizes, cell).chars > LONG_CELL) return false
    }
    rows++
    if (cells >= 2) wide++
  }
  return rows >= 2 && wide >= rows * 0.6 && parent[table]! >= 0
}

const ITEM_WORDS = 120
const ITEM_BLOCKS = 3

function listUnit(outline: FlatPage, sizes: UnitSizes, list: number): UnitForm | undefined {
  const { elements, end, firstBlock, endBlock } = outline
  let items = 0
  let linked = 0
  let long = false
  for (let e = list + 1; e < end[list]!; e = end[e]!) {
    if (elements[e]!.name !== 'li' || endBlock[e] === firstBlock[e]) continue
    const { words, chars, links } = elementSizeOf(outline, sizes, e)
    items++
    if (links > chars * LINKED) linked++
    if (words > ITEM_WORDS || endBlock[e]! - firstBlock[e]! > ITEM_BLOCKS) long = true
  }
  if (items === 0 || linked * 2 > items) return undefined
  return long || linked > 0 ? 'items' : 'whole'
}

function hasLongDefinitions(outline: FlatPage, sizes: UnitSizes, list: number): boolean {
  const { elements, end } = outline
  for (let e = list + 1; e < end[list]!; e++) {
    const { name } = elements[e]!
    if (name === 'dl' || (name === 'dd' && elementSizeOf(outline, sizes, e).words > ITEM_WORDS)) return true
  }
  return false
}

const NOT_PICTURE = new Set(['table', 'pre', 'blockquote', 'ul', 'ol', 'dl', 'h1', 'h2', 'h3', 'code'])
const CAPTION_WORDS = 150
const PICTURE_PARTS = 200

/** Contains a caption and no other text; a figure may also hold a table or listing. */
function isPicture(outline: FlatPage, sizes: UnitSizes, e: number): boolean {
  const { elements, end } = outline
  if (end[e]! - e > PICTURE_PARTS) return false
  for (let inner = e + 1; inner < end[e]!; inner++) if (NOT_PICTURE.has(elements[inner]!.name)) return false
  return elementSizeOf(outline, sizes, e).words <= CAPTION_WORDS
}

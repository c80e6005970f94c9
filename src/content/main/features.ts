// What the model sees of each block of text: its shape, its place in the tree, its neighbours, and the page around it.
// Everything a block inherits is handed down from parent to child once, so the cost is linear however deep the page.
import { type Lexicon, nameScorer, SALT, sumWords } from './lexicon.ts'
import type { Block, Outline } from './outline.ts'
import { SAID_BITS } from './page-facts.ts'
import { surroundings } from './surroundings.ts'

export interface FeatureTable {
  /** One row of `width` numbers a block. */
  values: Float32Array
  width: number
}

const HEADING: Record<string, number> = { h1: 1, h2: 2, h3: 3, h4: 4, h5: 5, h6: 6 }
// An order in which neighbours behave alike, so that one split can part running text from labels.
const TAG_RANK: Record<string, number> = {
  p: 1,
  pre: 1,
  blockquote: 2,
  dd: 3,
  dt: 4,
  figcaption: 5,
  caption: 5,
  h1: 6,
  h2: 7,
  h3: 8,
  h4: 9,
  h5: 9,
  h6: 9,
  td: 10,
  th: 11,
  li: 12,
  summary: 13,
  article: 14,
  section: 15,
  main: 15,
  div: 16,
  body: 17,
  label: 18,
  legend: 18,
  button: 19,
  a: 20,
  nav: 21,
  header: 22,
  footer: 23,
  aside: 24,
  form: 25,
  address: 26,
}

const log = (x: number): number => Math.log2(1 + x)
const share = (part: number, whole: number): number => (whole > 0 ? part / whole : 0)

export function featuresOf(outline: Outline, lexicon: Lexicon, url: string | undefined): FeatureTable {
  const { blocks, elements, facts } = outline
  const around = surroundings(outline, nameScorer(lexicon))
  const { byElement, page } = around
  const address = addressFacts(url)
  const total = Math.max(1, page.chars)
  const words = blocks.map((b) => sumWords(lexicon, b.hashes, SALT.word))
  const asHeading = blocks.map((b) => sumWords(lexicon, b.hashes, SALT.heading))
  const copies = new Map<number, number>()
  for (const b of blocks) copies.set(b.hash, (copies.get(b.hash) ?? 0) + 1)
  const seen = new Set<number>()
  let values = new Float32Array(0)
  let width = 0
  let at = 0
  let before = 0
  const put = (x: number): void => {
    values[at++] = x
  }
  const row: number[] = []
  const write = (i: number): void => {
    row.length = 0
    const b = blocks[i]!
    const e = b.element
    const tag = e < 0 ? 'body' : elements[e]!.name
    own(row, b, tag)
    row.push(words[i]!, words[i]! / Math.max(1, b.hashes.length))
    row.push(overlap(b, facts.title), overlap(b, facts.description))
    row.push(copies.get(b.hash)!, seen.has(b.hash) ? 1 : 0)
    seen.add(b.hash)
    // Place on the page.
    row.push(i / blocks.length, before / total, log(i), log(blocks.length - 1 - i), log(before), log(total - before))
    before += b.chars
    row.push(page.h1 < 0 ? 0 : Math.max(-50, Math.min(50, i - page.h1)), page.h1 < 0 ? 0 : page.h1 / blocks.length)
    row.push(page.title < 0 ? 0 : Math.max(-50, Math.min(50, i - page.title)))
    // Ancestors.
    byElement.write(row, e, i)
    // The heading that governs this block, if any.
    const h = around.headingOf[i]!
    if (h < 0) row.push(0, -1, 0, 0)
    else {
      const hb = blocks[h]!
      row.push(HEADING[elements[hb.element]!.name] ?? 0, i - h, asHeading[h]!, log(hb.chars))
    }
    const h2 = around.outerHeadingOf[i]!
    row.push(h2 < 0 ? 0 : asHeading[h2]!)
    // Neighbours in document order.
    for (const d of [-3, -2, -1, 1, 2, 3]) {
      const n = blocks[i + d]
      if (!n) row.push(-1, -1, 0)
      else row.push(log(n.chars), share(n.linkChars, n.chars), n.element === e ? 1 : (words[i + d] ?? 0))
    }
    around.windows.write(row, i)
    // The page.
    row.push(log(page.chars), log(blocks.length), page.linkShare, page.paragraphShare, page.listShare, page.tableShare)
    row.push(log(page.longest), page.longBlocks, page.h1s, page.headings / blocks.length, page.articles, page.pathShare)
    row.push(page.best, log(page.timed), log(page.forms), page.repeatedShare, log(page.media))
    for (let bit = 0; bit < SAID_BITS; bit++) row.push((facts.said >> bit) & 1)
    row.push(address.depth, address.length, address.digits, address.hyphens, address.query)
  }
  for (let i = 0; i < blocks.length; i++) {
    write(i)
    if (i === 0) {
      width = row.length
      values = new Float32Array(width * blocks.length)
    }
    for (const x of row) put(x)
  }
  return { values, width }
}

function own(row: number[], b: Block, tag: string): void {
  row.push(log(b.chars), log(b.words), b.chars / Math.max(1, b.words), share(b.linkChars, b.chars), b.links)
  row.push(b.stops, b.commas, share(b.stops + b.commas, b.words), share(b.digits, b.chars), share(b.uppers, b.chars))
  row.push(b.bars, share(b.uppers, b.words), share(b.boldChars, b.chars), b.timed ? 1 : 0, b.ideographs > 3 ? 1 : 0)
  row.push(ending(b.last), b.first === 0xa9 ? 1 : 0, HEADING[tag] ?? 0, TAG_RANK[tag] ?? 27)
  row.push(log(b.endText - b.firstText))
}

function ending(c: number): number {
  if (c === 0x2e || c === 0x3002 || c === 0x21 || c === 0xff01) return 3
  if (c === 0x3f || c === 0xff1f) return 4
  if (c === 0x3a || c === 0xff1a) return 2
  if (c === 0x2026 || c === 0xbb || c === 0x203a || c === 0x3e || c === 0x2192) return 1
  return 0
}

function overlap(b: Block, set: ReadonlySet<number>): number {
  if (b.hashes.length === 0 || set.size === 0) return 0
  let hit = 0
  for (const hash of b.hashes) if (set.has(hash)) hit++
  return (hit / b.hashes.length) * Math.min(1, hit / Math.min(8, set.size) + 0.25)
}

function addressFacts(url: string | undefined) {
  const rest = url?.replace(/^[a-z]+:\/\/[^/?#]*/i, '') ?? ''
  const path = rest.split(/[?#]/, 1)[0]!.slice(0, 500)
  const parts = path.split('/').filter(Boolean)
  const last = parts.at(-1) ?? ''
  return {
    depth: url === undefined ? -1 : parts.length,
    length: path.length,
    digits: /\d{4}/.test(path) ? (/\d{6}/.test(path) ? 2 : 1) : 0,
    hyphens: Math.min(12, last.split('-').length - 1),
    query: rest.includes('?') ? 1 : 0,
  }
}

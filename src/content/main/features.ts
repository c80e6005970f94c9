// What the trees see of each block of text: its shape, its place in the tree, its neighbours, and the page around it.
// The order of the numbers is part of the model: a change here means training anew.
import { type Ancestry, ancestryOf, LANDMARK_BITS } from './ancestry.ts'
import { CONCEPT_COUNT } from './concepts.ts'
import { addressTokens, guessKind, type KindModel, saidTokens } from './kinds.ts'
import { type Lexicon, nameReader, SALT, sumWords } from './lexicon.ts'
import type { Block, Outline } from './outline.ts'
import { pageFeatures } from './page-features.ts'
import { type Headings, headingLevel, headingsOf, type Roles, rolesOf, titleBlock, wordsShared } from './sections.ts'

/** Rows of numbers, one row a block. */
export interface Sheet {
  values: Float32Array
  width: number
}

/** Everything later stages want to know again about the page. */
export interface Reading {
  sheet: Sheet
  ancestry: Ancestry
  headings: Headings
  roles: Roles
  /** The probability of each kind of page. */
  kind: Float32Array
}

const WIDTH = 256
// An order in which neighbours behave alike, so that one split can part running text from labels.
const TAG_ORDER =
  'p pre blockquote dd dt figcaption caption h1 h2 h3 h4 h5 h6 td th li summary article section main div body label legend button a nav header footer aside form address'
const TAG_RANK: ReadonlyMap<string, number> = new Map(TAG_ORDER.split(' ').map((tag, rank) => [tag, rank]))

const log = (x: number): number => Math.log2(1 + x)
const share = (part: number, whole: number): number => (whole > 0 ? part / whole : 0)
const near = (distance: number): number => Math.max(-50, Math.min(50, distance))

export function featuresOf(outline: Outline, lexicon: Lexicon, kinds: KindModel, url: string | undefined): Reading {
  const { blocks, elements, facts } = outline
  const tokens = [...addressTokens(url), ...saidTokens(facts.said)]
  const ancestry = ancestryOf(
    outline,
    nameReader(lexicon, (hash) => tokens.push(hash)),
  )
  const headings = headingsOf(outline)
  const roles = rolesOf(outline)
  const inTitle = wordsShared(outline, facts.title)
  const inDescription = wordsShared(outline, facts.description)
  const title = titleBlock(outline, inTitle)
  const kind = guessKind(kinds, tokens)
  const page = pageFeatures(outline, ancestry, headings, kind, url)
  const words = blocks.map((b) => sumWords(lexicon, b.hashes, SALT.word))
  const asHeading = blocks.map((b) => sumWords(lexicon, b.hashes, SALT.heading))
  const copies = new Map<number, number>()
  for (const b of blocks) copies.set(b.hash, (copies.get(b.hash) ?? 0) + 1)
  const seen = new Set<number>()
  const { chars } = ancestry.sums
  const total = chars[blocks.length]!
  const row = new Float32Array(WIDTH)
  let values = row
  let width = 0

  for (let i = 0; i < blocks.length; i++) {
    const b = blocks[i]!
    const e = b.element
    let at = shape(row, 0, b, e < 0 ? 'body' : elements[e]!.name)
    row[at++] = words[i]!
    row[at++] = words[i]! / Math.max(1, b.hashes.length)
    row[at++] = overlap(b, inTitle[i]!, facts.title.size)
    row[at++] = overlap(b, inDescription[i]!, facts.description.size)
    row[at++] = copies.get(b.hash)!
    row[at++] = seen.has(b.hash) ? 1 : 0
    seen.add(b.hash)
    row[at++] = i / blocks.length
    row[at++] = share(chars[i]!, total)
    row[at++] = log(i)
    row[at++] = log(blocks.length - 1 - i)
    row[at++] = log(chars[i]!)
    row[at++] = log(total - chars[i]!)
    row[at++] = headings.h1 < 0 ? 0 : near(i - headings.h1)
    row[at++] = title < 0 ? 0 : near(i - title)
    at = place(row, at, outline, ancestry, e, i)
    const h = headings.inner[i]!
    const outer = headings.outer[i]!
    row[at++] = h < 0 ? 0 : headingLevel(elements[blocks[h]!.element]!.name)
    row[at++] = h < 0 ? -1 : i - h
    row[at++] = h < 0 ? 0 : asHeading[h]!
    row[at++] = h < 0 ? 0 : log(blocks[h]!.chars)
    row[at++] = outer < 0 ? 0 : asHeading[outer]!
    for (let d = -3; d <= 3; d++) {
      if (d === 0) continue
      const n = blocks[i + d]
      row[at++] = n ? log(n.chars) : -1
      row[at++] = n ? share(n.linkChars, n.chars) : -1
      row[at++] = n ? (n.element === e ? 9 : words[i + d]!) : 0
    }
    const role = roles.of[i]!
    row[at++] = log(roles.count[role]!)
    row[at++] = log(roles.chars[role]! / roles.count[role]!)
    row[at++] = share(roles.chars[role]!, total)
    row[at++] = share(roles.links[role]!, roles.chars[role]!)
    at = windows(row, at, ancestry, i, blocks.length)
    row.set(page, at)
    at += page.length
    if (i === 0) {
      width = at
      values = new Float32Array(width * blocks.length)
    }
    values.set(row.subarray(0, width), i * width)
  }
  return { sheet: { values, width }, ancestry, headings, roles, kind }
}

function shape(row: Float32Array, from: number, b: Block, tag: string): number {
  let at = from
  row[at++] = log(b.chars)
  row[at++] = log(b.words)
  row[at++] = b.chars / Math.max(1, b.words)
  row[at++] = share(b.linkChars, b.chars)
  row[at++] = b.links
  row[at++] = b.stops
  row[at++] = b.commas
  row[at++] = share(b.stops + b.commas, b.words)
  row[at++] = share(b.digits, b.chars)
  row[at++] = share(b.uppers, b.chars)
  row[at++] = b.bars
  row[at++] = share(b.uppers, b.words)
  row[at++] = share(b.boldChars, b.chars)
  row[at++] = b.timed ? 1 : 0
  row[at++] = b.ideographs > 3 ? 1 : 0
  row[at++] = ending(b.last)
  row[at++] = b.first === 0xa9 ? 1 : 0
  row[at++] = headingLevel(tag)
  row[at++] = TAG_RANK.get(tag) ?? 40
  row[at++] = log(b.endText - b.firstText)
  return at
}

function ending(c: number): number {
  if (c === 0x2e || c === 0x3002 || c === 0x21 || c === 0xff01) return 3
  if (c === 0x3f || c === 0xff1f) return 4
  if (c === 0x3a || c === 0xff1a) return 2
  if (c === 0x2026 || c === 0xbb || c === 0x203a || c === 0x3e || c === 0x2192) return 1
  return 0
}

/** How much of the block's beginning is made of the words of a set, more so when the set is well covered. */
function overlap({ hashes }: Block, hit: number, size: number): number {
  return hit === 0 ? 0 : (hit / hashes.length) * Math.min(1, hit / Math.min(8, size) + 0.25)
}

function place(row: Float32Array, from: number, outline: Outline, a: Ancestry, e: number, i: number): number {
  const { parent, depth, firstBlock, endBlock } = outline
  const up = e < 0 ? -1 : parent[e]!
  let at = from
  row[at++] = e < 0 ? 0 : depth[e]!
  row[at++] = e < 0 ? 0 : a.score[e]!
  row[at++] = e < 0 ? 0 : a.nearScore[e]!
  row[at++] = e < 0 ? 0 : a.chainScore[e]!
  row[at++] = e < 0 ? 0 : a.chainMin[e]!
  row[at++] = e < 0 ? 0 : a.chainMax[e]!
  const landmarks = e < 0 ? 0 : a.landmarks[e]!
  for (let bit = 0; bit < LANDMARK_BITS; bit++) row[at++] = (landmarks >> bit) & 1
  const nearby = e < 0 ? 0 : a.nearConcepts[e]!
  const chain = e < 0 ? 0 : a.chainConcepts[e]!
  for (let bit = 0; bit < CONCEPT_COUNT; bit++) row[at++] = ((nearby >> bit) & 1) + ((chain >> bit) & 1)
  at = container(row, at, outline, a, up, i)
  at = container(row, at, outline, a, up < 0 ? -1 : parent[up]!, i)
  for (const level of a.sized) at = container(row, at, outline, a, e < 0 ? -1 : level[e]!, i)
  const { sums, repetition, heart } = a
  const total = sums.chars[outline.blocks.length]!
  const r = e < 0 ? -1 : a.repeated[e]!
  const c = r < 0 ? 0 : sums.chars[endBlock[r]!]! - sums.chars[firstBlock[r]!]!
  row[at++] = r < 0 ? 0 : log(repetition.count[r]!)
  row[at++] = log(c)
  row[at++] = r < 0 ? 0 : share(sums.links[endBlock[r]!]! - sums.links[firstBlock[r]!]!, c)
  row[at++] = r < 0 ? 0 : log(endBlock[r]! - firstBlock[r]!)
  row[at++] = r < 0 ? 0 : log(repetition.chars[r]! / repetition.count[r]!)
  row[at++] = r < 0 ? 0 : share(repetition.chars[r]!, total)
  const meet = e < 0 ? -1 : heart.meet[e]!
  const prose = sums.prose[outline.blocks.length]!
  row[at++] = meet < 0 ? 0 : share(sums.prose[endBlock[meet]!]! - sums.prose[firstBlock[meet]!]!, prose)
  row[at++] = meet < 0 ? 0 : share(sums.chars[endBlock[meet]!]! - sums.chars[firstBlock[meet]!]!, total)
  row[at++] = e < 0 ? 0 : depth[e]! - (meet < 0 ? 0 : depth[meet]!)
  row[at++] = heart.best >= 0 && meet === heart.best ? 1 : 0
  row[at++] = i < heart.from ? i - heart.from : i >= heart.to ? i - heart.to + 1 : 0
  return at
}

function container(row: Float32Array, from: number, outline: Outline, a: Ancestry, e: number, i: number): number {
  const { chars, links, prose } = a.sums
  const n = outline.blocks.length
  const first = e < 0 ? 0 : outline.firstBlock[e]!
  const end = e < 0 ? n : outline.endBlock[e]!
  const c = chars[end]! - chars[first]!
  let at = from
  row[at++] = log(c)
  row[at++] = share(links[end]! - links[first]!, c)
  row[at++] = log(end - first)
  row[at++] = log(c / Math.max(1, end - first))
  row[at++] = share(c, chars[n]!)
  row[at++] = share(chars[i]! - chars[first]!, c)
  row[at++] = share(prose[end]! - prose[first]!, c)
  return at
}

function windows(row: Float32Array, start: number, { sums }: Ancestry, i: number, n: number): number {
  const { chars, links, prose, marks } = sums
  let at = start
  for (let w = 4; w <= 12; w += 8) {
    const from = Math.max(0, i - w)
    const to = Math.min(n, i + w + 1)
    const back = chars[i]! - chars[from]!
    const ahead = chars[to]! - chars[i + 1]!
    row[at++] = log(back)
    row[at++] = log(ahead)
    row[at++] = share(links[i]! - links[from]!, back)
    row[at++] = share(links[to]! - links[i + 1]!, ahead)
    row[at++] = log(prose[to]! - prose[from]!)
    row[at++] = share(marks[to]! - marks[from]!, chars[to]! - chars[from]!)
  }
  return at
}

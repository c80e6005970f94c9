// Features of each text block: shape, place in the tree, neighbours and page. Their order is part of the model, so a
// change here requires retraining.
import { type Ancestry, ancestryOf, LANDMARK_BITS } from './ancestry.ts'
import { CONCEPT_COUNT } from './class-concepts.ts'
import { log, share } from './feature-scales.ts'
import type { Block, Outline } from './outline.ts'
import { pageFeatures } from './page-features.ts'
import { addressTokens, guessKind, KINDS, type KindModel, saidTokens } from './page-kind.ts'
import {
  type BlockRoles,
  type Headings,
  headingLevel,
  headingsOf,
  rolesOf,
  spellingsOf,
  titleBlock,
  wordsShared,
} from './sections.ts'
import { type Lexicon, nameReader, SALT, sumWords } from './token-weights.ts'

export interface FeatureSheet {
  values: Float32Array
  width: number
  /** Distance between row starts; the second round fills the space after `width`. */
  stride: number
}

export interface MainReading {
  sheet: FeatureSheet
  ancestry: Ancestry
  headings: Headings
  roles: BlockRoles
  title: number
  kind: Float32Array
}

const MAX_WIDTH = 256
// Ordered so that one split can separate running text from labels.
const TAG_ORDER =
  'p pre blockquote dd dt figcaption caption h1 h2 h3 h4 h5 h6 td th li summary article section main div body label legend button a nav header footer aside form address'
const TAG_RANK: ReadonlyMap<string, number> = new Map(TAG_ORDER.split(' ').map((tag, rank) => [tag, rank]))

/** Every card of a collection repeats the words of its title, so title and description overlap is ignored there. */
const COLLECTION = KINDS.indexOf('collection')
const COLLECTION_FROM = 0.35
const NO_WORDS: ReadonlySet<number> = new Set()

const near = (distance: number): number => Math.max(-50, Math.min(50, distance))

export function featuresOf(
  outline: Outline,
  lexicon: Lexicon,
  kinds: KindModel,
  url: string | undefined,
  skip?: Uint8Array,
): MainReading {
  const { blocks, elements, facts } = outline
  const tokens = [...addressTokens(url), ...saidTokens(facts.said)]
  const spellings = spellingsOf(outline)
  const ancestry = ancestryOf(
    outline,
    spellings,
    nameReader(lexicon, (hash) => tokens.push(hash)),
  )
  const headings = headingsOf(outline)
  const roles = rolesOf(outline, spellings)
  const kind = guessKind(kinds, tokens)
  const telling = kind[COLLECTION]! < COLLECTION_FROM
  const inTitle = wordsShared(outline, telling ? facts.title : NO_WORDS)
  const inDescription = wordsShared(outline, telling ? facts.description : NO_WORDS)
  const title = titleBlock(outline, inTitle)
  const page = Float32Array.from(pageFeatures(outline, ancestry, headings, kind, url))
  const seenAlone = seenOf(outline, lexicon)
  const boxes = boxesOf(outline, ancestry)
  const copies = new Map<number, number>()
  for (const b of blocks) copies.set(b.hash, (copies.get(b.hash) ?? 0) + 1)
  const seen = new Set<number>()
  const asHeading = new Map<number, number>()
  const { chars } = ancestry.sums
  const total = chars[blocks.length]!
  const stride = MAX_WIDTH
  const values = new Float32Array(stride * blocks.length)
  let width = 0

  for (let i = 0; i < blocks.length; i++) {
    const b = blocks[i]!
    const isCopy = seen.has(b.hash)
    seen.add(b.hash)
    if (skip?.[i]) continue
    const e = b.element
    const start = i * stride
    const listed = b.endWord - b.firstWord
    const words = seenAlone.words[i]!
    let at = shape(values, start, b, e < 0 ? 'body' : elements[e]!.name)
    values[at++] = words
    values[at++] = words / Math.max(1, listed)
    values[at++] = overlap(listed, inTitle[i]!, facts.title.size)
    values[at++] = overlap(listed, inDescription[i]!, facts.description.size)
    values[at++] = copies.get(b.hash)!
    values[at++] = isCopy ? 1 : 0
    values[at++] = i / blocks.length
    values[at++] = share(chars[i]!, total)
    values[at++] = log(i)
    values[at++] = log(blocks.length - 1 - i)
    values[at++] = log(chars[i]!)
    values[at++] = log(total - chars[i]!)
    values[at++] = headings.h1 < 0 ? 0 : near(i - headings.h1)
    values[at++] = title < 0 ? 0 : near(i - title)
    at = place(values, at, outline, ancestry, boxes, e, i)
    const h = headings.inner[i]!
    values[at++] = h < 0 ? 0 : headingLevel(elements[blocks[h]!.element]!.name)
    values[at++] = h < 0 ? -1 : i - h
    values[at++] = h < 0 ? 0 : headingWeight(outline, lexicon, asHeading, h)
    values[at++] = h < 0 ? 0 : seenAlone.size[h]!
    values[at++] = headings.outer[i]! < 0 ? 0 : headingWeight(outline, lexicon, asHeading, headings.outer[i]!)
    at = neighbours(values, at, outline, seenAlone, i)
    const role = roles.of[i]!
    values[at++] = log(roles.count[role]!)
    values[at++] = log(roles.chars[role]! / roles.count[role]!)
    values[at++] = share(roles.chars[role]!, total)
    values[at++] = share(roles.links[role]!, roles.chars[role]!)
    at = windows(values, at, ancestry, i, blocks.length)
    values.set(page, at)
    width = at + page.length - start
  }
  return { sheet: { values, width, stride }, ancestry, headings, roles, title, kind }
}

interface Seen {
  size: Float32Array
  linked: Float32Array
  words: Float64Array
}

function seenOf({ blocks, words }: Outline, lexicon: Lexicon): Seen {
  const n = blocks.length
  const out = { size: new Float32Array(n), linked: new Float32Array(n), words: new Float64Array(n) }
  for (let i = 0; i < n; i++) {
    const { chars, linkChars, firstWord, endWord } = blocks[i]!
    out.size[i] = log(chars)
    out.linked[i] = share(linkChars, chars)
    out.words[i] = sumWords(lexicon, words, firstWord, endWord, SALT.word)
  }
  return out
}

const REACH = 3

function neighbours(row: Float32Array, from: number, { blocks }: Outline, seen: Seen, i: number): number {
  const e = blocks[i]!.element
  let at = from
  for (let n = i - REACH; n <= i + REACH; n++) {
    if (n === i) continue
    if (n < 0 || n >= blocks.length) {
      row[at++] = -1
      row[at++] = -1
      row[at++] = 0
      continue
    }
    row[at++] = seen.size[n]!
    row[at++] = seen.linked[n]!
    row[at++] = blocks[n]!.element === e ? 9 : seen.words[n]!
  }
  return at
}

function headingWeight({ blocks, words }: Outline, lexicon: Lexicon, known: Map<number, number>, h: number): number {
  let weight = known.get(h)
  if (weight === undefined) {
    const { firstWord, endWord } = blocks[h]!
    weight = sumWords(lexicon, words, firstWord, endWord, SALT.heading)
    known.set(h, weight)
  }
  return weight
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

function overlap(listed: number, hit: number, size: number): number {
  return hit === 0 ? 0 : (hit / listed) * Math.min(1, hit / Math.min(8, size) + 0.25)
}

function place(
  row: Float32Array,
  from: number,
  outline: Outline,
  a: Ancestry,
  boxes: Float32Array,
  e: number,
  i: number,
): number {
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
  const { chars } = a.sums
  const before = chars[i]!
  at = inBox(row, at, boxes, up, before)
  at = inBox(row, at, boxes, up < 0 ? -1 : parent[up]!, before)
  for (const level of a.sized) at = inBox(row, at, boxes, e < 0 ? -1 : level[e]!, before)
  const { sums, repetition, heart } = a
  const total = chars[outline.blocks.length]!
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

const BOX = 8

function boxesOf({ elements, blocks, firstBlock, endBlock }: Outline, { sums }: Ancestry): Float32Array {
  const { chars, links, prose } = sums
  const total = chars[blocks.length]!
  const out = new Float32Array((elements.length + 1) * BOX)
  for (let e = -1; e < elements.length; e++) {
    const first = e < 0 ? 0 : firstBlock[e]!
    const end = e < 0 ? blocks.length : endBlock[e]!
    const c = chars[end]! - chars[first]!
    let at = (e + 1) * BOX
    out[at++] = log(c)
    out[at++] = share(links[end]! - links[first]!, c)
    out[at++] = log(end - first)
    out[at++] = log(c / Math.max(1, end - first))
    out[at++] = share(c, total)
    out[at++] = share(prose[end]! - prose[first]!, c)
    out[at++] = chars[first]!
    out[at++] = c
  }
  return out
}

function inBox(row: Float32Array, at: number, boxes: Float32Array, e: number, before: number): number {
  const box = (e + 1) * BOX
  row[at] = boxes[box]!
  row[at + 1] = boxes[box + 1]!
  row[at + 2] = boxes[box + 2]!
  row[at + 3] = boxes[box + 3]!
  row[at + 4] = boxes[box + 4]!
  row[at + 5] = share(before - boxes[box + 6]!, boxes[box + 7]!)
  row[at + 6] = boxes[box + 5]!
  return at + 7
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

// Features of each text block: shape, place in the tree, neighbours and page. Their order is part of the model, so a
// change here requires retraining.
import { countEach } from '../../base/values.ts'
import { type BlockAncestry, computeAncestry, LANDMARK_FEATURE_COUNT } from './block-ancestry.ts'
import { CONCEPT_COUNT } from './css-class-concepts.ts'
import type { FlatPage, TextBlock } from './flatten-page.ts'
import { computePageFeatures } from './page-features.ts'
import {
  computeElementSignatures,
  countSharedWords,
  findGoverningHeadings,
  findTitleBlock,
  type GoverningHeadings,
  groupSimilarBlocks,
  headingLevelOfTag,
  type SimilarBlockGroups,
} from './page-structure.ts'
import {
  PAGE_KINDS,
  type PageKindModel,
  predictPageKind,
  tokensOfDeclaredKinds,
  tokensOfUrl,
} from './predict-page-kind.ts'
import { logScale, ratioOrZero } from './text-stats.ts'
import { makeElementNameScorer, sumWordWeights, TOKEN_HASH_SALTS, type TokenWeights } from './token-weights.ts'

export interface FeatureMatrix {
  values: Float32Array
  width: number
  /** Distance between row starts; the second round fills the space after `width`. */
  stride: number
}

export interface PageAnalysis {
  sheet: FeatureMatrix
  ancestry: BlockAncestry
  headings: GoverningHeadings
  roles: SimilarBlockGroups
  title: number
  kind: Float32Array
}

const MAX_WIDTH = 256
// Ordered so that one split can separate running text from labels.
const TAG_ORDER =
  'p pre blockquote dd dt figcaption caption h1 h2 h3 h4 h5 h6 td th li summary article section main div body label legend button a nav header footer aside form address'
const TAG_RANK: ReadonlyMap<string, number> = new Map(TAG_ORDER.split(' ').map((tag, rank) => [tag, rank]))

/** Every card of a collection repeats the words of its title, so title and description overlap is ignored there. */
const COLLECTION_KIND_INDEX = PAGE_KINDS.indexOf('collection')
const COLLECTION_FROM = 0.35
const NO_WORDS: ReadonlySet<number> = new Set()

const clampDistance = (distance: number): number => Math.max(-50, Math.min(50, distance))

export function computeBlockFeatures(
  outline: FlatPage,
  lexicon: TokenWeights,
  kinds: PageKindModel,
  url: string | undefined,
  skip?: Uint8Array,
): PageAnalysis {
  const { blocks, elements, facts } = outline
  const tokens = [...tokensOfUrl(url), ...tokensOfDeclaredKinds(facts.said)]
  const spellings = computeElementSignatures(outline)
  const scoreName = makeElementNameScorer(lexicon, (hash) => tokens.push(hash))
  const ancestry = computeAncestry(outline, spellings, scoreName)
  const headings = findGoverningHeadings(outline)
  const roles = groupSimilarBlocks(outline, spellings)
  const kind = predictPageKind(kinds, tokens)
  const telling = kind[COLLECTION_KIND_INDEX]! < COLLECTION_FROM
  const inTitle = countSharedWords(outline, telling ? facts.title : NO_WORDS)
  const inDescription = countSharedWords(outline, telling ? facts.description : NO_WORDS)
  const title = findTitleBlock(outline, inTitle)
  const page = Float32Array.from(computePageFeatures(outline, ancestry, headings, kind, url))
  const seenAlone = seenOf(outline, lexicon)
  const boxes = boxesOf(outline, ancestry)
  const copies = countEach(blocks.map(({ hash }) => hash))
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
    values[at++] = ratioOrZero(chars[i]!, total)
    values[at++] = logScale(i)
    values[at++] = logScale(blocks.length - 1 - i)
    values[at++] = logScale(chars[i]!)
    values[at++] = logScale(total - chars[i]!)
    values[at++] = headings.h1 < 0 ? 0 : clampDistance(i - headings.h1)
    values[at++] = title < 0 ? 0 : clampDistance(i - title)
    at = place(values, at, outline, ancestry, boxes, e, i)
    const h = headings.inner[i]!
    values[at++] = h < 0 ? 0 : headingLevelOfTag(elements[blocks[h]!.element]!.name)
    values[at++] = h < 0 ? -1 : i - h
    values[at++] = h < 0 ? 0 : headingWeight(outline, lexicon, asHeading, h)
    values[at++] = h < 0 ? 0 : seenAlone.size[h]!
    values[at++] = headings.outer[i]! < 0 ? 0 : headingWeight(outline, lexicon, asHeading, headings.outer[i]!)
    at = neighbours(values, at, outline, seenAlone, i)
    const role = roles.of[i]!
    values[at++] = logScale(roles.count[role]!)
    values[at++] = logScale(roles.chars[role]! / roles.count[role]!)
    values[at++] = ratioOrZero(roles.chars[role]!, total)
    values[at++] = ratioOrZero(roles.links[role]!, roles.chars[role]!)
    at = windows(values, at, ancestry, i, blocks.length)
    values.set(page, at)
    width = at + page.length - start
  }
  return { sheet: { values, width, stride }, ancestry, headings, roles, title, kind }
}

type Seen = { size: Float32Array; linked: Float32Array; words: Float64Array }

function seenOf({ blocks, words }: FlatPage, lexicon: TokenWeights): Seen {
  const n = blocks.length
  const out = { size: new Float32Array(n), linked: new Float32Array(n), words: new Float64Array(n) }
  for (let i = 0; i < n; i++) {
    const { chars, linkChars, firstWord, endWord } = blocks[i]!
    out.size[i] = logScale(chars)
    out.linked[i] = ratioOrZero(linkChars, chars)
    out.words[i] = sumWordWeights(lexicon, words, firstWord, endWord, TOKEN_HASH_SALTS.word)
  }
  return out
}

const REACH = 3

function neighbours(row: Float32Array, from: number, { blocks }: FlatPage, seen: Seen, i: number): number {
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

function headingWeight({ blocks, words }: FlatPage, lexicon: TokenWeights, known: Map<number, number>, h: number) {
  let weight = known.get(h)
  if (weight === undefined) {
    const { firstWord, endWord } = blocks[h]!
    weight = sumWordWeights(lexicon, words, firstWord, endWord, TOKEN_HASH_SALTS.heading)
    known.set(h, weight)
  }
  return weight
}

function shape(row: Float32Array, from: number, b: TextBlock, tag: string): number {
  let at = from
  row[at++] = logScale(b.chars)
  row[at++] = logScale(b.words)
  row[at++] = b.chars / Math.max(1, b.words)
  row[at++] = ratioOrZero(b.linkChars, b.chars)
  row[at++] = b.links
  row[at++] = b.stops
  row[at++] = b.commas
  row[at++] = ratioOrZero(b.stops + b.commas, b.words)
  row[at++] = ratioOrZero(b.digits, b.chars)
  row[at++] = ratioOrZero(b.uppers, b.chars)
  row[at++] = b.bars
  row[at++] = ratioOrZero(b.uppers, b.words)
  row[at++] = ratioOrZero(b.boldChars, b.chars)
  row[at++] = b.timed ? 1 : 0
  row[at++] = b.ideographs > 3 ? 1 : 0
  row[at++] = ending(b.last)
  row[at++] = b.first === 0xa9 ? 1 : 0
  row[at++] = headingLevelOfTag(tag)
  row[at++] = TAG_RANK.get(tag) ?? 40
  row[at++] = logScale(b.endText - b.firstText)
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
  outline: FlatPage,
  a: BlockAncestry,
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
  for (let bit = 0; bit < LANDMARK_FEATURE_COUNT; bit++) row[at++] = (landmarks >> bit) & 1
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
  row[at++] = r < 0 ? 0 : logScale(repetition.count[r]!)
  row[at++] = logScale(c)
  row[at++] = r < 0 ? 0 : ratioOrZero(sums.links[endBlock[r]!]! - sums.links[firstBlock[r]!]!, c)
  row[at++] = r < 0 ? 0 : logScale(endBlock[r]! - firstBlock[r]!)
  row[at++] = r < 0 ? 0 : logScale(repetition.chars[r]! / repetition.count[r]!)
  row[at++] = r < 0 ? 0 : ratioOrZero(repetition.chars[r]!, total)
  const meet = e < 0 ? -1 : heart.nearestOnPath[e]!
  const prose = sums.prose[outline.blocks.length]!
  row[at++] = meet < 0 ? 0 : ratioOrZero(sums.prose[endBlock[meet]!]! - sums.prose[firstBlock[meet]!]!, prose)
  row[at++] = meet < 0 ? 0 : ratioOrZero(sums.chars[endBlock[meet]!]! - sums.chars[firstBlock[meet]!]!, total)
  row[at++] = e < 0 ? 0 : depth[e]! - (meet < 0 ? 0 : depth[meet]!)
  row[at++] = heart.best >= 0 && meet === heart.best ? 1 : 0
  row[at++] = i < heart.from ? i - heart.from : i >= heart.to ? i - heart.to + 1 : 0
  return at
}

const BOX = 8

function boxesOf({ elements, blocks, firstBlock, endBlock }: FlatPage, { sums }: BlockAncestry): Float32Array {
  const { chars, links, prose } = sums
  const total = chars[blocks.length]!
  const out = new Float32Array((elements.length + 1) * BOX)
  for (let e = -1; e < elements.length; e++) {
    const first = e < 0 ? 0 : firstBlock[e]!
    const end = e < 0 ? blocks.length : endBlock[e]!
    const c = chars[end]! - chars[first]!
    let at = (e + 1) * BOX
    out[at++] = logScale(c)
    out[at++] = ratioOrZero(links[end]! - links[first]!, c)
    out[at++] = logScale(end - first)
    out[at++] = logScale(c / Math.max(1, end - first))
    out[at++] = ratioOrZero(c, total)
    out[at++] = ratioOrZero(prose[end]! - prose[first]!, c)
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
  row[at + 5] = ratioOrZero(before - boxes[box + 6]!, boxes[box + 7]!)
  row[at + 6] = boxes[box + 5]!
  return at + 7
}

function windows(row: Float32Array, start: number, { sums }: BlockAncestry, i: number, n: number): number {
  const { chars, links, prose, marks } = sums
  let at = start
  for (let w = 4; w <= 12; w += 8) {
    const from = Math.max(0, i - w)
    const to = Math.min(n, i + w + 1)
    const back = chars[i]! - chars[from]!
    const ahead = chars[to]! - chars[i + 1]!
    row[at++] = logScale(back)
    row[at++] = logScale(ahead)
    row[at++] = ratioOrZero(links[i]! - links[from]!, back)
    row[at++] = ratioOrZero(links[to]! - links[i + 1]!, ahead)
    row[at++] = logScale(prose[to]! - prose[from]!)
    row[at++] = ratioOrZero(marks[to]! - marks[from]!, chars[to]! - chars[from]!)
  }
  return at
}

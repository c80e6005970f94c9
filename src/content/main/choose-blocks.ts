// Turns block probabilities into a choice that balances precision and recall of the kept text.
import {
  type BlockAncestry,
  BOILERPLATE_LANDMARK_BITS,
  CELL_BITS,
  MAIN_BIT,
  RARELY_CONTENT_LANDMARK_BITS,
} from './block-ancestry.ts'
import type { PageAnalysis } from './block-features.ts'
import { HIDDEN_UNTIL_OPENED_BIT } from './css-class-concepts.ts'
import { LINK_TO_OTHER_SITE, type TeaserBlocks } from './find-teasers.ts'
import type { FlatPage, TextBlock } from './flatten-page.ts'
import { headingLevelOfTag, type SimilarBlockGroups } from './page-structure.ts'
import { PAGE_KINDS } from './predict-page-kind.ts'

const ARTICLE = PAGE_KINDS.indexOf('article')
const FORUM = PAGE_KINDS.indexOf('forum')
const LISTING = PAGE_KINDS.indexOf('listing')
const COLLECTION = PAGE_KINDS.indexOf('collection')
const SERVICE = PAGE_KINDS.indexOf('service')

/**
 * Hand-set factors on block probabilities; scripts/train/factors.mjs measures the effect of each. Most multiply a
 * probability, so 1 disables them.
 */
interface BlockProbabilityFactors {
  /**
   * Stricter threshold for articles: doubtful text beside a story is rarely part of it. 0 disables it, as for the next
   * two.
   */
  strictness: number
  /** On listings and collections, doubtful text is more often one more entry. */
  listing: number
  collection: number
  /**
   * Minimum probability for running text inside the densest part of an article; without it, a few articles lose every
   * paragraph. 0 disables it.
   */
  heart: number
  /** Weight of the mean probability over blocks with the same role. 0 disables it. */
  role: number
  /** Measured: outside forums a tenth of comments are content, a third of what the trees predict. */
  comment: number
  /** Navigation, footers, form options, dialogs and hidden parts: 1 % of words are content. */
  seldom: number
  /** Other headers and asides: 5 % of words are content. A header's <h1> is left to the trees. */
  beside: number
  /** Captions and credits beside pictures of a story. */
  caption: number
  /** Sentences that are entirely a link to another page of the same site. */
  linked: number
  row: number
  /** Menu links before the story and its title. */
  entry: number
  /** Teasers in rows before the story and its title. */
  teaser: number
  /** Short texts that all blocks of their role repeat, such as the buttons of cards. Landing pages repeat calls to action. */
  constant: number
}

export const PROBABILITY_FACTORS: BlockProbabilityFactors = {
  strictness: 0.4,
  listing: 0.3,
  collection: 0.2,
  heart: 0.4,
  role: 0.4,
  comment: 0.35,
  seldom: 0.1,
  beside: 0.4,
  caption: 0.5,
  linked: 0.6,
  row: 0.2,
  entry: 0.3,
  teaser: 0.4,
  constant: 0.3,
}

/** Concept bits that the rules below test, and the page-kind probability from which they apply. */
const COMMENT_CONCEPT_BIT = 1
const REVIEW = 2
const PICTURE = 1 << 15
const FORUM_FROM = 0.4
const ARTICLE_FROM = 0.4
const STORY_FROM = 0.7
const SURE_STORY = 0.8
const SERVICE_FROM = 0.3

const CAPTION_WORDS = 25
const TEASER_WORDS = 5
const ENTRY_WORDS = 8

/** Keeps the blocks above the threshold with the highest expected F1, and at least one. */
export function chooseBlocks(
  outline: FlatPage,
  reading: PageAnalysis,
  probabilities: Float32Array,
  teasers?: TeaserBlocks,
  factors = PROBABILITY_FACTORS,
): Uint8Array {
  const { blocks } = outline
  const n = blocks.length
  const odds = adjust(outline, reading, probabilities, teasers, factors)
  const order = Array.from({ length: n }, (_, i) => i).sort((a, b) => odds[b]! - odds[a]! || a - b)
  let wanted = 0
  for (let i = 0; i < n; i++) wanted += odds[i]! * blocks[i]!.words
  let hit = 0
  let taken = 0
  let best = -1
  let cut = 0
  for (let k = 0; k < n; k++) {
    const i = order[k]!
    hit += odds[i]! * blocks[i]!.words
    taken += blocks[i]!.words
    const f1 = taken > 0 ? (2 * hit) / (taken + wanted) : 0
    if (f1 > best) {
      best = f1
      cut = k + 1
    }
  }
  const keep = new Uint8Array(n)
  for (let k = 0; k < cut; k++) keep[order[k]!] = 1
  return keep
}

function adjust(
  outline: FlatPage,
  reading: PageAnalysis,
  probabilities: Float32Array,
  teasers: TeaserBlocks | undefined,
  factors: BlockProbabilityFactors,
): Float32Array {
  const { blocks, elements } = outline
  const { kind, ancestry, title, roles } = reading
  const { heart, sums, nearConcepts, chainConcepts, landmarks, repeated } = ancestry
  const article = kind[ARTICLE] ?? 0
  const lenience = factors.listing * (kind[LISTING] ?? 0) + factors.collection * (kind[COLLECTION] ?? 0)
  const power = 1 + factors.strictness * article - lenience
  const isForum = (kind[FORUM] ?? 0) >= FORUM_FROM
  const menuEnd = article > STORY_FROM ? Math.min(heart.from, title) : 0
  const teasersEnd = article > SURE_STORY ? title : 0
  const shared = shareRoles(outline, roles, probabilities, factors.role)
  const constant = (kind[SERVICE] ?? 0) < SERVICE_FROM ? findConstantTexts(outline, reading) : undefined
  return shared.map((probability, i) => {
    const block = blocks[i]!
    const e = block.element
    const concepts = e < 0 ? 0 : chainConcepts[e]!
    let p = probability
    const isProse = heart.best >= 0 && i >= heart.from && i < heart.to && sums.prose[i + 1]! > sums.prose[i]!
    const isAside =
      (concepts & (COMMENT_CONCEPT_BIT | REVIEW)) !== 0 || (e >= 0 && (landmarks[e]! & BOILERPLATE_LANDMARK_BITS) !== 0)
    if (article > ARTICLE_FROM && isProse && !isAside) p = Math.max(p, factors.heart)
    if (concepts & COMMENT_CONCEPT_BIT && !isForum) p *= factors.comment
    if (e >= 0) p *= besideFactor(landmarks[e]!, concepts, elements[e]!.name, factors)
    if (constant?.[i]) p *= factors.constant
    if (article > STORY_FROM && e >= 0 && nearConcepts[e]! & PICTURE && block.words < CAPTION_WORDS)
      p *= factors.caption
    if (article > SURE_STORY && leadsAway(outline, i, ancestry, teasers?.leads[i])) p *= factors.linked
    if (article > SURE_STORY && teasers?.rows[i]) p *= factors.row
    if (i < menuEnd && isEntry(block)) p *= factors.entry
    if (i < teasersEnd && e >= 0 && repeated[e]! >= 0 && block.linkChars > block.chars * 0.1) p *= factors.teaser
    return p ** power
  })
}

function besideFactor(landmarks: number, concepts: number, tag: string, { seldom, beside }: BlockProbabilityFactors) {
  if (landmarks & RARELY_CONTENT_LANDMARK_BITS || concepts & HIDDEN_UNTIL_OPENED_BIT) return seldom
  return landmarks & BOILERPLATE_LANDMARK_BITS && tag !== 'h1' ? beside : 1
}

const ROLE_BLOCKS = 4

function shareRoles(
  { blocks }: FlatPage,
  { of, count }: SimilarBlockGroups,
  probabilities: Float32Array,
  part: number,
): Float32Array {
  const sums = new Float64Array(count.length)
  const words = new Float64Array(count.length)
  for (let i = 0; i < blocks.length; i++) {
    sums[of[i]!]! += probabilities[i]! * blocks[i]!.words
    words[of[i]!]! += blocks[i]!.words
  }
  return probabilities.map((p, i) => {
    const role = of[i]!
    if (count[role]! < ROLE_BLOCKS || words[role] === 0) return p
    return p + part * (sums[role]! / words[role]! - p)
  })
}

const CONSTANT_WORDS = 10

/** Short blocks, but for headings, of roles that have one text on the page. */
function findConstantTexts({ blocks, elements }: FlatPage, { roles, ancestry }: PageAnalysis): Uint8Array {
  const { of, count } = roles
  const first = new Int32Array(count.length).fill(-1)
  const varies = new Uint8Array(count.length)
  for (let i = 0; i < blocks.length; i++) {
    const role = of[i]!
    if (first[role]! < 0) first[role] = i
    else if (blocks[first[role]!]!.hash !== blocks[i]!.hash) varies[role] = 1
  }
  const out = new Uint8Array(blocks.length)
  for (let i = 0; i < blocks.length; i++) {
    const { element, words } = blocks[i]!
    if (varies[of[i]!] || count[of[i]!]! < ROLE_BLOCKS || words > CONSTANT_WORDS || element < 0) continue
    // Equal cells are data.
    const isCell = (ancestry.landmarks[element]! & CELL_BITS) !== 0
    if (!isCell && headingLevelOfTag(elements[element]!.name) === 0) out[i] = 1
  }
  return out
}

function leadsAway(
  { blocks, elements }: FlatPage,
  i: number,
  { heart, sums }: BlockAncestry,
  lead: number | undefined,
): boolean {
  const { words, chars, linkChars, element } = blocks[i]!
  if (words < TEASER_WORDS || linkChars <= chars * 0.8 || lead === LINK_TO_OTHER_SITE) return false
  // A linked heading followed by running text belongs to the story.
  const isHead = element >= 0 && i >= heart.from && i + 1 < heart.to && headingLevelOfTag(elements[element]!.name) > 1
  return !(isHead && sums.prose[i + 2]! > sums.prose[i + 1]!)
}

const isEntry = ({ words, chars, linkChars }: TextBlock): boolean => words <= ENTRY_WORDS && linkChars > chars * 0.8

/** Below this size all of the main part is kept. */
const TINY_PAGE_WORDS = 60

export function restoreBlocksOfTinyPages({ blocks }: FlatPage, { ancestry }: PageAnalysis, keep: Uint8Array): void {
  let words = 0
  for (const block of blocks) words += block.words
  if (words > TINY_PAGE_WORDS) return
  blocks.forEach(({ element }, i) => {
    const landmarks = element < 0 ? 0 : ancestry.landmarks[element]!
    if (landmarks & MAIN_BIT && !(landmarks & BOILERPLATE_LANDMARK_BITS)) keep[i] = 1
  })
}

/** A repeated text of this length is a copy, such as one for phones, or a quotation. */
const MIN_DUPLICATE_WORDS = 8
const NOT_COPIES = new Set(['pre', 'code', 'td', 'th'])

export function dropDuplicateBlocks(
  { blocks, elements }: FlatPage,
  keep: Uint8Array,
  dropped: Set<number> = new Set(),
  isSpared: (element: number) => boolean = () => false,
): Set<number> {
  const seen = new Set<number>()
  for (let i = 0; i < blocks.length; i++) {
    const { words, hash, element } = blocks[i]!
    if (
      !keep[i] ||
      words < MIN_DUPLICATE_WORDS ||
      (element >= 0 && (NOT_COPIES.has(elements[element]!.name) || isSpared(element)))
    )
      continue
    if (seen.has(hash)) {
      keep[i] = 0
      dropped.add(i)
    }
    seen.add(hash)
  }
  return dropped
}

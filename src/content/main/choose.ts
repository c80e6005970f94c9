// From probabilities to a choice: which blocks to keep so that precision and recall of the kept text balance best.
import { type Ancestry, BESIDE, SELDOM } from './ancestry.ts'
import { OUT_OF_SIGHT } from './concepts.ts'
import type { MainReading } from './features.ts'
import { KINDS } from './kinds.ts'
import type { Block, Outline } from './outline.ts'
import { headingLevel, type Roles } from './sections.ts'
import { ELSEWHERE, type Teasers } from './teasers.ts'
import { isLogo } from './title.ts'

const ARTICLE = KINDS.indexOf('article')
const FORUM = KINDS.indexOf('forum')
const LISTING = KINDS.indexOf('listing')
const COLLECTION = KINDS.indexOf('collection')
const PRODUCT = KINDS.indexOf('product')

/**
 * What is set by hand about how likely a block is to be content; scripts/train/factors.mjs measures what each is worth. Most
 * multiply a probability, and 1 would switch them off.
 */
export interface Factors {
  /**
   * Articles are judged more strictly than other pages: beside a story, what is doubtful is rarely part of it. Higher
   * values give articles precision and cost little recall. 0 is off, as for the next two.
   */
  strictness: number
  /** On a listing or a collection, what is doubtful is more often one more entry. */
  listing: number
  collection: number
  /**
   * Running text where most of an article's running text stands is content at least this likely, whatever odd names a
   * site gives it: without this, a few articles lose every paragraph. 0 is off.
   */
  heart: number
  /** Blocks that play one role on a page mostly share its fate: each takes this part of the mean of all that do. 0 is off. */
  role: number
  /** Comments were a tenth content on pages that are no forums, three times less than the trees thought. */
  comment: number
  /**
   * Of the words in navigation, footers, form choices, dialogs and what else is out of sight one in a hundred is content.
   * On a page where everything is doubtful the threshold sinks so low that they would come in with the rest.
   */
  seldom: number
  /** In other headers and asides one word in twenty is; a header's <h1> is left to the trees. */
  beside: number
  /** A few words beside a picture of a story are its caption or its credit. */
  caption: number
  /** A sentence in a story that is all link leads to another story, unless it leads to another site. */
  linked: number
  /** A row of teasers on the page of a story. */
  row: number
  /** A box that asks for an e-mail address. */
  signup: number
  /** Before the story and its title, on a page that is one story, short links are a menu … */
  entry: number
  /** … and texts in rows are teasers. */
  teaser: number
}

export const FACTORS: Factors = {
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
  signup: 0.1,
  entry: 0.3,
  teaser: 0.4,
}

/** Bits of concepts, and how sure it must be that a page is of a kind before the rules of that kind apply to it. */
const COMMENT = 1
const REVIEW = 2
const PICTURE = 1 << 15
const FORUM_FROM = 0.4
const ARTICLE_FROM = 0.4
const STORY_FROM = 0.7
const SURE_STORY = 0.8
/** A shop that asks for an address does it amid what it says of its goods. */
const SHOP_FROM = 0.5

const CAPTION_WORDS = 25
const TEASER_WORDS = 5
const ENTRY_WORDS = 8

/**
 * Keeps the blocks above the threshold that gives the page its highest expected F1, given each block's probability of
 * being content and its size. On a clear page that threshold is near one half; on a page where everything is doubtful
 * it is lower, since leaving out half of a doubtful page costs more than keeping it. Keeps one block at least.
 */
export function chooseBlocks(
  outline: Outline,
  reading: MainReading,
  probabilities: Float32Array,
  teasers?: Teasers,
  factors = FACTORS,
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
  outline: Outline,
  reading: MainReading,
  probabilities: Float32Array,
  teasers: Teasers | undefined,
  factors: Factors,
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
  const isNoShop = (kind[PRODUCT] ?? 0) < SHOP_FROM
  const shared = shareRoles(outline, roles, probabilities, factors.role)
  return shared.map((probability, i) => {
    const block = blocks[i]!
    const e = block.element
    const concepts = e < 0 ? 0 : chainConcepts[e]!
    let p = probability
    const isProse = heart.best >= 0 && i >= heart.from && i < heart.to && sums.prose[i + 1]! > sums.prose[i]!
    const isAside = (concepts & (COMMENT | REVIEW)) !== 0 || (e >= 0 && (landmarks[e]! & BESIDE) !== 0)
    if (article > ARTICLE_FROM && isProse && !isAside) p = Math.max(p, factors.heart)
    if (concepts & COMMENT && !isForum) p *= factors.comment
    if (e >= 0) p *= besideFactor(landmarks[e]!, concepts, elements[e]!.name, factors)
    if (article > STORY_FROM && e >= 0 && nearConcepts[e]! & PICTURE && block.words < CAPTION_WORDS)
      p *= factors.caption
    if (article > SURE_STORY && leadsAway(outline, i, ancestry, teasers?.leads[i])) p *= factors.linked
    if (article > SURE_STORY && teasers?.rows[i]) p *= factors.row
    if (isNoShop && teasers?.signups[i]) p *= factors.signup
    if (i < menuEnd && isEntry(block)) p *= factors.entry
    if (i < teasersEnd && e >= 0 && repeated[e]! >= 0 && block.linkChars > block.chars * 0.1) p *= factors.teaser
    return p ** power
  })
}

function besideFactor(landmarks: number, concepts: number, tag: string, { seldom, beside }: Factors): number {
  if (landmarks & SELDOM || concepts & OUT_OF_SIGHT) return seldom
  return landmarks & BESIDE && tag !== 'h1' ? beside : 1
}

const ROLE_BLOCKS = 4

function shareRoles(
  { blocks }: Outline,
  { of, count }: Roles,
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

function leadsAway(
  { blocks, elements }: Outline,
  i: number,
  { heart, sums }: Ancestry,
  lead: number | undefined,
): boolean {
  const { words, chars, linkChars, element } = blocks[i]!
  if (words < TEASER_WORDS || linkChars <= chars * 0.8 || lead === ELSEWHERE) return false
  // A heading of the story itself may be a link: what it heads is the story.
  const isHead = element >= 0 && i >= heart.from && i + 1 < heart.to && headingLevel(elements[element]!.name) > 1
  return !(isHead && sums.prose[i + 2]! > sums.prose[i + 1]!)
}

/** An entry of a menu: a few words, all of them a link. */
const isEntry = ({ words, chars, linkChars }: Block): boolean => words <= ENTRY_WORDS && linkChars > chars * 0.8

/** On a page with so few words the heading is a good part of what there is to read, whatever long pages taught. */
const SHORT_PAGE_WORDS = 200
/** And on one with so few, all that its main part says. */
const TINY_PAGE_WORDS = 60
const MAIN = 32

/** Keeps the main heading of a short page, and all of the main part of a tiny one. */
export function keepShort(outline: Outline, { ancestry }: MainReading, keep: Uint8Array): void {
  const { blocks, elements } = outline
  let words = 0
  for (const block of blocks) words += block.words
  if (words > SHORT_PAGE_WORDS) return
  blocks.forEach(({ element }, i) => {
    if (element < 0) return
    const landmarks = ancestry.landmarks[element]!
    if (elements[element]!.name === 'h1' && !isLogo(outline, element)) keep[i] = 1
    else if (words <= TINY_PAGE_WORDS && landmarks & MAIN && !(landmarks & BESIDE)) keep[i] = 1
  })
}

/** A text this long does not stand twice on a page by chance: the second is a copy for phones, or a quotation. */
const COPY_WORDS = 8
const NOT_COPIES = new Set(['pre', 'code', 'td', 'th'])

/** Keeps only the first of several kept blocks with the very same text. Returns the blocks it dropped. */
export function dropCopies({ blocks, elements }: Outline, keep: Uint8Array): Set<number> {
  const seen = new Set<number>()
  const dropped = new Set<number>()
  for (let i = 0; i < blocks.length; i++) {
    const { words, hash, element } = blocks[i]!
    if (!keep[i] || words < COPY_WORDS || (element >= 0 && NOT_COPIES.has(elements[element]!.name))) continue
    if (seen.has(hash)) {
      keep[i] = 0
      dropped.add(i)
    }
    seen.add(hash)
  }
  return dropped
}

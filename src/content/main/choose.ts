// From probabilities to a choice: which blocks to keep so that precision and recall of the kept text balance best.
import { BESIDE } from './ancestry.ts'
import type { Reading } from './features.ts'
import { KINDS } from './kinds.ts'
import type { Outline } from './outline.ts'

const ARTICLE = KINDS.indexOf('article')
const FORUM = KINDS.indexOf('forum')

/**
 * Articles are judged more strictly than other pages: beside a story, what is doubtful is rarely part of it. Higher
 * values give articles precision and cost little recall; docs/extraction.md has the sweep.
 */
const STRICTNESS = 0.4
/** Comments were a tenth content on pages that are no forums, three times less than the trees thought. */
const COMMENT = 1
const COMMENT_FACTOR = 0.35
const FORUM_FROM = 0.4
/**
 * Running text where most of an article's running text stands is content at least this likely, whatever odd names a
 * site gives it: without this, a few articles lose every paragraph.
 */
const HEART = 0.4
const ARTICLE_FROM = 0.4
const REVIEW = 2

/**
 * Keeps the blocks above the threshold that gives the page its highest expected F1, given each block's probability of
 * being content and its size. On a clear page that threshold is near one half; on a page where everything is doubtful
 * it is lower, since leaving out half of a doubtful page costs more than keeping it. Keeps one block at least.
 */
export function chooseBlocks(outline: Outline, reading: Reading, probabilities: Float32Array): Uint8Array {
  const { blocks } = outline
  const n = blocks.length
  const odds = adjust(outline, reading, probabilities)
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

function adjust({ blocks }: Outline, { kind, ancestry }: Reading, probabilities: Float32Array): Float32Array {
  const { heart, sums, chainConcepts, landmarks } = ancestry
  const article = kind[ARTICLE] ?? 0
  const power = 1 + STRICTNESS * article
  const isForum = (kind[FORUM] ?? 0) >= FORUM_FROM
  return probabilities.map((probability, i) => {
    const e = blocks[i]!.element
    const concepts = e < 0 ? 0 : chainConcepts[e]!
    let p = probability
    const isProse = heart.best >= 0 && i >= heart.from && i < heart.to && sums.prose[i + 1]! > sums.prose[i]!
    const isAside = (concepts & (COMMENT | REVIEW)) !== 0 || (e >= 0 && (landmarks[e]! & BESIDE) !== 0)
    if (article > ARTICLE_FROM && isProse && !isAside) p = Math.max(p, HEART)
    if (concepts & COMMENT && !isForum) p *= COMMENT_FACTOR
    return p ** power
  })
}

/** On a page with so few words the heading is a good part of what there is to read, whatever long pages taught. */
const SHORT_PAGE_WORDS = 200

/** Keeps the main heading of a short page. */
export function keepHeading({ blocks, elements }: Outline, keep: Uint8Array): void {
  let words = 0
  for (const block of blocks) words += block.words
  if (words > SHORT_PAGE_WORDS) return
  blocks.forEach(({ element }, i) => {
    if (element >= 0 && elements[element]!.name === 'h1') keep[i] = 1
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

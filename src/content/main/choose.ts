// From probabilities to a choice: which blocks to keep. One threshold does not fit all pages: on a shop's page everything
// is doubtful, on a story little is. So several thresholds are tried, and trees judge which cut of this page is best.
import type { Reading, Sheet } from './features.ts'
import type { Outline } from './outline.ts'
import { runTrees, type Trees } from './trees.ts'

const THRESHOLDS = [0.03, 0.06, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.55, 0.6, 0.7, 0.8]
/** Numbers a candidate has besides those of its page. */
const OWN = 20

export interface Candidates {
  /** The thresholds that keep something, highest last. */
  thresholds: number[]
  sheet: Sheet
}

const log = (x: number): number => Math.log2(1 + x)
const share = (part: number, whole: number): number => (whole > 0 ? part / whole : 0)

/** The cuts to choose from, and what is known of each. */
export function candidatesOf(outline: Outline, reading: Reading, probabilities: Float32Array): Candidates {
  const found = THRESHOLDS.map((t) => measure(outline, reading, probabilities, t)).filter(({ kept }) => kept > 0)
  const { page } = reading
  const width = OWN + page.length
  const values = new Float32Array(width * found.length)
  let best = 0
  for (let k = 0; k < found.length; k++) if (found[k]!.expected > found[best]!.expected) best = k
  found.forEach((one, k) => {
    const words = one.words + one.cutWords
    const next = found[k + 1]
    const previous = found[k - 1]
    values.set(
      [
        one.threshold,
        one.expected,
        one.expected - found[best]!.expected,
        one.threshold - found[best]!.threshold,
        share(one.words, found[best]!.words),
        share(one.words, words),
        log(one.words),
        log(one.cutWords),
        log(one.kept),
        share(one.mass, one.words),
        share(one.cutMass, one.cutWords),
        share(one.cutMass, one.mass + one.cutMass),
        share(one.linkChars, one.chars),
        share(one.prose, reading.ancestry.sums.prose[outline.blocks.length]!),
        share(one.prose, one.chars),
        share(one.runs, one.kept),
        share(one.repeated, one.chars),
        share(one.comments, one.chars),
        previous ? share(previous.words, one.words) : 0,
        next ? share(next.words, one.words) : 0,
      ],
      k * width,
    )
    values.set(page, k * width + OWN)
  })
  return { thresholds: found.map(({ threshold }) => threshold), sheet: { values, width } }
}

function measure({ blocks }: Outline, { ancestry }: Reading, probabilities: Float32Array, threshold: number) {
  const { prose } = ancestry.sums
  const one = { threshold, kept: 0, words: 0, cutWords: 0, mass: 0, cutMass: 0, chars: 0, linkChars: 0, prose: 0 }
  let runs = 0
  let repeated = 0
  let comments = 0
  for (let i = 0; i < blocks.length; i++) {
    const { words, chars, linkChars, element } = blocks[i]!
    const p = probabilities[i]!
    if (p <= threshold) {
      one.cutWords += words
      one.cutMass += p * words
      continue
    }
    one.kept++
    one.words += words
    one.mass += p * words
    one.chars += chars
    one.linkChars += linkChars
    one.prose += prose[i + 1]! - prose[i]!
    if (i === 0 || probabilities[i - 1]! <= threshold) runs++
    if (element < 0) continue
    if (ancestry.repeated[element]! >= 0) repeated += chars
    // The first two concepts are comments and reviews.
    if (ancestry.chainConcepts[element]! & 3) comments += chars
  }
  const expected = share(2 * one.mass, one.words + one.mass + one.cutMass)
  return { ...one, runs, repeated, comments, expected }
}

/** Keeps what is above the threshold that the judge likes best; on a page without hope, the most likely blocks. */
export function chooseBlocks(
  outline: Outline,
  reading: Reading,
  probabilities: Float32Array,
  judge: Trees,
): Uint8Array {
  const { thresholds, sheet } = candidatesOf(outline, reading, probabilities)
  const scores = runTrees(judge, sheet)
  let best = 0
  for (let k = 1; k < scores.length; k++) if (scores[k]! > scores[best]!) best = k
  const threshold = thresholds[best] ?? probabilities.reduce((a, b) => Math.max(a, b), 0) / 2
  return Uint8Array.from(probabilities, (p) => (p > threshold ? 1 : 0))
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

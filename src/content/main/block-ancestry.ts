// Computes in one top-down pass what each element passes to the blocks inside it: landmarks, concepts, name weights and
// ancestors by size.

import type { FlatPage } from './flatten-page.ts'
import {
  type ElementSignatures,
  findPathToMainText,
  groupSimilarSiblings,
  type PathToMainText,
  prefixSums,
  type SiblingGroups,
} from './page-structure.ts'
import type { ElementNameScore } from './token-weights.ts'

/** Blocks of at least this length, with few links, count as running text. */
const PROSE_CHARS = 60
/** For each size in characters, the smallest ancestor that holds that much text is a feature. */
const ANCESTOR_SIZES_CHARS = [250, 1000, 4000] as const

const LANDMARK: Record<string, number> = {
  nav: 1,
  header: 2,
  footer: 4,
  aside: 8,
  article: 16,
  main: 32,
  form: 64,
  table: 128,
  ul: 256,
  ol: 256,
  figure: 512,
  blockquote: 1024,
  section: 2048,
  dl: 4096,
  label: 8192,
  details: 16384,
  a: 32768,
  fieldset: 65536,
}
const ROLES: Record<string, number> = {
  navigation: 1,
  banner: 2,
  contentinfo: 4,
  complementary: 8,
  article: 16,
  main: 32,
}
const MODAL = 131072
export const LANDMARK_FEATURE_COUNT = 16
export const IN_LIST_BIT = 256
export const IN_TABLE_BIT = 128
export const BOILERPLATE_LANDMARK_BITS = 15
/** Cells of tables, terms and their descriptions. */
export const CELL_BITS = IN_TABLE_BIT | 4096
export const MAIN_BIT = 32
export const HEADER_BIT = 2
export const FORM_BIT = 64
/** `article` and `main`. */
export const STORY_BITS = 16 | MAIN_BIT
export const NAVIGATION_BITS = 1 | MODAL
export const RARELY_CONTENT_LANDMARK_BITS = 1 | 4 | 65536 | MODAL

/** Prefix sums over blocks, so any range total is one subtraction. */
type BlockSums = { chars: Float64Array; links: Float64Array; prose: Float64Array; marks: Float64Array }

export interface BlockAncestry {
  sums: BlockSums
  score: Float32Array
  nearScore: Float32Array
  chainScore: Float32Array
  chainMin: Float32Array
  chainMax: Float32Array
  landmarks: Int32Array
  /** Near: the element, its parent and its grandparent. Chain: all ancestors. */
  nearConcepts: Int32Array
  chainConcepts: Int32Array
  sized: Int32Array[]
  repetition: SiblingGroups
  repeated: Int32Array
  heart: PathToMainText
}

export function computeAncestry(
  outline: FlatPage,
  spellings: ElementSignatures,
  read: (element: FlatPage['elements'][number]) => ElementNameScore,
): BlockAncestry {
  const { elements, parent, firstBlock, endBlock } = outline
  const n = elements.length
  const sums = sumsOf(outline)
  const repetition = groupSimilarSiblings(outline, spellings, sums.chars)
  const out: BlockAncestry = {
    sums,
    score: new Float32Array(n),
    nearScore: new Float32Array(n),
    chainScore: new Float32Array(n),
    chainMin: new Float32Array(n),
    chainMax: new Float32Array(n),
    landmarks: new Int32Array(n),
    nearConcepts: new Int32Array(n),
    chainConcepts: new Int32Array(n),
    sized: ANCESTOR_SIZES_CHARS.map(() => new Int32Array(n)),
    repetition,
    repeated: new Int32Array(n),
    heart: findPathToMainText(outline, sums.prose),
  }
  const own = new Int32Array(n)
  for (let e = 0; e < n; e++) {
    const up = parent[e]!
    const element = elements[e]!
    const { score, concepts } = read(element)
    const up2 = up < 0 ? -1 : parent[up]!
    const role = element.attribs.role
    // Names of <html> and <body> describe the whole page, not a part of it.
    own[e] = element.name === 'body' || element.name === 'html' ? 0 : concepts
    out.score[e] = score
    out.nearScore[e] = score + (up < 0 ? 0 : out.score[up]! * 0.7) + (up2 < 0 ? 0 : out.score[up2]! * 0.5)
    out.chainScore[e] = score + (up < 0 ? 0 : out.chainScore[up]!)
    out.chainMin[e] = Math.min(score, up < 0 ? 0 : out.chainMin[up]!)
    out.chainMax[e] = Math.max(score, up < 0 ? 0 : out.chainMax[up]!)
    out.landmarks[e] =
      (up < 0 ? 0 : out.landmarks[up]!) |
      (LANDMARK[element.name] ?? 0) |
      (role === undefined ? 0 : landmarkOf(role, element))
    out.nearConcepts[e] = own[e]! | (up < 0 ? 0 : own[up]!) | (up2 < 0 ? 0 : own[up2]!)
    out.chainConcepts[e] = own[e]! | (up < 0 ? 0 : out.chainConcepts[up]!)
    const size = sums.chars[endBlock[e]!]! - sums.chars[firstBlock[e]!]!
    for (let k = 0; k < ANCESTOR_SIZES_CHARS.length; k++) {
      const level = out.sized[k]!
      level[e] = size >= ANCESTOR_SIZES_CHARS[k]! ? e : up < 0 ? -1 : level[up]!
    }
    out.repeated[e] = repetition.count[e]! >= 3 ? e : up < 0 ? -1 : out.repeated[up]!
  }
  return out
}

function landmarkOf(role: string, { attribs }: FlatPage['elements'][number]): number {
  const isModal = (role === 'dialog' || role === 'alertdialog') && attribs['aria-modal'] === 'true'
  return isModal ? MODAL : (ROLES[role] ?? 0)
}

function sumsOf({ blocks }: FlatPage): BlockSums {
  const n = blocks.length
  return {
    chars: prefixSums(n, (i) => blocks[i]!.chars),
    links: prefixSums(n, (i) => blocks[i]!.linkChars),
    prose: prefixSums(n, (i) => {
      const { chars, linkChars } = blocks[i]!
      return chars >= PROSE_CHARS && linkChars < chars * 0.4 ? chars - linkChars : 0
    }),
    marks: prefixSums(n, (i) => blocks[i]!.stops + blocks[i]!.commas),
  }
}

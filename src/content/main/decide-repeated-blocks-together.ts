// Blocks of one template are decided together: replies of a thread, cards of a list, sections of a page. In siblings of
// one form, blocks with the same role follow what was decided for most of them.
import { RARELY_CONTENT_LANDMARK_BITS } from './block-ancestry.ts'
import type { PageAnalysis } from './block-features.ts'
import type { FlatPage } from './flatten-page.ts'
import { prefixSums } from './page-structure.ts'
import { PAGE_KINDS } from './predict-page-kind.ts'

const ARTICLE = PAGE_KINDS.indexOf('article')
const ARTICLE_FROM = 0.4

const MIN_MEMBERS = 4
const MIN_WORDS = 4
/** Share of a group's words in members with something kept: from the first on all members stay, up to the second all go. */
const MIN_PRESENT_SHARE = 0.5
const MAX_STRAY_SHARE = 0.1
/** Share of a role's words in a group that must be kept for all of it to be kept. */
const MIN_KEPT_SHARE = 0.6
/** Below this probability a block is the odd one out, such as an advertisement among replies. */
const ODD_ONE_OUT_PROBABILITY = 0.08
/** A member this much larger than all others together is no sibling of the same form. */
const MAX_MEMBER_SHARE = 0.5
/** How far the share of linked text may be from that of the role. */
const LINK_MARGIN = 0.4

interface RoleTally {
  words: number
  kept: number
  chars: number
  links: number
  blocks: number[]
}

export function decideRepeatedBlocksTogether(
  outline: FlatPage,
  { ancestry, roles, kind }: PageAnalysis,
  probabilities: Float32Array,
  keep: Uint8Array,
): void {
  const { elements, firstBlock, endBlock, blocks } = outline
  const { repetition, landmarks, sums } = ancestry
  // Beside a story, groups are mostly teasers and links to other stories.
  const isArticle = kind[ARTICLE]! >= ARTICLE_FROM
  const wordSums = prefixSums(blocks.length, (i) => blocks[i]!.words)
  const sumOf = (sum: Float64Array, e: number) => sum[endBlock[e]!]! - sum[firstBlock[e]!]!
  const groups = new Map<number, number[]>()
  for (let e = 0; e < elements.length; e++) {
    if (
      repetition.count[e]! < MIN_MEMBERS ||
      endBlock[e] === firstBlock[e] ||
      landmarks[e]! & RARELY_CONTENT_LANDMARK_BITS
    )
      continue
    const leader = repetition.leader[e]!
    const members = groups.get(leader)
    if (members) members.push(e)
    else groups.set(leader, [e])
  }
  for (const members of groups.values()) {
    if (members.length < MIN_MEMBERS) continue
    let all = 0
    let largest = 0
    for (const e of members) {
      all += sumOf(sums.chars, e)
      largest = Math.max(largest, sumOf(sums.chars, e))
    }
    // Also bounds the work: a block is in at most a logarithmic number of such groups.
    if (largest > all * MAX_MEMBER_SHARE) continue
    const tallies = new Map<number, RoleTally>()
    for (const e of members)
      for (let i = firstBlock[e]!; i < endBlock[e]!; i++) {
        const { words, chars, linkChars } = blocks[i]!
        const role = roles.of[i]!
        let tally = tallies.get(role)
        if (!tally) {
          tally = { words: 0, kept: 0, chars: 0, links: 0, blocks: [] }
          tallies.set(role, tally)
        }
        tally.words += words
        tally.chars += chars
        tally.links += linkChars
        if (keep[i]) tally.kept += words
        tally.blocks.push(i)
      }
    if (!isArticle) decideMembers(members)
    for (const { words, kept, chars, links, blocks: own } of tallies.values()) {
      if (own.length < MIN_MEMBERS || kept === words || kept < words * MIN_KEPT_SHARE) continue
      for (const i of own) {
        const block = blocks[i]!
        const isLike = Math.abs(block.linkChars / block.chars - links / chars) <= LINK_MARGIN
        if (block.words >= MIN_WORDS && isLike && probabilities[i]! >= ODD_ONE_OUT_PROBABILITY) keep[i] = 1
      }
    }
  }

  /** Whole members come or go by what is kept of the others. */
  function decideMembers(members: readonly number[]): void {
    let all = 0
    let present = 0
    const gone: number[] = []
    const kept = new Set<number>()
    for (const e of members) {
      const words = sumOf(wordSums, e)
      all += words
      if (!keep.subarray(firstBlock[e]!, endBlock[e]!).includes(1)) {
        gone.push(e)
        continue
      }
      present += words
      for (let i = firstBlock[e]!; i < endBlock[e]!; i++) if (keep[i]) kept.add(roles.of[i]!)
    }
    if (present === 0 || gone.length === 0) return
    if (present < all * MAX_STRAY_SHARE) for (const e of members) keep.fill(0, firstBlock[e]!, endBlock[e]!)
    else if (present >= all * MIN_PRESENT_SHARE)
      for (const e of gone)
        if (sumOf(wordSums, e) >= MIN_WORDS)
          for (let i = firstBlock[e]!; i < endBlock[e]!; i++)
            if (kept.has(roles.of[i]!) && probabilities[i]! >= ODD_ONE_OUT_PROBABILITY) keep[i] = 1
  }
}

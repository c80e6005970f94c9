// Blocks of one template are decided together: replies of a thread, cards of a list, sections of a page. In siblings of
// one form, blocks with the same role follow what was decided for most of them, and in the end whole siblings do.
import { appendTo } from '../../base/values.ts'
import { RARELY_CONTENT_LANDMARK_BITS } from './block-ancestry.ts'
import type { PageAnalysis } from './block-features.ts'
import type { FlatPage } from './flatten-page.ts'
import type { KeepState } from './keep-state-types.ts'
import { PAGE_KINDS } from './predict-page-kind.ts'

const ARTICLE = PAGE_KINDS.indexOf('article')
const ARTICLE_FROM = 0.4

const MIN_MEMBERS = 4
const MIN_WORDS = 4
/** Share of a group's members of which something is kept, for all of them to stay. */
const MIN_PRESENT_SHARE = 0.6
/** Of a larger member only the roles are added that others have kept. */
const MAX_ROW_BLOCKS = 3
/** Beside a story, a member of which more is linked leads to another one. */
const MAX_LINKED_SHARE = 0.8
/** Share of a role's words in a group that must be kept for all of it to be kept. */
const MIN_KEPT_SHARE = 0.6
/** Below this probability a block is the odd one out, such as an advertisement among replies. */
const ODD_ONE_OUT_PROBABILITY = 0.08
/** A member this much larger than all others together is no sibling of the same form. */
const MAX_MEMBER_SHARE = 0.5
/** How far the share of linked text may be from that of the role. */
const LINK_MARGIN = 0.4

type RoleTally = { words: number; kept: number; chars: number; links: number; blocks: number[] }

/** Siblings of one form, by the first of each group. */
function groupsOf({ elements, firstBlock, endBlock }: FlatPage, { ancestry }: PageAnalysis): Iterable<number[]> {
  const { repetition, landmarks } = ancestry
  const groups = new Map<number, number[]>()
  for (let e = 0; e < elements.length; e++) {
    const isAlone = repetition.count[e]! < MIN_MEMBERS || endBlock[e] === firstBlock[e]
    if (!isAlone && !(landmarks[e]! & RARELY_CONTENT_LANDMARK_BITS)) appendTo(groups, repetition.leader[e]!, e)
  }
  return groups.values()
}

export function decideRepeatedBlocksTogether(
  outline: FlatPage,
  reading: PageAnalysis,
  probabilities: Float32Array,
  keep: Uint8Array,
): void {
  const { firstBlock, endBlock, blocks } = outline
  const { ancestry, roles } = reading
  const { chars: sum } = ancestry.sums
  for (const members of groupsOf(outline, reading)) {
    if (members.length < MIN_MEMBERS) continue
    let all = 0
    let largest = 0
    for (const e of members) {
      const size = sum[endBlock[e]!]! - sum[firstBlock[e]!]!
      all += size
      largest = Math.max(largest, size)
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
    for (const { words, kept, chars, links, blocks: own } of tallies.values()) {
      if (own.length < MIN_MEMBERS || kept === words || kept < words * MIN_KEPT_SHARE) continue
      for (const i of own) {
        const block = blocks[i]!
        const isLike = Math.abs(block.linkChars / block.chars - links / chars) <= LINK_MARGIN
        if (block.words >= MIN_WORDS && isLike && probabilities[i]! >= ODD_ONE_OUT_PROBABILITY) keep[i] = 1
      }
    }
  }
}

/**
 * Adds the rows, cards and posts that a group of which most are kept lacks, but no copies of kept texts. What begins or
 * ends a group beside a story often leads elsewhere, so only what lies between kept members comes back there.
 */
export function keepGroupsWhole({ outline, reading, keep }: KeepState, copies: ReadonlySet<number>): void {
  const { firstBlock, endBlock } = outline
  const { chars, links } = reading.ancestry.sums
  const { roles } = reading
  const isStory = reading.kind[ARTICLE]! >= ARTICLE_FROM
  for (const members of groupsOf(outline, reading)) {
    const isPresent = members.map((e) => keep.subarray(firstBlock[e]!, endBlock[e]!).includes(1))
    const present = members.filter((_, at) => isPresent[at])
    if (present.length === members.length || present.length < members.length * MIN_PRESENT_SHARE) continue
    const kept = new Set<number>()
    for (const e of present) for (let i = firstBlock[e]!; i < endBlock[e]!; i++) if (keep[i]) kept.add(roles.of[i]!)
    for (const [at, e] of members.entries()) {
      const [from, to] = [firstBlock[e]!, endBlock[e]!]
      const isLink = links[to]! - links[from]! > (chars[to]! - chars[from]!) * MAX_LINKED_SHARE
      if (isPresent[at] || (isStory && (isLink || e < present[0]! || e > present.at(-1)!))) continue
      for (let i = from; i < to; i++)
        if (!copies.has(i) && (to - from <= MAX_ROW_BLOCKS || kept.has(roles.of[i]!))) keep[i] = 1
    }
  }
}

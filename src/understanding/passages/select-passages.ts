// Selects the passages of a long page nearest to a question, with headings, in page order, for a model with a short
// context.

import { countUntil } from '../../base/large-array-helpers.ts'
import type { RankedPassage } from './rank-passages.ts'
import { splitIntoBlocks } from './split-into-markdown-blocks.ts'

/** A page up to this length is read whole. */
const SHORT_PAGE_CHARS = 6000
/** Characters to select: about 8,000 tokens. */
const MAX_SELECTED_CHARS = 24_000
const GAP = '\n\n[…]\n\n'

/** Undefined when the page is short enough to be read whole. */
export function selectRelevantText(markdown: string, ranked: readonly RankedPassage[]): string | undefined {
  if (markdown.length <= SHORT_PAGE_CHARS) return undefined
  const blocks = splitIntoBlocks(markdown)
  const chosen = new Set<number>()
  let chars = 0
  const take = (at: number): void => {
    const block = blocks[at]
    if (!block || chosen.has(at) || chars + block.end - block.start > MAX_SELECTED_CHARS) return
    chosen.add(at)
    chars += block.end - block.start
  }
  // The beginning of a page states its subject.
  for (let at = 0; at < 3; at++) take(at)
  for (const { passage } of ranked) {
    if (chars > MAX_SELECTED_CHARS * 0.95) break
    let at = countUntil(blocks, ({ end }) => end <= passage.start)
    for (; at < blocks.length && blocks[at]!.start < passage.end; at++) {
      take(at)
      for (const near of [headingAbove(blocks, at), at - 1, at + 1]) take(near)
    }
  }
  const order = [...chosen].sort((one, other) => one - other)
  return order
    .map((at, n) => {
      const { start, end } = blocks[at]!
      const before = n === 0 ? '' : order[n - 1] === at - 1 ? '\n\n' : GAP
      return `${before}${markdown.slice(start, end).trim()}`
    })
    .join('')
}

function headingAbove(blocks: readonly { kind: string }[], at: number): number {
  for (let index = at - 1; index >= 0 && index > at - 200; index--) if (blocks[index]!.kind === 'heading') return index
  return -1
}

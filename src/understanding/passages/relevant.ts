// Of a page that is too long to be read whole, the blocks nearest to a question, with their headings, in the page's order.
// What a reader of only these sees is the page with gaps, not a heap of sentences.
import type { UnitRanking } from './rank.ts'
import type { Text } from './units.ts'

/** A page up to here is read whole by everybody. */
const LONG = 6000
/** Characters to choose: about 8,000 tokens. */
const ROOM = 24_000
const GAP = '\n\n[…]\n\n'

/** Undefined when the page is short enough to be read whole. */
export function relevantIn(text: Text, { ranked }: Pick<UnitRanking, 'ranked'>): string | undefined {
  if (text.markdown.length <= LONG) return undefined
  const chosen = new Set<number>()
  let letters = 0
  const take = (index: number): boolean => {
    const block = text.blocks[index]
    if (!block || chosen.has(index)) return true
    if (letters + block.end - block.start > ROOM) return false
    chosen.add(index)
    letters += block.end - block.start
    return true
  }
  // How a page begins says what it is about.
  for (let index = 0; index < Math.min(3, text.blocks.length); index++) take(index)
  for (const { unit } of ranked) {
    const at = text.units[unit]!.block
    if (letters > ROOM * 0.95) break
    if (!take(at)) continue
    // What stands before and after it, and the heading above.
    for (const near of [headingAbove(text.blocks, at), at - 1, at + 1]) if (near !== undefined) take(near)
  }
  const order = [...chosen].sort((a, b) => a - b)
  return order
    .map((index, n) => {
      const { start, end } = text.blocks[index]!
      const isGap = n > 0 && order[n - 1] !== index - 1
      return `${n === 0 ? '' : isGap ? GAP : '\n\n'}${text.markdown.slice(start, end).trim()}`
    })
    .join('')
}

function headingAbove(blocks: readonly { kind: string }[], at: number): number | undefined {
  for (let index = at - 1; index >= 0 && index > at - 200; index--) if (blocks[index]!.kind === 'heading') return index
  return undefined
}

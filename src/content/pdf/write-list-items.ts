// Writes list items as markdown and derives nesting from their x positions.
import type { LayoutBlock } from './layout-block-types.ts'

/** Numbers and letters are kept; bullets become dashes. */
export function writeListItem(marker: string, content: string): string {
  const text = content.startsWith(marker) ? content.slice(marker.length).trim() : content.replace(/^\S+\s*/, '')
  const number = /^\(?(\d{1,3})[.)]$/.exec(marker)
  if (number) return `${number[1]}. ${text}`
  if (/[☐☑☒]/.test(marker)) return `- [${marker === '☐' ? ' ' : 'x'}] ${text}`
  return /^[\p{L}(]/u.test(marker) ? `- ${marker} ${text}` : `- ${text}`
}

/** Indent in points that starts a deeper level. */
const NESTED_INDENT_PT = 5
const MAX_LEVELS = 6

/** Indents nested items to the text of the item above, as markdown requires. */
export function nestListItems(flow: readonly LayoutBlock[]): void {
  let open: { x0: number; indent: number }[] = []
  let last: LayoutBlock | undefined
  for (const block of flow) {
    const isItem = block.label === 'list_item'
    const isBeside =
      last !== undefined && block.box.x0 > last.box.x1 && Math.abs(block.box.y0 - last.box.y0) < NESTED_INDENT_PT
    // Other text, or the top of the next column, ends all lists.
    if (!isItem || (last && block.box.y0 < last.box.y0)) open = []
    last = block
    if (!isItem) continue
    const x0 = isBeside ? (open.at(-1)?.x0 ?? block.box.x0) : block.box.x0
    while (open.length > 1 && x0 < open.at(-1)!.x0 - NESTED_INDENT_PT) open.pop()
    const top = open.at(-1)
    const isDeeper = top !== undefined && x0 > top.x0 + NESTED_INDENT_PT && open.length < MAX_LEVELS
    if (top && !isDeeper) open.pop()
    const outer = open.at(-1)?.indent ?? 0
    const indent = outer + /^(?:\d+\.|-) /.exec(block.content)![0].length
    block.content = ' '.repeat(outer) + block.content
    open.push({ x0, indent })
  }
}

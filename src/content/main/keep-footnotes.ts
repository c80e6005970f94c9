// Keeps footnotes whose marks occur in kept text.
import { decodePercent } from '../../base/attempt.ts'
import type { FlatPage } from './flatten-page.ts'
import type { KeepState } from './keep-state-types.ts'

const MARK = /^[[(]?(?:\d{1,3}|[a-z]{1,3}|[*†‡§]+)[\])]?$/i
const NOTE_BLOCKS = 6
const SECTION_BLOCKS = 150
const MAX_NOTES = 2000
const REF = /noteref|footnote-ref|footnote_ref|footnoteref/

export function keepReferencedFootnotes({ outline, keep }: KeepState): void {
  const marks = marksOf(outline)
  if (marks.length === 0) return
  const wanted = new Set(marks.map(({ id }) => id))
  // Several marks with one target point at a section of notes.
  const shared = new Set(marks.filter(({ id }, i) => marks[i - 1]?.id === id).map(({ id }) => id))
  const targets = new Map<string, number>()
  const { elements, parent, firstBlock, endBlock } = outline
  elements.forEach(({ attribs }, e) => {
    const id = attribs.id ?? (attribs.name as string | undefined)
    if (id !== undefined && wanted.has(id) && !targets.has(id)) targets.set(id, e)
  })
  for (const { id, block } of marks) {
    let at = targets.get(id)
    if (!keep[block] || at === undefined) continue
    // An anchor without text marks the item or paragraph around it.
    while (at >= 0 && (INLINE.has(elements[at]!.name) || endBlock[at] === firstBlock[at])) at = parent[at]!
    const limit = shared.has(id) ? SECTION_BLOCKS : NOTE_BLOCKS
    if (at < 0 || firstBlock[at]! <= block || endBlock[at]! - firstBlock[at]! > limit) continue
    keep.fill(1, firstBlock[at]!, endBlock[at]!)
  }
}

const INLINE = new Set(['a', 'sup', 'span', 'b', 'strong', 'em', 'i', 'small'])

function marksOf(outline: FlatPage): { id: string; block: number }[] {
  const { elements, parent, end, firstText, endText, texts, blocks } = outline
  const found: { id: string; block: number }[] = []
  let block = 0
  for (let e = 0; e < elements.length && found.length < MAX_NOTES; e++) {
    const { name, attribs } = elements[e]!
    if (name !== 'a' || attribs.href?.[0] !== '#' || attribs.href.length < 2) continue
    const from = firstText[e]!
    const to = endText[e]!
    if (to === from || to - from > 3) continue
    const up = parent[e]!
    const raised = (up >= 0 && elements[up]!.name === 'sup') || (end[e]! > e + 1 && elements[e + 1]!.name === 'sup')
    if (!raised && !REF.test(`${attribs.role ?? ''} ${attribs.class ?? ''} ${attribs['epub:type'] ?? ''}`)) continue
    let text = ''
    for (let t = from; t < to; t++) text += texts[t]!.data
    if (!MARK.test(text.trim())) continue
    // Elements are in document order, so one pass over the blocks is enough.
    while (block < blocks.length - 1 && blocks[block]!.endText <= from) block++
    found.push({ id: decodePercent(attribs.href.slice(1)), block })
  }
  return found
}

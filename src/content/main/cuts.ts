// From kept and cut blocks to nodes: whole subtrees go where nothing in them is kept, single text nodes elsewhere, and
// pictures stay with the text they stand beside.
import type { AnyNode } from 'domhandler'
import type { Outline } from './outline.ts'

export type Reason = (block: number) => string

export function cutsFor(outline: Outline, keep: Uint8Array, reason: Reason): Map<AnyNode, string> {
  const { blocks, elements, parent, firstText, endText, texts, textParent, firstBlock } = outline
  const cuts = new Map<AnyNode, string>()
  const blockOf = new Int32Array(texts.length)
  const kept = new Int32Array(texts.length + 1)
  blocks.forEach((b, i) => {
    for (let t = b.firstText; t < b.endText; t++) {
      blockOf[t] = i
      kept[t + 1] = keep[i]!
    }
  })
  for (let t = 0; t < texts.length; t++) kept[t + 1]! += kept[t]!
  const hasText = (e: number) => e < 0 || endText[e]! > firstText[e]!
  const hasKept = (e: number) => e < 0 || kept[endText[e]!]! > kept[firstText[e]!]!
  for (let e = 0; e < elements.length; e++) {
    if (!hasText(e) || hasKept(e) || !hasKept(parent[e]!)) continue
    cuts.set(elements[e]!, reason(blockOf[firstText[e]!] ?? firstBlock[e]!))
  }
  for (let t = 0; t < texts.length; t++) {
    const block = blockOf[t]!
    if (!keep[block] && hasKept(textParent[t]!)) cuts.set(texts[t]!, reason(block))
  }
  cutMedia(outline, keep, hasKept, cuts)
  return cuts
}

/** A picture between two blocks that both go, goes too; so do pictures before the first and after the last kept text. */
function cutMedia(outline: Outline, keep: Uint8Array, hasKept: (e: number) => boolean, cuts: Map<AnyNode, string>) {
  const { media, mediaParent, mediaAt, blocks } = outline
  for (let m = 0; m < media.length; m++) {
    const up = mediaParent[m]!
    const at = mediaAt[m]!
    if (!hasKept(up)) {
      // An element without text of its own: it has no cut of its own yet, unless an ancestor with text was cut.
      if (up >= 0 && outline.endText[up]! > outline.firstText[up]!) continue
    }
    const before = at > 0 && keep[at - 1] === 1
    const after = at < blocks.length && keep[at] === 1
    if (!before && !after) cuts.set(media[m]!, 'picture beside nothing that is kept')
  }
}

// Turns block decisions into nodes to remove: whole subtrees without kept text, else single text nodes. Pictures follow
// the text beside them.
import type { AnyNode } from 'domhandler'
import type { FlatPage } from './flatten-page.ts'

export function findNodesToRemove(
  outline: FlatPage,
  keep: Uint8Array,
  pictures: ReadonlySet<number>,
  reason: (block: number) => string,
): Map<AnyNode, string> {
  const { blocks, elements, parent, firstText, endText, texts, textParent } = outline
  const cuts = new Map<AnyNode, string>()
  const blockOf = new Int32Array(texts.length)
  // Prefix sum of kept text nodes, so testing a subtree is one subtraction.
  const kept = new Int32Array(texts.length + 1)
  blocks.forEach((b, i) => {
    for (let t = b.firstText; t < b.endText; t++) {
      blockOf[t] = i
      kept[t + 1] = keep[i]!
    }
  })
  for (let t = 0; t < texts.length; t++) kept[t + 1]! += kept[t]!
  const alive = new Uint8Array(elements.length)
  for (const m of pictures) for (let e = outline.mediaParent[m]!; e >= 0 && !alive[e]; e = parent[e]!) alive[e] = 1
  const hasKept = (e: number): boolean => e < 0 || alive[e] === 1 || kept[endText[e]!]! > kept[firstText[e]!]!

  for (let e = 0; e < elements.length; e++) {
    const hasText = endText[e]! > firstText[e]!
    if (hasText && !hasKept(e) && hasKept(parent[e]!)) cuts.set(elements[e]!, reason(blockOf[firstText[e]!]!))
  }
  for (let t = 0; t < texts.length; t++) {
    const block = blockOf[t]!
    if (!keep[block] && hasKept(textParent[t]!)) cuts.set(texts[t]!, reason(block))
  }
  cutMedia(outline, keep, pictures, hasKept, cuts)
  return cuts
}

function cutMedia(
  outline: FlatPage,
  keep: Uint8Array,
  pictures: ReadonlySet<number>,
  hasKept: (e: number) => boolean,
  cuts: Map<AnyNode, string>,
) {
  const { elements, parent, firstText, endText, media, mediaParent, mediaAt, blocks } = outline
  // The nearest ancestor with text: if it keeps nothing, the picture is already cut with it.
  const speaking = new Int32Array(elements.length)
  for (let e = 0; e < elements.length; e++)
    speaking[e] = endText[e]! > firstText[e]! || parent[e]! < 0 ? e : speaking[parent[e]!]!
  for (let m = 0; m < media.length; m++) {
    if (pictures.has(m)) continue
    const up = mediaParent[m]!
    const home = up < 0 ? -1 : speaking[up]!
    if (home >= 0 && endText[home]! > firstText[home]! && !hasKept(home)) continue
    if (isPortrait(media[m]!)) {
      cuts.set(media[m]!, 'portrait of a user')
      continue
    }
    const at = mediaAt[m]!
    const before = at > 0 && keep[at - 1] === 1
    const after = at < blocks.length && keep[at] === 1
    if (!before && !after) cuts.set(media[m]!, 'picture beside nothing that is kept')
  }
}

const PORTRAIT = /(?:^|[\s_/.-])(?:gr)?avatars?(?:[\s_/.-]|\d|$)/i

function isPortrait(node: AnyNode): boolean {
  if (!('attribs' in node) || node.name !== 'img') return false
  const { class: names = '', src = '', alt = '' } = node.attribs
  return PORTRAIT.test(names.slice(0, 300)) || PORTRAIT.test(src.slice(0, 500)) || /\bavatar$/i.test(alt.slice(-40))
}

const LANDMARKS: Record<string, string> = {
  nav: 'navigation',
  navigation: 'navigation',
  footer: 'page footer',
  contentinfo: 'page footer',
  aside: 'aside',
  complementary: 'aside',
  header: 'page header',
  banner: 'page header',
  form: 'form',
}
const MAX_CLIMB = 12

export function explainDrop(outline: FlatPage, block: number, probability: number): string {
  const model = `model ${probability.toFixed(2)}`
  const b = outline.blocks[block]!
  let e = b.element
  for (let step = 0; step < MAX_CLIMB && e >= 0; step++) {
    const { name, attribs } = outline.elements[e]!
    const landmark = LANDMARKS[name] ?? LANDMARKS[attribs.role ?? '']
    if (landmark) return `${landmark}: ${model}`
    e = outline.parent[e]!
  }
  if (b.linkChars > b.chars * 0.8) return `mostly links: ${model}`
  if (b.words <= 4) return `label: ${model}`
  return model
}

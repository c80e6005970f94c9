import { expect, it } from 'vitest'
import { parseTree } from '../parse-tree.ts'
import { computeBlockFeatures } from './block-features.ts'
import { decideRepeatedBlocksTogether } from './decide-repeated-blocks-together.ts'
import { flattenPage } from './flatten-page.ts'
import { unpackMainContentModel } from './main-content-model.ts'
import packed from './model.json' with { type: 'json' }
import { PAGE_KINDS } from './predict-page-kind.ts'

const { lexicon, kinds } = unpackMainContentModel(packed)
const cards = Array.from({ length: 12 }, (_, i) => `<div class=card><h3>Boat ${i}</h3><p>It is made of oak.</p></div>`)
const outline = flattenPage(parseTree(`<main>${cards.join('')}</main>`).tree)

function decide(...kept: number[]): string {
  const keep = Uint8Array.from(outline.blocks, (_, i) => (kept.includes(i >> 1) ? 1 : 0))
  const features = computeBlockFeatures(outline, lexicon, kinds, undefined)
  const analysis = { ...features, kind: Float32Array.from(PAGE_KINDS, (kind) => (kind === 'listing' ? 1 : 0)) }
  decideRepeatedBlocksTogether(outline, analysis, new Float32Array(keep.length).fill(0.3), keep)
  return keep.join('')
}

it('keeps all members of a group of which most are kept, and none where one is left over', () => {
  expect(decide(0, 1, 2, 3, 4, 5, 6, 7, 8, 9)).toBe('1'.repeat(24))
  expect(decide(3)).toBe('0'.repeat(24))
  expect(decide(3, 4, 5)).toBe(`${'0'.repeat(6)}111111${'0'.repeat(12)}`)
})

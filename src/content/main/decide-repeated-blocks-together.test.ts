import { expect, it } from 'vitest'
import { parseTree } from '../parse-tree.ts'
import { computeBlockFeatures } from './block-features.ts'
import { keepGroupsWhole } from './decide-repeated-blocks-together.ts'
import { flattenPage } from './flatten-page.ts'
import { unpackMainContentModel } from './main-content-model.ts'
import packed from './model.json' with { type: 'json' }
import { PAGE_KINDS } from './predict-page-kind.ts'

const { lexicon, kinds } = unpackMainContentModel(packed)
const linked = (i: number, text: string) => (i === 6 ? `<a href=/boats>${text}</a>` : text)
const cards = Array.from(
  { length: 12 },
  (_, i) => `<div class=card><h3>${linked(i, `Boat ${i}`)}</h3><p>${linked(i, 'It is made of oak.')}</p></div>`,
)
const outline = flattenPage(parseTree(`<main>${cards.join('')}</main>`).tree)

function decide(wanted: string, ...kept: number[]): string {
  const keep = Uint8Array.from(outline.blocks, (_, i) => (kept.includes(i >> 1) ? 1 : 0))
  const features = computeBlockFeatures(outline, lexicon, kinds, undefined)
  const reading = { ...features, kind: Float32Array.from(PAGE_KINDS, (kind) => (kind === wanted ? 1 : 0)) }
  keepGroupsWhole({ outline, reading, keep, title: undefined, pictures: new Set() }, new Set())
  return keep.join('')
}

it('keeps all members of a group of which most are kept, and of no other', () => {
  expect(decide('listing', 0, 1, 2, 3, 4, 5, 6, 7, 8, 9)).toBe('1'.repeat(24))
  expect(decide('listing', 3, 4, 5)).toBe(`${'0'.repeat(6)}111111${'0'.repeat(12)}`)
})

it('leaves out members that lead to another page beside a story, begin the group or end it', () => {
  expect(decide('article', 0, 1, 2, 3, 4, 5, 7, 8, 9, 10, 11)).toBe(`${'1'.repeat(12)}00${'1'.repeat(10)}`)
  expect(decide('article', 1, 2, 3, 4, 5, 6, 7, 8, 9, 10)).toBe(`00${'1'.repeat(20)}00`)
  expect(decide('article', 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 11)).toBe('1'.repeat(24))
})

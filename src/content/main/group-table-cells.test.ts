import { expect, it } from 'vitest'
import { parseTree } from '../parse-tree.ts'
import { flattenPage } from './flatten-page.ts'
import { groupTableCells } from './score-and-choose-blocks.ts'

it('scores a sample of a very long list, and every item of a short one', () => {
  const list = (length: number) => {
    const items = Array.from({ length }, (_, i) => `<li><a href="/${i}">Link ${i}</a>`).join('')
    const { skip } = groupTableCells(flattenPage(parseTree(`<p>Links</p><ul>${items}</ul>`).tree))
    return skip.reduce((sum, one) => sum + one, 0)
  }
  expect(list(4000)).toBe(0)
  expect(list(50_000)).toBeGreaterThan(49_000)
})

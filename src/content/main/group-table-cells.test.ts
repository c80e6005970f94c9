import { parseDocument } from 'htmlparser2'
import { describe, expect, it } from 'vitest'
import { flattenPage } from './flatten-page.ts'
import { groupTableCells, setCellsToGroupMean } from './group-table-cells.ts'

const table = (rows: number, cell: string) =>
  `<table>${Array.from({ length: rows }, (_, at) => `<tr><td>${cell} ${at}</td><td>${at * 7}</td></tr>`).join('')}</table>`
const groupsOf = (html: string) => groupTableCells(flattenPage(parseDocument(html)))

describe('cells of a data table', () => {
  it('are judged by a few, and all take the mean', () => {
    const found = groupsOf(`<p>Before</p>${table(20, 'row')}`)
    expect(found.groups).toHaveLength(1)
    const { judged, rest } = found.groups[0]!
    expect(judged.length + rest.length).toBe(40)
    expect(judged.length).toBeLessThan(12)
    const values = new Float32Array(41).map((_, block) => (judged.includes(block) ? block : -100))
    const mean = judged.reduce((sum, block) => sum + block, 0) / judged.length
    const shared = setCellsToGroupMean(found, values)
    for (const block of [...judged, ...rest]) expect(shared[block]).toBeCloseTo(mean, 3)
    expect(shared[0]).toBe(-100)
  })

  it('are judged one by one when they are few, or texts of their own', () => {
    expect(groupsOf(table(4, 'row')).groups).toEqual([])
    const found = groupsOf(table(30, 'a cell that holds a whole sentence with many words in it'))
    expect(found.groups[0]!.judged.length + found.groups[0]!.rest.length).toBe(30)
  })
})

// Scores a sample of a data table's small cells and gives all of them the mean. This keeps tables complete and bounds
// the work.
import type { FlatPage } from './flatten-page.ts'

/** A longer cell is a text of its own, as in layout tables. */
const MAX_SMALL_CELL_WORDS = 8
/** Smaller groups are scored cell by cell. */
const MIN_CELLS = 16
const SAMPLE = 8

interface CellGroups {
  skip: Uint8Array
  groups: { judged: number[]; rest: number[] }[]
}

export function groupTableCells({ blocks, elements, parent }: FlatPage): CellGroups {
  const table = new Int32Array(elements.length)
  for (let e = 0; e < elements.length; e++)
    table[e] = elements[e]!.name === 'table' ? e : parent[e]! < 0 ? -1 : table[parent[e]!]!
  const cells = new Map<number, number[]>()
  blocks.forEach(({ element, words }, i) => {
    if (element < 0 || words > MAX_SMALL_CELL_WORDS || table[element]! < 0) return
    const { name } = elements[element]!
    if (name !== 'td' && name !== 'th') return
    const group = cells.get(table[element]!)
    if (group) group.push(i)
    else cells.set(table[element]!, [i])
  })
  const skip = new Uint8Array(blocks.length)
  const groups: CellGroups['groups'] = []
  for (const all of cells.values()) {
    if (all.length < MIN_CELLS) continue
    const step = Math.floor(all.length / SAMPLE)
    const judged = all.filter((_, at) => at % step === 0)
    const rest = all.filter((_, at) => at % step !== 0)
    for (const block of rest) skip[block] = 1
    groups.push({ judged, rest })
  }
  return { skip, groups }
}

export function setCellsToGroupMean({ groups }: CellGroups, values: Float32Array): Float32Array {
  for (const { judged, rest } of groups) {
    let sum = 0
    for (const block of judged) sum += values[block]!
    const mean = sum / judged.length
    for (const block of judged) values[block] = mean
    for (const block of rest) values[block] = mean
  }
  return values
}

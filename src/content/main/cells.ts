// Small cells of one data table stand or fall together: a few of them are judged, and all of them take the mean. A table
// with a cell missing is worse than none, and tables are where most of a page's blocks can be.
import type { Outline } from './outline.ts'

/** A cell with more words than this is a text of its own, as in pages laid out by tables. */
const SMALL_WORDS = 8
/** Fewer small cells than this are judged one by one. */
const MIN_CELLS = 16
const SAMPLE = 8

export interface CellGroups {
  /** 1 for each block that takes the mean of its group instead of being judged. */
  skip: Uint8Array
  groups: { judged: number[]; rest: number[] }[]
}

export function cellGroups({ blocks, elements, parent }: Outline): CellGroups {
  const table = new Int32Array(elements.length)
  for (let e = 0; e < elements.length; e++)
    table[e] = elements[e]!.name === 'table' ? e : parent[e]! < 0 ? -1 : table[parent[e]!]!
  const cells = new Map<number, number[]>()
  blocks.forEach(({ element, words }, i) => {
    if (element < 0 || words > SMALL_WORDS || table[element]! < 0) return
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

/** Gives every cell of a group the mean of those that were judged. */
export function shareVerdicts({ groups }: CellGroups, values: Float32Array): Float32Array {
  for (const { judged, rest } of groups) {
    let sum = 0
    for (const block of judged) sum += values[block]!
    const mean = sum / judged.length
    for (const block of judged) values[block] = mean
    for (const block of rest) values[block] = mean
  }
  return values
}

// Features of the second round: first-round probabilities of the block, its neighbours, its sections and the page.

import type { FeatureMatrix, PageAnalysis } from './block-features.ts'
import type { FlatPage } from './flatten-page.ts'
import { prefixSums } from './page-structure.ts'
import { logScale } from './text-stats.ts'

const REACH = 3
const WINDOWS = [2, 5, 12]

export function computeContextFeatures(
  outline: FlatPage,
  reading: PageAnalysis,
  probabilities: Float32Array,
  skip?: Uint8Array,
): FeatureMatrix {
  const { blocks, parent, firstBlock, endBlock } = outline
  const { sheet, ancestry, headings, roles } = reading
  const n = blocks.length
  const { chars } = ancestry.sums
  const mass = prefixSums(n, (i) => probabilities[i]! * blocks[i]!.chars)
  const total = chars[n]!
  const likely = mass[n]!
  const mean = (from: number, to: number): number => {
    const c = chars[to]! - chars[from]!
    return c > 0 ? (mass[to]! - mass[from]!) / c : 0
  }
  const within = (e: number): number => (e < 0 ? mean(0, n) : mean(firstBlock[e]!, endBlock[e]!))
  const groups = groupMeans(outline, reading, mass)
  const under = underHeadings(reading, probabilities, blocks)
  const byRole = new Float64Array(roles.count.length)
  for (let i = 0; i < n; i++) byRole[roles.of[i]!]! += probabilities[i]! * blocks[i]!.chars
  const rank = rankOf(probabilities, blocks)
  let sure = 0
  let best = 0
  for (let i = 0; i < n; i++) {
    if (probabilities[i]! > 0.5) sure += blocks[i]!.chars
    const local = mean(Math.max(0, i - 3), Math.min(n, i + 4))
    if (local > best) best = local
  }
  const { values, stride } = sheet
  let width = 0
  for (let i = 0; i < n; i++) {
    if (skip?.[i]) continue
    const e = blocks[i]!.element
    const up = e < 0 ? -1 : parent[e]!
    const start = i * stride
    let at = start + sheet.width
    values[at++] = probabilities[i]!
    for (let d = -REACH; d <= REACH; d++)
      if (d !== 0) values[at++] = i + d >= 0 && i + d < n ? probabilities[i + d]! : -1
    for (const w of WINDOWS) {
      values[at++] = mean(Math.max(0, i - w), i)
      values[at++] = mean(i + 1, Math.min(n, i + 1 + w))
    }
    values[at++] = within(e)
    values[at++] = within(up)
    values[at++] = within(up < 0 ? -1 : parent[up]!)
    for (const level of ancestry.sized) values[at++] = within(e < 0 ? -1 : level[e]!)
    values[at++] = e < 0 || ancestry.repeated[e]! < 0 ? -1 : groups[ancestry.repetition.leader[ancestry.repeated[e]!]!]!
    const h = headings.inner[i]!
    values[at++] = h < 0 ? -1 : probabilities[h]!
    values[at++] = under[i]!
    values[at++] = byRole[roles.of[i]!]! / Math.max(1, roles.chars[roles.of[i]!]!)
    values[at++] = rank[i]!
    values[at++] = likely > 0 ? mass[i]! / likely : 0
    values[at++] = total > 0 ? likely / total : 0
    values[at++] = total > 0 ? sure / total : 0
    values[at++] = best
    values[at++] = logScale(likely)
    width = at - start
  }
  // A wider row would overwrite the next one.
  if (width > stride) throw new Error(`rows of ${width} numbers do not fit into ${stride}`)
  return { values, width, stride }
}

function groupMeans(outline: FlatPage, { ancestry }: PageAnalysis, mass: Float64Array): Float64Array {
  const { elements, firstBlock, endBlock } = outline
  const { leader, chars } = ancestry.repetition
  const out = new Float64Array(elements.length)
  for (let e = 0; e < elements.length; e++) out[leader[e]!]! += mass[endBlock[e]!]! - mass[firstBlock[e]!]!
  for (let e = 0; e < elements.length; e++) if (leader[e] === e && chars[e]! > 0) out[e]! /= chars[e]!
  return out
}

function underHeadings({ headings }: PageAnalysis, probabilities: Float32Array, blocks: FlatPage['blocks']) {
  const n = blocks.length
  const hit = new Float64Array(n)
  const size = new Float64Array(n)
  for (let i = 0; i < n; i++) {
    const h = headings.inner[i]!
    if (h < 0) continue
    hit[h]! += probabilities[i]! * blocks[i]!.chars
    size[h]! += blocks[i]!.chars
  }
  const out = new Float32Array(n)
  for (let i = 0; i < n; i++) {
    const at = size[i]! > 0 ? i : headings.inner[i]!
    out[i] = at < 0 || size[at] === 0 ? -1 : hit[at]! / size[at]!
  }
  return out
}

function rankOf(probabilities: Float32Array, blocks: FlatPage['blocks']): Float32Array {
  const LEVELS = 200
  const above = new Float64Array(LEVELS + 2)
  const level = (p: number): number => Math.floor(p * LEVELS)
  for (let i = 0; i < blocks.length; i++) above[level(probabilities[i]!)]! += blocks[i]!.chars
  for (let k = LEVELS; k >= 0; k--) above[k]! += above[k + 1]!
  return probabilities.map((p) => above[level(p) + 1]! / Math.max(1, above[0]!))
}

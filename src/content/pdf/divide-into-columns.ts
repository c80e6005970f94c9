// Finds reading order by dividing a page recursively at gutters that no line crosses. Lines that span a gutter, such as
// titles, limit it above and below.
import { appendAll } from '../../base/large-array-helpers.ts'
import { groupSegmentsIntoRows } from './group-rows.ts'
import { boundingBoxOf, median, type PdfSegment } from './page-layout-types.ts'

const GRID = 2
const MAX_DEPTH = 8
const MAX_CANDIDATES = 16
/** Shorter pieces are cells or labels. */
const MIN_PROSE_CHARS = 14

interface Gutter {
  x: number
  top: number
  bottom: number
  weight: number
}

export function divideIntoColumns(segments: readonly PdfSegment[], rightToLeft: boolean, depth = 0): PdfSegment[][] {
  if (segments.length < 6 || depth >= MAX_DEPTH) return segments.length > 0 ? [[...segments]] : []
  const gutter = bestGutter(segments)
  if (!gutter) return [[...segments]]
  const bands = divideIntoCardRows(segments, gutter.x)
  if (bands.length > 1) return bands.flatMap((band) => divideIntoColumns(band, rightToLeft, depth + 1))
  const parts: [PdfSegment[], PdfSegment[], PdfSegment[], PdfSegment[]] = [[], [], [], []]
  for (const segment of segments) {
    const y = (segment.y0 + segment.y1) / 2
    const crosses = segment.x0 < gutter.x - 1 && segment.x1 > gutter.x + 1
    if (y <= gutter.top) parts[0].push(segment)
    else if (y >= gutter.bottom || crosses) parts[3].push(segment)
    else parts[segment.x1 <= gutter.x + 1 ? 1 : 2].push(segment)
  }
  const [above, left, right, below] = parts
  const order = rightToLeft ? [above, right, left, below] : [above, left, right, below]
  return order.flatMap((part) => divideIntoColumns(part, rightToLeft, depth + 1))
}

/**
 * Cards in rows are read row by row: each row begins below a wide gap, with a heading on both sides of the gutter.
 * Fewer than two bands: these are no cards.
 */
function divideIntoCardRows(segments: readonly PdfSegment[], x: number): PdfSegment[][] {
  const size = median(segments.map(({ size }) => size))
  const bands: PdfSegment[][] = []
  let bottom = Number.NEGATIVE_INFINITY
  for (const row of groupSegmentsIntoRows(segments)) {
    const { y0, y1 } = boundingBoxOf(row)
    if (y0 - bottom > MIN_CARD_GAP * size) {
      const headings = row.filter((piece) => piece.size > size * 1.1 || piece.runs.every(({ bold }) => bold))
      const isHeaded = headings.some(({ x1 }) => x1 <= x + 1) && headings.some(({ x0 }) => x0 >= x - 1)
      if (!isHeaded) return []
      bands.push([])
    }
    appendAll(bands.at(-1)!, row)
    bottom = Math.max(bottom, y1)
  }
  return bands
}

const MIN_CARD_GAP = 2.5

function bestGutter(segments: readonly PdfSegment[]): Gutter | undefined {
  let best: Gutter | undefined
  for (const x of candidates(segments)) {
    const crossers = segments.filter(({ x0, x1 }) => x0 < x - 1 && x1 > x + 1)
    const cuts = crossers.map(({ y0, y1 }) => (y0 + y1) / 2).sort((a, b) => a - b)
    const bands = [Number.NEGATIVE_INFINITY, ...cuts, Number.POSITIVE_INFINITY]
    const rest = segments.filter(({ x0, x1 }) => !(x0 < x - 1 && x1 > x + 1)).sort((a, b) => a.y0 + a.y1 - b.y0 - b.y1)
    let at = 0
    for (let band = 0; band + 1 < bands.length; band++) {
      const inside: PdfSegment[] = []
      while (at < rest.length && (rest[at]!.y0 + rest[at]!.y1) / 2 < bands[band + 1]!) inside.push(rest[at++]!)
      const weight = gutterWeight(inside, x)
      if (weight > (best?.weight ?? 0)) best = { x, top: bands[band]!, bottom: bands[band + 1]!, weight }
    }
  }
  return best
}

/** Benefit of reading everything left of x first; 0 if these are not two columns. */
function gutterWeight(segments: readonly PdfSegment[], x: number): number {
  if (segments.length < 6) return 0
  const left = segments.filter(({ x1 }) => x1 <= x + 1)
  const right = segments.filter(({ x1 }) => x1 > x + 1)
  if (numberedAcross(left, right)) return 0
  if (!isProse(left) || !(isProse(right) || isTail(right, left))) return 0
  const gap = boundingBoxOf(right).x0 - boundingBoxOf(left).x1
  const size = median(segments.map(({ size }) => size))
  if (gap < 0.6 * size) return 0
  return Math.min(left.length, right.length) * 10 + Math.min(gap / size, 5)
}

/** The last lines of a text in a partly filled column; they start level with the previous column. */
function isTail(side: readonly PdfSegment[], before: readonly PdfSegment[]): boolean {
  const rows = groupSegmentsIntoRows(side)
  const others = groupSegmentsIntoRows(before)
  if (rows.length === 0 || rows.length > 3 || others.length < 8) return false
  const [first] = side
  const isLevel = Math.abs(rows[0]![0]!.base - others[0]![0]!.base) < 0.6 * first!.size
  const isLined = rows.every((row) => row.length === 1 && Math.abs(row[0]!.x0 - rows[0]![0]!.x0) < 2)
  const chars = side.reduce((sum, { text }) => sum + text.length, 0)
  return isLevel && isLined && chars / rows.length >= MIN_PROSE_CHARS && Math.abs(first!.size - before[0]!.size) < 0.5
}

function numberedAcross(left: readonly PdfSegment[], right: readonly PdfSegment[]): boolean {
  const numbers = (side: readonly PdfSegment[]) =>
    groupSegmentsIntoRows(side).flatMap((row) => /^\(?(\d{1,3})[.)]/.exec(row[0]!.text)?.[1] ?? [])
  const [a, b] = [numbers(left).map(Number), numbers(right).map(Number)]
  if (a.length < 2 || b.length < 2) return false
  return b.every((number, at) => at >= a.length || (number > a[at]! && (at + 1 >= a.length || number < a[at + 1]!)))
}

function isProse(side: readonly PdfSegment[]): boolean {
  if (side.length < 3) return false
  const rows = groupSegmentsIntoRows(side)
  if (rows.length < 3) return false
  const lengths = side.map(({ text }) => text.length)
  const total = lengths.reduce((sum, length) => sum + length, 0)
  // Weighted by length, so that markers and labels do not dominate.
  let seen = 0
  let typical = 0
  for (const length of lengths.sort((a, b) => b - a)) {
    seen += length
    typical = length
    if (seen * 2 >= total) break
  }
  return total >= 60 && typical >= MIN_PROSE_CHARS && total / rows.length >= MIN_PROSE_CHARS
}

/** X positions crossed by fewer lines than their surroundings, emptiest first. */
function candidates(segments: readonly PdfSegment[]): number[] {
  const right = Math.ceil(boundingBoxOf(segments).x1 / GRID) + 2
  if (!(right > 0 && right < 20_000)) return []
  const change = new Int32Array(right + 1)
  for (const { x0, x1 } of segments) {
    change[Math.max(0, Math.ceil(x0 / GRID))]! += 1
    change[Math.min(right, Math.max(Math.ceil(x0 / GRID) + 1, Math.floor(x1 / GRID)))]! -= 1
  }
  const found: { x: number; crossed: number; width: number }[] = []
  let covered = 0
  let start = -1
  let level = 0
  let rising = true
  for (let at = 0; at <= right; at++) {
    const next = covered + change[at]!
    if (next < covered || at === 0) {
      start = at
      level = next
      rising = false
    } else if (next > covered && !rising) {
      found.push({ x: ((start + at) / 2) * GRID, crossed: level, width: at - start })
      rising = true
    }
    covered = next
  }
  return found
    .filter(({ x }) => x > 0)
    .sort((a, b) => a.crossed - b.crossed || b.width - a.width)
    .slice(0, MAX_CANDIDATES)
    .map(({ x }) => x)
}

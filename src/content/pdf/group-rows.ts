// Groups runs into rows of segments. A segment ends at a gap wider than a word space: a column or table cell.
import { boundingBoxOf, median, type PdfRow, type PdfRun, type PdfSegment } from './page-layout-types.ts'

/** Justified word spaces reach about 0.9 em; gutters and cells start at about 1.2 em. */
const SEGMENT_GAP_EM = 1.15

/** More column gaps indicate a table, whose columns are found separately. */
const MAX_GAPS_PER_PAGE = 40

export function groupIntoRows(runs: readonly PdfRun[]): PdfRow[] {
  const sorted = joinInitials(runs).sort((a, b) => a.base - b.base || a.x0 - b.x0)
  const rows: { base: number; size: number; runs: PdfRun[] }[] = []
  for (const run of sorted) {
    // Superscripts and subscripts join the nearest row; rows are more than half an em apart.
    let best: (typeof rows)[number] | undefined
    for (let at = rows.length - 1; at >= Math.max(0, rows.length - 3); at--) {
      const row = rows[at]!
      const distance = Math.abs(row.base - run.base)
      const [small, large] = row.size < run.size ? [row.size, run.size] : [run.size, row.size]
      if (
        distance <= (small < large * 0.85 ? 0.5 : 0.45) * large &&
        (!best || distance < Math.abs(best.base - run.base))
      )
        best = row
    }
    if (!best) rows.push({ base: run.base, size: run.size, runs: [run] })
    else {
      best.runs.push(run)
      if (run.size > best.size) {
        best.size = run.size
        best.base = run.base
      }
    }
  }
  const made = rows.sort((a, b) => a.base - b.base).map((row) => segmentsOf(row.runs))
  return splitAtAlleys(made)
}

/** Wider than an unstretched word space. */
const MIN_COLUMN_GAP_EM = 0.6
/** A wider gap is the rest of a short line, and says little about where a column ends. */
const MAX_ALLEY_EM = 6
const ALLEY_ROWS = 8
const ALLEY_GRID = 2

/** Splits at narrow column gaps: a gap at the same x in many lines that hardly any line crosses. */
function splitAtAlleys(rows: PdfRow[]): PdfRow[] {
  const gaps = new Map<number, number>()
  const each = (visit: (from: number, to: number) => void) => {
    for (const row of rows) {
      const runs = row.flatMap((segment) => segment.runs)
      for (let at = 1; at < runs.length; at++) {
        const [before, after] = [runs[at - 1]!, runs[at]!]
        const ems = (after.x0 - before.x1) / Math.max(4, Math.min(before.size, after.size))
        if (ems > MIN_COLUMN_GAP_EM && ems < MAX_ALLEY_EM) visit(before.x1, after.x0)
      }
    }
  }
  const countPlaces = (from: number, to: number, add: (place: number) => void) => {
    for (let place = Math.ceil(from / ALLEY_GRID); place <= Math.floor(to / ALLEY_GRID); place++) add(place)
  }
  each((from, to) => countPlaces(from, to, (place) => gaps.set(place, (gaps.get(place) ?? 0) + 1)))
  addAlignedStarts(gaps, rows)
  const likely = [...gaps].filter(([, count]) => count >= ALLEY_ROWS).map(([place]) => place)
  if (likely.length === 0 || likely.length > MAX_GAPS_PER_PAGE) return rows
  const alleys = new Set(
    likely.filter((place) => {
      const x = place * ALLEY_GRID
      let crossed = 0
      for (const row of rows)
        for (const { x0, x1, runs } of row)
          if (x0 < x && x1 > x && runs.some((run) => run.x0 < x - 1 && run.x1 > x + 1)) crossed++
      return crossed * 5 <= gaps.get(place)!
    }),
  )
  if (alleys.size === 0) return rows
  const isAlley = (from: number, to: number) => {
    let found = false
    countPlaces(from, to, (place) => {
      if (alleys.has(place)) found = true
    })
    return found
  }
  return rows.map((row) =>
    row.flatMap((segment) => {
      const parts: PdfRun[][] = []
      const leading = signsBeforeAmounts(segment.runs)
      for (const run of segment.runs) {
        const last = parts.at(-1)?.at(-1)
        const isWide = last && run.x0 - last.x1 > MIN_COLUMN_GAP_EM * Math.max(4, Math.min(last.size, run.size))
        if (last && !(isWide && isAlley(last.x1, run.x0) && !leading.has(last))) parts.at(-1)!.push(run)
        else parts.push([run])
      }
      return parts.length > 1 ? parts.map(makeSegment) : [segment]
    }),
  )
}

const MIN_ALIGNED_STARTS = 6
const MIN_ALLEY_GAPS = 2

/** Lines of two columns are rarely level; lines that begin where a gap ends are evidence for it, too. */
function addAlignedStarts(gaps: Map<number, number>, rows: readonly PdfRow[]): void {
  const starts = new Map<number, number>()
  for (const { x0 } of rows.flat()) starts.set(Math.round(x0), (starts.get(Math.round(x0)) ?? 0) + 1)
  const aligned = [...starts].filter(([, count]) => count >= MIN_ALIGNED_STARTS)
  for (const [place, count] of gaps) {
    const x = place * ALLEY_GRID
    const [, most] = aligned.find(([start]) => start > x - ALLEY_GRID && start < x + MAX_ALLEY_PT) ?? [0, 0]
    if (count >= MIN_ALLEY_GAPS) gaps.set(place, count + most)
  }
}

const MAX_ALLEY_PT = 12

/** Each initial is compared with all runs of the page. */
const MAX_INITIALS = 20

/** A drop cap's baseline is that of its last line; moves it to the first, where it is read. */
function joinInitials(runs: readonly PdfRun[]): PdfRun[] {
  const usual = median(runs.map(({ size }) => size))
  let left = MAX_INITIALS
  return runs.map((run) => {
    if (left === 0 || run.size < usual * 1.8 || run.text.trim().length > 2 || !/\p{Lu}/u.test(run.text)) return run
    left--
    const top = run.base - run.size * 0.72
    let first: PdfRun | undefined
    for (const other of runs) {
      const isBeside =
        other !== run && other.size < run.size * 0.6 && other.x0 >= run.x1 - 2 && other.x0 < run.x1 + run.size
      if (!isBeside || other.base < top || other.base > run.base + 1) continue
      if (!first || other.base < first.base - 1 || (other.base < first.base + 1 && other.x0 < first.x0)) first = other
    }
    if (!first) return run
    const { base, size, y0, y1, x0 } = first
    return { ...run, base, size, y0, y1, x1: x0 - 0.01 * size }
  })
}

function segmentsOf(runs: readonly PdfRun[]): PdfRow {
  const row: PdfRow = []
  let open: PdfRun[] = []
  const sorted: PdfRun[] = []
  for (const run of [...runs].sort((a, b) => a.x0 - b.x0)) {
    const last = sorted.at(-1)
    // Text painted twice to look bold.
    const isAgain = last && last.text === run.text && Math.abs(last.x0 - run.x0) < run.size * 0.15
    if (!isAgain) sorted.push(run)
  }
  const leading = signsBeforeAmounts(sorted)
  for (const run of sorted) {
    const last = open.at(-1)
    if (last) {
      const isWide = run.x0 - last.x1 > SEGMENT_GAP_EM * Math.max(4, Math.min(last.size, run.size))
      const isNextAmount = leading.has(run) && AMOUNT_END.test(last.text)
      if (isNextAmount || (isWide && !leading.has(last))) {
        row.push(makeSegment(open))
        open = []
      }
    }
    open.push(run)
  }
  if (open.length > 0) row.push(makeSegment(open))
  return row
}

/** `runs` must be ordered from left to right. */
export function makeSegment(runs: PdfRun[]): PdfSegment {
  const widest = runs.reduce((a, b) => (b.text.length * b.size > a.text.length * a.size ? b : a))
  return { ...boundingBoxOf(runs), runs, base: widest.base, size: widest.size, text: runsToText(runs) }
}

export function runsToText(runs: readonly PdfRun[]): string {
  let text = ''
  let last: PdfRun | undefined
  for (const run of runs) {
    if (last && needsSpace(last, run)) text += ' '
    text += run.text
    last = run
  }
  return text.replace(/\s+/g, ' ').trim()
}

/** Statements set the currency sign apart from its amount, in a column of signs. */
const SIGN = /^\s*\p{Sc}\s*$/u
const AMOUNT_START = /^\s*[\d(.–—-]/
const AMOUNT_END = /[\d)%–—-]\s*$/

/** The signs that belong to the amount behind them: the one before is farther away or has its own. */
export function signsBeforeAmounts(runs: readonly PdfRun[]): ReadonlySet<PdfRun> {
  const leading = new Set<PdfRun>()
  for (const [at, sign] of runs.entries()) {
    const next = runs[at + 1]
    if (!next || !SIGN.test(sign.text) || !AMOUNT_START.test(next.text)) continue
    const before = runs[at - 1]
    const isFree = !before || !AMOUNT_END.test(before.text) || (at > 1 && leading.has(runs[at - 2]!))
    if (isFree || next.x0 - sign.x1 < sign.x0 - before.x1) leading.add(sign)
  }
  return leading
}

export function needsSpace(before: PdfRun, after: PdfRun): boolean {
  // In right-to-left text the next run is on the left.
  const gap = after.x0 >= before.x0 ? after.x0 - before.x1 : before.x0 - after.x1
  return gap > 0.14 * Math.min(before.size, after.size)
}

export function groupSegmentsIntoRows(segments: readonly PdfSegment[]): PdfRow[] {
  const sorted = [...segments].sort((a, b) => a.base - b.base || a.x0 - b.x0)
  const rows: PdfRow[] = []
  let base = Number.NEGATIVE_INFINITY
  let size = 0
  for (const segment of sorted) {
    const row = rows.at(-1)
    if (row && segment.base - base <= 0.45 * Math.max(size, segment.size)) {
      row.push(segment)
      size = Math.max(size, segment.size)
    } else {
      rows.push([segment])
      base = segment.base
      size = segment.size
    }
  }
  for (const row of rows) row.sort((a, b) => a.x0 - b.x0)
  return rows
}

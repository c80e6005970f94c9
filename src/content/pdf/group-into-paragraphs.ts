// Groups the lines of one column into paragraphs, headings, list items, code and formulas.

import { runsToText } from './group-rows.ts'
import { type Box, boundingBoxOf, median, type PdfRow, type PdfRun } from './page-layout-types.ts'
import { sortInReadingOrder } from './right-to-left.ts'

export interface PdfLine extends Box {
  runs: PdfRun[]
  base: number
  size: number
  text: string
  bold: boolean
  mono: boolean
  /** A displayed formula. */
  math: boolean
  formula: 'none' | 'most' | 'all'
  /** The font of nearly the whole line. */
  font: string | undefined
  /** A table-of-contents entry with dot leaders. */
  isEntry: boolean
  marker: string | undefined
  textX: number
}

// U+0080–U+009F occur only as bullets of unmapped fonts.
const BULLET = '[•◦▪▫■□●○‣⁃➢➤❖✓✔☐☑☒❑❏\\u0080-\\u009f\\uf000-\\uf0ff]'
const MARKER = new RegExp(`^(?:(${BULLET}|[–—*-](?=\\s))|(\\(?(?:\\d{1,3}|[a-zA-Z]|[ivx]{2,5})[.)](?=\\s|$)))\\s*`, 'u')

export function rowToLine(row: PdfRow, rightToLeft = false): PdfLine {
  const runs = row.flatMap((segment) => segment.runs)
  const ordered = sortInReadingOrder(runs, rightToLeft)
  const text = runsToText(ordered)
  const lengths = runs.map((run) => lettersIn(run.text))
  const all = lengths.reduce((sum, length) => sum + length, 0)
  const weight = (pick: (run: PdfRun) => boolean) => {
    let some = 0
    for (const [at, run] of runs.entries()) if (pick(run)) some += lengths[at]!
    return all > 0 && some >= all * 0.9
  }
  const largest = runs.reduce((a, b) => (b.text.length * b.size > a.text.length * a.size ? b : a))
  const marker = ordered[0]?.tex ? undefined : (MARKER.exec(text)?.[0].trim() ?? dashOf(ordered))
  const box = boundingBoxOf(runs)
  return {
    ...box,
    runs: ordered,
    base: largest.base,
    size: largest.size,
    text,
    bold: weight(({ bold }) => bold),
    mono: weight(({ mono }) => mono),
    math: false,
    formula: marker === undefined ? formulaShare(runs) : 'none',
    font: weight(({ font }) => font === largest.font) ? largest.font : undefined,
    isEntry: LEADERS.test(text) && ENTRY.test(text),
    marker,
    textX: marker === undefined ? box.x0 : afterMarker(ordered, marker),
  }
}

/** A dash in a separate run, as presentations use for list items. */
function dashOf([first, second]: readonly PdfRun[]): string | undefined {
  const mark = first?.text.trim() ?? ''
  return /^[–—-]$/.test(mark) && second && /^\s*\p{L}/u.test(second.text) ? mark : undefined
}

function lettersIn(text: string): number {
  let blanks = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === 32 || code === 160 || (code >= 9 && code <= 13)) blanks++
  }
  return text.length - blanks
}

const LEADERS = /\. ?\. ?\. ?\./

const ENTRY = /\S.*?(?:\.\s?){4,}\s*(?:\d{1,4}|[ivxlc]{1,7}|[A-Z]-\d{1,3})$/i

function afterMarker(runs: readonly PdfRun[], marker: string): number {
  const [first, second] = runs
  if (!first) return 0
  if (second && first.text.trim() === marker) return second.x0
  return first.x0 + ((first.x1 - first.x0) * (marker.length + 1)) / Math.max(first.text.length, marker.length + 1)
}

/** Formulas, with few words beside them: displayed if they are set apart from the edges of their column. */
function formulaShare(runs: readonly PdfRun[]): PdfLine['formula'] {
  if (!runs.some(({ tex }) => tex)) return 'none'
  const formulas = runs.filter(({ tex }) => tex)
  const rest = runs.filter(({ tex }) => !tex)
  const words = rest.flatMap(({ text }) => text.match(/\p{L}+/gu) ?? [])
  if (formulas.some(({ tag }) => tag !== undefined) || words.length === 0) return 'all'
  const width = (some: readonly PdfRun[]) => some.reduce((sum, { x0, x1 }) => sum + x1 - x0, 0)
  return words.length <= MAX_WORDS_IN_DISPLAY && width(formulas) > width(rest) ? 'most' : 'none'
}

const MAX_WORDS_IN_DISPLAY = 4

/** A formula that continues a line of text is not displayed. */
function markDisplayed(lines: readonly PdfLine[], { left, right }: Column): void {
  for (const [at, line] of lines.entries()) {
    const em = line.size
    const isInset = line.x0 > left + 1.2 * em
    const before = lines[at - 1]
    const continuesText = before !== undefined && !before.math && !isShort(before, right)
    const isTagged = line.runs.some(({ tag }) => tag !== undefined)
    if (line.formula === 'most') line.math = isInset && line.x1 < right - 1.2 * em
    else if (line.formula === 'all') line.math = isTagged || isInset || !continuesText
  }
}

/** Lines further apart are separate paragraphs; from LOOSE_LINE_DISTANCE_EM on they count as loosely set. */
const MAX_LINE_DISTANCE_EM = 2.25
const LOOSE_LINE_DISTANCE_EM = 1.9

/** Where most lines of the column begin and end, and how far they are apart, in em. */
interface Column {
  pitch: number
  /** The size of the smallest headings. */
  titleSize: number
  left: number
  right: number
}

export function groupIntoParagraphs(lines: readonly PdfLine[], titleSize: number, rightToLeft: boolean): PdfLine[][] {
  if (!rightToLeft) return groupLines(lines, titleSize)
  // Mirrors right-to-left lines so that the same indentation rules apply.
  const seen = new Map(lines.map((line) => [{ ...line, x0: -line.x1, x1: -line.x0, textX: -line.x1 }, line]))
  return groupLines([...seen.keys()], titleSize).map((group) => group.map((line) => seen.get(line)!))
}

function groupLines(lines: readonly PdfLine[], titleSize: number): PdfLine[][] {
  const groups: PdfLine[][] = []
  const [starts, ends] = [lines.map(({ x0 }) => x0), lines.map(({ x1 }) => x1)]
  const column = {
    pitch: typicalPitch(lines),
    titleSize,
    left: percentile(starts, 0.1),
    right: percentile(ends, 0.9),
  }
  if (lines.some(({ formula }) => formula !== 'none')) markDisplayed(lines, column)
  for (const line of lines) {
    const group = groups.at(-1)
    if (group && continues(group, line, column)) group.push(line)
    else groups.push([line])
  }
  return groups
}

function continues(group: readonly PdfLine[], line: PdfLine, { pitch, titleSize, left, right }: Column): boolean {
  const last = group.at(-1)!
  const first = group[0]!
  const em = line.size
  if (!isSetAlike(line, last)) return false
  if (last.isEntry || line.isEntry) return completesEntry(group, line)
  const gap = line.base - last.base
  if (line.mono) return gap < 2.6 * em
  if (gap > usualGap(em, pitch) * 1.35 + 1 || line.math || last.math) return false
  const isOfTitle = em >= titleSize && (group.length > 1 || !isShort(last, right))
  if (opensItem(line, first)) return false
  const isAfterShort = isShort(last, right)
  if (opensInOtherWeight(line, group, isAfterShort) || (isAfterShort && isInOtherFont(line, group))) return false
  const isAfterEnd = isAfterShort && endsSentence(last.text)
  if (first.marker !== undefined) return continuesItem(line, first, isAfterEnd)
  // Loosely set lines have no larger gap between paragraphs, so a short line ends one.
  if (!isOfTitle && pitch >= LOOSE_LINE_DISTANCE_EM && isAfterShort) return false
  // The lines of a title may be centred.
  if (!isOfTitle && isIndented(line, last, left) && (group.length > 1 || endsSentence(last.text))) return false
  return !(isAfterEnd && right - left > 12 * em)
}

const isSetAlike = (line: PdfLine, last: PdfLine): boolean =>
  line.mono === last.mono && Math.abs(line.size - last.size) <= 0.12 * last.size

const usualGap = (em: number, pitch: number): number =>
  Math.max(pitch > 0 && pitch < MAX_LINE_DISTANCE_EM ? pitch : 1.2, 1) * em

const opensInOtherWeight = ({ bold }: PdfLine, group: readonly PdfLine[], isAfterShort: boolean): boolean =>
  bold !== group.at(-1)!.bold && (isAfterShort || group.every((one) => one.bold))

/** After capitals that are all in one font, a line in its own font is separate text. */
const isInOtherFont = ({ font }: PdfLine, group: readonly PdfLine[]): boolean =>
  font !== undefined &&
  group.every(
    (one) => one.font !== undefined && one.font === group[0]!.font && one.font !== font && isAllCapitals(one.text),
  )

/** The second line of a two-line entry, which has the leaders. */
function completesEntry(group: readonly PdfLine[], line: PdfLine): boolean {
  const last = group.at(-1)!
  if (!line.isEntry || last.isEntry || group.length > 1) return false
  return line.base - last.base < 1.6 * line.size && line.x0 > last.x0 - 1 && !/^(?:\d|\p{Lu})/u.test(line.text)
}

/** An item continues until a line starts left of its marker, or after its end left of its text. */
const continuesItem = ({ x0, size }: PdfLine, first: PdfLine, isAfterEnd: boolean): boolean =>
  x0 >= first.x0 - 0.5 * size && !(isAfterEnd && x0 < first.textX - 0.5 * size)

/** An indented line after an unindented one starts a paragraph. */
const isIndented = ({ x0, size }: PdfLine, last: PdfLine, left: number): boolean =>
  x0 > left + 0.8 * size && x0 < left + 5 * size && last.x0 < x0 - 0.7 * size

/** “1998.” or “a.” at the start of a line in running text is not an item. */
const opensItem = ({ marker }: PdfLine, first: PdfLine): boolean =>
  marker !== undefined && (!/^\d{3}|^[A-Z]\.$/.test(marker) || first.marker !== undefined)

export const isAllCapitals = (text: string): boolean =>
  /\p{Lu}.*\p{Lu}.*\p{Lu}.*\p{Lu}/u.test(text) && !/\p{Ll}/u.test(text)

const isShort = (line: PdfLine, right: number): boolean => line.x1 < right - 3 * line.size
const endsSentence = (text: string): boolean => /[.!?:;。！？؟]["'”’)\]]*$/.test(text)

function typicalPitch(lines: readonly PdfLine[]): number {
  const gaps: number[] = []
  for (let at = 1; at < lines.length; at++) {
    const gap = lines[at]!.base - lines[at - 1]!.base
    if (gap > 0.5 * lines[at]!.size && gap < 2.2 * lines[at]!.size) gaps.push(gap / lines[at]!.size)
  }
  return median(gaps)
}

function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
}

// Blocks → units: the smallest pieces worth quoting. A sentence of a paragraph, an item of a list, a row of a table, a
// heading; each knows its block, its headings and its place in the source. It must not know what anyone looks for.
import { blocksOf, cellsOf, isTableRule, itemsOf, type MarkdownBlock, type SourceLine, withoutMark } from './blocks.ts'
import { plainOf } from './plain.ts'
import { sentencesOf } from './sentences.ts'

export interface TextUnit {
  kind: 'sentence' | 'item' | 'row' | 'code' | 'heading'
  /** What a reader sees; a row says its columns' names too. */
  plain: string
  start: number
  end: number
  /** Which block it belongs to: an index into `blocks`. */
  block: number
  /** Of a sentence that is more than this unit: where all of it stands. A line break or its length divided it. */
  whole?: SourceLine
}

export interface Text {
  markdown: string
  blocks: readonly MarkdownBlock[]
  units: readonly TextUnit[]
  /** The first heading of the highest level: what the page as a whole is about. */
  title: string
}

/** Longer text is cut here: a unit is something to quote, and a page may be one line of a megabyte. */
const MAX_UNIT = 1200
/** Most of a page that is read for meaning; ten times the longest article we know. */
export const MAX_TEXT = 2_000_000
const MAX_ITEM = 400

/** The page cut into units. */
export function textOf(markdown: string): Text {
  const source = markdown.length > MAX_TEXT ? markdown.slice(0, MAX_TEXT) : markdown
  const blocks = blocksOf(source)
  const units: TextUnit[] = []
  blocks.forEach((block, index) => {
    if (block.kind === 'text') for (const run of runsOf(source, block)) addSentences(source, run, index, units)
    else if (block.kind === 'list') addItems(source, block, index, units)
    else if (block.kind === 'table') addRows(source, block, index, units)
    else if (block.kind === 'heading') addUnit(units, 'heading', headingText(source, block), block, index)
    else if (block.kind === 'code') addUnit(units, 'code', source.slice(block.start, block.end), block, index)
  })
  if (units.length > 0) mendSentences(units)
  const top = blocks.find(({ kind, headings }) => kind === 'heading' && headings.length === 0)
  return { markdown: source, blocks, units, title: top ? headingText(source, top) : '' }
}

export const headingText = (markdown: string, { start, end }: SourceLine): string =>
  plainOf(markdown.slice(start, end).replace(/^\s*#{1,6}\s+/, ''))

/** A paragraph's lines run on unless one ends with a hard break. */
function runsOf(markdown: string, { lines }: MarkdownBlock): SourceLine[] {
  const runs: SourceLine[] = []
  let goesOn = false
  for (const line of lines) {
    const last = runs.at(-1)
    if (last && goesOn) last.end = line.end
    else runs.push({ ...line })
    goesOn = !/(?: {2}|\\)$/.test(markdown.slice(line.start, line.end))
  }
  return runs
}

function addSentences(markdown: string, { start, end }: SourceLine, block: number, units: TextUnit[]): void {
  const text = markdown.slice(start, end)
  const quoted = /^\s*>\s?/.exec(text)?.[0].length ?? 0
  for (const span of sentencesOf(text.slice(quoted))) {
    const from = start + quoted + span.start
    const to = start + quoted + span.end
    for (let at = from; at < to; at += MAX_UNIT) {
      const place = { start: at, end: Math.min(to, at + MAX_UNIT) }
      addUnit(units, 'sentence', plainOf(markdown.slice(place.start, place.end)), place, block)
      if (to - from > MAX_UNIT && units.at(-1)?.start === at) units.at(-1)!.whole = { start: from, end: to }
    }
  }
}

const GOES_ON = /^[*_~"'“‘«(]*\p{Ll}/u
const ENDED = /[.!?…:;。！？।؟][)"'”’»\]*_]*$/

/** Lines of one block that a break parts in the middle of a sentence: the next begins with a small letter. */
function mendSentences(units: TextUnit[]): void {
  let from = 0
  for (let i = 1; i <= units.length; i++) {
    const [before, unit] = [units[i - 1]!, units[i]]
    const goesOn =
      unit?.kind === 'sentence' &&
      before.kind === 'sentence' &&
      unit.block === before.block &&
      GOES_ON.test(unit.plain) &&
      !ENDED.test(before.plain)
    if (goesOn) continue
    const whole = { start: units[from]!.start, end: before.end }
    if (i - from > 1) for (let k = from; k < i; k++) units[k]!.whole ??= whole
    from = i
  }
}

function addItems(markdown: string, list: MarkdownBlock, block: number, units: TextUnit[]): void {
  for (const item of itemsOf(markdown, list)) {
    const source = markdown.slice(item.start, item.end)
    if (source.length > MAX_ITEM) {
      const mark = source.length - withoutMark(source).length
      addSentences(markdown, { start: item.start + mark, end: item.end }, block, units)
    } else addUnit(units, 'item', plainOf(withoutMark(source)), item, block)
  }
}

function addRows(markdown: string, { lines }: MarkdownBlock, block: number, units: TextUnit[]): void {
  const text = (line: SourceLine | undefined) => (line ? markdown.slice(line.start, line.end) : '')
  const hasHead = isTableRule(text(lines[1]))
  const head = hasHead ? cellsOf(text(lines[0])) : []
  const named = head.some((name) => name !== '')
  for (const line of hasHead ? lines.slice(2) : lines) {
    const source = text(line)
    if (isTableRule(source)) continue
    const cells = cellsOf(source)
    const plain = cells
      .map((cell, column) => (named && head[column] && cell ? `${head[column]}: ${cell}` : cell))
      .filter((cell) => cell !== '')
      .join('; ')
    addUnit(units, 'row', plain, line, block)
  }
  // A table of one line, or one whose only line of content became its head.
  if (hasHead && lines.length <= 2) addUnit(units, 'row', head.join('; '), lines[0]!, block)
}

function addUnit(
  units: TextUnit[],
  kind: TextUnit['kind'],
  plain: string,
  { start, end }: SourceLine,
  block: number,
): void {
  // What is left of a line whose beginning stands in a block of its own: ": A public charger …".
  const text = plain.slice(0, MAX_UNIT).replace(/^[:;,]\s+/, '')
  if (/[\p{L}\p{N}]/u.test(text)) units.push({ kind, plain: text, start, end, block })
}

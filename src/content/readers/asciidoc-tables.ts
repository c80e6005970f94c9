// Converts tables of AsciiDoc to HTML, with cells that span columns and rows.
import { chargeChars, type InlineContext } from './asciidoc-inline.ts'

const MAX_COLUMNS = 200
/** A copy of a cell costs its text and the work of a cell. */
const CHARS_PER_COPY = 50

interface Cell {
  text: string
  columns: number
  rows: number
  style: string
  /** It begins in the first line that is not empty. */
  isFirst: boolean
}

/** `write`: the HTML of a cell, read as blocks or as one line. */
export function tableToHtml(
  lines: readonly string[],
  attributes: string,
  context: InlineContext,
  write: (text: string, isBlocks: boolean) => string,
): string {
  const format = /format="?csv/.test(attributes)
  const first = lines.findIndex((line) => line.trim() !== '')
  const styles = columnStyles(attributes)
  const cells = (format ? cellsOfCsv : cellsOf)(lines.slice(first), context)
  const firstWidth = cells.reduce((sum, { columns, isFirst }) => sum + (isFirst ? columns : 0), 0)
  const width = Math.min(MAX_COLUMNS, styles.length || firstWidth)
  if (width === 0) return ''
  // Without an option, a first line that holds a whole row and is followed by an empty line is the head.
  const hasHead =
    attributes.split(/[,%]/).some((part) => /^\s*(?:opt(?:ion)?s="?)?header"?\s*(?:\.|$)/.test(part)) ||
    (!/noheader/.test(attributes) && firstWidth === width && first === 0 && lines[1]?.trim() === '')
  // How many more rows each column is covered by a cell above.
  const covered = new Array<number>(width).fill(0)
  const rows: string[] = []
  let row = ''
  let column = 0
  const skipCovered = () => {
    for (;;) {
      while (column < width && covered[column]! > 0) covered[column++]!--
      if (column < width) return
      if (row) rows.push(row)
      row = ''
      column = 0
    }
  }
  for (const { text, columns, rows: height, style } of cells) {
    const isHead = hasHead && rows.length === 0
    const kind = style || (isHead ? '' : (styles[column] ?? ''))
    const tag = isHead || kind === 'h' ? 'th' : 'td'
    const spans = `${columns > 1 ? ` colspan="${columns}"` : ''}${height > 1 ? ` rowspan="${height}"` : ''}`
    const html = write(text, kind === 'a')
    row += `<${tag}${spans}>${MARKS[kind] ? `<${MARKS[kind]}>${html}</${MARKS[kind]}>` : html}</${tag}>`
    for (let end = Math.min(width, column + columns); column < end; column++) covered[column] = height - 1
    skipCovered()
  }
  return `<table>${[...rows, row]
    .filter(Boolean)
    .map((one) => `<tr>${one}</tr>`)
    .join('\n')}</table>`
}

const MARKS: Partial<Record<string, string>> = { s: 'strong', e: 'em', m: 'code', l: 'pre' }

/** `1,2a,3*`: the style of each column. */
function columnStyles(attributes: string): string[] {
  const cols = /cols=(?:"([^"]{0,2000})"|([\w.*<^>~]+))/.exec(attributes)
  return (cols?.[1] ?? cols?.[2] ?? '').split(/[,;]/).flatMap((one) => {
    const [, times = '1'] = /^\s*(\d{1,3})\*/.exec(one) ?? []
    return one.trim()
      ? new Array<string>(Math.min(MAX_COLUMNS, Number(times))).fill(/[a-z]$/.exec(one.trim())?.[0] ?? '')
      : []
  })
}

/** A separator at the start of a line or behind a blank may have a span, an alignment and a style before it. */
const SEPARATOR =
  /(?:(?<=^|\s)(?:(\d{1,3})(\*)|(\d{1,3})?(?:\.(\d{1,3}))?(?:\+|(?=[<^>.a-z|])))?(?:[<^>])?(?:\.[<^>])?([a-z])?)?(?<!\\)\|/gm

function cellsOf(lines: readonly string[], context: InlineContext): Cell[] {
  const text = lines.join('\n')
  const endOfFirst = lines[0]?.length ?? 0
  const cells: Cell[] = []
  let from = -1
  let open: RegExpExecArray | undefined
  const close = (to: number) => {
    if (!open || context.cells <= 0) return
    const [, times, repeated, columns = '1', rows = '1', style = ''] = open
    const own = text.slice(from, to).replaceAll('\\|', '|').trim()
    const cell = { text: own, style, columns: clamp(columns), rows: clamp(rows), isFirst: open.index < endOfFirst }
    const count = repeated ? clamp(times!) : 1
    for (let at = 0; at < count && context.cells > 0; at++) {
      if (at > 0 && !chargeChars(context, own.length + CHARS_PER_COPY)) return
      context.cells -= cell.columns * cell.rows
      cells.push(cell)
    }
  }
  for (const found of text.matchAll(SEPARATOR)) {
    close(found.index)
    open = found
    from = found.index + found[0].length
  }
  close(text.length)
  return cells
}

const clamp = (count: string): number => Math.max(1, Math.min(MAX_COLUMNS, Number(count)))

function cellsOfCsv(lines: readonly string[], context: InlineContext): Cell[] {
  const cells: Cell[] = []
  for (const [index, line] of lines.entries())
    for (const [, quoted, bare = ''] of line.matchAll(/(?<=^|,)(?:"((?:[^"]|"")*)"|([^,]*))(?=,|$)/g)) {
      if (context.cells <= 0) return cells
      context.cells--
      const text = (quoted?.replaceAll('""', '"') ?? bare).trim()
      cells.push({ text, columns: 1, rows: 1, style: '', isFirst: index === 0 })
    }
  return cells
}

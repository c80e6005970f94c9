// Converts tables of AsciiDoc to HTML, with cells that span columns and rows.

const MAX_COLUMNS = 200
const MAX_CELLS = 200_000

interface Cell {
  text: string
  columns: number
  rows: number
  style: string
}

/** `write`: the HTML of a cell, read as blocks or as one line. */
export function tableToHtml(
  lines: readonly string[],
  attributes: string,
  write: (text: string, isBlocks: boolean) => string,
): string {
  const format = /format="?csv/.test(attributes)
  const first = lines.findIndex((line) => line.trim() !== '')
  const styles = columnStyles(attributes)
  const cells = format ? cellsOfCsv(lines) : cellsOf(lines.join('\n'))
  const firstLine = format ? cellsOfCsv(lines.slice(first, first + 1)) : cellsOf(lines[first] ?? '')
  const width = Math.min(MAX_COLUMNS, styles.length || firstLine.reduce((sum, { columns }) => sum + columns, 0))
  if (width === 0) return ''
  // Without an option, a first line that holds a whole row and is followed by an empty line is the head.
  const isWhole = firstLine.reduce((sum, { columns }) => sum + columns, 0) === width
  const hasHead =
    /%[\w%.]*header|options="?[^"]*header/.test(attributes) ||
    (!/noheader/.test(attributes) && isWhole && first === 0 && lines[1]?.trim() === '')
  // How many more rows each column is covered by a cell above.
  const covered = new Array<number>(width).fill(0)
  const rows: string[] = []
  let row = ''
  let column = 0
  const skipCovered = () => {
    for (;;) {
      while (column < width && covered[column]! > 0) covered[column++]!--
      if (column < width) return
      rows.push(row)
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

function cellsOf(text: string): Cell[] {
  const cells: Cell[] = []
  let from = -1
  let open: RegExpExecArray | undefined
  const close = (to: number) => {
    if (!open) return
    const [, times, repeated, columns = '1', rows = '1', style = ''] = open
    const cell = { text: text.slice(from, to).replaceAll('\\|', '|').trim(), style }
    const [width, height] = [clamp(columns), clamp(rows)]
    const count = repeated ? clamp(times!) : 1
    for (let at = 0; at < count && cells.length < MAX_CELLS; at++) cells.push({ ...cell, columns: width, rows: height })
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

const cellsOfCsv = (lines: readonly string[]): Cell[] =>
  lines
    .flatMap((line) => [...line.matchAll(/(?<=^|,)(?:"((?:[^"]|"")*)"|([^,]*))(?=,|$)/g)])
    .slice(0, MAX_CELLS)
    .map(([, quoted, bare = '']) => (quoted?.replaceAll('""', '"') ?? bare).trim())
    .map((text) => ({ text, columns: 1, rows: 1, style: '' }))

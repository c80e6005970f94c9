// Colours and tables for a terminal; a pipe gets plain text. Node handles NO_COLOR.
import { isObject } from '../base/values.ts'

export type TextStyler = typeof COLOURS

/** Control characters of a page could control the terminal. */
export const removeControlCharacters = (text: string): string =>
  text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, '')

/** The same, with line breaks as spaces. */
export const toOneLine = (text: string): string => text.replace(/[\u0000-\u001f\u007f-\u009f]+/g, ' ')

const keepPlain = (text: string): string => text
const code = (number: number, end: number) => (text: string) => `\u001b[${number}m${text}\u001b[${end}m`
const COLOURS = {
  bold: code(1, 22),
  dim: code(2, 22),
  good: code(32, 39),
  bad: code(31, 39),
  warn: code(33, 39),
  accent: code(36, 39),
}
const PLAIN = Object.fromEntries(Object.keys(COLOURS).map((name) => [name, keepPlain])) as unknown as TextStyler

export const makeTextStyler = (stream: Pick<NodeJS.WriteStream, 'isTTY' | 'hasColors'>): TextStyler =>
  stream.isTTY && stream.hasColors?.() ? COLOURS : PLAIN

type Row = Readonly<Record<string, unknown>>

const MOST_COLUMNS = 7
const MOST_ROWS = 200
const MOST_CELL = 60

const FIRST = ['id', 'name', 'kind', 'status', 'url', 'title', 'query', 'prompt', 'createdAt']

const cellOf = (value: unknown): string => {
  const text = value === null || value === undefined ? '' : String(value)
  const oneLine = toOneLine(text)
  return oneLine.length > MOST_CELL ? `${oneLine.slice(0, MOST_CELL - 1)}…` : oneLine
}

const isPlain = (value: unknown): boolean => value === null || typeof value !== 'object'

export function formatReplyTable(answer: Row, paint: TextStyler, width: number): string | undefined {
  const { success: _, data, ...around } = answer
  const lists = [data, ...Object.values(around), ...(isObject(data) ? Object.values(data) : [])].filter(isList)
  // A page with links, or a search with hits of several kinds, is no list of records.
  const isRecord = isObject(data) && (isObject(data.metadata) || typeof data.markdown === 'string')
  if (lists.length > 0) return lists.length === 1 && !isRecord ? formatTable(lists[0], paint, width) : undefined
  const figures = isObject(data) ? data : undefined
  if (!figures || isRecord || Object.keys(figures).length < 2 || !Object.values(figures).every(isPlain))
    return undefined
  const names = Object.keys(figures)
  const widest = Math.max(...names.map((name) => name.length))
  return names.map((name) => `${paint.bold(name.padEnd(widest))}  ${cellOf(figures[name])}`).join('\n')
}

const isList = (value: unknown): value is readonly Row[] =>
  Array.isArray(value) && value.length > 0 && value.every(isObject)

export function formatTable(list: unknown, paint: TextStyler, width: number): string | undefined {
  if (!Array.isArray(list) || list.length === 0) return undefined
  if (!list.every(isObject)) return undefined
  const rows = (list as Row[]).slice(0, MOST_ROWS)
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))].filter((name) =>
    rows.some((row) => isPlain(row[name]) && row[name] !== null && row[name] !== undefined),
  )
  const rank = (name: string) => (FIRST.includes(name) ? FIRST.indexOf(name) : FIRST.length)
  const columns = names.sort((one, other) => rank(one) - rank(other)).slice(0, MOST_COLUMNS)
  if (columns.length < 2) return undefined
  const cells = rows.map((row) => columns.map((name) => cellOf(isPlain(row[name]) ? row[name] : '…')))
  const widths = columns.map((name, at) => Math.max(name.length, ...cells.map((row) => row[at]?.length ?? 0)))
  const fitting = columns.filter(
    (_, at) => widths.slice(0, at + 1).reduce((sum, one) => sum + one + 2, 0) <= width || at < 2,
  )
  const line = (row: readonly string[]) =>
    fitting
      .map((_, at) => (row[at] ?? '').padEnd(widths[at] ?? 0))
      .join('  ')
      .trimEnd()
  const more = list.length > MOST_ROWS ? [paint.dim(`and ${list.length - MOST_ROWS} more`)] : []
  return [paint.bold(line(columns)), ...cells.map(line), ...more].join('\n')
}

// Superlatives and bounds computed over the rows of one table, list or run of cards: "the cheapest room", "over 20 €".
// Undefined where the rows have no column that the request compares.

import { parseDate, toIsoDate } from '../../base/parse-dates.ts'
import { parseNumbersIn } from '../../base/parse-numbers.ts'
import { findNumericBound, findSuperlative, removeSuperlatives } from '../../base/superlatives-and-bounds.ts'
import { findMoney } from '../money.ts'
import type { PageToRank, RankedPassage } from './rank-passages.ts'
import type { Passage } from './split-into-passages.ts'
import { isStopWord, stemText, synonymStemsOf } from './stem-terms.ts'

interface ComparedRows {
  /** The rows that the request asks for, best or first one first. */
  chosen: readonly RankedPassage[]
  /** Rows of the same group that it does not ask for. */
  others: ReadonlySet<Passage>
}

type ComparedValueKind = 'money' | 'date' | 'number'

const MIN_ROWS = 2
const MAX_CHOSEN = 8
/** Minimum coverage of a chosen row: the superlative ("cheapest") occurs in no row, so its own coverage is too low. */
const MIN_COVERAGE_OF_CHOSEN_ROW = 0.5
/** Share of the rows that must have a value. */
const MIN_SHARE_OF_ROWS_WITH_VALUE = 0.7

export function findRowsByComparison(request: string, ranked: readonly RankedPassage[]): ComparedRows | undefined {
  const superlative = findSuperlative(request)
  const bound = findNumericBound(request)
  if (!superlative && !bound) return undefined
  const asked = stemText(removeSuperlatives(request)).filter((term) => !isStopWord(term))
  const limit = bound && limitOf(bound.rest)
  const kind: ComparedValueKind = superlative?.kind ?? (limit?.isMoney ? 'money' : 'number')
  const way = superlative?.way ?? 0
  for (const { page, passage } of ranked.slice(0, 5)) {
    const rows = groupOf(page, passage)
    const values = rows.length < MIN_ROWS ? undefined : columnOf(rows, kind, asked)
    if (!values) continue
    const valued = rows.flatMap((row, n) => (values[n] === undefined ? [] : [{ row, value: values[n] }]))
    const fitting = limit
      ? valued.filter(({ value }) => (bound!.isOver ? value >= limit.value : value <= limit.value))
      : valued
    const best =
      way < 0 ? Math.min(...fitting.map(({ value }) => value)) : Math.max(...fitting.map(({ value }) => value))
    const wanted = way === 0 ? fitting : fitting.filter(({ value }) => value === best)
    if (wanted.length === 0 || wanted.length > MAX_CHOSEN) continue
    const isWanted = new Set(wanted.map(({ row }) => row))
    return {
      chosen: wanted.map(({ row }) => ({
        passage: row,
        page,
        score: ranked[0]!.score,
        coverage: Math.max(MIN_COVERAGE_OF_CHOSEN_ROW, ranked.find((one) => one.passage === row)?.coverage ?? 0),
      })),
      others: new Set(rows.filter((row) => !isWanted.has(row))),
    }
  }
  return undefined
}

function limitOf(rest: string): { value: number; isMoney: boolean } | undefined {
  const [money] = findMoney(rest.slice(0, 20))
  if (money && money.at < 3) return { value: money.amount, isMoney: true }
  const [number] = parseNumbersIn(rest.slice(0, 20))
  return number && { value: number.value, isMoney: false }
}

/** Rows of the same table, or passages of the same form under the same headings. */
function groupOf({ passages }: PageToRank, { cells, headings }: Passage): Passage[] {
  if (cells) {
    const head = cells.map(([header]) => header).join('|')
    const isRow = (one: Passage) => one.cells !== undefined && one.cells.map(([header]) => header).join('|') === head
    return passages.filter(isRow)
  }
  const over = headings.slice(0, -1).join('|')
  // Cards have a heading of their own each; items of a list share all of theirs.
  const cards = passages.filter(
    (one) => !one.cells && one.headings.length === headings.length && one.headings.slice(0, -1).join('|') === over,
  )
  const items = cards.filter((one) => one.headings.at(-1) === headings.at(-1))
  return items.length >= MIN_ROWS
    ? items
    : new Set(cards.map((one) => one.headings.at(-1))).size === cards.length
      ? cards
      : []
}

/** One value for each row, from the column that the request names or the only one of the kind. */
function columnOf(rows: readonly Passage[], kind: ComparedValueKind, asked: readonly string[]) {
  const isAsked = (header: string) =>
    stemText(header).some((term) => asked.some((word) => word === term || synonymStemsOf(word).has(term)))
  const isEnough = (values: readonly (number | undefined)[]) =>
    values.filter((value) => value !== undefined).length >= rows.length * MIN_SHARE_OF_ROWS_WITH_VALUE
  const headers = rows[0]!.cells?.map(([header]) => header) ?? []
  const columns = headers.map((header) => ({
    header,
    values: rows.map(({ cells = [] }) => valueIn(cells.find(([name]) => name === header)?.[1] ?? '', kind)),
  }))
  const filled = columns.filter(({ values }) => isEnough(values))
  const named = filled.find(({ header }) => isAsked(header))
  if (named) return named.values
  // Amounts and dates are recognised by their form; a bare number also needs a matching column name.
  if (headers.length > 0) return kind !== 'number' && filled.length === 1 ? filled[0]!.values : undefined
  const values = rows.map(({ text }) => (kind === 'number' ? besideNoun(text, asked) : valueIn(text, kind)))
  return isEnough(values) ? values : undefined
}

function valueIn(text: string, kind: ComparedValueKind): number | undefined {
  if (kind === 'money') return onlyOne(findMoney(text).map(({ amount }) => amount))
  if (kind === 'number') return parseNumbersIn(text)[0]?.value
  const date = parseDate(text)
  return date && Number(toIsoDate(date).replaceAll('-', ''))
}

const onlyOne = (values: readonly number[]): number | undefined => (new Set(values).size === 1 ? values[0] : undefined)

/** "sleeps 4", "120 seats": the number next to a word of the request. */
function besideNoun(text: string, asked: readonly string[]): number | undefined {
  for (const { value, at, end } of parseNumbersIn(text)) {
    const [after = ''] = stemText(text.slice(end, end + 30))
    const before = stemText(text.slice(Math.max(0, at - 30), at)).at(-1) ?? ''
    if (asked.includes(after) || asked.includes(before)) return value
  }
  return undefined
}

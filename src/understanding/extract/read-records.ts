// Reads a list of objects from the best matching grid. Columns are matched to fields by label and kind.

import { setOfWords } from '../../base/values.ts'
import { findMoney } from '../money.ts'
import { type ConversionContext, convertRawValue, plainTextOfValue, type RawValue } from './convert-raw-value.ts'
import type { FieldQuery } from './field-query.ts'
import type { RecordColumn, RecordGrid } from './find-record-grids.ts'
import { phraseSimilarity, toComparablePhrase } from './normalise-labels.ts'

type FoundRecords = { rows: Record<string, unknown>[]; score: number; source: RecordGrid['source'] }

const MAX_COLUMNS = 3
/** Kinds that are recognisable without a label. */
const KINDS_RECOGNISABLE_BY_VALUE = setOfWords('money date url image email phone duration')
const ENOUGH = 0.5
/** Share of the fields that must have a column. */
const MIN_COLUMN_SHARE = 0.6

/** `name`: the list's name, such as `products`. */
export function findBestRecords(
  name: string,
  fields: readonly FieldQuery[],
  grids: readonly RecordGrid[],
  context: ConversionContext,
  isShown: (text: string) => boolean,
): FoundRecords | undefined {
  const asked = toComparablePhrase(name)
  let best: FoundRecords | undefined
  for (const grid of grids) {
    const isNamed = grid.about.some(
      (phrase) => phrase === asked || phraseSimilarity(asked, phrase) >= 0.7 || phrase.split(' ').includes(asked),
    )
    // Blocks outside the main content are menus; arrays in the data and in scripts are about anything.
    if (!isNamed && (!grid.isMain || CODED.has(grid.source))) continue
    const made = recordsIn(grid, fields, isNamed, context)
    if (!made || (CODED.has(grid.source) && !areShown(made.rows, isShown, grid.source))) continue
    if (!made.isSupported && !(isNamed && grid.isMain && fields.length > 1 && grid.source !== 'cards')) continue
    const score =
      made.filled * 2 +
      Math.min(1, Math.log2(made.rows.length) / 5) +
      (grid.isMain ? 0.4 : 0) +
      (isNamed ? 0.5 : 0) +
      (grid.source === 'data' || grid.source === 'table' ? 0.2 : 0)
    if (!best || score > best.score) best = { rows: made.rows, score, source: grid.source }
  }
  return best
}

const CODED = new Set<RecordGrid['source']>(['state', 'data'])

/** Script state contains much that the page does not show: other products, prices in cents. */
function areShown(
  rows: readonly Record<string, unknown>[],
  isShown: (text: string) => boolean,
  source: RecordGrid['source'],
): boolean {
  const values = rows.slice(0, 20).flatMap((row) => Object.values(row).filter((value) => value !== null))
  return (source === 'state' ? ['string', 'number'] : ['number']).every((type) => {
    const own = values.filter((value) => typeof value === type)
    return own.filter((value) => writings(value).some(isShown)).length >= own.length * 0.7
  })
}

/** Notations of a value on a page. */
const writings = (value: unknown): string[] =>
  typeof value === 'number'
    ? [String(value), value.toFixed(2), value.toLocaleString('en'), value.toLocaleString('de')]
    : [String(value)]

function recordsIn(grid: RecordGrid, fields: readonly FieldQuery[], isNamed: boolean, context: ConversionContext) {
  const columns = assign(grid, fields, isNamed, context)
  const identity = identityOf(fields)
  // Without a name, only records with all that is asked for are the ones that are meant.
  const least = Math.max(Math.min(2, fields.length), fields.length * (isNamed ? MIN_COLUMN_SHARE : 1))
  if (!columns.has(identity) || columns.size < least) return undefined
  const rows: Record<string, unknown>[] = []
  const seen = new Set<string>()
  let filled = 0
  for (let n = 0; n < grid.rows; n++) {
    const row: Record<string, unknown> = {}
    let count = 0
    for (const field of fields) {
      const value =
        ownLink(field, columns.get(identity)![0]!.cells[n], context) ??
        firstOf(columns.get(field) ?? [], (column) => valueIn(column.cells[n], field, context))
      if (value !== undefined) {
        row[field.name] = value
        count += 1
      } else if (field.shape.nullable) row[field.name] = null
    }
    orderPrices(row, fields)
    // A carousel repeats its cards; two comments of one day are two.
    const key = grid.texts?.[n] || JSON.stringify(row)
    if (
      row[identity.name] === undefined ||
      row[identity.name] === null ||
      count < Math.max(Math.min(2, fields.length), fields.length / 2) ||
      seen.has(key)
    )
      continue
    seen.add(key)
    filled += count / fields.length
    rows.push(row)
  }
  return rows.length >= 2 || (rows.length === 1 && grid.source === 'table')
    ? {
        rows,
        filled: filled / grid.rows,
        isSupported: [...columns].some(
          ([field, [column]]) =>
            labelScore(field, column!) > 0 || (KINDS_RECOGNISABLE_BY_VALUE.has(field.kind) && grid.isMain),
        ),
      }
    : undefined
}

const ownLink = (field: FieldQuery, name: RawValue | undefined, context: ConversionContext): unknown =>
  field.term?.id === 'url' && name?.href ? convertRawValue(name, field, context) : undefined

/** Of two unlabelled prices, the lower one is current. */
function orderPrices(row: Record<string, unknown>, fields: readonly FieldQuery[]): void {
  const [now, before] = ['price', 'listPrice'].map((id) => fields.find(({ term }) => term?.id === id)?.name)
  if (now === undefined || before === undefined) return
  const [price, listPrice] = [row[now], row[before]]
  if (typeof price === 'number' && typeof listPrice === 'number' && price > listPrice)
    Object.assign(row, { [now]: listPrice, [before]: price })
}

/** The field that identifies an item: its name, else the first text. */
const identityOf = (fields: readonly FieldQuery[]): FieldQuery =>
  fields.find(({ kind }) => kind === 'title') ??
  fields.find(({ shape, kind }) => shape.kind === 'string' && !KINDS_RECOGNISABLE_BY_VALUE.has(kind)) ??
  fields[0]!

/** Candidate columns per field, best first: cards of one list may have two layouts. */
function assign(grid: RecordGrid, fields: readonly FieldQuery[], isNamed: boolean, context: ConversionContext) {
  const identity = identityOf(fields)
  const options = fields.flatMap((field) =>
    grid.columns.map((column, n) => ({
      field,
      column,
      score: scoreOf(field, column, field === identity, isNamed, n, grid, context),
    })),
  )
  const assigned = new Map<FieldQuery, RecordColumn[]>()
  const taken = new Set<RecordColumn>()
  for (const { field, column, score } of options.sort((a, b) => b.score - a.score)) {
    if (score < ENOUGH) break
    const own = assigned.get(field)
    // One column fills two fields only as text and as link or image.
    if (taken.has(column) && field.kind !== 'url' && field.kind !== 'image') continue
    if (!own) assigned.set(field, [column])
    else if (own.length < MAX_COLUMNS && own[0]!.cells.some((cell) => cell === undefined)) own.push(column)
    else continue
    taken.add(column)
  }
  return assigned
}

function scoreOf(
  field: FieldQuery,
  column: RecordColumn,
  isIdentity: boolean,
  isNamed: boolean,
  n: number,
  grid: RecordGrid,
  context: ConversionContext,
): number {
  const label = labelScore(field, column) * column.trust
  // Do not use card titles for a field such as `size` or `question`, unless the heading of the cards names the field.
  const mayBeTitle = isIdentity && (field.kind === 'title' || field.kind === 'person' || isNamed)
  const isTitle = mayBeTitle && grid.source !== 'data' && (column.level > 0 || isNameLike(column))
  // A second heading in a card is a person or organisation: a job's company, a post's author.
  const isWho = column.level > 0 && (field.kind === 'org' || field.kind === 'person') && grid.source === 'cards'
  const byKind = KINDS_RECOGNISABLE_BY_VALUE.has(field.kind) ? 0.62 : isTitle ? titleScore(column) : isWho ? 0.58 : 0
  const claim = Math.max(label, byKind)
  if (claim < ENOUGH) return 0
  const given = column.cells.filter((cell) => cell !== undefined)
  const isSeen = (cell: RawValue) => label >= ENOUGH || field.kind !== 'money' || isMoney(cell, context)
  const read = given
    .map((cell) => (isSeen(cell!) ? convertRawValue(cell!, field, context) : undefined))
    .filter(isDefined)
  const fit = read.length / given.length
  const spread = given.length / grid.rows
  const distinct = isIdentity || field.kind === 'url' ? new Set(read.map(String)).size / Math.max(1, read.length) : 1
  if (fit < 0.6 || distinct < 0.4) return 0
  return claim * (0.6 + 0.4 * fit) * (0.7 + 0.3 * spread) * (0.7 + 0.3 * distinct) - n * 0.002
}

const isDefined = (value: unknown): boolean => value !== undefined

/** Without a label, a number is money only with a currency. */
const isMoney = ({ value }: RawValue, { money }: ConversionContext): boolean =>
  findMoney(plainTextOfValue(value), money).length > 0

/** Larger headings score higher. */
const titleScore = ({ level }: RecordColumn): number => (level > 0 ? 0.85 - level * 0.02 : 0.6)

function labelScore({ phrases, labels, term }: FieldQuery, column: RecordColumn): number {
  let best = 0
  for (const [n, label] of column.labels.entries()) {
    const rank = 1 - Math.min(n, 5) * 0.02
    const own = phrases.indexOf(label)
    const score =
      own >= 0
        ? 1 - own * 0.03
        : labels.has(label)
          ? 0.9
          : term
            ? 0
            : phraseSimilarity(phrases[0]!, label) >= 0.7
              ? 0.7
              : 0
    best = Math.max(best, score * rank)
  }
  return best
}

/** Short texts that differ from row to row. */
function isNameLike({ cells }: RecordColumn): boolean {
  const texts = cells.flatMap((cell) => (cell && typeof cell.value === 'string' ? [cell.value] : []))
  return (
    texts.length > 1 &&
    texts.every((text) => text.length <= 150 && /\p{L}{2}/u.test(text)) &&
    new Set(texts).size > texts.length * 0.7
  )
}

const valueIn = (cell: RawValue | undefined, field: FieldQuery, context: ConversionContext): unknown => {
  const value = cell && convertRawValue(cell, field, context)
  return value === '' ? undefined : value
}

function firstOf<From, Value>(all: readonly From[], take: (one: From) => Value | undefined): Value | undefined {
  for (const one of all) {
    const value = take(one)
    if (value !== undefined) return value
  }
  return undefined
}

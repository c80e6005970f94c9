// Tables whose rows, or whose columns, are items of a list: which column is which field, which one names the rows, and
// tables that set their items side by side.
import type { Element } from 'domhandler'
import { cellText } from '../facts/pairs.ts'
import type { FieldContext, WantedField } from './asking.ts'
import { fieldThat } from './context.ts'
import { isNamed } from './list-names.ts'
import { firstAt, type PagePart, rowScope } from './page-part.ts'
import { placesIn } from './places.ts'
import { headingLike } from './sections.ts'
import type { Shape, ShapeField } from './shape.ts'
import type { RankedSource } from './source.ts'
import { conceptsOf } from './vocabulary.ts'
import { labelPhrase } from './words.ts'

export function ofTables(scope: PagePart, wanted: WantedField, shape: Shape, ground: FieldContext): RankedSource[] {
  const like = headingLike(scope, wanted)
  const isBelow = (at: number) => like !== undefined && scope.headings[firstAt(scope.headings, at) - 1] === like
  return scope.tables
    .filter(({ headers, rows }) => (headers.length > 1 || headers.length === 0) && rows.length > 0)
    .flatMap(({ element, headers, rows, isMain, at, caption }): RankedSource[] => {
      const says = isNamed(scope, { element, at, isMain }, wanted, ground, caption) || isBelow(at)
      const items = turned(headers, rows, shape, ground) ?? rowsOf(headers, rows, says, wanted, shape, ground)
      if (!items) return []
      const bonus = (says ? 0.25 : 0) + (isMain ? 0.15 : 0)
      return [{ items, bonus, isNamed: says, isData: false, isMain, rank: 2e6 }]
    })
}

function rowsOf(
  given: readonly string[],
  rows: readonly Element[][],
  says: boolean,
  wanted: WantedField,
  shape: Shape,
  ground: FieldContext,
): RankedSource['items'] | undefined {
  const headers = given.length > 0 ? given : says ? byOrder(rows, shape) : undefined
  if (!headers) return undefined
  const column = namedColumn(headers, wanted, shape, ground)
  return rows.map((cells) => () => {
    if (!column) return placesIn({ scope: rowScope(headers, cells) })
    const [name, at] = column
    const filled = [...cells.slice(0, headers.length), cells[at] ?? cells[0]!]
    return placesIn({ scope: rowScope([...headers, name], filled) })
  })
}

/** Columns that nobody heads are the fields in their order, when there are as many, each filled. */
const byOrder = (rows: readonly Element[][], { fields }: Shape): string[] | undefined =>
  fields.length > 1 && rows.length > 1 && rows.every((cells) => cells.length === fields.length)
    ? fields.map(({ name }) => name)
    : undefined

function isFor(label: string, { name, shape }: ShapeField, ground: FieldContext): boolean {
  const { phrases, concepts } = ground.wanted(name, shape)
  const head = label.split(/ (?:per|pro|par|por) /, 1)[0]!
  return (
    phrases.includes(label) ||
    (concepts[0] !== undefined && [label, head].some((one) => conceptsOf(one)[0] === concepts[0]!.id))
  )
}

/** What else a column may be called: the one headed like the list names its rows, else the first that nobody asks for. */
function namedColumn(
  headers: readonly string[],
  list: WantedField,
  { fields }: Shape,
  ground: FieldContext,
): [string, number] | undefined {
  const labels = headers.map(labelPhrase)
  const open = fields.filter(
    (field) => field.shape.kind === 'string' && !labels.some((label) => isFor(label, field, ground)),
  )
  const named = fieldThat('isName', open, ground) ?? open.find((field) => field === fields[0] && !field.shape.format)
  const same = labels.findIndex((label) => list.phrases.includes(label))
  const column = same >= 0 ? same : fields.some((field) => isFor(labels[0]!, field, ground)) ? -1 : 0
  return named && column >= 0 ? [named.name, column] : undefined
}

const MAX_COLUMNS = 12

/** A table that compares: what is asked for stands in its first column, and its items are the other columns. */
function turned(
  headers: readonly string[],
  rows: readonly Element[][],
  { fields }: Shape,
  ground: FieldContext,
): RankedSource['items'] | undefined {
  const name = fieldThat('isName', fields, ground)
  if (!name || headers.length < 3 || headers.length > MAX_COLUMNS || rows.length > 60) return undefined
  const labels = rows.map((cells) => (cells[0] ? cellText(cells[0]) : ''))
  const asked = (texts: readonly string[]) =>
    fields.filter((field) => texts.some((text) => isFor(labelPhrase(text), field, ground))).length
  if (asked(labels) < 2 || asked(headers) >= asked(labels)) return undefined
  return headers.slice(1).map((header, n) => () => {
    const cells = rows.map((row) => row[n + 1]).filter((cell) => cell !== undefined)
    const scope = rowScope(labels, cells)
    const pair = { label: name.name, value: header, element: undefined, isMain: true, at: 0, trust: 1 }
    return placesIn({ scope: { ...scope, pairs: new Map([...scope.pairs, [labelPhrase(name.name), [pair]]]) } })
  })
}

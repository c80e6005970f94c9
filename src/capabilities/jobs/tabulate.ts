// The results of a job as one table: a row per page, or per record when its pages hold one list of records.
import { isObject } from '../../base/values.ts'

const MAX_COLUMNS = 500
/** Values nested deeper than this are JSON in one cell. */
const MAX_DEPTH = 6
const PAGE_COLUMNS = ['url', 'title', 'statusCode']
/** Values without a column of their own, as JSON. */
const OTHER_COLUMN = 'other'

interface Page {
  json?: unknown
  items?: unknown
  product?: unknown
  metadata: { sourceURL?: string; url?: string; title?: string | string[]; statusCode?: number }
}
type Cell = string | number | boolean | undefined
type Cells = Map<string, Cell>
type Documents = () => AsyncIterable<string>

interface Table {
  /** `kind`: what all values of the column are. */
  columns: { name: string; kind: 'string' | 'number' | 'boolean' }[]
  rows: AsyncIterable<Cell[]>
}

/** Reads the documents twice: first for the columns, then for the rows. */
export async function tabulate(documents: Documents): Promise<Table> {
  const { columns, list, kinds } = await collectColumns(documents)
  const at = new Map(columns.map((name, index) => [name, index]))
  async function* rows() {
    for await (const page of pagesIn(documents)) {
      const { lists, cells } = cellsOf(page)
      for (const [name, records] of lists) if (name !== list) cells.set(name, JSON.stringify(records))
      const records = (list && lists.get(list)) || [undefined]
      for (const record of records)
        yield rowOf(at, record ? new Map([...cells, ...flatten(record, list ?? '')]) : cells)
    }
  }
  const kindOf = (name: string) => (kinds.get(name)?.size === 1 ? [...kinds.get(name)!][0]! : 'string')
  return { columns: columns.map((name) => ({ name, kind: kindOf(name) })), rows: rows() }
}

type Kinds = Map<string, Set<Table['columns'][number]['kind']>>

async function collectColumns(documents: Documents) {
  const plain = new Set(PAGE_COLUMNS)
  const lists = new Map<string, Set<string>>()
  const kinds: Kinds = new Map()
  let isFull = false
  const note = (into: Set<string>, cells: Cells) => {
    for (const [name, value] of cells) {
      if (into.size < MAX_COLUMNS) into.add(name)
      else isFull ||= !into.has(name)
      if (into.has(name) && value !== undefined)
        kinds.set(name, (kinds.get(name) ?? new Set()).add(typeof value as 'string'))
    }
  }
  for await (const page of pagesIn(documents)) {
    const found = cellsOf(page)
    note(plain, found.cells)
    for (const [name, records] of found.lists) {
      if (!lists.has(name) && lists.size >= MAX_COLUMNS) {
        isFull = true
        continue
      }
      const columns = lists.get(name) ?? new Set()
      lists.set(name, columns)
      // With two lists none becomes rows, and their columns are not needed.
      if (lists.size === 1) for (const record of records) note(columns, flatten(record, name))
    }
  }
  const [list, second] = lists.keys()
  const isRows = list !== undefined && second === undefined
  const columns = [...new Set([...plain, ...(isRows ? lists.get(list)! : lists.keys())])]
  const kept = columns.slice(0, MAX_COLUMNS)
  // Another page may hold a single value where this one holds a list.
  for (const name of lists.keys()) kinds.set(name, new Set(['string']))
  return {
    columns: isFull || kept.length < columns.length ? [...kept, OTHER_COLUMN] : kept,
    list: isRows ? list : undefined,
    kinds,
  }
}

async function* pagesIn(documents: Documents): AsyncGenerator<Page> {
  for await (const text of documents()) {
    yield JSON.parse(text) as Page
    // A document may be large: let other requests run between two.
    await new Promise((resolve) => setImmediate(resolve))
  }
}

function cellsOf({ metadata, ...fields }: Page): { cells: Cells; lists: Map<string, object[]> } {
  const { title, url, sourceURL, statusCode } = metadata
  const cells: Cells = new Map<string, Cell>([
    ['url', sourceURL ?? url ?? ''],
    ['title', (Array.isArray(title) ? title[0] : title) ?? ''],
    ['statusCode', statusCode],
  ])
  const lists = new Map<string, object[]>()
  for (const field of ['json', 'product', 'items'] as const) {
    const value = fields[field]
    const parts = isObject(value) ? Object.entries(value).map(([key, part]) => [`${field}.${key}`, part] as const) : []
    for (const [name, part] of isObject(value) ? parts : [[field, value] as const])
      if (isListOfRecords(part)) lists.set(name, part)
      else if (part !== undefined) addCells(cells, part, name, 1)
  }
  return { cells, lists }
}

const isListOfRecords = (value: unknown): value is object[] =>
  Array.isArray(value) && value.length > 0 && value.every(isObject)

function flatten(record: object, name: string): Cells {
  const cells: Cells = new Map()
  addCells(cells, record, name, 1)
  return cells
}

function addCells(cells: Cells, value: unknown, name: string, depth: number): void {
  if (Array.isArray(value) && value.length === 0) return
  if (isObject(value) && depth < MAX_DEPTH)
    for (const [key, part] of Object.entries(value)) addCells(cells, part, `${name}.${key}`, depth + 1)
  else
    cells.set(
      name,
      typeof value === 'object' && value !== null ? JSON.stringify(value) : ((value ?? undefined) as Cell),
    )
}

function rowOf(at: ReadonlyMap<string, number>, cells: Cells): Cell[] {
  const row = new Array<Cell>(at.size).fill(undefined)
  const other: Record<string, string> = {}
  for (const [name, value] of cells) {
    const index = at.get(name)
    if (index !== undefined) row[index] = value
    else if (value !== undefined && value !== '') other[name] = String(value)
  }
  const index = at.get(OTHER_COLUMN)
  if (index !== undefined && Object.keys(other).length > 0) row[index] = JSON.stringify(other)
  return row
}

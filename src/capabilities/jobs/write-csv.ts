// The results of a job as CSV: a row per page, or per record when its pages hold one list of records.
import { writeCsv as csvOf } from '../../base/csv.ts'
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
type Cells = Map<string, string>
type Documents = () => AsyncIterable<string>

/** Reads the documents twice: first for the columns, then for the rows. */
export async function* writeCsv(documents: Documents): AsyncGenerator<string> {
  const { columns, list } = await collectColumns(documents)
  yield csvOf([columns])
  const at = new Map(columns.map((name, index) => [name, index]))
  for await (const page of pagesIn(documents)) {
    const { lists, cells } = cellsOf(page)
    for (const [name, records] of lists) if (name !== list) cells.set(name, JSON.stringify(records))
    const records = (list && lists.get(list)) || [undefined]
    for (const record of records)
      yield csvOf([rowOf(at, record ? new Map([...cells, ...flatten(record, list ?? '')]) : cells)])
  }
}

async function collectColumns(documents: Documents): Promise<{ columns: string[]; list: string | undefined }> {
  const plain = new Set(PAGE_COLUMNS)
  const lists = new Map<string, Set<string>>()
  let isFull = false
  const note = (into: Set<string>, names: Iterable<string>) => {
    for (const name of names) {
      if (into.size < MAX_COLUMNS) into.add(name)
      else isFull ||= !into.has(name)
    }
  }
  for await (const page of pagesIn(documents)) {
    const found = cellsOf(page)
    note(plain, found.cells.keys())
    for (const [name, records] of found.lists) {
      if (!lists.has(name) && lists.size >= MAX_COLUMNS) {
        isFull = true
        continue
      }
      const columns = lists.get(name) ?? new Set()
      lists.set(name, columns)
      // With two lists none becomes rows, and their columns are not needed.
      if (lists.size === 1) for (const record of records) note(columns, flatten(record, name).keys())
    }
  }
  const [list, second] = lists.keys()
  const isRows = list !== undefined && second === undefined
  const columns = [...new Set([...plain, ...(isRows ? lists.get(list)! : lists.keys())])]
  const kept = columns.slice(0, MAX_COLUMNS)
  return {
    columns: isFull || kept.length < columns.length ? [...kept, OTHER_COLUMN] : kept,
    list: isRows ? list : undefined,
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
  const cells: Cells = new Map([
    ['url', sourceURL ?? url ?? ''],
    ['title', (Array.isArray(title) ? title[0] : title) ?? ''],
    ['statusCode', String(statusCode ?? '')],
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
  else cells.set(name, typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value ?? ''))
}

function rowOf(at: ReadonlyMap<string, number>, cells: Cells): string[] {
  const row = new Array<string>(at.size).fill('')
  const other: Record<string, string> = {}
  for (const [name, text] of cells) {
    const index = at.get(name)
    if (index !== undefined) row[index] = text
    else if (text !== '') other[name] = text
  }
  const index = at.get(OTHER_COLUMN)
  if (index !== undefined && Object.keys(other).length > 0) row[index] = JSON.stringify(other)
  return row
}

// The answer of an agent run: single values with the page each comes from, lists as tables that can be saved.
import { saveText } from '../call.ts'
import { Card } from '../parts/card.tsx'
import { writeCsv } from '../parts/csv.ts'
import { JsonTree } from '../parts/json-tree.tsx'
import { type Column, Table } from '../parts/table.tsx'
import { safeHref } from '../words.ts'
import type { Source } from './agent-wire.ts'

type Item = Record<string, unknown>
type Sources = Readonly<Record<string, Source>>

const isRecord = (value: unknown): value is Item => value !== null && typeof value === 'object' && !Array.isArray(value)
const isItemList = (value: unknown): value is Item[] =>
  Array.isArray(value) && value.length > 0 && value.every(isRecord)

const textOf = (value: unknown): string =>
  value === null || value === undefined ? '' : typeof value === 'object' ? JSON.stringify(value) : String(value)

export function AgentAnswer({ title, data, sources = {} }: { title: string; data: unknown; sources?: Sources }) {
  const fields: Item = isRecord(data) ? data : { answer: data }
  const lists = Object.entries(fields).filter(([, value]) => isItemList(value)) as [string, Item[]][]
  const values = Object.entries(fields).filter(([, value]) => !isItemList(value))
  return (
    <>
      {values.length > 0 && (
        <Card title={title}>
          <Table
            label="Values and their source pages"
            columns={valueColumns}
            rows={values.map(([field, value]) => ({ field, value, source: sources[field] }))}
            id={({ field }) => field}
          />
        </Card>
      )}
      {lists.map(([field, items]) => (
        <ItemTable key={field} field={field} items={items} source={sourceOfList(sources, field)} />
      ))}
    </>
  )
}

interface Value {
  field: string
  value: unknown
  source: Source | undefined
}

const valueColumns: readonly Column<Value>[] = [
  { head: 'Field', kind: 'text', cell: ({ field }) => field },
  {
    head: 'Value',
    kind: 'text',
    cell: ({ value }) =>
      typeof value === 'object' && value !== null ? (
        <JsonTree value={value} />
      ) : (
        textOf(value) || <span class="faint">not found</span>
      ),
  },
  { head: 'Page', kind: 'text', cell: ({ source }) => (source ? <SourceLink source={source} /> : null) },
]

const SourceLink = ({ source: { url, quote } }: { source: Source }) => (
  <>
    <a class="break" href={safeHref(url)} rel="noreferrer" target="_blank">
      {url}
    </a>
    {quote && (
      <div>
        <q class="small soft">{quote}</q>
      </div>
    )}
  </>
)

const sourceOfList = (sources: Sources, field: string): Source | undefined =>
  sources[field] ?? Object.entries(sources).find(([path]) => path.startsWith(field))?.[1]

function ItemTable({ field, items, source }: { field: string; items: Item[]; source: Source | undefined }) {
  const names = [...new Set(items.flatMap((item) => Object.keys(item)))]
  const columns = names.map((name): Column<Item> => ({ head: name, kind: 'text', cell: (item) => textOf(item[name]) }))
  const csv = () => writeCsv([names, ...items.map((item) => names.map((name) => textOf(item[name])))])
  return (
    <Card
      title={`${field} (${items.length})`}
      aside={
        <div class="row">
          <button type="button" class="button slim" onClick={() => saveText(csv(), `${field}.csv`, 'text/csv')}>
            CSV
          </button>
          <button
            type="button"
            class="button slim"
            onClick={() => saveText(JSON.stringify(items, null, 2), `${field}.json`, 'application/json')}
          >
            JSON
          </button>
        </div>
      }
    >
      <Table label={field} columns={columns} rows={items} id={(item) => JSON.stringify(item)} />
      {source && (
        <p class="card-body small">
          From <SourceLink source={source} />
        </p>
      )}
    </Card>
  )
}

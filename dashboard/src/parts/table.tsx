// One table for every list: heads, rows, what to say while it is loading and when there is nothing. Where the screen is
// narrow each row becomes a card, with the heads beside its values (styles/table.css). Knows nothing of what it lists.
import type { ComponentChildren, VNode } from 'preact'
import { Loading } from './states.tsx'

export interface Column<Row> {
  /** What the column is called; of one that holds buttons, what they are for. */
  head: string
  cell(row: Row): ComponentChildren
  /** `number` stands at the right, `text` may break anywhere, `buttons` have no visible head. */
  kind?: 'number' | 'text' | 'buttons'
}

interface TableProps<Row> {
  /** What is listed, said to those who do not see it. */
  label: string
  columns: readonly Column<Row>[]
  /** Nothing yet: still loading. */
  rows: readonly Row[] | undefined
  id(row: Row): string
  /** Instead of a table without rows. */
  empty?: string | VNode
}

export function Table<Row>({ label, columns, rows, id, empty }: TableProps<Row>) {
  if (!rows) return <Loading />
  if (rows.length === 0 && empty !== undefined)
    return typeof empty === 'string' ? <p class="card-body help">{empty}</p> : empty
  return (
    <div class="scroll-x">
      <table>
        <caption class="sr-only">{label}</caption>
        <thead>
          <tr>
            {columns.map(({ head, kind }) => (
              <th scope="col" key={head} class={kind}>
                {kind === 'buttons' ? <span class="sr-only">{head}</span> : head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={id(row)}>
              {columns.map((column) => (
                <Cell key={column.head} column={column} row={row} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function Cell<Row>({ column: { head, kind, cell }, row }: { column: Column<Row>; row: Row }) {
  const content = cell(row)
  // A cell with nothing in it keeps the table straight, and takes no line of a card.
  return content === null || content === undefined || content === false ? (
    <td class="nothing" />
  ) : (
    <td class={kind} data-head={kind === 'buttons' ? undefined : head}>
      <div>{content}</div>
    </td>
  )
}

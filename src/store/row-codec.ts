// Rows as objects: a column in snake case is a field in camel case. Which columns hold JSON text or a flag as 0 or 1 is
// stated once per table, so that its columns are listed nowhere else.
import type { Insertable, Selectable } from 'kysely'

type Camel<Name> = Name extends `${infer Head}_${infer Rest}` ? `${Head}${Capitalize<Camel<Rest> & string>}` : Name

/** The fields of a table. `Decoded`: the types of those that are stored as JSON or as a flag. */
export type RowFields<Table, Decoded = unknown> = Decoded & {
  [Name in keyof Selectable<Table> as Exclude<Camel<Name>, keyof Decoded>]: Selectable<Table>[Name]
}

interface RowCodec<Table, Fields> {
  /** Of the columns that were selected. */
  read(row: Partial<Selectable<Table>>): Fields
  /** Fields that are undefined are left out. */
  write(fields: Partial<Fields>): Insertable<Table>
}

type Kind = 'plain' | 'json' | 'flag'

export function makeRowCodec<Table, Fields extends object>({
  json = [],
  flags = [],
}: {
  json?: readonly (keyof Fields)[]
  flags?: readonly (keyof Fields)[]
} = {}): RowCodec<Table, Fields> {
  const kindOf = (field: string): Kind =>
    json.includes(field as keyof Fields) ? 'json' : flags.includes(field as keyof Fields) ? 'flag' : 'plain'
  const fieldOf = makeNameTable((column) => {
    const field = column.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
    return { name: field, kind: kindOf(field) }
  })
  const columnOf = makeNameTable((field) => ({
    name: field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    kind: kindOf(field),
  }))
  return {
    read(row) {
      const fields: Record<string, unknown> = {}
      for (const [column, value] of Object.entries(row)) {
        const { name, kind } = fieldOf(column)
        fields[name] =
          kind === 'plain' ? value : kind === 'flag' ? value === 1 : value === null ? null : JSON.parse(String(value))
      }
      return fields as Fields
    },
    write(fields) {
      const columns: Record<string, unknown> = {}
      for (const [field, value] of Object.entries(fields)) {
        if (value === undefined) continue
        const { name, kind } = columnOf(field)
        columns[name] =
          kind === 'plain' ? value : kind === 'flag' ? Number(value) : value === null ? null : JSON.stringify(value)
      }
      return columns as Insertable<Table>
    },
  }
}

/** Each name is converted once. */
function makeNameTable<Value>(convert: (name: string) => Value): (name: string) => Value {
  const known = new Map<string, Value>()
  return (name) => {
    const found = known.get(name) ?? convert(name)
    known.set(name, found)
    return found
  }
}

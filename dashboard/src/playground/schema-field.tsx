// The schema of a json format: as fields with a name and a type, from an example, or as JSON Schema.
import type { ComponentType } from 'preact'
import { useState } from 'preact/hooks'
import { Choose } from '../parts/card.tsx'
import { type FieldProps, Help } from './field-parts.tsx'

const FORMS = { fields: 'fields', example: 'an example', schema: 'JSON Schema' } as const
type Form = keyof typeof FORMS

const TYPES = {
  text: { type: 'string' },
  number: { type: 'number' },
  'true or false': { type: 'boolean' },
  date: { type: 'string', format: 'date' },
  'list of texts': { type: 'array', items: { type: 'string' } },
} as const
type TypeName = keyof typeof TYPES

interface Row {
  name: string
  type: TypeName
}

/** The rows of a flat schema; undefined: it says more than rows can. */
function rowsOf(schema: unknown): Row[] | undefined {
  if (schema === undefined) return []
  const { type, properties, ...rest } = schema as { type?: unknown; properties?: Record<string, unknown> }
  if (type !== 'object' || !properties || Object.keys(rest).length > 0) return undefined
  const rows = Object.entries(properties).map(([name, own]) => ({
    name,
    type: (Object.keys(TYPES) as TypeName[]).find((one) => JSON.stringify(TYPES[one]) === JSON.stringify(own)),
  }))
  return rows.every((row): row is Row => row.type !== undefined) ? rows : undefined
}

function schemaOfRows(rows: readonly Row[]): object | undefined {
  const named = rows.flatMap(({ name, type }) => (name.trim() ? [[name.trim(), TYPES[type]] as const] : []))
  return named.length > 0 ? { type: 'object', properties: Object.fromEntries(named) } : undefined
}

/** The schema of an example: a list takes that of its first entry. */
function schemaOf(value: unknown): object {
  if (Array.isArray(value)) return { type: 'array', items: value.length > 0 ? schemaOf(value[0]) : {} }
  if (value === null) return {}
  if (typeof value !== 'object') return { type: typeof value }
  const properties = Object.fromEntries(Object.entries(value).map(([name, own]) => [name, schemaOf(own)]))
  return { type: 'object', properties }
}

export function SchemaField({ Json, ...props }: FieldProps & { Json: ComponentType<FieldProps> }) {
  const { value, onChange, schema } = props
  const [rows, setRows] = useState(() => rowsOf(value))
  const [example, setExample] = useState<unknown>()
  const [form, setForm] = useState<Form>(rows ? 'fields' : 'schema')
  const write = (next: Row[]) => {
    setRows(next)
    onChange(schemaOfRows(next))
  }
  const choose = (next: Form) => {
    if (next === 'fields') setRows(rowsOf(value) ?? [])
    setForm(next)
  }
  return (
    <fieldset class="field wide">
      <legend class="label small">Fields</legend>
      <Choose label="Write them as" words={FORMS} value={form} onChange={choose} />
      {form === 'schema' && <Json {...props} />}
      {form === 'example' && (
        <Json
          {...props}
          name="example"
          schema={{ description: 'An example of the response, with any values.' }}
          value={example}
          onChange={(next) => {
            setExample(next)
            onChange(next === undefined ? undefined : schemaOf(next))
          }}
        />
      )}
      {form === 'fields' && (
        <>
          {(rows ?? []).map((row, at) => (
            <div class="row" key={at}>
              <input
                class="grow"
                aria-label={`Name of field ${at + 1}`}
                placeholder="price"
                value={row.name}
                onInput={(event) => write(rows!.with(at, { ...row, name: event.currentTarget.value }))}
              />
              <select
                aria-label={`Type of field ${at + 1}`}
                value={row.type}
                onChange={(event) => write(rows!.with(at, { ...row, type: event.currentTarget.value as TypeName }))}
              >
                {Object.keys(TYPES).map((name) => (
                  <option key={name}>{name}</option>
                ))}
              </select>
              <button type="button" class="button slim plain" onClick={() => write(rows!.toSpliced(at, 1))}>
                Remove<span class="sr-only"> field {at + 1}</span>
              </button>
            </div>
          ))}
          <p>
            <button
              type="button"
              class="button slim"
              onClick={() => write([...(rows ?? []), { name: '', type: 'text' }])}
            >
              + Field
            </button>
          </p>
          <Help text={schema.description} />
        </>
      )}
    </fieldset>
  )
}

// A form from a schema: each kind of field in one small part. A value is kept only when it differs from the default, so
// that the call which is shown says no more than what was chosen.
import { signal } from '@preact/signals'
import { useEffect, useId, useState } from 'preact/hooks'
import { type FieldProps, type FieldsProps, Help, type Values } from './field-parts.tsx'
import { humanly, inUnits, spokenTime, UNITS, unitOf } from './groups.ts'
import { ListField, PicksField } from './list-fields.tsx'
import { kindOf, type Schema, spoken } from './schema.ts'
import { SchemaField } from './schema-field.tsx'

/** Fields whose text cannot be read as what it must be: a call with one of them is not sent. */
export const unread = signal<Readonly<Record<string, { name: string; because: string }>>>({})

function setUnread(id: string, wrong: { name: string; because: string } | undefined): void {
  const { [id]: before, ...rest } = unread.value
  if (wrong || before) unread.value = wrong ? { ...rest, [id]: wrong } : rest
}

export function Field(props: FieldProps) {
  const kind = kindOf(props.schema)
  switch (kind.kind) {
    case 'switch':
      return <SwitchField {...props} />
    case 'choice':
      return <ChoiceField {...props} options={kind.options} />
    case 'number':
      if (unitOf(props.name, props.schema) !== undefined) return <TimeField {...props} />
      return <NumberField {...props} whole={kind.whole} />
    case 'text':
      return <TextField {...props} long={kind.long} />
    case 'lines':
      return <LinesField {...props} />
    case 'pairs':
      return <PairsField {...props} />
    case 'picks':
      return <PicksField {...props} Fields={Fields} names={kind.names} variants={kind.variants} />
    case 'list':
      return <ListField {...props} Fields={Fields} variants={kind.variants} />
    case 'group':
      return (
        <fieldset class="field wide">
          <legend class="label small">{spoken(props.name)}</legend>
          <Help text={props.schema.description} />
          <div class="nested options">
            <Fields
              fields={kind.fields}
              required={kind.required}
              values={(props.value ?? {}) as Values}
              onChange={(values) => props.onChange(orNothing(values))}
            />
          </div>
        </fieldset>
      )
    case 'switch-group':
      return <SwitchGroupField {...props} fields={kind.fields} needed={kind.required} />
    default:
      return props.name === 'schema' ? <SchemaField {...props} Json={JsonField} /> : <JsonField {...props} />
  }
}

/** Every field of an object. */
export const Fields = ({ fields, required = [], values, onChange }: FieldsProps) => (
  <>
    {Object.entries(fields).map(([name, schema]) => (
      <Field
        key={name}
        name={name}
        schema={schema}
        value={values[name]}
        required={required.includes(name)}
        onChange={(value) => onChange(withValue(values, name, value))}
      />
    ))}
  </>
)

export function withValue(values: Values, name: string, value: unknown): Values {
  const { [name]: _old, ...rest } = values
  return value === undefined ? rest : { ...rest, [name]: value }
}

const orNothing = (values: Values): Values | undefined => (Object.keys(values).length > 0 ? values : undefined)

function SwitchField({ name, schema, value, onChange }: FieldProps) {
  const id = useId()
  const normal = schema.default === true
  return (
    <div class="check">
      <input
        type="checkbox"
        id={id}
        checked={typeof value === 'boolean' ? value : normal}
        aria-describedby={`${id}-help`}
        onChange={(event) => {
          const { checked } = event.currentTarget
          onChange(checked === normal ? undefined : checked)
        }}
      />
      <label for={id}>{spoken(name)}</label>
      <Help text={schema.description} id={`${id}-help`} />
    </div>
  )
}

function SwitchGroupField({
  name,
  schema,
  value,
  onChange,
  fields,
  needed,
}: FieldProps & { fields: Record<string, Schema>; needed: readonly string[] }) {
  const isOn = value !== undefined && value !== false
  const details = (typeof value === 'object' ? value : {}) as Values
  return (
    <div class="field">
      <SwitchField
        name={name}
        schema={{ ...schema, default: false }}
        value={isOn}
        onChange={(on) => onChange(on ? true : undefined)}
      />
      {isOn && (
        <div class="nested">
          <Fields
            fields={fields}
            required={needed}
            values={details}
            onChange={(values) => onChange(orNothing(values) ?? true)}
          />
        </div>
      )}
    </div>
  )
}

function ChoiceField({ name, schema, value, required, onChange, options }: FieldProps & { options: string[] }) {
  const id = useId()
  return (
    <div class="field">
      <label for={id}>{spoken(name)}</label>
      <select
        id={id}
        value={value === undefined ? '' : String(value)}
        onChange={(event) => onChange(event.currentTarget.value || undefined)}
      >
        <option value="">
          {schema.default === undefined ? (required ? 'Choose' : 'Default') : `Default (${schema.default})`}
        </option>
        {options.map((option) => (
          <option key={option}>{option}</option>
        ))}
      </select>
      <Help text={schema.description} />
    </div>
  )
}

function NumberField({ name, schema, value, required, onChange, whole }: FieldProps & { whole: boolean }) {
  const id = useId()
  const { minimum, maximum } = schema
  return (
    <div class="field">
      <label for={id}>{spoken(name)}</label>
      <input
        id={id}
        type="number"
        inputMode="numeric"
        required={required}
        step={whole ? 1 : 'any'}
        min={minimum}
        max={maximum !== undefined && maximum < Number.MAX_SAFE_INTEGER ? maximum : undefined}
        value={typeof value === 'number' ? value : ''}
        placeholder={schema.default === undefined ? '' : String(schema.default)}
        onInput={(event) => {
          const { value: text, valueAsNumber } = event.currentTarget
          onChange(text === '' || Number.isNaN(valueAsNumber) ? undefined : valueAsNumber)
        }}
      />
      <Help text={schema.description} />
    </div>
  )
}

/** A time: a number and its unit. The service gets what it counts in. */
function TimeField({ name, schema, value, onChange }: FieldProps) {
  const id = useId()
  const step = unitOf(name, schema) ?? 1
  const given = typeof value === 'number' ? inUnits(value * step) : undefined
  const usual = typeof schema.default === 'number' && schema.default > 0 ? schema.default * step : undefined
  const [unit, setUnit] = useState(given && given.amount > 0 ? given.unit : usual ? inUnits(usual).unit : 1000)
  const set = (amount: number, size: number) =>
    onChange(Number.isNaN(amount) ? undefined : Math.round((amount * size) / step))
  const amount = typeof value === 'number' ? (value * step) / unit : undefined
  return (
    <div class="field">
      <label for={id}>{spoken(name)}</label>
      <div class="row time-field">
        <input
          id={id}
          type="number"
          inputMode="decimal"
          min={0}
          step="any"
          value={amount ?? ''}
          placeholder={usual ? spokenTime(usual) : ''}
          aria-describedby={`${id}-help`}
          onInput={(event) =>
            set(event.currentTarget.value === '' ? Number.NaN : event.currentTarget.valueAsNumber, unit)
          }
        />
        <select
          aria-label={`Unit of ${spoken(name)}`}
          value={String(unit)}
          onChange={(event) => {
            const size = Number(event.currentTarget.value)
            setUnit(size)
            if (amount !== undefined) set(amount, size)
          }}
        >
          {UNITS.filter(([, size]) => size >= step).map(([label, size]) => (
            <option key={label} value={String(size)}>
              {label}
            </option>
          ))}
        </select>
      </div>
      <Help text={schema.description && humanly(schema.description)} id={`${id}-help`} />
    </div>
  )
}

function TextField({ name, schema, value, required, onChange, long }: FieldProps & { long: boolean }) {
  const id = useId()
  const props = {
    id,
    required,
    value: typeof value === 'string' ? value : '',
    placeholder: typeof schema.default === 'string' ? schema.default : '',
    spellcheck: false,
    onInput: (event: { currentTarget: { value: string } }) => onChange(event.currentTarget.value || undefined),
  }
  return (
    <div class="field">
      <label for={id}>{spoken(name)}</label>
      {long ? <textarea {...props} /> : <input type="text" {...props} />}
      <Help text={schema.description} />
    </div>
  )
}

/** Text that is read as something else: what was typed stays as it was typed. */
function ReadField({
  props: { name, schema, value, onChange },
  write,
  read,
  hint,
}: {
  props: FieldProps
  write(value: unknown): string
  /** Throws what is wrong. */
  read(text: string): unknown
  hint: string
}) {
  const id = useId()
  const [text, setText] = useState(() => (value === undefined ? '' : write(value)))
  const [wrong, setWrong] = useState<string>()
  const shown = value === undefined && !wrong ? '' : text
  useEffect(() => {
    setUnread(id, wrong === undefined ? undefined : { name: spoken(name), because: wrong })
    return () => setUnread(id, undefined)
  }, [id, name, wrong])
  return (
    <div class="field">
      <label for={id}>{spoken(name)}</label>
      <textarea
        id={id}
        value={shown}
        spellcheck={false}
        placeholder={hint}
        aria-invalid={wrong !== undefined}
        aria-describedby={`${id}-help`}
        onInput={(event) => {
          const typed = event.currentTarget.value
          setText(typed)
          try {
            setWrong(undefined)
            onChange(typed.trim() === '' ? undefined : read(typed))
          } catch (error) {
            setWrong((error as Error).message)
          }
        }}
      />
      <span class="help" id={`${id}-help`}>
        {wrong ? <strong>{wrong}</strong> : schema.description}
      </span>
    </div>
  )
}

const lines = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)

const LinesField = (props: FieldProps) => (
  <ReadField props={props} hint="One per line" write={(value) => (value as string[]).join('\n')} read={lines} />
)

const PairsField = (props: FieldProps) => (
  <ReadField
    props={props}
    hint={'Name: value\nOne per line'}
    write={(value) =>
      Object.entries(value as Record<string, string>)
        .map(([key, text]) => `${key}: ${text}`)
        .join('\n')
    }
    read={(text) =>
      Object.fromEntries(
        lines(text).map((line) => {
          const colon = line.indexOf(':')
          if (colon < 1) throw new Error(`“${line}” needs a name, a colon and a value.`)
          return [line.slice(0, colon).trim(), line.slice(colon + 1).trim()]
        }),
      )
    }
  />
)

const JsonField = (props: FieldProps) => (
  <ReadField
    props={props}
    hint="{ } JSON"
    write={(value) => JSON.stringify(value, null, 2)}
    read={(text) => {
      try {
        return JSON.parse(text)
      } catch (error) {
        throw new Error(`This is not valid JSON: ${placeIn(text, (error as Error).message)}`)
      }
    }}
  />
)

/** Where JSON breaks off, in lines: browsers tell a position, or a line and column. */
function placeIn(text: string, message: string): string {
  const at = /position (\d+)/.exec(message)?.[1]
  if (at === undefined || /line \d+/.test(message)) return message
  const before = text.slice(0, Number(at)).split('\n')
  return `${message.replace(/ at position \d+.*/, '')}, in line ${before.length}, column ${(before.at(-1) ?? '').length + 1}`
}

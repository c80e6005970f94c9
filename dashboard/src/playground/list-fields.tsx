// Fields that hold several things: names to tick, some with options of their own, and lists that grow.
import { useState } from 'preact/hooks'
import { query } from '../route.ts'
import { TeachLink } from '../screens/teach-link.tsx'
import { type FieldProps, type FieldsComponent, Help, type Values } from './field-parts.tsx'
import { FormatPicture } from './format-picture.tsx'
import { FORMAT_WORDS } from './groups.ts'
import { optionsOf, type Schema, spoken } from './schema.ts'
import { stateIn } from './state.ts'

/** The formats that most people want; the others are one click away. */
const COMMON: readonly string[] = ['markdown', 'json', 'screenshot', 'links', 'summary', 'product', 'html', 'question']

type Item = string | (Values & { type?: string })
const typeOf = (item: Item): string => (typeof item === 'string' ? item : (item.type ?? ''))

/** A thing without options of its own is its name alone. */
const simplifyItem = (type: string, options: Values): Item =>
  Object.keys(options).length > 0 ? { type, ...options } : type

/** The page that the call is about. */
const addressedPage = (): string => {
  const { url, urls } = stateIn(query.peek()).body ?? {}
  return String(url ?? (Array.isArray(urls) ? urls[0] : undefined) ?? '')
}

export function PicksField({
  name,
  schema,
  value,
  onChange,
  names,
  variants,
  Fields,
}: FieldProps & { names: string[]; variants: Record<string, Schema>; Fields: FieldsComponent }) {
  const all = [...new Set([...names, ...Object.keys(variants)])]
  const items = (value as Item[] | undefined) ?? []
  const set = (next: Item[]) => onChange(next.length > 0 ? next : undefined)
  const [showsAll, setShowsAll] = useState(false)
  const isChosen = (type: string) => items.some((item) => typeOf(item) === type)
  const isLong = name === 'formats' && all.length > COMMON.length
  const common = isLong
    ? [
        ...COMMON.filter((type) => all.includes(type)),
        ...all.filter((type) => !COMMON.includes(type) && isChosen(type)),
      ]
    : all
  const shown = isLong && showsAll ? [...common, ...all.filter((type) => !common.includes(type))] : common
  const needsOptions = (type: string) => (variants[type]?.required ?? []).some((field) => field !== 'type')
  return (
    <fieldset class="field wide">
      <legend class="label small">{spoken(name)}</legend>
      <Help text={schema.description} />
      <div class={name === 'formats' ? 'picks explained' : 'picks'}>
        {shown.map((type) => (
          <label class="pick" key={type} title={variants[type]?.description}>
            <input
              type="checkbox"
              checked={isChosen(type)}
              onChange={(event) =>
                set(
                  event.currentTarget.checked
                    ? [...items, needsOptions(type) ? { type } : type]
                    : items.filter((item) => typeOf(item) !== type),
                )
              }
            />
            {name === 'formats' && <FormatPicture name={type} />}
            <span>
              <span>{type}</span>
              {FORMAT_WORDS[type] && name === 'formats' && <span class="pick-words">{FORMAT_WORDS[type]}</span>}
            </span>
          </label>
        ))}
      </div>
      {isLong && (
        <p>
          <button
            type="button"
            class="button slim plain"
            aria-expanded={showsAll}
            onClick={() => setShowsAll(!showsAll)}
          >
            {showsAll ? 'Fewer formats' : `${all.length - common.length} more formats`}
          </button>
        </p>
      )}
      {items.map((item) => {
        const type = typeOf(item)
        const options = optionsOf(variants[type])
        if (Object.keys(options).length === 0) return null
        const { type: _type, ...values } = typeof item === 'string' ? { type } : item
        return (
          <fieldset class="nested" key={type} aria-label={type}>
            <span class="small">
              <strong>{type}</strong> <Help text={variants[type]?.description} />
            </span>
            {type === 'json' && <TeachLink url={addressedPage}>Teach by clicking on a page</TeachLink>}
            <div class="options">
              <Fields
                fields={options}
                required={variants[type]?.required ?? []}
                values={values}
                onChange={(next) =>
                  set(items.map((other) => (typeOf(other) === type ? simplifyItem(type, next) : other)))
                }
              />
            </div>
          </fieldset>
        )
      })}
    </fieldset>
  )
}

export function ListField({
  name,
  schema,
  value,
  onChange,
  variants,
  Fields,
}: FieldProps & { variants: Record<string, Schema>; Fields: FieldsComponent }) {
  const items = (value as (Values & { type?: string })[] | undefined) ?? []
  const set = (next: Values[]) => onChange(next.length > 0 ? next : undefined)
  const types = Object.keys(variants)
  return (
    <fieldset class="field wide">
      <legend class="label small">{spoken(name)}</legend>
      <Help text={schema.description} />
      {items.map((item, at) => {
        const variant = variants[item.type ?? ''] ?? variants['']
        const { type, ...values } = item
        return (
          <div class="nested" key={at}>
            <div class="row">
              <strong class="small">
                {at + 1}. {type ?? spoken(name)}
              </strong>
              <button
                type="button"
                class="button slim plain"
                onClick={() => set(items.filter((_, other) => other !== at))}
              >
                Remove<span class="sr-only"> {type ?? name}</span>
              </button>
            </div>
            <div class="options">
              <Fields
                fields={type === undefined ? (variant?.properties ?? {}) : optionsOf(variant)}
                required={variant?.required ?? []}
                values={values}
                onChange={(next) =>
                  set(items.map((other, index) => (index === at ? { ...(type ? { type } : {}), ...next } : other)))
                }
              />
            </div>
          </div>
        )
      })}
      <div class="picks">
        {types.map((type) => (
          <button
            type="button"
            class="button slim"
            key={type}
            onClick={() => set([...items, type === '' ? {} : { type }])}
          >
            + {type || 'Add'}
          </button>
        ))}
      </div>
    </fieldset>
  )
}

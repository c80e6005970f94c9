// The options of a task: what matters most in the open, the rest in groups.
import { useState } from 'preact/hooks'
import { Badge } from '../parts/states.tsx'
import type { Values } from './field-parts.tsx'
import { Field, withValue } from './fields.tsx'
import { grouped } from './groups.ts'
import type { Capability, Schema } from './schema.ts'

/** How many pages, before anything else: that is what a task costs. */
const FIRST = ['limit'] as const

export function Options({
  capability: { path, fields },
  values,
  onChange,
}: {
  capability: Capability
  values: Values
  onChange(values: Values): void
}) {
  const [filter, setFilter] = useState('')
  const set = (name: string, value: unknown) => onChange(withValue(values, name, value))
  const { formats, ...withoutFormats } = fields
  const first = FIRST.filter((name) => fields[name])
  const others = Object.fromEntries(
    Object.entries(withoutFormats).filter(([name]) => !first.some((one) => one === name)),
  )
  const chosen = Object.keys(values).filter((name) => name in others && name !== 'scrapeOptions')
  const inner = fields.scrapeOptions && formatsIn(fields.scrapeOptions)
  const ofPages = (values.scrapeOptions ?? {}) as Values
  const shown = grouped(
    Object.fromEntries(
      Object.entries(others).filter(([name, { description = '' }]) =>
        `${name} ${description}`.toLowerCase().includes(filter.toLowerCase()),
      ),
    ),
  )
  return (
    <>
      {first.map((name) => (
        <Field
          key={`${path}:${name}`}
          name={name}
          schema={fields[name]!}
          value={values[name]}
          onChange={(value) => set(name, value)}
        />
      ))}
      {formats && (
        <Field
          key={path}
          name="formats"
          schema={formats}
          value={values.formats}
          onChange={(value) => set('formats', value)}
        />
      )}
      {inner && path !== '/v2/crawl/plan' && (
        <Field
          key={`${path}:inner`}
          name="formats"
          schema={inner}
          value={ofPages.formats}
          onChange={(value) => {
            const next = withValue(ofPages, 'formats', value)
            set('scrapeOptions', Object.keys(next).length > 0 ? next : undefined)
          }}
        />
      )}
      <details class="more">
        <summary class="row">
          <strong class="small">Options</strong>
          <span class="small faint">{Object.keys(others).length}</span>
          {chosen.length > 0 && <Badge kind="live">{chosen.length} set</Badge>}
        </summary>
        <div class="stack">
          <div class="row">
            <input
              type="search"
              class="grow"
              aria-label="Find an option"
              placeholder="Find an option"
              value={filter}
              onInput={(event) => setFilter(event.currentTarget.value)}
            />
            <button
              type="button"
              class="button slim"
              disabled={chosen.length === 0}
              onClick={() =>
                onChange(Object.fromEntries(Object.entries(values).filter(([name]) => !chosen.includes(name))))
              }
            >
              Reset all
            </button>
          </div>
          {shown.map(([title, list]) => (
            <section class="option-group" key={title} aria-label={title}>
              <h3>{title}</h3>
              <div class="options">
                {list.map(([name, schema]) => (
                  <Field
                    key={`${path}:${name}`}
                    name={name}
                    schema={schema}
                    value={values[name]}
                    onChange={(value) => set(name, value)}
                  />
                ))}
              </div>
            </section>
          ))}
          {shown.length === 0 && <p class="help">No option has this name.</p>}
        </div>
      </details>
    </>
  )
}

/** What to make of each page of a job, where its options are below `scrapeOptions`. */
function formatsIn({ properties, anyOf }: Schema): Schema | undefined {
  return properties?.formats ?? anyOf?.find((branch) => branch.properties?.formats)?.properties?.formats
}

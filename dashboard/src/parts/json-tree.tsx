// Any JSON as a tree that opens and closes. Branches are drawn when they are opened, and long ones in parts.
import { useState } from 'preact/hooks'

const AT_ONCE = 100
const MOST_TEXT = 2000

export const JsonTree = ({ value }: { value: unknown }) => (
  <div class="tree">
    <Node value={value} open={2} />
  </div>
)

function Node({ name, value, open }: { name?: string; value: unknown; open: number }) {
  const label = name === undefined ? null : <span class="name">{name}: </span>
  if (value === null || typeof value !== 'object')
    return (
      <div>
        {label}
        <Leaf value={value} />
      </div>
    )
  return <Branch label={label} value={value} open={open} />
}

function Branch({ label, value, open }: { label: preact.ComponentChild; value: object; open: number }) {
  const [isOpen, setOpen] = useState(open > 0)
  const [most, setMost] = useState(AT_ONCE)
  const entries = Object.entries(value)
  const size = Array.isArray(value) ? `[${entries.length}]` : `{${entries.length}}`
  return (
    <details open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        {label}
        <span class="faint">{size}</span>
      </summary>
      {isOpen && (
        <ul>
          {entries.slice(0, most).map(([key, inner]) => (
            <li key={key}>
              <Node name={key} value={inner} open={open - 1} />
            </li>
          ))}
          {entries.length > most && (
            <li>
              <button type="button" class="button slim" onClick={() => setMost(most + AT_ONCE * 5)}>
                {entries.length - most} more
              </button>
            </li>
          )}
        </ul>
      )}
    </details>
  )
}

function Leaf({ value }: { value: unknown }) {
  if (typeof value !== 'string') return <span class="number">{String(value)}</span>
  const text = value.length > MOST_TEXT ? `${value.slice(0, MOST_TEXT)} …` : value
  return <span class="string">{JSON.stringify(text)}</span>
}

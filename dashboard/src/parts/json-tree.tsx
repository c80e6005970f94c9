// Any JSON as a tree that opens and closes. Branches are drawn when they are opened, and long ones in parts.
import { useState } from 'preact/hooks'

const AT_ONCE = 100
const MOST_TEXT = 2000

/** Draws a value that has none inside of it; `path` is where it stands: `offers[0].price`. */
type DrawLeaf = (path: string, value: unknown, drawn: preact.ComponentChild) => preact.ComponentChild

export const JsonTree = ({ value, open = 2, leaf }: { value: unknown; open?: number; leaf?: DrawLeaf }) => (
  <div class="tree">
    <Node value={value} open={open} path="" leaf={leaf} />
  </div>
)

interface Place {
  path: string
  open: number
  leaf: DrawLeaf | undefined
}

function Node({ name, value, ...place }: Place & { name?: string; value: unknown }) {
  const label = name === undefined ? null : <span class="name">{name}: </span>
  if (value === null || typeof value !== 'object') {
    const drawn = <Leaf value={value} />
    return (
      <div>
        {label}
        {place.leaf ? place.leaf(place.path, value, drawn) : drawn}
      </div>
    )
  }
  return <Branch label={label} value={value} {...place} />
}

function Branch({ label, value, open, path, leaf }: Place & { label: preact.ComponentChild; value: object }) {
  const [isOpen, setOpen] = useState(open > 0)
  const [most, setMost] = useState(AT_ONCE)
  const entries = Object.entries(value)
  const isList = Array.isArray(value)
  const size = isList ? `[${entries.length}]` : `{${entries.length}}`
  const childPathOf = (key: string) => (isList ? `${path}[${key}]` : path ? `${path}.${key}` : key)
  return (
    <details open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        {label}
        <span class="faint">{size}</span>
      </summary>
      {isOpen && (
        <ul>
          {entries.slice(0, most).map(([key, one]) => (
            <li key={key}>
              <Node name={key} value={one} open={open - 1} path={childPathOf(key)} leaf={leaf} />
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

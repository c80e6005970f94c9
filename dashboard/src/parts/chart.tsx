// Small charts, drawn as SVG: bars by day in layers, and shares as one bar. Each has its numbers in words beside it.
import { short } from '../words.ts'

export interface Layer {
  name: string
  colour: string
}

export const palette: readonly string[] = ['#17807a', '#c26a12', '#5267c9', '#b4407f', '#5f8a2c', '#7a5cc0', '#8a7a53']
const REST = '#7b8683'

const W = 720
const H = 200
const LEFT = 44
const BOTTOM = 22

/** The next round number: 1, 2 or 5 times a power of ten. */
function roundUp(value: number): number {
  if (value <= 4) return 4
  const power = 10 ** Math.floor(Math.log10(value))
  return ([1, 2, 5, 10].find((step) => step * power >= value) ?? 10) * power
}

/** `rows` are days in order; `values` of a row follow the layers. */
export function DayChart({
  label,
  layers,
  rows,
}: {
  label: string
  layers: readonly Layer[]
  rows: readonly { day: string; values: readonly number[] }[]
}) {
  const sums = rows.map(({ values }) => values.reduce((sum, value) => sum + value, 0))
  const top = roundUp(Math.max(0, ...sums))
  const step = (W - LEFT) / Math.max(1, rows.length)
  const y = (value: number) => (H - BOTTOM) * (1 - value / top) + 6
  const total = sums.reduce((sum, value) => sum + value, 0)
  const busiest = sums.indexOf(Math.max(...sums))
  return (
    <figure class="stack">
      <svg
        class="chart"
        viewBox={`0 0 ${W} ${H + 8}`}
        role="img"
        aria-label={`${label}: ${short(total)} in all; most on ${rows[busiest]?.day ?? '–'} with ${short(sums[busiest] ?? 0)}`}
      >
        {[0, top / 2, top].map((value) => (
          <g key={value}>
            <line class="grid" x1={LEFT} x2={W} y1={y(value)} y2={y(value)} />
            <text x={LEFT - 8} y={y(value) + 4} text-anchor="end">
              {short(value)}
            </text>
          </g>
        ))}
        {rows.map(({ day, values }, at) => {
          let below = 0
          const x = LEFT + at * step
          return (
            <g key={day}>
              <title>{`${day}: ${short(sums[at] ?? 0)}`}</title>
              {values.map((value, layer) => {
                const from = y(below)
                below += value
                return value === 0 ? null : (
                  <rect
                    key={layers[layer]?.name}
                    x={x + step * 0.14}
                    width={Math.max(1, step * 0.72)}
                    y={y(below)}
                    height={Math.max(1, from - y(below))}
                    fill={layers[layer]?.colour}
                    rx={1.5}
                  />
                )
              })}
              {(at === 0 || at === rows.length - 1 || at === Math.floor(rows.length / 2)) && (
                <text
                  x={at === 0 ? x : at === rows.length - 1 ? x + step : x + step / 2}
                  y={H + 4}
                  text-anchor={at === 0 ? 'start' : at === rows.length - 1 ? 'end' : 'middle'}
                >
                  {day}
                </text>
              )}
            </g>
          )
        })}
      </svg>
      {layers.length > 1 && <Legend layers={layers} />}
    </figure>
  )
}

export const Legend = ({ layers }: { layers: readonly (Layer & { value?: string })[] }) => (
  <ul class="legend">
    {layers.map(({ name, colour, value }) => (
      <li key={name}>
        <i style={{ background: colour }} aria-hidden="true" />
        {name}
        {value && <span class="number faint"> {value}</span>}
      </li>
    ))}
  </ul>
)

/** The largest few, and the rest as one. */
export function topOf<T>(rows: readonly T[], value: (row: T) => number, most = 6): { top: T[]; rest: number } {
  const sorted = rows.toSorted((a, b) => value(b) - value(a))
  return { top: sorted.slice(0, most), rest: sorted.slice(most).reduce((sum, row) => sum + value(row), 0) }
}

export function Shares({ label, parts }: { label: string; parts: readonly { name: string; value: number }[] }) {
  const total = parts.reduce((sum, { value }) => sum + value, 0)
  if (total === 0) return <p class="help">Nothing yet.</p>
  const layers = parts.map(({ name, value }, at) => ({
    name,
    colour: palette[at] ?? REST,
    value: `${short(value)} (${Math.round((value / total) * 100)} %)`,
  }))
  let from = 0
  return (
    <figure class="stack">
      <svg class="chart" viewBox="0 0 720 22" role="img" aria-label={label}>
        {parts.map(({ name, value }, at) => {
          const x = (from / total) * 720
          from += value
          return <rect key={name} x={x} width={(value / total) * 720} height={22} fill={layers[at]?.colour} />
        })}
      </svg>
      <Legend layers={layers} />
    </figure>
  )
}

// Small charts, drawn as SVG: bars by day in layers, and shares as one bar. Each has its numbers in words beside it.
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { short } from '../words.ts'

interface Layer {
  name: string
  colour: string
}

export const palette: readonly string[] = ['#17807a', '#c26a12', '#5267c9', '#b4407f', '#5f8a2c', '#7a5cc0', '#8a7a53']
const REST = '#7b8683'

const H = 200
const LEFT = 44
const BOTTOM = 22

/** Lines at round numbers, the last at or above the value: four or five of them. */
function linesTo(value: number): number[] {
  const power = 10 ** Math.floor(Math.log10(Math.max(4, value) / 4))
  const step =
    ([1, 2, 2.5, 5, 10].find((factor) => factor * power * 4 >= value && Number.isInteger(factor * power)) ?? 10) * power
  const most = Math.max(1, Math.ceil(value / step))
  return Array.from({ length: most + 1 }, (_, at) => at * step)
}

/** How wide the drawing really is, so that its words keep their size. */
function useWidth() {
  const element = useRef<SVGSVGElement>(null)
  const [width, setWidth] = useState(720)
  useLayoutEffect(() => {
    const look = new ResizeObserver(([entry]) => setWidth(Math.max(240, Math.round(entry?.contentRect.width ?? 720))))
    if (element.current) look.observe(element.current)
    return () => look.disconnect()
  }, [])
  return { element, width }
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
  const { element, width } = useWidth()
  const lines = linesTo(Math.max(0, ...sums))
  const top = lines.at(-1)!
  const step = (width - LEFT) / Math.max(1, rows.length)
  const y = (value: number) => (H - BOTTOM) * (1 - value / top) + 6
  const total = sums.reduce((sum, value) => sum + value, 0)
  const busiest = sums.indexOf(Math.max(...sums))
  return (
    <figure class="stack">
      <svg
        class="chart"
        ref={element}
        height={H + 8}
        role="img"
        aria-label={`${label}: ${short(total)} in total; highest on ${rows[busiest]?.day ?? '–'} with ${short(sums[busiest] ?? 0)}`}
      >
        {lines.map((value) => (
          <g key={value}>
            <line class="grid" x1={LEFT} x2={width} y1={y(value)} y2={y(value)} />
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
              <title>{describeDay(day, sums[at] ?? 0, values, layers)}</title>
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

/** A day in words: `2026-11-15: 120 (crawl 80, scrape 40)`. */
function describeDay(day: string, sum: number, values: readonly number[], layers: readonly Layer[]): string {
  const parts = values.flatMap((value, at) => (value > 0 ? [`${layers[at]?.name} ${short(value)}`] : []))
  return `${day}: ${short(sum)}${parts.length > 1 ? ` (${parts.join(', ')})` : ''}`
}

const Legend = ({ layers }: { layers: readonly (Layer & { value?: string })[] }) => (
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

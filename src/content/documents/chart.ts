// Converts a chart to the table behind it: one row per category, one column per series.
import type { AnyNode, Element } from 'domhandler'
import { all, escaped, first, textIn } from '../markup.ts'

const MAX_SERIES = 50
const MAX_POINTS = 2000

export function chartRows(root: AnyNode): string[][] {
  const series = all(root, 'c:ser').slice(0, MAX_SERIES)
  const columns = series.map((one) => pointsIn(first(one, 'c:val') ?? first(one, 'c:yVal')))
  const categories = series
    .map((one) => pointsIn(first(one, 'c:cat') ?? first(one, 'c:xVal')))
    .find(({ length }) => length)
  const length = Math.min(MAX_POINTS, Math.max(0, ...columns.map((column) => column.length)))
  if (length === 0) return []
  const title = first(root, 'c:title')
  const name = title ? all(title, 'a:t').map(textIn).join('') : ''
  const heads = series.map((one) => {
    const text = first(one, 'c:tx')
    return escaped(text ? all(text, 'c:v').map(textIn).join(' ') : '')
  })
  return [
    [escaped(name), ...heads],
    ...Array.from({ length }, (_, at) => [categories?.[at] ?? '', ...columns.map((column) => column[at] ?? '')]),
  ]
}

function pointsIn(element: Element | undefined): string[] {
  const points: string[] = []
  for (const point of element ? all(element, 'c:pt') : []) {
    const at = Number(point.attribs.idx)
    const value = first(point, 'c:v')
    if (Number.isInteger(at) && at >= 0 && at < MAX_POINTS && value) points[at] = escaped(textIn(value).trim())
  }
  return Array.from(points, (point) => point ?? '')
}

// Converts a chart to the table behind it: one row per category, one column per series.

import type { AnyNode, Element } from 'domhandler'
import { escapeHtml } from '../../base/escape-html.ts'
import { findAllElements, findFirstElement, xmlTextOf } from '../walk-xml.ts'

const MAX_SERIES = 50
const MAX_POINTS = 2000

export function chartToRows(root: AnyNode): string[][] {
  const series = findAllElements(root, 'c:ser').slice(0, MAX_SERIES)
  const columns = series.map((one) => pointsIn(findFirstElement(one, 'c:val') ?? findFirstElement(one, 'c:yVal')))
  const categories = series
    .map((one) => pointsIn(findFirstElement(one, 'c:cat') ?? findFirstElement(one, 'c:xVal')))
    .find(({ length }) => length)
  const length = Math.min(MAX_POINTS, Math.max(0, ...columns.map((column) => column.length)))
  if (length === 0) return []
  const title = findFirstElement(root, 'c:title')
  const name = title ? findAllElements(title, 'a:t').map(xmlTextOf).join('') : ''
  const heads = series.map((one) => {
    const text = findFirstElement(one, 'c:tx')
    return escapeHtml(text ? findAllElements(text, 'c:v').map(xmlTextOf).join(' ') : '')
  })
  return [
    [escapeHtml(name), ...heads],
    ...Array.from({ length }, (_, at) => [categories?.[at] ?? '', ...columns.map((column) => column[at] ?? '')]),
  ]
}

function pointsIn(element: Element | undefined): string[] {
  const points: string[] = []
  for (const point of element ? findAllElements(element, 'c:pt') : []) {
    const at = Number(point.attribs.idx)
    const value = findFirstElement(point, 'c:v')
    if (Number.isInteger(at) && at >= 0 && at < MAX_POINTS && value) points[at] = escapeHtml(xmlTextOf(value).trim())
  }
  return Array.from(points, (point) => point ?? '')
}

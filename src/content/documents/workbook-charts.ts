// The charts of a workbook's sheets, and of OpenDocument files, as the tables behind them.

import { escapeHtml } from '../../base/escape-html.ts'
import { findAllElements, findFirstElement, parseXml, xmlTextOf } from '../walk-xml.ts'
import { chartToRows } from './chart-to-rows.ts'
import { findMainPart, readRelations, resolvePartName } from './office-relations.ts'
import type { Archive } from './zip-archive.ts'

type ChartsBySheet = ReadonlyMap<string, string[][][]>

const MAX_CHARTS = 200
/** The library has parsed the cells once; a second tree of a large sheet would take too much memory. */
const MAX_CONTENT_CHARS = 20_000_000

export function readWorkbookCharts(archive: Archive): ChartsBySheet {
  const main = findMainPart(archive)
  const text = archive.names.some((name) => name.startsWith('xl/charts/')) ? archive.text(main) : undefined
  const parts = readRelations(archive, main)
  const relatedOf = (part: string, type: string) =>
    [...readRelations(archive, part).values()].flatMap((one) =>
      one.type === type && !one.isExternal ? one.target : [],
    )
  let left = MAX_CHARTS
  return new Map(
    (text === undefined || main.endsWith('.bin') ? [] : findAllElements(parseXml(text), 'sheet')).map(({ attribs }) => {
      const drawings = relatedOf(parts.get(attribs['r:id'] ?? '')?.target ?? '', 'drawing')
      const charts = drawings.flatMap((drawing) => relatedOf(drawing, 'chart')).slice(0, left)
      left -= charts.length
      return [attribs.name ?? '', charts.map((chart) => chartToRows(parseXml(archive.text(chart) ?? '')))]
    }),
  )
}

export function readOdsCharts(archive: Archive): ChartsBySheet {
  const text = archive.names.some(isObject) ? archive.text('content.xml') : undefined
  if (text === undefined || text.length > MAX_CONTENT_CHARS) return new Map()
  return new Map(
    findAllElements(parseXml(text), 'table:table').map((table) => [
      table.attribs['table:name'] ?? '',
      findAllElements(table, 'draw:object')
        .slice(0, MAX_CHARTS)
        .map(({ attribs }) => readOdfChart(archive, attribs['xlink:href'])),
    ]),
  )
}

const isObject = (name: string): boolean => /^Object[^/]*\/content\.xml$/.test(name)

/** An embedded object keeps the figures of its chart in a table of its own. */
export function readOdfChart(archive: Archive, address: string | undefined): string[][] {
  const name = resolvePartName('', `${address}/content.xml`)
  const text = isObject(name) ? archive.text(name) : undefined
  const root = text === undefined ? undefined : findFirstElement(parseXml(text), 'office:chart')
  const table = root && findFirstElement(root, 'table:table')
  if (!root || !table) return []
  const title = findFirstElement(root, 'chart:title')
  const rows = findAllElements(table, 'table:table-row').map((row) =>
    findAllElements(row, 'table:table-cell').map((cell) => escapeHtml(xmlTextOf(cell).trim())),
  )
  if (title && rows[0]?.[0] === '') rows[0][0] = escapeHtml(xmlTextOf(title).trim())
  return rows
}

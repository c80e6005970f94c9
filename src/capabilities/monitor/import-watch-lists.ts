// Imports watch lists as monitor requests: changedetection.io JSON (API list or stored watches), flat urlwatch YAML, a
// list of URLs, and our own export.

import { parseJsonBody } from '../../base/parse-json-body.ts'
import { isObject } from '../../base/values.ts'

type ImportRequest = { name: string; [field: string]: unknown }

interface Imported {
  requests: ImportRequest[]
  skipped: { entry: string; because: string }[]
}

const record = (value: unknown): Record<string, unknown> | undefined => (isObject(value) ? value : undefined)
const text = (value: unknown): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined
const texts = (value: unknown): string[] =>
  (Array.isArray(value) ? value : [value]).flatMap((one) => text(one) ?? []).slice(0, 50)

export function readImportedMonitors(data: unknown, schedule: string, most: number): Imported {
  const imported: Imported = { requests: [], skipped: [] }
  for (const [name, entry] of entriesOf(data)) {
    if (imported.requests.length >= most) {
      imported.skipped.push({ entry: name, because: `only ${most} are imported at once` })
      continue
    }
    const options = requestOf(name, entry, schedule)
    if (typeof options === 'string') imported.skipped.push({ entry: name, because: options })
    else imported.requests.push(options)
  }
  return imported
}

function entriesOf(data: unknown): [string, unknown][] {
  if (typeof data === 'string') {
    const trimmed = data.trim()
    if (/^[[{]/.test(trimmed)) {
      try {
        return entriesOf(parseJsonBody(trimmed))
      } catch {
        return [['list', undefined]]
      }
    }
    return /^\s*(?:kind|name|url|navigate)\s*:/m.test(trimmed)
      ? yamlDocuments(trimmed).map((entry, at) => [text(entry.name) ?? text(entry.url) ?? `entry ${at + 1}`, entry])
      : trimmed
          .split(/\s*\n\s*/)
          .filter((line) => line !== '' && !line.startsWith('#'))
          .map((line) => [line, line])
  }
  if (Array.isArray(data)) return data.map((entry, at) => [nameOf(entry) ?? `entry ${at + 1}`, entry])
  const whole = record(data)
  if (!whole) return []
  // Our own export, changedetection.io's stored file, or its API list by id.
  const inner = whole.monitors ?? whole.watching ?? whole
  return Array.isArray(inner)
    ? entriesOf(inner)
    : Object.entries(record(inner) ?? {}).map(([id, entry]) => [nameOf(entry) ?? id, entry])
}

const nameOf = (entry: unknown): string | undefined => {
  const fields = record(entry)
  return text(fields?.name) ?? text(fields?.title) ?? text(fields?.url) ?? text(entry)
}

function requestOf(name: string, entry: unknown, schedule: string): ImportRequest | string {
  const fields = record(entry) ?? { url: entry }
  if (Array.isArray(fields.targets)) return { ...fields, name: name.slice(0, 256) } as ImportRequest
  const url = text(fields.url) ?? text(fields.navigate)
  if (!url) return 'it names no address'
  if (!/^https?:\/\//i.test(url)) return 'only http and https addresses can be watched'
  const watch = {
    only: [...texts(fields.include_filters), ...texts(cssOf(fields.filter))].filter(isCss),
    ignoreSelectors: texts(fields.subtractive_selectors).filter(isCss),
    ignoreText: texts(fields.ignore_text).filter((line) => !/^\/.*\/\w*$/.test(line)),
    ignorePatterns: texts(fields.ignore_text).flatMap((line) => /^\/(.*)\/\w*$/.exec(line)?.[1] ?? []),
    alertWhen: texts(fields.trigger_text).map((wanted) => ({ type: 'appears', text: wanted })),
  }
  return {
    name: name.slice(0, 256),
    schedule: { text: intervalToScheduleText(fields.time_between_check) ?? schedule },
    targets: [{ type: 'scrape', urls: [url], ...headersOf(fields) }],
    watch,
  }
}

const isCss = (selector: string): boolean => !/^(?:xpath|json|jq)/i.test(selector) && !selector.startsWith('/')

const cssOf = (filter: unknown): unknown =>
  (Array.isArray(filter) ? filter : []).map((one) => text(record(one)?.css) ?? text(record(record(one)?.css)?.selector))

function headersOf(fields: Record<string, unknown>): object {
  const headers = Object.fromEntries(
    Object.entries(record(fields.headers) ?? {}).filter(
      (pair): pair is [string, string] => typeof pair[1] === 'string',
    ),
  )
  return Object.keys(headers).length > 0 ? { scrapeOptions: { headers } } : {}
}

/** changedetection.io's weeks, days, hours and minutes, rounded to a divisor of an hour or a day. */
function intervalToScheduleText(given: unknown): string | undefined {
  const parts = record(given)
  if (!parts) return undefined
  const of = (unit: string) => Number(parts[unit] ?? 0) || 0
  const minutes = of('weeks') * 10_080 + of('days') * 1440 + of('hours') * 60 + of('minutes') + of('seconds') / 60
  if (minutes <= 0) return undefined
  if (minutes >= 10_080) return 'weekly'
  if (minutes >= 1440) return 'daily'
  const findNearest = (choices: readonly number[], wanted: number) =>
    choices.reduce((best, one) => (Math.abs(one - wanted) < Math.abs(best - wanted) ? one : best))
  if (minutes >= 60)
    return `every ${findNearest([1, 2, 3, 4, 6, 8, 12], minutes / 60)} hours`.replace('every 1 hours', 'hourly')
  return `every ${findNearest([5, 6, 10, 12, 15, 20, 30], minutes)} minutes`
}

/** YAML documents of flat keys and lists of one flat key each, which covers most urlwatch lists. */
function yamlDocuments(source: string): Record<string, unknown>[] {
  return source.split(/^---.*$/m).flatMap((document) => {
    const fields: [string, unknown][] = []
    for (const line of document.split('\n')) {
      const item = /^\s+-\s*(\w+)\s*:\s*(.+)$/.exec(line)
      const field = /^(\w+)\s*:\s*(.*)$/.exec(line)
      const last = fields.at(-1)
      if (item && last && Array.isArray(last[1])) (last[1] as unknown[]).push({ [item[1]!]: removeQuotes(item[2]!) })
      else if (field) fields.push([field[1]!, field[2] === '' ? [] : removeQuotes(field[2]!)])
    }
    return fields.length > 0 ? [Object.fromEntries(fields)] : []
  })
}

const removeQuotes = (value: string): string => value.trim().replace(/^(["'])(.*)\1$/, '$2')

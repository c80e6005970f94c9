// Merges the data of several pages into one result. Lists are joined and deduplicated; single values come only from
// pages about the same thing.

import { getDomain } from 'tldts'
import { isObject } from '../../base/values.ts'

export type ExtractedPage = { url: string; json: unknown }

type MergedExtract = { data: unknown; sources: Record<string, string[]>; warnings: string[] }

type Row = Record<string, unknown>

const isEmpty = (value: unknown): boolean =>
  value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0)

/** Fields that identify a row, most reliable first. */
const IDENTIFYING_FIELDS = [
  /^(?:id|url|link|sku|isbn)$/i,
  /^name$/i,
  /(?:_name|Name)$/,
  /^title$/i,
  /(?:_title|Title)$/,
]

type Identity = { field: string; value: string }

function identityOf(row: Row, from = 0): Identity | undefined {
  for (const pattern of IDENTIFYING_FIELDS.slice(from))
    for (const [field, value] of Object.entries(row)) {
      if (typeof value !== 'string' || !pattern.test(field)) continue
      const folded = value.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '')
      if (folded) return { field, value: folded }
    }
  return undefined
}

export function mergeExtractedPages(answers: readonly ExtractedPage[]): MergedExtract {
  const [first] = answers
  if (answers.length === 1 && first) return { data: first.json, sources: collectSources(answers), warnings: [] }
  if (answers.some(({ json }) => Array.isArray(json))) {
    const lists = answers.map(({ json }) => (Array.isArray(json) ? json : [json]))
    return { data: joinLists(lists), sources: collectSources(answers), warnings: [] }
  }
  const rows = answers.flatMap(({ url, json }) => (isObject(json) ? [{ url, row: json }] : []))
  if (rows.length === 0)
    return { data: first?.json ?? null, sources: collectSources(answers.slice(0, 1)), warnings: [] }
  const groups = mergeComplementingGroups(groupsOf(rows))
  const main = [...groups].sort((a, b) => countFilledFields(b) - countFilledFields(a))[0]!
  const names = [...new Set(rows.flatMap(({ row }) => Object.keys(row)))].filter((name) => name !== '__proto__')
  const sources: Record<string, string[]> = {}
  const data = Object.fromEntries(
    names.map((name) => {
      const isList = rows.some(({ row }) => Array.isArray(row[name]))
      // A list may combine pages; a single value must come from one thing.
      const from = (isList ? rows : main).filter(({ row }) => !isEmpty(row[name]))
      if (from.length > 0) sources[name] = from.map(({ url }) => url)
      const values = from.map(({ row }) => row[name])
      return [
        name,
        isList ? joinLists(values.map((value) => (Array.isArray(value) ? value : [value]))) : mergeValues(values),
      ]
    }),
  )
  return { data, sources, warnings: groups.length > 1 ? [formatUnlikeWarning(groups, main)] : [] }
}

type PageRow = { url: string; row: Row }

/** Groups pages about the same thing. A page without an identity joins the pages of its site. */
function groupsOf(rows: readonly PageRow[]): PageRow[][] {
  const groups: { identity: Identity | undefined; rows: PageRow[] }[] = []
  for (const one of rows) {
    const scalars = Object.fromEntries(Object.entries(one.row).filter(([, value]) => !Array.isArray(value)))
    const identity = identityOf(scalars, 1)
    const group = groups.find((known) => {
      const site = getDomain(one.url) === getDomain(known.rows[0]!.url)
      if (!identity || !known.identity) return site || rows.length === 2
      // Every page of a site has its own title, so titles do not separate its pages.
      if (site && /title$/i.test(identity.field)) return true
      return identity.value.includes(known.identity.value) || known.identity.value.includes(identity.value)
    })
    if (!group) groups.push({ identity, rows: [one] })
    else {
      group.rows.push(one)
      group.identity ??= identity
    }
  }
  return groups.map(({ rows: members }) => members)
}

/** Merges two pages of one site without conflicting fields, such as a product and its maker. */
function mergeComplementingGroups(groups: PageRow[][]): PageRow[][] {
  const [one, other] = groups
  if (groups.length !== 2 || !one || !other || getDomain(one[0]!.url) !== getDomain(other[0]!.url)) return groups
  const name = identityOf(one[0]!.row, 1)?.field
  const disputed = Object.keys(one[0]!.row).some(
    (field) => field !== name && !isEmpty(one[0]!.row[field]) && !isEmpty(other[0]!.row[field]),
  )
  return disputed ? groups : [[...one, ...other]]
}

const countFilledFields = (rows: readonly PageRow[]): number =>
  new Set(
    rows.flatMap(({ row }) => Object.keys(row).filter((name) => !isEmpty(row[name]) && !Array.isArray(row[name]))),
  ).size

function formatUnlikeWarning(groups: readonly PageRow[][], main: readonly PageRow[]): string {
  const nameOf = (rows: readonly PageRow[]): string => rows[0]?.url ?? ''
  const others = groups.filter((group) => group !== main).map(nameOf)
  const some = `${others.slice(0, 5).join(', ')}${others.length > 5 ? ' and others' : ''}`
  return `The pages are about ${groups.length} different things: single values are those of ${nameOf(main)}, not of ${some}. A schema with a list can hold all of them.`
}

/** Merges the values of one field: the first non-empty one, with objects completed from the others. */
function mergeValues(values: readonly unknown[]): unknown {
  const [first] = values
  if (!isObject(first)) return first ?? null
  const rows = values.filter(isObject)
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))].filter((name) => name !== '__proto__')
  return Object.fromEntries(
    names.map((name) => [name, rows.map((row) => row[name]).find((one) => !isEmpty(one)) ?? null]),
  )
}

/** Joins all lists; rows with the same name and no contradiction become one. */
function joinLists(lists: readonly (readonly unknown[])[]): unknown[] {
  const rows: unknown[] = []
  const known = new Map<string, number>()
  for (const list of lists)
    for (const item of list) {
      const key = isObject(item) ? (identityOf(item)?.value ?? JSON.stringify(item)) : JSON.stringify(item)
      const at = known.get(key)
      const before = at === undefined ? undefined : rows[at]
      if (at === undefined || (isObject(item) && isObject(before) && contradict(before, item))) {
        if (at === undefined) known.set(key, rows.length)
        rows.push(item)
      } else if (isObject(item) && isObject(before)) rows[at] = mergeValues([before, item])
    }
  return rows
}

/** Rows with the same name but different values are two things: a chain's branches, a race's years. */
function contradict(a: Row, b: Row): boolean {
  const name = identityOf(a)?.field
  const differs = (field: string) => JSON.stringify(a[field]) !== JSON.stringify(b[field])
  return Object.keys(a).some((field) => field !== name && !isEmpty(a[field]) && !isEmpty(b[field]) && differs(field))
}

function collectSources(answers: readonly ExtractedPage[]): Record<string, string[]> {
  const sources: Record<string, string[]> = {}
  for (const { url, json } of answers)
    for (const field of isObject(json) ? Object.keys(json).filter((name) => !isEmpty(json[name])) : ['data'])
      sources[field] = [...(sources[field] ?? []), url]
  return sources
}

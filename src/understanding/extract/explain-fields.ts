// The explain record of an extraction: per field its value, method and position on the page.
import { type MarkdownLocator, type MarkdownSpan, makeMarkdownLocator } from './locate-in-markdown.ts'

export interface ExplainedField {
  path: string
  found: boolean
  from?: string
  /** The line of the page that contains it. */
  words?: string
  /** The value as the page writes it. */
  said?: string
  /** Set when a model's value does not occur on the page. */
  verified?: false
  /** Set when the rules gave the value, in an answer of a model. */
  by?: 'rules'
  /** Character range in the markdown. */
  at?: readonly [from: number, to: number]
}

const MAX_FIELDS = 300
const MAX_SEARCHED = 300_000
const MAX_WORDS = 200

export function explainFields(
  value: unknown,
  sources: Readonly<Record<string, { by: string }>>,
  markdown: string,
  most = MAX_SEARCHED,
): ExplainedField[] {
  const page = markdown.slice(0, most)
  const leaves = leavesOf(value)
  const spots = spotsOf(leaves, page)
  return leaves.map(({ path, leaf }, n) => {
    const from = (sources[path] ?? sources[path.replace(/\[\d+\]/g, '[]')])?.by
    const spot = spots[n]
    return {
      path,
      found: leaf !== null && leaf !== undefined && leaf !== '',
      ...(from ? { from } : {}),
      ...(spot ? { words: lineAt(page, spot), said: spot.said, at: [spot.from, spot.to] as const } : {}),
    }
  })
}

interface Leaf {
  path: string
  leaf: unknown
  /** The list item that it belongs to; empty for the page's own fields. */
  record: string
}

/** The leaf values of a tree with their paths; an empty list counts as missing. */
function leavesOf(root: unknown): Leaf[] {
  const found: Leaf[] = []
  const walk = (value: unknown, path: string, record: string, depth: number): void => {
    if (found.length >= MAX_FIELDS) return
    if (value === null || typeof value !== 'object' || depth > 30) found.push({ path, leaf: value, record })
    else if (Array.isArray(value)) {
      if (value.length === 0) found.push({ path, leaf: null, record })
      for (const [n, item] of value.entries()) walk(item, `${path}[${n}]`, `${path}[${n}]`, depth + 1)
    } else
      for (const [name, inner] of Object.entries(value)) walk(inner, path ? `${path}.${name}` : name, record, depth + 1)
  }
  walk(root, '', '', 0)
  return found
}

/** How far from a list's only item its values may be, in characters. */
const MAX_CHARS_FROM_LIST_ITEM = 2000

type Item = { leaves: readonly { leaf: unknown; n: number }[]; anchor: MarkdownSpan | undefined }

/**
 * Locates each value. List items follow each other down the page: the longest text of each is searched after the
 * previous one, and its other values below or above it, whichever finds more over the whole list.
 */
function spotsOf(leaves: readonly Leaf[], page: string): (MarkdownSpan | undefined)[] {
  const text = makeMarkdownLocator(page)
  const spots = new Array<MarkdownSpan | undefined>(leaves.length)
  const lists = new Map<string, Map<string, { leaf: unknown; n: number }[]>>()
  for (const [n, { record, leaf }] of leaves.entries()) {
    const list = record.replace(/\[\d+\]$/, '')
    if (record === '') spots[n] = text.find(leaf)
    else {
      const items = lists.get(list) ?? new Map<string, { leaf: unknown; n: number }[]>()
      lists.set(list, items)
      items.set(record, [...(items.get(record) ?? []), { leaf, n }])
    }
  }
  for (const list of lists.values()) placeItems(text, anchorRecords(text, [...list.values()]), spots)
  return spots
}

function anchorRecords(text: MarkdownLocator, records: readonly Item['leaves'][]): Item[] {
  let behind = 0
  return records.map((leaves) => {
    const { leaf } = leaves.reduce((best, one) => (lengthOf(one.leaf) > lengthOf(best.leaf) ? one : best))
    const anchor = text.find(leaf, behind) ?? text.find(leaf)
    if (anchor) behind = Math.max(behind, anchor.to)
    return { leaves, anchor }
  })
}

function placeItems(text: MarkdownLocator, items: readonly Item[], spots: (MarkdownSpan | undefined)[]): void {
  const gaps = items.flatMap(({ anchor }, n) => {
    const before = items[n - 1]?.anchor
    return anchor && before && anchor.from > before.from ? [anchor.from - before.from] : []
  })
  const reach = gaps.length > 0 ? Math.max(...gaps) : MAX_CHARS_FROM_LIST_ITEM
  const sides = (['below', 'above'] as const).map((side) => {
    const found = items.map(({ leaves, anchor }, n) => {
      if (!anchor) return leaves.map(() => undefined)
      const next = items[n + 1]?.anchor?.from ?? Number.POSITIVE_INFINITY
      const last = items[n - 1]?.anchor?.to ?? 0
      const from = side === 'below' ? anchor.from : Math.max(last < anchor.from ? last : 0, anchor.from - reach)
      const to =
        side === 'above' ? anchor.to : Math.min(next > anchor.to ? next : next + reach, anchor.from + reach * 2)
      return leaves.map(({ leaf }) => text.find(leaf, from, to))
    })
    return { found, hits: found.flat().filter(Boolean).length }
  })
  const [first, second] = sides.sort((a, b) => b.hits - a.hits)
  for (const [item, { leaves }] of items.entries())
    for (const [at, { leaf, n }] of leaves.entries())
      spots[n] = first!.found[item]![at] ?? second!.found[item]![at] ?? text.find(leaf)
}

const lengthOf = (leaf: unknown): number => (typeof leaf === 'string' ? leaf.length : 0)

function lineAt(page: string, { from, to }: MarkdownSpan): string {
  const start = page.lastIndexOf('\n', from - 1) + 1
  const end = page.indexOf('\n', to)
  const line = page.slice(start, end < 0 ? undefined : end).trim()
  if (line.length <= MAX_WORDS) return line
  const first = Math.max(0, from - start - MAX_WORDS / 2)
  return line.slice(first, first + MAX_WORDS)
}

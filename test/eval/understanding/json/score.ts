// How well an answer of the `json` format meets the known one. A field is a leaf of the schema (`plans[].price` is one).
// Rows of a list are paired by likeness, not by place: order is not asked for. It must not know how answers are made.
import { isNothing, sameValue } from '../equal.ts'
import { count, noTally, type Score, type Tally } from '../tally.ts'

export interface JsonSchema {
  type?: string
  properties?: Record<string, JsonSchema>
  items?: JsonSchema
}

export interface JsonCase {
  id: string
  /** Where the page lives; the address of a shared page is its own. */
  url?: string
  lang?: string
  /** Whether the page carries JSON-LD, microdata, RDFa or embedded state about its subject. */
  structured: boolean
  prompt?: string
  schema: JsonSchema
  expected: Record<string, unknown>
  /** By field: other answers that a careful reader could give as well. */
  accept?: Record<string, unknown[]>
}

/** Right, wrong and empty for every field of the schema; each field sums to one. */
export function scoreJson({ schema, expected, accept = {} }: JsonCase, got: unknown): Score {
  const score: Score = new Map()
  compare(schema, expected, got, '', accept, (field, outcome, share) => count(score, field, outcome, share))
  return score
}

type Count = (field: string, outcome: keyof Tally, share: number) => void
type Accept = Record<string, unknown[]>

function compare(schema: JsonSchema, want: unknown, got: unknown, path: string, accept: Accept, add: Count): void {
  if (schema.properties !== undefined)
    for (const [name, part] of Object.entries(schema.properties))
      compare(part, member(want, name), member(got, name), path === '' ? name : `${path}.${name}`, accept, add)
  else if (schema.items !== undefined) compareList(schema.items, listOf(want), listOf(got), `${path}[]`, accept, add)
  else add(path, judge(want, got, accept[path]), 1)
}

function judge(want: unknown, got: unknown, others: unknown[] = []): keyof Tally {
  if ([want, ...others].some((one) => sameValue(one, got))) return 'right'
  return isNothing(got) ? 'empty' : 'wrong'
}

/** Each field of the rows gets the shares over all rows: those wanted, and those that nobody asked for. */
function compareList(
  items: JsonSchema,
  want: unknown[],
  got: unknown[],
  path: string,
  accept: Accept,
  add: Count,
): void {
  const sums = new Map(leaves(items, path).map((field) => [field, noTally()]))
  const rows = Math.max(want.length, got.length)
  if (rows === 0) for (const field of sums.keys()) add(field, 'right', 1)
  const into: Count = (field, outcome, share) => {
    sums.get(field)![outcome] += share / rows
  }
  const { pairs, extra } = pair(items, want, got, path, accept)
  for (const [wanted, found] of pairs) compare(items, wanted, found, path, accept, into)
  // A row too many is wrong in every field, also in those it leaves empty: the row itself is the mistake.
  for (const _ of extra) for (const field of sums.keys()) into(field, 'wrong', 1)
  if (rows > 0) for (const [field, sum] of sums) for (const outcome of outcomes) add(field, outcome, sum[outcome])
}

const outcomes = ['right', 'wrong', 'empty'] as const

/** Wanted rows with the found row that is most like them, best likeness first; what is not like any stays apart. */
function pair(items: JsonSchema, want: unknown[], got: unknown[], path: string, accept: Accept) {
  const similarity = want.flatMap((wanted, i) =>
    got.map((found, j) => ({ i, j, ...like(items, wanted, found, path, accept) })),
  )
  similarity.sort((a, b) => b.right - a.right || a.wrong - b.wrong || Math.abs(a.i - a.j) - Math.abs(b.i - b.j))
  const [ofWant, taken] = [new Map<number, number>(), new Set<number>()]
  for (const { i, j, right } of similarity)
    if (right > 0 && !ofWant.has(i) && !taken.has(j)) {
      ofWant.set(i, j)
      taken.add(j)
    }
  const left = got.map((_, j) => j).filter((j) => !taken.has(j))
  // Rows that are like nothing stand for the wanted rows that are left: one mistake, not a miss and an extra.
  const pairs = want.map((wanted, i) => {
    const j = ofWant.get(i) ?? left.shift()
    return [wanted, j === undefined ? undefined : got[j]] as const
  })
  return { pairs, extra: left }
}

/** Only values count as likeness: two rows that both lack a value are not alike for that. */
function like(items: JsonSchema, want: unknown, got: unknown, path: string, accept: Accept): Tally {
  const tally = noTally()
  const at = (field: string, row: unknown): unknown =>
    field
      .slice(path.length + 1)
      .split('.')
      .reduce(member, row)
  compare(items, want, got, path, accept, (field, outcome, share) => {
    if (field === path || field.includes('[]', path.length) || !isNothing(at(field, want))) tally[outcome] += share
  })
  return tally
}

function leaves(schema: JsonSchema, path: string): string[] {
  if (schema.items !== undefined) return leaves(schema.items, `${path}[]`)
  if (schema.properties === undefined) return [path]
  return Object.entries(schema.properties).flatMap(([name, part]) => leaves(part, `${path}.${name}`))
}

function member(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined
}

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : isNothing(value) ? [] : [value])

// The one field of a list that nothing answered, and the one line of its cards that answers nothing: they belong together.
// {name, role} over cards of a name and a line is the usual case.
import type { Line } from '../facts/lines.ts'
import type { Ground } from './ground.ts'
import type { Scope } from './scope.ts'
import type { Shape } from './shape.ts'
import { isLong } from './wanted.ts'

export interface Row {
  value: Record<string, unknown>
  scope: Scope | undefined
}

const MAX_SHORT = 80
/** The share of cards that must have such a line. */
const MOST = 0.7
const BUTTON =
  /^(?:read|view|learn|see|show|more|details?|buy|add|book|contact|share|reply|quote|edit|report|download|apply|sign|log|mehr|weiter|lire|ver|leggi)\b/i

export function fillLeftover(rows: readonly Row[], shape: Shape, ground: Ground): void {
  if (rows.length < 2) return
  const open = shape.fields.filter(
    ({ name, shape: one }) =>
      one.kind === 'string' && rows.every(({ value }) => (value[name] ?? null) === null) && isPlain(name, one, ground),
  )
  const [field] = open
  if (!field || open.length > 1) return
  const isText = isLong(ground.wanted(field.name, field.shape))
  const columns = new Map<string, Map<Row, string>>()
  for (const row of rows) {
    const used = wordsOf(row.value)
    for (const line of row.scope?.lines ?? []) {
      if (isUsed(line.text, used) || BUTTON.test(line.text) || (line.text.length > MAX_SHORT && !isText)) continue
      if (!/\p{L}{2}/u.test(line.text)) continue
      const column = columns.get(signature(line)) ?? new Map<Row, string>()
      columns.set(signature(line), column)
      // Two lines of one kind in a card: nobody can tell which is meant.
      column.set(row, column.has(row) ? '' : line.text)
    }
  }
  const full = [...columns.values()].filter((column) => column.size >= rows.length * MOST)
  const [only] = full
  if (!only || full.length > 1 || [...only.values()].includes('')) return
  for (const [row, text] of only) row.value[field.name] = text
}

/** What some cards of a list claim, the others deny by silence: one plan is the popular one. */
export function fillDenied(rows: readonly Row[], shape: Shape): void {
  for (const { name, shape: one } of shape.fields) {
    if (one.kind !== 'boolean') continue
    const said = rows.filter(({ value }) => value[name] === true).length
    if (said > 0 && said < rows.length)
      for (const { value } of rows) if ((value[name] ?? null) === null) value[name] = false
  }
}

function isPlain(name: string, shape: Shape, ground: Ground): boolean {
  const { kind, isLoose } = ground.wanted(name, shape)
  return kind === 'text' && !isLoose && !shape.format && !shape.choices
}

const wordsOf = (value: Record<string, unknown>): string[] =>
  Object.values(value)
    .filter((one): one is string | number => typeof one === 'string' || typeof one === 'number')
    .map((one) => String(one).toLowerCase())

function isUsed(text: string, used: readonly string[]): boolean {
  const said = text.toLowerCase()
  return used.some(
    (one) => one === said || (one.length > 3 && said.includes(one)) || (said.length > 3 && one.includes(said)),
  )
}

const signature = ({ block, runs }: Line): string =>
  `${block?.name} ${block?.attribs.class ?? ''} ${runs.length === 1 ? (runs[0]!.element?.name ?? '') : ''}`

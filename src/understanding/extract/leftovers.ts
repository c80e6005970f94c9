// The one field of a list that nothing answered, and the one line of its cards that answers nothing: they belong together.
// {name, role} over cards of a name and a line is the usual case.
import type { Line } from '../facts/lines.ts'
import { findMoney } from '../money.ts'
import { dateIn } from '../values/dates.ts'
import type { FieldContext } from './asking.ts'
import type { PagePart } from './page-part.ts'
import type { Shape } from './shape.ts'
import { isLong } from './wanted.ts'

export interface FilledRow {
  value: Record<string, unknown>
  scope: PagePart | undefined
}

const MAX_SHORT = 80
/** The share of cards that must have such a line. */
const MOST = 0.7
const BUTTON =
  /^(?:read|view|learn|see|show|more|details?|buy|add|book|contact|share|reply|quote|edit|report|download|apply|sign|log|mehr|weiter|lire|ver|leggi)\b/i

/** How something is rated has a form of its own. */
const RATED =
  /^(?:free|gratis|kostenlos|gratuit|sold out|new|sale)$|\d.*\b(?:reviews?|ratings?|stars?)\b|\b(?:reviews?|ratings?|stars?)\b.*\d|^no reviews/i

/** Ways to reach somebody are not what somebody is. */
const REACH =
  /^(?:\S+@\S+|(?:https?:|www\.)\S+|\+?[\d\s()./-]{7,}|linkedin|twitter|facebook|instagram|github|e-?mail|website|x)$/i

const WORD = /^\p{Ll}{1,4}$/u

export function fillLeftover(rows: readonly FilledRow[], shape: Shape, ground: FieldContext): void {
  if (rows.length < 2) return
  const open = shape.fields.filter(
    ({ name, shape: one }) =>
      one.kind === 'string' && rows.every(({ value }) => (value[name] ?? null) === null) && isPlain(name, one, ground),
  )
  const [field] = open
  if (!field || open.length > 1) return
  const wanted = ground.wanted(field.name, field.shape)
  const isText = isLong(wanted)
  const columns = new Map<string, Map<FilledRow, string>>()
  for (const row of rows) {
    const used = wordsOf(row.value)
    for (const { text, key } of piecesOf(row.scope?.lines ?? [])) {
      if (isUsed(text, used) || isCounted(text, used) || (text.length > MAX_SHORT && !isText)) continue
      if ([BUTTON, REACH, RATED, WORD].some((form) => form.test(text)) || !/\p{L}{2}/u.test(text)) continue
      if (dateIn(text) || findMoney(text, ground.money).length > 0) continue
      const column = columns.get(key) ?? new Map<FilledRow, string>()
      columns.set(key, column)
      // Two pieces of one kind in a card: nobody can tell which is meant.
      column.set(row, column.has(row) ? '' : text)
    }
  }
  // What three cards say alike is furniture.
  const isSame = (column: ReadonlyMap<FilledRow, string>) => column.size > 2 && new Set(column.values()).size === 1
  const full = [...columns.values()].filter((column) => column.size >= rows.length * MOST && !isSame(column))
  const [only] = full
  if (!only || full.length > 1 || [...only.values()].includes('')) return
  // A few words that come again and again sign nothing.
  if (wanted.rules.isSignature && new Set(only.values()).size < only.size * SIGNED) return
  for (const [row, text] of only) row.value[field.name] = text
}

const SIGNED = 0.5

/** What some cards of a list claim, the others deny by silence: one plan is the popular one. */
export function fillDenied(rows: readonly FilledRow[], shape: Shape): void {
  for (const { name, shape: one } of shape.fields) {
    if (one.kind !== 'boolean') continue
    const said = rows.filter(({ value }) => value[name] === true).length
    if (said > 0 && said < rows.length)
      for (const { value } of rows) if ((value[name] ?? null) === null) value[name] = false
  }
}

function isPlain(name: string, shape: Shape, ground: FieldContext): boolean {
  const { kind, isLoose, rules } = ground.wanted(name, shape)
  return kind === 'text' && !isLoose && !shape.format && !shape.choices && !rules.hasForm
}

const wordsOf = (value: Record<string, unknown>): string[] =>
  Object.values(value)
    .filter((one): one is string | number => typeof one === 'string' || typeof one === 'number')
    .map((one) => String(one).toLowerCase())

/** "96 pages" where 96 is known. */
const isCounted = (text: string, used: readonly string[]): boolean => {
  const [number] = /^\d[\d.,]*(?=\s\S{1,12}$)/u.exec(text) ?? []
  return number !== undefined && used.includes(number)
}

function isUsed(text: string, used: readonly string[]): boolean {
  const said = text.toLowerCase()
  return used.some(
    (one) => one === said || (one.length > 3 && said.includes(one)) || (said.length > 3 && one.includes(said)),
  )
}

/** Lines, and of short ones each run, and what marks part: a date and a source may share a line. */
const piecesOf = (lines: readonly Line[]): { text: string; key: string }[] =>
  lines.flatMap(({ text, block, runs }) => {
    const key = `${block?.name} ${block?.attribs.class ?? ''}`
    if (text.length > MAX_LINE) return [{ text, key: `${key} ${runs[0]?.element?.name ?? ''}` }]
    return runs.flatMap((run) => {
      const parts = run.text.split(/\s+[·•|]\s+/u)
      const own = `${key} ${run.element?.name ?? ''}`
      return parts.map((part, n) => ({ text: part, key: parts.length > 1 ? `${own} ${n}` : own }))
    })
  })

const MAX_LINE = 120

// Which rows of a list are of one kind: boxes built alike may stand in several parts of a page and hold different things.
// It knows only how many fields each row answers and which box it stands in.
import type { Element, ParentNode } from 'domhandler'

export interface PlacedFields {
  /** How many fields have an answer, and which. */
  found: number
  value?: Readonly<Record<string, unknown>>
  /** What the row stands in. */
  box?: unknown
}

const MAX_UP = 5

/** For each card the innermost box that holds another card too. */
export function boxesOf(cards: readonly Element[]): Map<Element, unknown> {
  const held = new Map<ParentNode, number>()
  const up = (card: Element): ParentNode[] => {
    const found: ParentNode[] = []
    for (let box = card.parent; box && found.length < MAX_UP; box = box.parent) found.push(box)
    return found
  }
  for (const card of cards) for (const box of up(card)) held.set(box, (held.get(box) ?? 0) + 1)
  return new Map(cards.map((card) => [card, up(card).find((box) => held.get(box)! > 1) ?? card.parent]))
}

/** Rows with those left out that answer little where the others answer much. */
export function belonging<Row extends PlacedFields>(rows: readonly Row[]): Row[] {
  const boxes = new Map<unknown, Row[]>()
  for (const row of rows) {
    const known = boxes.get(row.box)
    if (known) known.push(row)
    else boxes.set(row.box, [row])
  }
  const [best = []] = [...boxes.values()].filter((one) => one.length > 1).sort((a, b) => average(b) - average(a))
  const always = fieldsOf(best, (share) => share === 1)
  const isPoor = (one: readonly Row[]) =>
    average(one) <= average(best) * POOR ||
    (one.length > 1 &&
      lacks(
        always,
        fieldsOf(one, (share) => share > 0),
      ))
  const kept = boxes.size > 1 ? rows.filter(({ box }) => !isPoor(boxes.get(box)!)) : [...rows]
  return kept.filter(({ found }) => !isStray(found, kept))
}

/** The fields that so large a share of rows answers. */
function fieldsOf(rows: readonly PlacedFields[], isEnough: (share: number) => boolean): Set<string> {
  const counts = new Map<string, number>()
  for (const { value = {} } of rows)
    for (const [name, one] of Object.entries(value)) if (one !== null) counts.set(name, (counts.get(name) ?? 0) + 1)
  return new Set([...counts].filter(([, count]) => isEnough(count / rows.length)).map(([name]) => name))
}

/** What every row of the best part tells and no row of another does: that part holds other things. */
const lacks = (always: ReadonlySet<string>, some: ReadonlySet<string>): boolean =>
  [...always].some((name) => !some.has(name))

/** A part whose rows answer half of what those of another part answer holds other things. */
const POOR = 0.5

const average = (rows: readonly PlacedFields[]): number =>
  rows.reduce((sum, { found }) => sum + found, 0) / Math.max(1, rows.length)

/** A box that answers one field where nearly all others answer several is another kind of box. */
function isStray(found: number, rows: readonly PlacedFields[]): boolean {
  if (found > 1 || rows.length < 4) return false
  return rows.filter((row) => row.found > 1).length >= rows.length * 0.6
}

/** Anything has a name: rows that answer nothing else than one of several fields may be rows of anything. */
export function isThin(rows: readonly PlacedFields[], asked: number, isNamed: boolean): boolean {
  if (asked < 2) return false
  // Two rows that answer nearly all of many fields are of what was asked for.
  const isFull = asked >= MANY && rows.every(({ found }) => found >= asked * FULL)
  if (!isNamed && rows.length < FEW && !isFull) return true
  return rows.filter(({ found }) => found > 1).length < rows.length * MOST
}

/** Fewer boxes than this that nobody named are no list. */
const FEW = 3
const MANY = 4
const FULL = 0.8
const MOST = 0.75

// Which rows of a list are of one kind: boxes built alike may stand in several parts of a page and hold different things.
// It knows only how many fields each row answers and which box it stands in.

export interface Placed {
  /** How many fields have an answer. */
  found: number
  /** What the row stands in. */
  box?: unknown
}

/** Rows with those left out that answer little where the others answer much. */
export function belonging<Row extends Placed>(rows: readonly Row[]): Row[] {
  const boxes = new Map<unknown, Row[]>()
  for (const row of rows) {
    const known = boxes.get(row.box)
    if (known) known.push(row)
    else boxes.set(row.box, [row])
  }
  const full = Math.max(0, ...[...boxes.values()].filter((one) => one.length > 1).map(average))
  const isPoor = (one: readonly Row[]) => average(one) <= full * POOR
  const kept = boxes.size > 1 ? rows.filter(({ box }) => !isPoor(boxes.get(box)!)) : [...rows]
  return kept.filter(({ found }) => !isStray(found, kept))
}

/** A part whose rows answer half of what those of another part answer holds other things. */
const POOR = 0.5

const average = (rows: readonly Placed[]): number => rows.reduce((sum, { found }) => sum + found, 0) / rows.length

/** A box that answers one field where nearly all others answer several is another kind of box. */
function isStray(found: number, rows: readonly Placed[]): boolean {
  if (found > 1 || rows.length < 4) return false
  return rows.filter((row) => row.found > 1).length >= rows.length * 0.6
}

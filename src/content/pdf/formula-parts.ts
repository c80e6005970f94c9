// What stands above, below and within the signs of a formula: built signs, fractions, limits, and rows of matrices.
import { type FormulaAtom, LARGE_OPERATOR, largestSize, mainBaseOf, rowToTex } from './formula-atoms.ts'
import { isMathFont } from './math-glyphs.ts'
import { boundingBoxOf, middleX, middleY, type RuledLine } from './page-layout-types.ts'

/** Each atom of these is compared with all others. */
const MAX_LIMIT_ATOMS = 200
const MAX_STACK_ATOMS = 500

/** Tall brackets are painted in parts above each other. */
export function joinParts(atoms: readonly FormulaAtom[]): FormulaAtom[] {
  const out: FormulaAtom[] = []
  for (const atom of atoms) {
    const last = out.at(-1)
    const isPart =
      last !== undefined &&
      atom.isMath &&
      isPartOf(last, atom) &&
      Math.abs(last.x0 - atom.x0) < 1.5 &&
      atom.y0 - last.y1 < 0.3 * atom.size &&
      last.y0 - atom.y1 < 0.3 * atom.size
    if (!isPart) {
      out.push(atom)
      continue
    }
    const { text, tex } = last.text === '|' || last.text === '[' ? atom : last
    const box = boundingBoxOf([last, atom])
    const base = middleY(box) + 0.25 * atom.size
    out[out.length - 1] = { ...last, ...box, text, tex, base, sources: [...last.sources, ...atom.sources] }
  }
  return out
}

/** Braces share their middle parts, and so do single bars and brackets. */
const isPartOf = (last: FormulaAtom, { text, sources }: FormulaAtom): boolean =>
  /^[()[\]{}|‖⌊⌋⌈⌉√]$/.test(text) &&
  (last.text === text ||
    (/[{}]/.test(last.text) && /[{}|]/.test(text)) ||
    (/[[\]|⌊⌋⌈⌉]/.test(last.text) && /[[\]|]/.test(text))) &&
  isMathFont(sources[0]!.run.font ?? '') &&
  last.sources[0]!.run.font === sources[0]!.run.font

/** What stands directly above or below a bar, within its length. */
export function stackAt(bar: RuledLine, near: readonly FormulaAtom[], isAbove: boolean): FormulaAtom[] {
  const y = middleY(bar)
  const away = (atom: FormulaAtom) => (isAbove ? y - atom.y1 : atom.y0 - y)
  const inside = near
    .filter(
      (atom) =>
        middleX(atom) > bar.x0 - 0.5 &&
        middleX(atom) < bar.x1 + 0.5 &&
        (isAbove ? middleY(atom) < y : middleY(atom) > y),
    )
    .sort((a, b) => away(a) - away(b))
  if (inside.length > MAX_STACK_ATOMS) return []
  const stack: FormulaAtom[] = []
  let size = 0
  let [top, bottom] = [0, 0]
  for (const atom of inside) {
    if (stack.length === 0) {
      if (away(atom) > 0.8 * atom.size) break
      ;[top, bottom] = [atom.y0, atom.y1]
    } else {
      const shared = Math.min(atom.y1, bottom) - Math.max(atom.y0, top)
      const isSmall = atom.size < 0.87 * size
      const least = isSmall ? -0.12 * atom.size : 0.25 * Math.min(atom.y1 - atom.y0, bottom - top)
      if (shared < least) continue
      ;[top, bottom] = [Math.min(top, atom.y0), Math.max(bottom, atom.y1)]
    }
    stack.push(atom)
    if (stack.length === 1 || !LARGE_OPERATOR.test(atom.text)) size = Math.max(size, atom.size)
  }
  return stack
}

/** The line of these atoms continues beside them, as underlined text does. */
export function goesOn(side: readonly FormulaAtom[], others: readonly FormulaAtom[]): boolean {
  const base = mainBaseOf(side)
  const size = largestSize(side)
  const { x0, x1 } = boundingBoxOf(side)
  return others.some(
    (atom) =>
      atom.kind === 'word' &&
      Math.abs(atom.base - base) < 0.15 * size &&
      Math.max(atom.x0 - x1, x0 - atom.x1) < 0.5 * size,
  )
}

/** Small signs centred above or below an operator. */
export function limitOf(sign: FormulaAtom, small: readonly FormulaAtom[], isAbove: boolean): FormulaAtom[] {
  const far = sign.kind === 'name' ? sign.base - 0.45 * sign.size : sign.y0
  const under = sign.kind === 'name' ? sign.base : sign.y1
  const gap = (atom: FormulaAtom) => (isAbove ? far - atom.y1 : atom.y0 - under)
  const candidates = small.filter(
    (atom) =>
      gap(atom) > -0.35 * sign.size &&
      gap(atom) < 0.7 * sign.size &&
      (isAbove ? middleY(atom) < far : middleY(atom) > under),
  )
  if (candidates.length > MAX_LIMIT_ATOMS) return []
  const found = candidates.filter(({ x0, x1 }) => x0 < sign.x1 - 0.5 && x1 > sign.x0 + 0.5)
  for (let at = 0; at < found.length; at++)
    for (const atom of candidates) {
      const other = found[at]!
      const apart = Math.max(atom.x0 - other.x1, other.x0 - atom.x1)
      if (!found.includes(atom) && apart < 0.4 * other.size && atom.y0 < other.y1 && atom.y1 > other.y0)
        found.push(atom)
    }
  if (found.length === 0) return []
  const box = boundingBoxOf(found)
  return Math.abs(middleX(box) - middleX(sign)) < 0.6 * sign.size ? found : []
}

/** Base lines further apart than this share of the size are rows. */
const MIN_ROW_DISTANCE = 0.85

export function toRows(atoms: readonly FormulaAtom[]): FormulaAtom[][] {
  const size = largestSize(atoms)
  const isLarge = (atom: FormulaAtom) => atom.size > 0.87 * size
  const rows: { base: number; atoms: FormulaAtom[] }[] = []
  for (const atom of atoms.filter(isLarge).sort((a, b) => a.base - b.base)) {
    const row = rows.at(-1)
    if (row && atom.base - row.base < MIN_ROW_DISTANCE * size) row.atoms.push(atom)
    else rows.push({ base: atom.base, atoms: [atom] })
  }
  for (const atom of atoms.filter((one) => !isLarge(one))) {
    const away = (row: { base: number }) => Math.abs(row.base - 0.2 * size - atom.base)
    rows.reduce((a, b) => (away(b) < away(a) ? b : a)).atoms.push(atom)
  }
  return rows.map((row) => row.atoms)
}

/** Columns are where no row has a sign. */
export function toCells(rows: readonly FormulaAtom[][]): FormulaAtom[][][] {
  const all = rows.flat().sort((a, b) => a.x0 - b.x0)
  const size = largestSize(all)
  const starts: number[] = []
  let reach = Number.NEGATIVE_INFINITY
  for (const { x0, x1 } of all) {
    if (x0 - reach > 0.7 * size) starts.push(x0)
    reach = Math.max(reach, x1)
  }
  return rows.map((row) =>
    starts.map((start, at) =>
      row.filter(({ x0 }) => x0 >= start - 0.1 && x0 < (starts[at + 1] ?? Number.POSITIVE_INFINITY) - 0.1),
    ),
  )
}

export function gridTex(open: string, isClosed: boolean, cells: readonly FormulaAtom[][][], body: string): string {
  if (!isClosed) return `\\begin{cases} ${body} \\end{cases}`
  if (open === '(' && cells.length === 2 && cells[0]!.length === 1)
    return `\\binom{${rowToTex(cells[0]![0]!)}}{${rowToTex(cells[1]![0]!)}}`
  const name = { '(': 'pmatrix', '[': 'bmatrix', '{': 'Bmatrix', '|': 'vmatrix', '‖': 'Vmatrix' }[open] ?? 'matrix'
  return `\\begin{${name}} ${body} \\end{${name}}`
}

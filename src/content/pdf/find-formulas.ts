// Finds the formulas of a page and replaces their signs by one run of TeX each: fractions by their bars, radicals by
// their rules, limits by their operators, matrices by their brackets, and scripts by their size and base line.
import {
  atomsOfRun,
  buildAtom,
  type FormulaAtom,
  joinAccents,
  LARGE_OPERATOR,
  largestSize,
  mainBaseOf,
  rowToTex,
  sourcesOf,
} from './formula-atoms.ts'
import {
  chainsOf,
  isFormula,
  RELATION,
  restOfRun,
  runOfFormula,
  splitChain,
  trimChain,
  withNumbers,
} from './formula-chains.ts'
import { goesOn, gridTex, joinParts, limitOf, stackAt, toCells, toRows } from './formula-parts.ts'
import {
  boundingBoxOf,
  median,
  middleX,
  middleY,
  type PdfRun,
  type PdfSheet,
  type RuledLine,
} from './page-layout-types.ts'

const MAX_BARS = 200
const MAX_BAR_HEIGHT = 1.5
/** More signs are a drawing, or a page that is not text. */
const MAX_ATOMS = 4000
const MAX_OPERATORS = 200
const MAX_GRIDS = 100

export function assembleFormulas(sheet: PdfSheet): PdfSheet {
  if (!sheet.runs.some(({ math }) => math)) return sheet
  const atoms = sheet.runs.flatMap(atomsOfRun)
  if (atoms.length > MAX_ATOMS) return sheet
  const page = new FormulaPage(sheet.runs, atoms)
  const bars = [...sheet.rules, ...(sheet.bars ?? [])]
    .filter(({ x0, x1, y0, y1 }) => y1 - y0 <= MAX_BAR_HEIGHT && x1 - x0 > y1 - y0)
    .sort((a, b) => a.x1 - a.x0 - (b.x1 - b.x0))
  const used = new Set<RuledLine>()
  for (const bar of bars.slice(0, MAX_BARS)) if (page.joinAtBar(bar)) used.add(bar)
  page.joinLimits()
  page.joinGrids()
  return { ...sheet, runs: page.runs(), rules: sheet.rules.filter((rule) => !used.has(rule)) }
}

class FormulaPage {
  readonly atoms: Set<FormulaAtom>
  readonly #runs: readonly PdfRun[]
  /** Of most text. */
  readonly #size: number

  constructor(runs: readonly PdfRun[], atoms: readonly FormulaAtom[]) {
    this.#runs = runs
    this.atoms = new Set(joinAccents(joinParts(atoms)))
    this.#size = median(runs.filter(({ math }) => !math).map(({ size }) => size))
  }

  #replace(parts: readonly FormulaAtom[], by: FormulaAtom): void {
    for (const part of parts) this.atoms.delete(part)
    this.atoms.add(by)
  }

  joinAtBar(bar: RuledLine): boolean {
    const near = [...this.atoms].filter(
      ({ x0, x1, y0, y1 }) => x1 > bar.x0 - 12 && x0 < bar.x1 + 12 && y1 > bar.y0 - 80 && y0 < bar.y1 + 80,
    )
    return this.#joinRadical(bar, near) || this.#joinFraction(bar, near) || this.#joinOverline(bar, near)
  }

  #joinRadical(bar: RuledLine, near: readonly FormulaAtom[]): boolean {
    const sign = near.find(
      ({ text, x1, y0 }) => text === '√' && Math.abs(bar.x0 - x1) < 2.5 && Math.abs(middleY(bar) - y0) < 2.5,
    )
    if (!sign) return false
    const inside = near.filter(
      (atom) =>
        atom !== sign &&
        middleX(atom) > bar.x0 - 0.5 &&
        middleX(atom) < bar.x1 + 0.2 &&
        middleY(atom) > bar.y0 &&
        middleY(atom) < sign.y1 + 1,
    )
    if (inside.length === 0) return false
    const index = near.filter(
      (atom) =>
        atom.size < 0.8 * largestSize(inside) &&
        middleX(atom) > sign.x0 - 0.3 * sign.size &&
        middleX(atom) < sign.x0 + 0.6 * (sign.x1 - sign.x0) &&
        atom.base < middleY(sign) + 1 &&
        atom.y1 > sign.y0 - 1,
    )
    const order = index.length > 0 ? `[${rowToTex(index)}]` : ''
    const base = mainBaseOf(inside)
    const tex = `\\sqrt${order}{${rowToTex(inside)}}`
    this.#replace(
      [sign, ...inside, ...index],
      buildAtom([sign, ...inside, ...index], tex, { base, size: largestSize(inside), x1: bar.x1 }),
    )
    return true
  }

  #joinFraction(bar: RuledLine, near: readonly FormulaAtom[]): boolean {
    const [above, below] = [stackAt(bar, near, true), stackAt(bar, near, false)]
    if (above.length === 0 || below.length === 0) return false
    const width = Math.max(...[above, below].map((side) => boundingBoxOf(side).x1 - boundingBoxOf(side).x0))
    const size = Math.max(largestSize(above), largestSize(below))
    // The bar of a fraction is as long as the longer side.
    if (width < bar.x1 - bar.x0 - 0.7 * size || width > bar.x1 - bar.x0 + 0.4 * size) return false
    const parts = [...above, ...below]
    const others = near.filter((atom) => !parts.includes(atom))
    if (goesOn(above, others) || goesOn(below, others)) return false
    const axis = middleY(bar) + 0.25 * size
    const hasWords = parts.some(({ kind }) => kind === 'word')
    const isBeside = others.some(
      (atom) =>
        (atom.isMath || RELATION.test(atom.text) || (/^(?:sign|name)$/.test(atom.kind) && !hasWords)) &&
        Math.abs(atom.base - axis) < 0.3 * size &&
        Math.max(atom.x0 - bar.x1, bar.x0 - atom.x1) < size,
    )
    if (!isBeside && !parts.some(({ isMath }) => isMath)) return false
    const tex = `\\frac{${rowToTex(above)}}{${rowToTex(below)}}`
    this.#replace(parts, buildAtom(parts, tex, { x0: bar.x0, x1: bar.x1, base: axis, size }))
    return true
  }

  #joinOverline(bar: RuledLine, near: readonly FormulaAtom[]): boolean {
    const under = stackAt(bar, near, false)
    if (under.length === 0 || !under.some(({ isMath }) => isMath) || under.some(({ kind }) => kind === 'word'))
      return false
    const { x0, x1, y0 } = boundingBoxOf(under)
    const size = largestSize(under)
    if (Math.abs(x0 - bar.x0) > 2 || Math.abs(x1 - bar.x1) > 2 || y0 - bar.y1 > 0.4 * size) return false
    const tex = `\\overline{${rowToTex(under)}}`
    this.#replace(under, buildAtom(under, tex, { base: mainBaseOf(under), size }))
    return true
  }

  joinLimits(): void {
    const operators = [...this.atoms].filter(({ text, kind }) => LARGE_OPERATOR.test(text) || kind === 'name')
    for (const found of operators.slice(0, MAX_OPERATORS)) {
      const sign = { ...found, size: Math.min(found.size, this.#size || found.size) }
      const small = [...this.atoms].filter(
        (atom) =>
          atom.size < 0.87 * sign.size &&
          !LARGE_OPERATOR.test(atom.text) &&
          Math.abs(middleX(atom) - middleX(sign)) < 6 * sign.size &&
          (atom.y0 > sign.y1 ? atom.y0 - sign.y1 : sign.y0 - atom.y1) < 1.2 * sign.size,
      )
      const limits = [true, false].map((isAbove) => limitOf(sign, small, isAbove))
      const [upper = [], lower = []] = limits
      if (upper.length + lower.length === 0) continue
      const tex =
        sign.tex.trimEnd() +
        (lower.length > 0 ? `_{${rowToTex(lower)}}` : '') +
        (upper.length > 0 ? `^{${rowToTex(upper)}}` : '')
      const parts = [sign, ...upper, ...lower]
      this.atoms.delete(found)
      this.#replace(parts, buildAtom(parts, `${tex} `, { base: sign.base, size: sign.size }))
    }
  }

  joinGrids(): void {
    const tall = [...this.atoms]
      .filter((atom) => /^[([{⌊⌈|‖⟨]$/.test(atom.text) && atom.y1 - atom.y0 > 1.5 * atom.size)
      .sort((a, b) => a.y1 - a.y0 - (b.y1 - b.y0) || b.x0 - a.x0)
    for (const open of tall.slice(0, MAX_GRIDS)) {
      if (!this.atoms.has(open)) continue
      const close = this.#counterpart(open)
      if (!close && open.text !== '{') continue
      const inside = close ? this.#between(open, close) : this.#rightOf(open)
      const rows = toRows(inside)
      if (rows.length < 2) continue
      const cells = toCells(rows)
      const body = cells.map((row) => row.map((cell) => rowToTex(cell)).join(' & ')).join(' \\\\ ')
      const parts = [open, ...inside, ...(close ? [close] : [])]
      const size = largestSize(inside)
      const place = { base: middleY(open) + 0.25 * size, size }
      this.#replace(parts, buildAtom(parts, gridTex(open.text, close !== undefined, cells, body), place))
    }
  }

  #counterpart(open: FormulaAtom): FormulaAtom | undefined {
    const closing = CLOSING[open.text]!
    return [...this.atoms]
      .filter(
        (atom) =>
          atom !== open &&
          atom.text === closing &&
          atom.x0 > open.x1 &&
          Math.abs(atom.y0 - open.y0) < 4 &&
          Math.abs(atom.y1 - open.y1) < 4,
      )
      .sort((a, b) => a.x0 - b.x0)[0]
  }

  #between(open: FormulaAtom, close: FormulaAtom): FormulaAtom[] {
    return [...this.atoms].filter(
      (atom) =>
        atom !== open &&
        atom !== close &&
        middleX(atom) > open.x0 &&
        middleX(atom) < close.x1 &&
        middleY(atom) > open.y0 &&
        middleY(atom) < open.y1,
    )
  }

  /** The rows of a brace without a counterpart end at a wide gap. */
  #rightOf(open: FormulaAtom): FormulaAtom[] {
    const rest = [...this.atoms]
      .filter((atom) => atom.x0 > open.x0 + 1 && middleY(atom) > open.y0 - 1 && middleY(atom) < open.y1 + 1)
      .sort((a, b) => a.x0 - b.x0)
    const inside: FormulaAtom[] = []
    let reach = open.x1
    for (const atom of rest) {
      if (atom.x0 - reach > MAX_CASE_GAP_EM * open.size) break
      inside.push(atom)
      reach = Math.max(reach, atom.x1)
    }
    return inside
  }

  /** What is left of the page, with one run for each formula. */
  runs(): PdfRun[] {
    const taken = new Map<PdfRun, { from: number; to: number }[]>()
    const made: PdfRun[] = []
    for (const chain of chainsOf([...this.atoms])) {
      for (const atoms of splitChain(chain)) {
        const formula = trimChain(atoms)
        if (!isFormula(formula)) continue
        made.push(runOfFormula(formula))
        for (const { run, from, to } of sourcesOf(formula)) {
          const known = taken.get(run)
          if (known) known.push({ from, to })
          else taken.set(run, [{ from, to }])
        }
      }
    }
    return withNumbers(
      made,
      this.#runs.flatMap((run) => restOfRun(run, taken.get(run))),
    )
  }
}

const CLOSING: Record<string, string> = {
  '(': ')',
  '[': ']',
  '{': '}',
  '⌊': '⌋',
  '⌈': '⌉',
  '|': '|',
  '‖': '‖',
  '⟨': '⟩',
}
const MAX_CASE_GAP_EM = 1.6

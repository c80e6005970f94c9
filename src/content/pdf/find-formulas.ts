// Finds the formulas of a page and replaces their signs by one run of TeX each: fractions by their bars, radicals by
// their rules, limits by their operators, matrices by their brackets, and scripts by their size and base line.
import {
  atomsOfRun,
  buildAtom,
  type FormulaAtom,
  hasScript,
  isVariable,
  joinAccents,
  LARGE_OPERATOR,
  largestSize,
  mainBaseOf,
  placeInRun,
  rowToTex,
  sourcesOf,
} from './formula-atoms.ts'
import { isMathFont } from './math-glyphs.ts'
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
/** Each atom of these is compared with all others. */
const MAX_LIMIT_ATOMS = 200
const MAX_STACK_ATOMS = 500
const MAX_CHAIN_ATOMS = 500

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

/** Tall brackets are painted in parts above each other. */
function joinParts(atoms: readonly FormulaAtom[]): FormulaAtom[] {
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
function stackAt(bar: RuledLine, near: readonly FormulaAtom[], isAbove: boolean): FormulaAtom[] {
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
function goesOn(side: readonly FormulaAtom[], others: readonly FormulaAtom[]): boolean {
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
function limitOf(sign: FormulaAtom, small: readonly FormulaAtom[], isAbove: boolean): FormulaAtom[] {
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

function toRows(atoms: readonly FormulaAtom[]): FormulaAtom[][] {
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
function toCells(rows: readonly FormulaAtom[][]): FormulaAtom[][][] {
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

function gridTex(open: string, isClosed: boolean, cells: readonly FormulaAtom[][][], body: string): string {
  if (!isClosed) return `\\begin{cases} ${body} \\end{cases}`
  if (open === '(' && cells.length === 2 && cells[0]!.length === 1)
    return `\\binom{${rowToTex(cells[0]![0]!)}}{${rowToTex(cells[1]![0]!)}}`
  const name = { '(': 'pmatrix', '[': 'bmatrix', '{': 'Bmatrix', '|': 'vmatrix', '‖': 'Vmatrix' }[open] ?? 'matrix'
  return `\\begin{${name}} ${body} \\end{${name}}`
}

/** A word space is narrower; `\quad` is as wide. */
const MAX_GAP_EM = 1
const MAX_RELATION_GAP_EM = 1.3
const MAX_SCRIPT_GAP_EM = 0.3

/** Groups atoms that follow each other on one line, with their scripts. */
function chainsOf(atoms: readonly FormulaAtom[]): FormulaAtom[][] {
  const sorted = atoms
    .filter((atom) => atom.kind !== 'word' || atom.isCalled || isScript(atom))
    .sort((a, b) => a.x0 - b.x0)
  const chainOf = new Map<FormulaAtom, FormulaAtom[]>()
  const widest = largestSize(sorted)
  for (let at = 0; at < sorted.length; at++) {
    const atom = sorted[at]!
    if (!chainOf.has(atom)) chainOf.set(atom, [atom])
    for (let next = at + 1; next < sorted.length && sorted[next]!.x0 < atom.x1 + MAX_RELATION_GAP_EM * widest; next++) {
      const other = sorted[next]!
      const [one, two] = [chainOf.get(atom)!, chainOf.get(other) ?? [other]]
      if (one === two || !isNext(atom, other)) continue
      const [long, short] = one.length < two.length ? [two, one] : [one, two]
      for (const moved of short) {
        long.push(moved)
        chainOf.set(moved, long)
      }
      for (const member of [atom, other]) chainOf.set(member, long)
    }
  }
  return [...new Set(chainOf.values())].filter(
    (chain) => chain.length <= MAX_CHAIN_ATOMS && chain.some((atom) => atom.isMath || isVariable(atom)),
  )
}

const isScript = ({ text, size, sources }: FormulaAtom): boolean =>
  text.length <= 12 && size < 8 && sources.length === 1

function isNext(atom: FormulaAtom, other: FormulaAtom): boolean {
  const size = Math.max(atom.size, other.size)
  const gap = other.x0 - atom.x1
  const isLevel = Math.abs(atom.base - other.base) < 0.12 * size
  if (other.y0 > atom.y1 + size || other.y1 < atom.y0 - size || gap > MAX_RELATION_GAP_EM * size) return false
  const isRelated = RELATION.test(atom.text) || RELATION.test(other.text)
  if (gap > (isRelated ? MAX_RELATION_GAP_EM : MAX_GAP_EM) * size || other.x1 < atom.x0) return false
  if (isLevel) return gap > -0.6 * size
  const isDifferent = Math.min(atom.size, other.size) < 0.87 * size || atom.kind === 'built' || other.kind === 'built'
  if (!isDifferent || gap < -1.2 * size) return false
  // After a script the line continues at its usual distance.
  const most = atom.size < 0.87 * other.size ? MAX_GAP_EM * 0.6 : MAX_SCRIPT_GAP_EM
  const [small, large] = atom.size <= other.size && atom.kind !== 'built' ? [atom, other] : [other, atom]
  const reach = 0.2 * size
  const middle = middleY(small)
  const isBeside = middle > large.y0 - reach - 0.25 * size && middle < large.y1 + reach
  return gap < most * size && isBeside
}

/** Two ordinary signs a word space apart are two formulas. */
function splitChain(chain: FormulaAtom[]): FormulaAtom[][] {
  const atoms = chain.sort((a, b) => a.x0 - b.x0)
  const size = largestSize(atoms)
  const base = mainBaseOf(atoms)
  const parts: FormulaAtom[][] = []
  let reach = Number.NEGATIVE_INFINITY
  let last: FormulaAtom | undefined
  let depth = 0
  for (const atom of atoms) {
    const isMain = atom.size > 0.87 * size && Math.abs(atom.base - base) < 0.2 * size
    const isApart = last && isMain && atom.x0 - reach > 0.22 * size && depth <= 0
    const isBroken = isApart && (/^[,;:]$/.test(last!.text) || (isOrdinary(last!) && isOrdinary(atom)))
    if (!last || isBroken) parts.push([atom])
    else parts.at(-1)!.push(atom)
    if (/^[([{⟨⌊⌈]$/.test(atom.text)) depth++
    if (/^[)\]}⟩⌋⌉]$/.test(atom.text)) depth--
    reach = Math.max(reach, atom.x1)
    if (isMain || !last) last = atom
  }
  return parts
}

const isOrdinary = ({ kind, text }: FormulaAtom): boolean =>
  kind === 'digit' || (kind === 'sign' && /^[\p{L}\d)\]}]$/u.test(text)) || kind === 'word'

/** Without punctuation, and without brackets that surround or that have no counterpart. */
function trimChain(chain: readonly FormulaAtom[]): FormulaAtom[] {
  let atoms = [...chain]
  for (;;) {
    const first = atoms[0]
    const last = atoms.at(-1)
    if (!first || !last) return atoms
    const size = largestSize(atoms)
    const isLoneScript =
      first.size < 0.87 * size && first.kind !== 'built' && Math.abs(first.base - mainBaseOf(atoms)) > 0.1 * size
    if (/^[.,;:!?)\]'"–—-]$/.test(first.text) || isLoneScript) atoms = atoms.slice(1)
    else if (/^[.,;:?([]$/.test(last.text) || last.isCalled) atoms = atoms.slice(0, -1)
    else if (/^[([]$/.test(first.text) && depthAfter(atoms) > 0) atoms = atoms.slice(1)
    else if (/^[)\]]$/.test(last.text) && depthAfter(atoms) < 0) atoms = atoms.slice(0, -1)
    else if (first.text === '(' && last.text === ')' && !first.isMath && isWrapped(atoms)) atoms = atoms.slice(1, -1)
    else return atoms
  }
}

function depthAfter(atoms: readonly FormulaAtom[]): number {
  let depth = 0
  for (const { text } of atoms) depth += /^[([]$/.test(text) ? 1 : /^[)\]]$/.test(text) ? -1 : 0
  return depth
}

function isWrapped(atoms: readonly FormulaAtom[]): boolean {
  let depth = 0
  return atoms.slice(0, -1).every((atom) => {
    depth += depthAfter([atom])
    return depth !== 0
  })
}

const RELATION = /^[=<>≤≥≈∼∝∈≠≡→×±−]$/

function isFormula(atoms: readonly FormulaAtom[]): boolean {
  if (atoms.some(({ isSure }) => isSure)) return true
  if (atoms.some(isVariable) && isSetAsFormula(atoms)) return true
  const isMath = atoms.some((atom) => atom.isMath)
  // A bound without its variable (≥ 18) is text.
  return isMath && atoms.length >= 3 && atoms.some(({ text }) => RELATION.test(text))
}

/** Variables with scripts, accents, arguments or relations. */
const isSetAsFormula = (atoms: readonly FormulaAtom[]): boolean =>
  hasScript(atoms) ||
  atoms.some((atom) => isVariable(atom) && /\p{M}/u.test(atom.text)) ||
  (atoms.length > 2 && atoms.some(({ text }) => RELATION.test(text) || text === '('))

function runOfFormula(atoms: readonly FormulaAtom[]): PdfRun {
  const box = boundingBoxOf(atoms)
  const size = largestSize(atoms)
  const base = mainBaseOf(atoms)
  return {
    ...{ ...box, y0: Math.min(box.y0, base - 0.8 * size), y1: Math.max(box.y1, base + 0.2 * size) },
    ...{ text: rowToTex(atoms), base, size, bold: false, italic: false, mono: false, math: true, tex: true },
  }
}

const EQUATION_NUMBER = /^\((?:[A-Z]\.?)?\d{1,3}(?:[.-]\d{1,3})*[a-z]?\)$/

/** The number of an equation is at the right of it, with nothing between. */
function withNumbers(formulas: PdfRun[], rest: readonly PdfRun[]): PdfRun[] {
  const gone = new Set<PdfRun>()
  for (const number of rest) {
    if (!EQUATION_NUMBER.test(number.text.trim())) continue
    const isLevel = ({ y0, y1 }: PdfRun) => number.base > y0 && number.base < y1 + 0.3 * number.size
    const left = formulas
      .filter((run) => run.x1 < number.x0 - number.size && isLevel(run))
      .sort((a, b) => b.x1 - a.x1)[0]
    const isFree = !rest.some(
      (run) =>
        run !== number &&
        isLevel(run) &&
        run.x1 > (left?.x1 ?? 0) &&
        run.x0 < number.x1 + 0.6 * number.size &&
        run.x1 > (left?.x1 ?? 0) + 0.5 * number.size,
    )
    if (!left || !isFree) continue
    left.tag = number.text.trim().slice(1, -1)
    left.x1 = number.x1
    gone.add(number)
  }
  return [...rest.filter((run) => !gone.has(run)), ...formulas]
}

/** The parts of a run that are in no formula. */
function restOfRun(run: PdfRun, taken: readonly { from: number; to: number }[] | undefined): PdfRun[] {
  if (!taken) return [run]
  const { xs, ...plain } = run
  const rest: PdfRun[] = []
  let from = 0
  const add = (to: number) => {
    const text = run.text.slice(from, to)
    if (text.trim()) rest.push({ ...plain, text, x0: placeInRun(run, from), x1: placeInRun(run, to) })
  }
  for (const part of [...taken].sort((a, b) => a.from - b.from)) {
    add(part.from)
    from = Math.max(from, part.to)
  }
  add(run.text.length)
  return rest
}

// Signs in a row that are a formula, and what is left of their lines.
import {
  type FormulaAtom,
  hasScript,
  isVariable,
  largestSize,
  mainBaseOf,
  placeInRun,
  rowToTex,
} from './formula-atoms.ts'
import { boundingBoxOf, middleY, type PdfRun } from './page-layout-types.ts'

/** Each atom of these is compared with all others. */
const MAX_CHAIN_ATOMS = 500
/** A word space is narrower; `\quad` is as wide. */
const MAX_GAP_EM = 1
const MAX_RELATION_GAP_EM = 1.3
const MAX_SCRIPT_GAP_EM = 0.3

/** Groups atoms that follow each other on one line, with their scripts. */
export function chainsOf(atoms: readonly FormulaAtom[]): FormulaAtom[][] {
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
export function splitChain(chain: FormulaAtom[]): FormulaAtom[][] {
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
export function trimChain(chain: readonly FormulaAtom[]): FormulaAtom[] {
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

export const RELATION = /^[=<>≤≥≈∼∝∈≠≡→×±−]$/

export function isFormula(atoms: readonly FormulaAtom[]): boolean {
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

export function runOfFormula(atoms: readonly FormulaAtom[]): PdfRun {
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
export function withNumbers(formulas: PdfRun[], rest: readonly PdfRun[]): PdfRun[] {
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
export function restOfRun(run: PdfRun, taken: readonly { from: number; to: number }[] | undefined): PdfRun[] {
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

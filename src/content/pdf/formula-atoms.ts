// Atoms of a formula: signs, numbers and words with their places, and how a row of them becomes TeX.
import { escapeTex, texOfSign } from '../markdown/tex-formulas.ts'
import { alphabetOf, bracketOfPart, isFormulaFont } from './math-glyphs.ts'
import { type Box, boundingBoxOf, middleX, middleY, type PdfRun } from './page-layout-types.ts'

type AtomKind = 'sign' | 'digit' | 'word' | 'name' | 'built'

export interface FormulaAtom extends Box {
  kind: AtomKind
  text: string
  tex: string
  base: number
  size: number
  /** Set in a font of formulas, or built from such signs. */
  isMath: boolean
  /** Proves a formula by itself. */
  isSure: boolean
  /** A word that is followed by an opening bracket. */
  isCalled?: boolean
  /** Where it comes from; several for what is built. */
  sources: readonly AtomSource[]
}

interface AtomSource {
  run: PdfRun
  from: number
  to: number
}

const FUNCTION_NAME =
  /^(?:arg|argmax|argmin|cos|cosh|cot|csc|deg|det|dim|exp|gcd|hom|inf|ker|lim|liminf|limsup|ln|log|max|min|Pr|sec|sin|sinh|sup|tan|tanh|arcsin|arccos|arctan)$/
export const LARGE_OPERATOR = /^[∑∏∐∫∮⋃⋂⨁⨂⨀⋁⋀⨄⨆]$/
const ACCENTS: Record<string, string> = {
  '\u0300': 'grave',
  '\u0301': 'acute',
  '\u0302': 'hat',
  '\u0303': 'tilde',
  '\u0304': 'bar',
  '\u0305': 'overline',
  '\u0306': 'breve',
  '\u0307': 'dot',
  '\u0308': 'ddot',
  '\u030c': 'check',
  '\u20d7': 'vec',
}
/** These signs also occur in ordinary text. */
const COMMON_SIGN = /^[•·∗*†‡§¶©®°◦⋆−×±|<>/\\.,;:{}()[\]–—→∼~☐□■'′"=+…!?-]$/
const PIECES = /\d+(?:[.,]\d+)*|\p{L}\p{M}*(?:\p{L}\p{M}*)*|\S/gu
const OPERATORS = /^[()[\]{}=+−<>|/.,:;!*'′∗×±·…-]$/u

/** Where a letter begins; without places of letters, all have one width. */
export const placeInRun = ({ xs, x0, x1, text }: PdfRun, at: number): number =>
  at >= text.length ? x1 : (xs?.[at] ?? x0 + ((x1 - x0) * at) / text.length)

export function atomsOfRun(run: PdfRun): FormulaAtom[] {
  if (run.math) return [atomOfGlyph(run)]
  const { text, y0, y1, base, size } = run
  const atoms: FormulaAtom[] = []
  for (const token of text.matchAll(/\S+/g)) {
    const place = (from: number, to: number) => ({
      ...{ x0: placeInRun(run, token.index + from), x1: placeInRun(run, token.index + to), y0, y1, base, size },
      sources: [{ run, from: token.index + from, to: token.index + to }],
    })
    const pieces = [...token[0].matchAll(PIECES)]
    const made = pieces.map((piece, at): FormulaAtom => {
      const [word] = piece
      const kind = kindOf(word, run, text.trim().length)
      const isCalled = kind === 'word' && word.length <= 6 && pieces[at + 1]?.[0] === '('
      const tex = texOfText(word, kind, run)
      const plain = { kind, text: word, tex, isMath: false, isSure: false }
      return { ...plain, ...place(piece.index, piece.index + word.length), ...(isCalled ? { isCalled } : {}) }
    })
    const isWord = made.some(({ kind, isCalled }) => kind === 'word' && !isCalled)
    if (!isWord) atoms.push(...made)
    else {
      const [word] = token
      const plain = {
        kind: 'word' as const,
        text: word,
        tex: `\\text{${escapeTex(word)}}`,
        isMath: false,
        isSure: false,
      }
      atoms.push({ ...plain, ...place(0, word.length) })
    }
  }
  return atoms
}

function kindOf(text: string, { italic, bold }: PdfRun, length: number): AtomKind {
  if (/^\d/.test(text)) return 'digit'
  if (FUNCTION_NAME.test(text)) return 'name'
  // Without a font for formulas, variables are single letters in italics.
  const letters = text.normalize('NFD').replace(/\p{M}/gu, '')
  const isShort = /^[\p{Script=Latin}\p{Script=Greek}]{1,2}$/u.test(letters)
  if (isShort && (italic || bold) && (letters.length === 1 || length === 2)) return 'sign'
  if (OPERATORS.test(text) || /^[\p{Sm}\p{Script=Greek}∂∇]$/u.test(text)) return 'sign'
  return 'word'
}

function texOfText(text: string, kind: AtomKind, { bold }: PdfRun): string {
  if (kind === 'name') return `\\${text} `
  if (bold && /^\p{L}+$/u.test(text)) return `\\mathbf{${text}}`
  if (kind === 'word') return `\\mathrm{${escapeTex(text)}}`
  return kind === 'sign' ? texOfLetter(text) : [...text].map(texOfSign).join('')
}

/** With its accents. */
function texOfLetter(text: string): string {
  let tex = ''
  for (const sign of text.normalize('NFD')) {
    const accent = ACCENTS[sign]
    tex = accent && tex ? `\\${accent}{${tex.trim()}}` : tex + texOfSign(sign)
  }
  return tex
}

function atomOfGlyph(run: PdfRun): FormulaAtom {
  const { text, base, size, font = '', bold } = run
  const sign = bracketOfPart(text.trim()) ?? text.trim()
  const [letter = '', ...marks] = [...sign.normalize('NFD')]
  const alphabet = alphabetOf(letter, font)
  let tex = alphabet ? `\\${alphabet}{${letter}}` : texOfSign(letter.normalize('NFKD'))
  if (bold && /^\p{L}$/u.test(letter) && !alphabet) tex = `\\mathbf{${tex.trim()}}`
  for (const mark of marks) tex = ACCENTS[mark] ? `\\${ACCENTS[mark]}{${tex.trim()}}` : tex
  const isCommon = COMMON_SIGN.test(letter)
  const ink = run.ink ?? run
  const y0 = Math.min(ink.y0, ink.y1)
  // An accent is painted beside its origin.
  const x0 = ACCENTS[letter] ? ink.x0 : run.x0
  const box = { x0, x1: Math.max(ACCENTS[letter] ? x0 : run.x1, ink.x1), y0, y1: Math.max(ink.y1, y0) }
  const isTall = box.y1 - box.y0 > 1.15 * size || LARGE_OPERATOR.test(letter)
  return {
    ...box,
    ...{ kind: 'sign', text: letter, tex, size, isMath: isFormulaFont(font) || !isCommon },
    base: isTall ? middleY(box) + 0.25 * size : base,
    isSure: isFormulaFont(font) && !isCommon,
    sources: [{ run, from: 0, to: run.text.length }],
  }
}

/** A letter in italics of a font for text, as some documents set variables. */
export const isVariable = ({ kind, isMath, text, sources }: FormulaAtom): boolean =>
  kind === 'sign' && !isMath && /^\p{L}/u.test(text) && sources[0]!.run.italic

export const sourcesOf = (atoms: readonly FormulaAtom[]): AtomSource[] => atoms.flatMap(({ sources }) => sources)

export function buildAtom(parts: readonly FormulaAtom[], tex: string, place: Partial<FormulaAtom>): FormulaAtom {
  const box = boundingBoxOf(parts)
  return {
    ...box,
    ...{ kind: 'built', text: '', tex, base: box.y1, size: largestSize(parts), isMath: true, isSure: true },
    ...place,
    sources: sourcesOf(parts),
  }
}

/** Some fonts have their large operators at a larger size, whatever the size of the formula. */
export function largestSize(atoms: readonly FormulaAtom[]): number {
  const largest = (some: readonly FormulaAtom[]) => some.reduce((most, { size }) => Math.max(most, size), 0)
  return largest(atoms.filter(({ text }) => !LARGE_OPERATOR.test(text))) || largest(atoms)
}

/** The base line of the largest signs, of which the first decides. */
export function mainBaseOf(atoms: readonly FormulaAtom[]): number {
  const size = largestSize(atoms)
  const large = atoms.filter((atom) => atom.size > 0.9 * size)
  const plain = large.filter(({ kind }) => kind !== 'built')
  const bases = (plain.length > 0 ? plain : large).map(({ base }) => base)
  const sorted = [...bases].sort((a, b) => a - b)
  const nearby = new Map<number, number>()
  let [from, to] = [0, 0]
  for (const base of sorted) {
    while (base - sorted[from]! >= 0.12 * size && from < to) from++
    while (to < sorted.length && sorted[to]! - base < 0.12 * size) to++
    nearby.set(base, to - from)
  }
  return bases.reduce((best, base) => (nearby.get(base)! > nearby.get(best)! ? base : best), bases[0] ?? 0)
}

/** Share of the size by which a script is off the base line. */
const MIN_SHIFT = 0.1
const MIN_LARGE_SHIFT = 0.22

export function hasScript(atoms: readonly FormulaAtom[]): boolean {
  const [base, size] = [mainBaseOf(atoms), largestSize(atoms)]
  return atoms.some((atom) => shiftOf(atom, base, size) !== 0)
}

/** 1: superscript, -1: subscript, 0: on the line. */
function shiftOf(atom: FormulaAtom, base: number, size: number): number {
  const shift = (base - atom.base) / size
  const isSmall = atom.size < 0.87 * size
  if (Math.abs(shift) < (isSmall && atom.kind !== 'built' ? MIN_SHIFT : MIN_LARGE_SHIFT)) return 0
  return shift > 0 ? 1 : -1
}

/** Atoms beside each other, from left to right; whatever is small and off the line is a script of the atom before it. */
export function rowToTex(atoms: readonly FormulaAtom[]): string {
  const sorted = [...atoms].sort((a, b) => a.x0 - b.x0)
  const size = largestSize(sorted)
  const base = mainBaseOf(sorted)
  let tex = ''
  let last: FormulaAtom | undefined
  for (let at = 0; at < sorted.length; ) {
    const atom = sorted[at]!
    if (shiftOf(atom, base, size) === 0) {
      const gap = last ? atom.x0 - last.x1 : 0
      tex = withNext(tex, last, atom, gap > 0.8 * size)
      last = atom
      at++
      continue
    }
    const scripts: FormulaAtom[] = []
    while (at < sorted.length && shiftOf(sorted[at]!, base, size) !== 0) scripts.push(sorted[at++]!)
    tex = tex.trimEnd() + scriptsToTex(scripts, base, size)
    last = undefined
  }
  return tex.replace(/ {2,}/g, ' ').trim()
}

const NEGATED: Record<string, string> = { '=': '\\neq ', '∈': '\\notin ' }

function withNext(
  tex: string,
  last: FormulaAtom | undefined,
  { text, tex: own, kind }: FormulaAtom,
  isWide: boolean,
): string {
  const joint = isWide && tex ? '\\quad ' : kind === 'word' && last?.kind === 'word' ? '\\ ' : ''
  if (last?.text === '\u0338') return tex + (NEGATED[text] ?? `\\not${own}`)
  if (text === '\u0338') return tex
  // A word of TeX needs a blank before a letter.
  const blank = /\\[a-zA-Z]+$/.test(tex + joint) && /^[a-zA-Z]/.test(own) ? ' ' : ''
  return tex + joint + blank + own
}

function scriptsToTex(scripts: readonly FormulaAtom[], base: number, size: number): string {
  const lower = scripts.filter((atom) => shiftOf(atom, base, size) < 0)
  const upper = scripts.filter((atom) => shiftOf(atom, base, size) > 0)
  const primes = upper.length > 0 && upper.every(({ text }) => text === '′')
  const below = lower.length > 0 ? `_{${rowToTex(lower)}}` : ''
  if (primes) return below + "'".repeat(upper.length)
  return below + (upper.length > 0 ? `^{${rowToTex(upper)}}` : '')
}

/** Accents that are signs of their own are over a letter beside them. */
export function joinAccents(atoms: readonly FormulaAtom[]): FormulaAtom[] {
  const accents = atoms.filter(({ text, isMath }) => isMath && ACCENTS[text])
  if (accents.length === 0) return [...atoms]
  const joined = new Map<FormulaAtom, FormulaAtom | undefined>()
  for (const accent of accents) {
    const away = (letter: FormulaAtom) => Math.abs(middleX(letter) - middleX(accent))
    const letter = atoms
      .filter(
        (other) =>
          Math.abs(other.base - accent.base) < 0.6 * accent.size &&
          away(other) < 0.5 * accent.size &&
          /^\p{L}$/u.test(other.text),
      )
      .sort((a, b) => away(a) - away(b))[0]
    if (!letter || joined.has(letter)) continue
    const tex = `\\${ACCENTS[accent.text]}{${letter.tex.trim()}}`
    joined.set(letter, { ...letter, tex, isMath: true, isSure: true, sources: sourcesOf([letter, accent]) })
    joined.set(accent, undefined)
  }
  return atoms.flatMap((atom) => (joined.has(atom) ? (joined.get(atom) ?? []) : [atom]))
}

// Converts runs to inline markdown: emphasis, links, code and dehyphenated words.
import { escapeMarkdownText, escapeMarkdownUrl, writeCodeSpan } from '../markdown/escape-markdown.ts'
import { escapeTex } from '../markdown/tex-formulas.ts'
import { needsSpace } from './group-rows.ts'
import type { PdfRun } from './page-layout-types.ts'

interface InlinePiece {
  text: string
  bold: boolean
  italic: boolean
  mono: boolean
  tex: boolean
  link: string | undefined
  isSign: boolean
}

/** Words of the document, used to decide whether a hyphen at a line end belongs to the word. */
export type DocumentWords = ReadonlySet<string>

const MAX_WORDS = 200_000

export function collectWords(texts: Iterable<string>): DocumentWords {
  const words = new Set<string>()
  for (const text of texts) {
    for (const [word] of text.toLowerCase().matchAll(/[\p{L}][\p{L}-]{2,60}/gu)) words.add(word)
    if (words.size > MAX_WORDS) break
  }
  return words
}

export function runsToPieces(lines: readonly (readonly PdfRun[])[], words: DocumentWords): InlinePiece[] {
  const pieces: InlinePiece[] = []
  for (const line of lines) {
    let last: PdfRun | undefined
    for (const run of line) {
      const joint = last ? (needsSpace(last, run) ? ' ' : '') : jointOf(pieces, run.text, words)
      add(pieces, joint, run, isSign(last, run))
      last = run
    }
  }
  return pieces
}

/** Separator before the next line; removes a hyphen added by the line break. */
function jointOf(pieces: InlinePiece[], next: string, words: DocumentWords): string {
  const last = pieces.at(-1)
  if (!last) return ''
  const { text, keepSpace } = joinHyphenated(last.text, next, words)
  last.text = text
  return keepSpace ? ' ' : ''
}

export function joinHyphenated(
  before: string,
  next: string,
  words: DocumentWords,
): { text: string; keepSpace: boolean } {
  const text = before.trimEnd()
  if (text.endsWith('\u00ad')) return { text: text.slice(0, -1), keepSpace: false }
  const head = /([\p{L}]+)[-‐]$/u.exec(text.slice(-60))?.[1]
  const tail = /^\s*(\p{Ll}[\p{L}]*)/u.exec(next)?.[1]
  if (head && tail) {
    const whole = `${head}${tail}`.toLowerCase()
    const compound = `${head}-${tail}`.toLowerCase()
    const keeps = words.has(compound) && !words.has(whole)
    return { text: keeps ? text : text.slice(0, -1), keepSpace: false }
  }
  if (/[-‐–/]$/.test(text) && /\S[-‐–/]$/.test(text) && /^\p{Lu}|^\d/u.test(next)) return { text, keepSpace: false }
  const isCjk =
    /[\u3040-\u30ff\u3400-\u9fff\uff00-\uffef]$/.test(text) && /^[\u3040-\u30ff\u3400-\u9fff\uff00-\uffef]/.test(next)
  return { text, keepSpace: !isCjk }
}

/** Small, raised and directly after a word. Exponents follow a number or a single letter. */
function isSign(before: PdfRun | undefined, { text, size, base }: PdfRun): boolean {
  if (!before || size > before.size * 0.8 || base > before.base - before.size * 0.2) return false
  return /^(?:\d{1,3}|[*†‡§])$/.test(text.trim()) && /(?:\p{L}{2}|[.,;:!?”’)\]])$/u.test(before.text)
}

function add(pieces: InlinePiece[], joint: string, run: PdfRun, isSign: boolean): void {
  const last = pieces.at(-1)
  const { bold, italic, mono, link, tex = false } = run
  const isBroken = last?.tex && tex && (ENDS_OPEN.test(last.text) || STARTS_OPEN.test(run.text))
  const isSame =
    last &&
    !tex &&
    !last.tex &&
    last.bold === bold &&
    last.italic === italic &&
    last.mono === mono &&
    last.link === link &&
    last.isSign === isSign
  if (isSame || isBroken) last.text += joint + run.text
  else {
    if (last && joint) last.text += joint
    pieces.push({ text: run.text, bold, italic, mono, tex, link, isSign })
  }
}

/** A formula that is broken at a relation or an operator. */
const ENDS_OPEN = /(?:[=+<>−-]|\\(?:leq|geq|in|approx|times|cdot|sim|to|equiv))\s*$/
const STARTS_OPEN = /^(?:[=+<>]|\\(?:leq|geq|in|approx|times|cdot|sim|to|equiv)(?![a-z]))/

/** A displayed formula with the words beside it. */
export function runsToDisplay(runs: readonly PdfRun[]): string {
  let tex = ''
  let last: PdfRun | undefined
  for (const run of runs) {
    const isWide = last !== undefined && run.x0 - last.x1 > 0.5 * run.size
    const isWord = !run.tex && /\p{L}/u.test(run.text)
    const text = run.tex ? run.text.trim() : escapeTex(run.text.trim())
    const own = isWord ? `\\text{${text}}` : text
    if (isWord && last && !isWide && tex.endsWith('}') && /\\text\{[^{}]*\}$/.test(tex))
      tex = `${tex.slice(0, -1)} ${own.slice(6)}`
    else tex += (isWide ? ' \\quad ' : last ? ' ' : '') + own
    last = run
  }
  const tag = runs.find((run) => run.tag !== undefined)?.tag
  return tag === undefined ? tex : `${tex} \\tag{${tag}}`
}

const RAISED = '⁰¹²³⁴⁵⁶⁷⁸⁹'

const raiseSign = (sign: string): string =>
  /^\d+$/.test(sign) ? sign.replace(/\d/g, (digit) => RAISED[Number(digit)] ?? digit) : `<sup>${sign}</sup>`

const markOf = (bold: boolean, italic: boolean): string => (bold ? '**' : '') + (italic ? '*' : '')

const hasWord = (text: string): boolean => /[\p{L}\p{N}]/u.test(text)

/** `plain`: without emphasis, as in headings. */
export function piecesToMarkdown(pieces: readonly InlinePiece[], plain: boolean): string {
  const allBold = pieces.every(({ bold, text }) => bold || !text.trim())
  const allItalic = pieces.every(({ italic, text }) => italic || !text.trim())
  let out = ''
  for (const [index, piece] of pieces.entries()) {
    const text = piece.text.replace(/[\s\0]+/g, ' ')
    const core = text.trim()
    if (!core) {
      if (text) out += ' '
      continue
    }
    const [start, end] = [text[0] === ' ' ? ' ' : '', text.endsWith(' ') ? ' ' : '']
    const before = pieces[index - 1]?.text.at(-1) ?? ''
    const after = pieces[index + 1]?.text[0] ?? ''
    const isApart = (start !== '' || !hasWord(before)) && (end !== '' || !hasWord(after))
    const isStyled = !plain && hasWord(core)
    let inner = piece.mono && isStyled ? writeCodeSpan(core) : escapeMarkdownText(core, piece.link !== undefined)
    if (piece.tex) inner = `$${core}$`
    else if (piece.isSign) inner = raiseSign(core)
    else if (isStyled && isApart) {
      const mark = markOf(piece.bold && !allBold, piece.italic && !allItalic)
      inner = `${mark}${inner}${mark}`
    }
    if (piece.link) inner = `[${inner}](${escapeMarkdownUrl(piece.link)})`
    out += start + inner + end
  }
  return out.replace(/ {2,}/g, ' ').trim()
}

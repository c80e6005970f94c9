// Detects right-to-left text and reverses the Unicode bidirectional algorithm: from places on a line to reading order.
import { appendAll } from '../../base/large-array-helpers.ts'
import { needsSpace } from './group-rows.ts'
import { boundingBoxOf, type PdfRun } from './page-layout-types.ts'

const RTL = /[\u0590-\u065f\u066a-\u06ef\u06fa-\u08ff\ufb1d-\ufdff\ufe70-\ufefe]/
const RTL_ALL = new RegExp(RTL.source, 'g')
const ARABIC = /[\u0620-\u064a\u0671-\u06d3\ufb50-\ufdff\ufe70-\ufefe]/

export function isRightToLeft(text: string): boolean {
  const sample = text.slice(0, 20_000)
  const strong = sample.match(RTL_ALL)?.length ?? 0
  return strong * 3 > (sample.match(/\p{L}/gu)?.length ?? 0)
}

/** `R`ight-to-left, `L`eft-to-right, `D`igit, `C`ommon separator, `S`ign or `T`erminator of numbers, or `N`eutral. */
function classOf(text: string): string {
  if (/[٪٫٬،؛؟]/.test(text)) return /[٫٬،]/.test(text) ? 'C' : 'N'
  if (RTL.test(text)) return 'R'
  if (/\p{L}/u.test(text)) return 'L'
  if (/\p{Nd}/u.test(text)) return 'D'
  if (/^[.,:/]$/.test(text)) return 'C'
  if (/^[+-]$/.test(text)) return 'S'
  return /^[%‰°#\p{Sc}]$/u.test(text) ? 'T' : 'N'
}

/** From the first to the last letter or digit, since signs at the ends belong to the text around. */
const PHRASE = '(?:D[^R]*)?L(?:[^R]*[LD]T*)?'
/** Signs beside a number turn with Arabic text, but not with Hebrew. */
const IN_ARABIC = new RegExp(`${PHRASE}|D+(?:CD+)*`, 'g')
const IN_HEBREW = new RegExp(`${PHRASE}|T*D+(?:[CS]D+)*T*`, 'g')

interface VisualLetter {
  text: string
  x0: number
  y: number
}

/** Parts of a word, given from left to right, that are read in one direction; each in reading order. */
export function directedParts<T extends VisualLetter>(word: readonly T[], isArabic: boolean): T[][] {
  const classes = classesOf(word)
  const parts: T[][] = []
  let done = 0
  const turn = (to: number) => {
    if (to > done) parts.push(word.slice(done, to).reverse())
  }
  for (const { index, 0: found } of classes.matchAll(isArabic ? IN_ARABIC : IN_HEBREW)) {
    turn(index)
    done = index + found.length
    parts.push(word.slice(index, done))
  }
  turn(word.length)
  return parts
}

/** PDFium turns the letters of a ligature around with the line, and reports marks apart from their letter. */
export function joinLettersOfGlyphs<T extends VisualLetter>(letters: readonly T[]): T[] {
  const joined: T[] = []
  for (const letter of letters) {
    const last = joined.at(-1)
    const isMark = /^\p{M}/u.test(letter.text)
    const isSame =
      last &&
      last.text.length < MAX_GLYPH_LETTERS &&
      Math.abs(last.x0 - letter.x0) < 0.05 &&
      Math.abs(last.y - letter.y) < 0.05
    if (last && isMark && last.text.length < MAX_GLYPH_LETTERS && Math.abs(last.x0 - letter.x0) < MAX_MARK_DISTANCE_PT)
      last.text += letter.text
    else if (last && isSame && RTL.test(letter.text))
      last.text =
        /ل$/.test(last.text) && /^[اأإآ]/.test(letter.text) ? last.text + letter.text : letter.text + last.text
    else joined.push({ ...letter })
  }
  return joined
}

const MAX_MARK_DISTANCE_PT = 12
const MAX_GLYPH_LETTERS = 20

export const hasArabic = (text: string): boolean => ARABIC.test(text)

/** `runs` are ordered from left to right; `rightToLeft`: in a document that is mostly so. */
export function sortInReadingOrder(runs: readonly PdfRun[], rightToLeft: boolean): PdfRun[] {
  if (!rightToLeft && !runs.some(({ text }) => RTL.test(text))) return [...runs]
  const strong = runs.reduce((sum, { text }) => sum + (text.match(RTL_ALL)?.length ?? 0), 0)
  const all = runs.reduce((sum, { text }) => sum + (text.match(/\p{L}/gu)?.length ?? 0), 0)
  // A line of Latin words that ends on the left is the last line of a right-to-left paragraph.
  const endsLeft = rightToLeft && /^\s*[.,:;!?،؛؟]\s*$/.test(runs[0]?.text ?? '')
  if (endsLeft || strong * (rightToLeft ? 4 : 2) >= all) return withBracketsTurned(turned(runs))
  const classes = classesOf(runs)
  const out: PdfRun[] = []
  let done = 0
  for (const { index, 0: found } of classes.matchAll(/R(?:[^L]*R)?/g)) {
    appendAll(out, runs.slice(done, index))
    appendAll(out, withBracketsTurned(turned(runs.slice(index, index + found.length))))
    done = index + found.length
  }
  return [...out, ...runs.slice(done)]
}

function turned(runs: readonly PdfRun[]): PdfRun[] {
  const out: PdfRun[] = []
  let done = 0
  for (const { 0: stretch, index } of classesOf(runs).matchAll(/[^R]+/g)) {
    if (!stretch.includes('L')) continue
    appendAll(out, runs.slice(done, index + stretch.search(/[LD]/)))
    done = index + Math.max(stretch.lastIndexOf('L'), stretch.lastIndexOf('D')) + 1
    appendAll(out, joinPhrase(runs.slice(index + stretch.search(/[LD]/), done)).reverse())
  }
  appendAll(out, runs.slice(done))
  return out.reverse()
}

const classesOf = (parts: readonly { text: string }[]): string => parts.map(({ text }) => classOf(text)).join('')

/** One run, since the distance to the text around is measured from the ends of the phrase. */
function joinPhrase(runs: readonly PdfRun[]): PdfRun[] {
  const [first, ...rest] = runs
  if (
    !first ||
    rest.some(
      ({ bold, italic, link, tex }) => bold !== first.bold || italic !== first.italic || link !== first.link || tex,
    )
  )
    return [...runs]
  let text = first.text
  for (const [at, run] of rest.entries()) text += (needsSpace(runs[at]!, run) ? ' ' : '') + run.text
  return [{ ...first, ...boundingBoxOf(runs), text }]
}

const MIRRORED = new Map([...'()[]{}«»<>'].map((sign, at, all) => [sign, all[at ^ 1]!]))

/** Files name a bracket by its shape or by its sense; it opens where space comes before it and none follows. */
function withBracketsTurned(runs: readonly PdfRun[]): PdfRun[] {
  const isApart = (a: PdfRun | undefined, b: PdfRun | undefined) => !a || !b || needsSpace(a, b)
  return runs.map((run, at) => {
    if (!/[()[\]{}«»<>]/.test(run.text) || run.tex) return run
    const before = isApart(runs[at - 1], run) ? ' ' : '-'
    const after = isApart(run, runs[at + 1]) ? ' ' : '-'
    const text = `${before}${run.text}${after}`
      .replace(/(?<=\s)[)\]}»>](?=\S)|(?<=\S)[([{«<](?=[\s.,:;!?؟،؛])/gu, (sign) => MIRRORED.get(sign) ?? sign)
      .slice(1, -1)
    return text === run.text ? run : { ...run, text }
  })
}

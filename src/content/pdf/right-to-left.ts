// Detects right-to-left text and orders the runs of a line.
import type { PdfRun } from './page-layout-types.ts'

const RTL = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]/
const RTL_ALL = new RegExp(RTL.source, 'g')

export function isRightToLeft(text: string): boolean {
  const sample = text.slice(0, 20_000)
  const strong = sample.match(RTL_ALL)?.length ?? 0
  return strong * 3 > (sample.match(/\p{L}/gu)?.length ?? 0)
}

export function sortInReadingOrder(runs: readonly PdfRun[]): PdfRun[] {
  if (!runs.some(({ text }) => RTL.test(text))) return [...runs]
  const strong = runs.reduce((sum, { text }) => sum + (text.match(RTL_ALL)?.length ?? 0), 0)
  const all = runs.reduce((sum, { text }) => sum + (text.match(/\p{L}/gu)?.length ?? 0), 0)
  return strong * 2 >= all ? withLatinForward([...runs].reverse().flatMap(splitLatin)) : [...runs]
}

const LATIN = /\p{Script=Latin}/u
const LEADING_LATIN = new RegExp(`^([^${RTL.source.slice(1, -1)}]*\\p{Script=Latin}\\S*)(?=\\s)`, 'u')

/** The last Latin word of a phrase arrives in one run with the right-to-left text after it. */
function splitLatin(run: PdfRun): PdfRun[] {
  const latin = RTL.test(run.text) ? LEADING_LATIN.exec(run.text)?.[1] : undefined
  if (latin === undefined) return [run]
  const at = run.x1 - ((run.x1 - run.x0) * latin.length) / run.text.length
  return [
    { ...run, text: latin, x0: at },
    { ...run, text: run.text.slice(latin.length), x1: at },
  ]
}

/** Latin words beside each other run from left to right, with the numbers between them. */
function withLatinForward(runs: PdfRun[]): PdfRun[] {
  const out: PdfRun[] = []
  for (let i = 0; i < runs.length; i++) {
    let last = i
    if (LATIN.test(runs[i]!.text))
      for (let k = i; k < runs.length && !RTL.test(runs[k]!.text); k++) if (LATIN.test(runs[k]!.text)) last = k
    out.push(...runs.slice(i, last + 1).reverse())
    i = last
  }
  return out
}

/** Lam-alef ligatures arrive as two letters in reading order, so reversing the text swaps them. */
const LAM_ALEF = /ا([اأإآ])ل/g

export const fixReversedLigatures = (text: string): string => text.replace(LAM_ALEF, 'ال$1')

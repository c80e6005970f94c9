// Detects right-to-left text and orders the runs of a line.
import type { PdfRun } from './page-layout.ts'

const RTL = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]/
const RTL_ALL = new RegExp(RTL.source, 'g')

export function isRightToLeft(text: string): boolean {
  const sample = text.slice(0, 20_000)
  const strong = sample.match(RTL_ALL)?.length ?? 0
  return strong * 3 > (sample.match(/\p{L}/gu)?.length ?? 0)
}

export function inReadingOrder(runs: readonly PdfRun[]): PdfRun[] {
  if (!runs.some(({ text }) => RTL.test(text))) return [...runs]
  const strong = runs.reduce((sum, { text }) => sum + (text.match(RTL_ALL)?.length ?? 0), 0)
  const all = runs.reduce((sum, { text }) => sum + (text.match(/\p{L}/gu)?.length ?? 0), 0)
  return strong * 2 >= all ? [...runs].reverse() : [...runs]
}

/** Lam-alef ligatures arrive as two letters in reading order, so reversing the text swaps them. */
const LAM_ALEF = /ا([اأإآ])ل/g

export const mendLigatures = (text: string): string => text.replace(LAM_ALEF, 'ال$1')

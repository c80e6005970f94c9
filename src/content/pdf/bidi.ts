// Right-to-left scripts: whether a file holds their text as it is drawn, from left to right, and the order of runs.
import type { Run } from './sheet.ts'

const RTL = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]/
const RTL_ALL = new RegExp(RTL.source, 'g')

export function isRightToLeft(text: string): boolean {
  const sample = text.slice(0, 20_000)
  const strong = sample.match(RTL_ALL)?.length ?? 0
  return strong * 3 > (sample.match(/\p{L}/gu)?.length ?? 0)
}

/**
 * Whether the letters stand as drawn. In Arabic script a word often begins with the article alef-lam; in Hebrew five
 * letters have a form for the end of a word. Both are seen at the wrong end in a file that holds drawing order.
 */
export function isDrawnOrder(text: string): boolean {
  const sample = text.slice(0, 50_000)
  const count = (pattern: RegExp) => sample.match(pattern)?.length ?? 0
  const right = count(/(?<![\u0590-\u08ff])ال/g) + count(/[םןץףךة](?![\u0590-\u08ff])/g)
  const wrong = count(/لا(?![\u0590-\u08ff])/g) + count(/(?<![\u0590-\u08ff])[םןץףךة]/g)
  return wrong > right
}

/** The runs of one line, in the order they are read. */
export function inReadingOrder(runs: readonly Run[]): Run[] {
  if (!runs.some(({ text }) => RTL.test(text))) return [...runs]
  const strong = runs.reduce((sum, { text }) => sum + (text.match(RTL_ALL)?.length ?? 0), 0)
  const all = runs.reduce((sum, { text }) => sum + (text.match(/\p{L}/gu)?.length ?? 0), 0)
  return strong * 2 >= all ? [...runs].reverse() : [...runs]
}

/** Ligatures of lam and alef come as two letters, in reading order; taken apart and reversed they would swap. */
const LAM_ALEF = /ا([اأإآ])ل/g

export const mendLigatures = (text: string): string => text.replace(LAM_ALEF, 'ال$1')

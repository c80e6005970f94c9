// Text of right-to-left scripts, back into the order it is read in: some files hold it as it is drawn, left to right.
import type { Run } from './sheet.ts'

const RTL = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]/
const RTL_ALL = new RegExp(RTL.source, 'g')
const MIRRORED: Readonly<Record<string, string>> = { '(': ')', ')': '(', '[': ']', ']': '[', '«': '»', '»': '«' }

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
export function inReadingOrder(runs: readonly Run[], drawnOrder: boolean): Run[] {
  if (!runs.some(({ text }) => RTL.test(text))) return [...runs]
  const strong = runs.reduce((sum, { text }) => sum + (text.match(RTL_ALL)?.length ?? 0), 0)
  const all = runs.reduce((sum, { text }) => sum + (text.match(/\p{L}/gu)?.length ?? 0), 0)
  const turned = drawnOrder ? runs.map((run) => ({ ...run, text: logical(run.text) })) : [...runs]
  return strong * 2 >= all ? turned.reverse() : turned
}

/** Reverses the characters, and reverses back what reads left to right inside: numbers, Latin words. */
function logical(text: string): string {
  if (!RTL.test(text)) return text
  const characters = [...text].reverse().map((char) => MIRRORED[char] ?? char)
  return characters
    .join('')
    .replace(/[\p{Script=Latin}\d][\p{Script=Latin}\d.,:/@+%-]*/gu, (run) => [...run].reverse().join(''))
}

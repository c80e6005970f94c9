// Learns which places of a page change without meaning. A place is a line's stable words (a counter) or the position
// after an unchanged line (a rotating teaser).

import { isPriceStockOrStatusEdit } from './classify-edit.ts'
import { fingerprint } from './compare-texts.ts'
import type { TextEdit } from './find-differences.ts'
import { markdownFormOf, parseNumbers } from './line-shape-and-numbers.ts'

/** One bit per recent check, newest lowest; 1 means changed. */
interface Place {
  bits: number
  /** Consecutive rises (positive) or falls (negative) of its number. */
  run?: number
  /** Changed between two fetches a moment apart: differs per visit. */
  flickers?: number
}

export interface NoiseMemory {
  looks: number
  places: Record<string, Place>
  /** User feedback: true if changes matter. */
  taught: Record<string, boolean>
}

export const emptyNoiseMemory = (): NoiseMemory => ({ looks: 0, places: {}, taught: {} })

const WINDOW = 8
/** Number of checks remembered. */
const MAX_REMEMBERED_CHECKS = 24
const MAX_PLACES = 400
/** Share of checks with changes that makes a place noise. */
const MIN_CHANGE_SHARE_OF_NOISE = 0.6
/** Higher for lines about price, stock or status. */
const MIN_CHANGE_SHARE_OF_PRICE_NOISE = 0.85
/** A number that only rises is a counter, even if it rises rarely. */
const MIN_RISES_OF_COUNTER = 3
const COUNTER_SHARE = 0.25
/** Changes within the remembered checks that mark noise; authors do not edit one line so often. */
const MIN_CHANGES_OF_NOISE = 5

/**
 * Place keys of an edit. A changed line is identified by its stable words; an added, removed or replaced one by
 * position and form, since neighbouring lines may be real content.
 */
function placesOf(edit: TextEdit): string[] {
  const { section, follows, before, after } = edit
  const form = markdownFormOf(after ?? before ?? '')
  const spot = `spot ${print(`${section}\n${follows}\n${form}`)}`
  const kept = before !== null && after !== null ? stableWords(before, after) : ''
  if (kept === '' && edit.shape === null) return [spot]
  const line = `line ${print(`${section}\n${kept}`)}`
  // Many list items share a position; a quote or slogan is alone.
  return edit.shape === null && STANDALONE_FORMS.has(form) ? [line, spot] : [line]
}

const STANDALONE_FORMS: ReadonlySet<string> = new Set(['quote', 'bold', 'link'])

/** The first common words without numbers; empty if too few. */
function stableWords(before: string, after: string): string {
  const words = (text: string) =>
    text
      .toLowerCase()
      .split(/[^\p{L}]+/u)
      .filter((word) => word.length > 1)
  const is = new Set(words(after))
  const kept = words(before).filter((word) => is.has(word))
  return kept.length >= 2 || (kept[0]?.length ?? 0) > 3 ? kept.slice(0, 2).join(' ') : ''
}

export type NoiseReason = 'taught' | 'flickers' | 'restless' | 'counter'

/** Why a change at this place is noise; undefined if it is not. */
export function findNoiseReason(memory: NoiseMemory, edit: TextEdit): NoiseReason | undefined {
  for (const name of placesOf(edit)) {
    const taught = memory.taught[name]
    if (taught === true) return undefined
    if (taught === false) return 'taught'
  }
  for (const name of placesOf(edit)) {
    const place = memory.places[name]
    const because = place && unrestOf(place, memory.looks, isPriceStockOrStatusEdit(edit))
    if (because) return because
  }
  return undefined
}

function unrestOf({ bits, run = 0, flickers = 0 }: Place, looks: number, serious: boolean): NoiseReason | undefined {
  const least = serious ? 4 : 2
  if (flickers >= least) return 'flickers'
  const window = Math.min(looks, WINDOW)
  const ones = bitCount(bits & ((1 << WINDOW) - 1))
  const share = ones / Math.max(1, window)
  if (window >= 2 && ones >= least && share >= (serious ? MIN_CHANGE_SHARE_OF_PRICE_NOISE : MIN_CHANGE_SHARE_OF_NOISE))
    return 'restless'
  if (serious) return undefined
  if (run >= MIN_RISES_OF_COUNTER && share >= COUNTER_SHARE) return 'counter'
  return looks >= WINDOW && bitCount(bits) >= MIN_CHANGES_OF_NOISE ? 'restless' : undefined
}

/** Updates the memory after a check; `edits` includes suppressed ones. */
export function learnNoise(
  memory: NoiseMemory,
  edits: readonly TextEdit[],
  flickering: readonly TextEdit[],
): NoiseMemory {
  const touched = new Map<string, TextEdit>()
  for (const edit of edits) for (const name of placesOf(edit)) touched.set(name, edit)
  const flickers = new Set(flickering.flatMap(placesOf))
  const places: [string, Place][] = []
  const known = new Map(Object.entries(memory.places))
  for (const name of new Set([...touched.keys(), ...flickers, ...known.keys()])) {
    const before = known.get(name)
    const edit = touched.get(name)
    const isHere = edit !== undefined || flickers.has(name)
    const bits = (((before?.bits ?? 0) << 1) | (isHere ? 1 : 0)) & ((1 << MAX_REMEMBERED_CHECKS) - 1)
    const run = edit ? runOf(before?.run ?? 0, edit) : (before?.run ?? 0)
    const seen = (before?.flickers ?? 0) + (flickers.has(name) ? 1 : 0)
    if (bits === 0) continue
    places.push([name, { bits, ...(run === 0 ? {} : { run }), ...(seen === 0 ? {} : { flickers: seen }) }])
  }
  return { looks: memory.looks + 1, places: Object.fromEntries(places.slice(0, MAX_PLACES)), taught: memory.taught }
}

export function applyNoiseFeedback(memory: NoiseMemory, edits: readonly TextEdit[], matters: boolean): NoiseMemory {
  const taught = Object.fromEntries(edits.flatMap(placesOf).map((name) => [name, matters]))
  return { ...memory, taught: Object.fromEntries(Object.entries({ ...memory.taught, ...taught }).slice(-MAX_PLACES)) }
}

function runOf(run: number, { before, after, shape }: TextEdit): number {
  if (shape === null || before === null || after === null) return 0
  const [was, is] = [parseNumbers(before), parseNumbers(after)]
  const rises = is.some((value, at) => value > (was[at] ?? value))
  const falls = is.some((value, at) => value < (was[at] ?? value))
  return rises && !falls ? run + 1 : 0
}

function bitCount(bits: number): number {
  let count = 0
  for (let rest = bits; rest > 0; rest >>= 1) count += rest & 1
  return count
}

const print = (text: string): string => fingerprint(text).toString(36)

// What is learnt of one page by looking at it again and again: which places on it change without anyone caring. A place
// is a line's shape (a counter) or the spot after an unchanged line (a rotating teaser). One that changes at most looks
// is restless, and no longer wakes anyone; when it comes to rest it is believed again.
import type { Edit } from './edits.ts'
import { isSerious } from './kinds.ts'
import { formOf, numbersIn } from './shape.ts'

/** Bits of the last looks, newest lowest: 1 where the place changed. */
interface Place {
  bits: number
  /** Of its number: how often it rose and fell in a row; positive rises. */
  run?: number
  /** Changed between two looks a moment apart: it is different for every visitor. */
  flickers?: number
}

export interface PageMemory {
  /** Comparisons so far. */
  looks: number
  places: Record<string, Place>
  /** What people said of places: true where changes matter, false where they do not. */
  taught: Record<string, boolean>
}

export const emptyMemory = (): PageMemory => ({ looks: 0, places: {}, taught: {} })

const WINDOW = 8
/** How far back it is remembered that a place changed at all. */
const KEPT = 24
const MAX_PLACES = 400
/** Changes at this share of looks make a place restless. */
const RESTLESS = 0.6
/** The same for a line that speaks of money, stock, dates or trouble: it has to be far more restless. */
const RESTLESS_SERIOUS = 0.85
/** A number that only ever rises is a counter, even when it rises now and then. */
const COUNTER_RUN = 3
const COUNTER_SHARE = 0.25
/** Changes within the last looks that are remembered: so often no page is edited at one line. */
const HABIT = 5

/**
 * The places an edit touches: a line that changed is known by the words it keeps; one that came, went or was replaced
 * altogether by the spot where it stands and its form, since what stands beside a teaser may be what the page is about.
 */
export function placesOf(edit: Edit): string[] {
  const { section, follows, before, after } = edit
  const form = formOf(after ?? before ?? '')
  const spot = `spot ${print(`${section}\n${follows}\n${form}`)}`
  const kept = before !== null && after !== null ? stableWords(before, after) : ''
  if (kept === '' && edit.shape === null) return [spot]
  const line = `line ${print(`${section}\n${kept}`)}`
  // Of a list many lines stand at one spot; a quote or a slogan stands there alone.
  return edit.shape === null && ALONE.has(form) ? [line, spot] : [line]
}

const ALONE: ReadonlySet<string> = new Set(['quote', 'bold', 'link'])

/** The first words that a line keeps, numbers left out; empty when it keeps next to none. */
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

export type Restless = 'taught' | 'flickers' | 'restless' | 'counter'

/** Why a change at this place says nothing; undefined when it may. */
export function restlessness(memory: PageMemory, edit: Edit): Restless | undefined {
  for (const name of placesOf(edit)) {
    const taught = memory.taught[name]
    if (taught === true) return undefined
    if (taught === false) return 'taught'
  }
  for (const name of placesOf(edit)) {
    const place = memory.places[name]
    if (!place) continue
    const serious = isSerious(edit)
    if ((place.flickers ?? 0) >= (serious ? 4 : 2)) return 'flickers'
    const window = Math.min(memory.looks, WINDOW)
    const ones = bitCount(place.bits & ((1 << WINDOW) - 1))
    if (window >= 2 && ones >= (serious ? 4 : 2) && ones / window >= (serious ? RESTLESS_SERIOUS : RESTLESS))
      return 'restless'
    if (!serious && (place.run ?? 0) >= COUNTER_RUN && ones / Math.max(1, window) >= COUNTER_SHARE) return 'counter'
    if (!serious && memory.looks >= WINDOW && bitCount(place.bits) >= HABIT) return 'restless'
  }
  return undefined
}

/** The memory after one more look: `edits` are all that differed, those that woke nobody included. */
export function learn(memory: PageMemory, edits: readonly Edit[], flickering: readonly Edit[]): PageMemory {
  const touched = new Map<string, Edit>()
  for (const edit of edits) for (const name of placesOf(edit)) touched.set(name, edit)
  const flickers = new Set(flickering.flatMap(placesOf))
  const places: [string, Place][] = []
  const known = new Map(Object.entries(memory.places))
  for (const name of new Set([...touched.keys(), ...flickers, ...known.keys()])) {
    const before = known.get(name)
    const edit = touched.get(name)
    const isHere = edit !== undefined || flickers.has(name)
    const bits = (((before?.bits ?? 0) << 1) | (isHere ? 1 : 0)) & ((1 << KEPT) - 1)
    const run = edit ? runOf(before?.run ?? 0, edit) : (before?.run ?? 0)
    const seen = (before?.flickers ?? 0) + (flickers.has(name) ? 1 : 0)
    if (bits === 0) continue
    places.push([name, { bits, ...(run === 0 ? {} : { run }), ...(seen === 0 ? {} : { flickers: seen }) }])
  }
  return {
    looks: memory.looks + 1,
    places: Object.fromEntries(places.slice(0, MAX_PLACES)),
    taught: memory.taught,
  }
}

/** What a person says of a change: the places it touches matter from now on, or do not. */
export function teach(memory: PageMemory, edits: readonly Edit[], matters: boolean): PageMemory {
  const taught = Object.fromEntries(edits.flatMap(placesOf).map((name) => [name, matters]))
  return { ...memory, taught: Object.fromEntries(Object.entries({ ...memory.taught, ...taught }).slice(-MAX_PLACES)) }
}

function runOf(run: number, { before, after, shape }: Edit): number {
  if (shape === null || before === null || after === null) return 0
  const [was, is] = [numbersIn(before), numbersIn(after)]
  const rises = is.some((value, at) => value > (was[at] ?? value))
  const falls = is.some((value, at) => value < (was[at] ?? value))
  return rises && !falls ? run + 1 : 0
}

function bitCount(bits: number): number {
  let count = 0
  for (let rest = bits; rest > 0; rest >>= 1) count += rest & 1
  return count
}

/** FNV-1a over 53 bits would be more than needed: a page has hundreds of places. */
function print(text: string): string {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return (hash >>> 0).toString(36)
}
